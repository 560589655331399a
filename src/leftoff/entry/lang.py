"""Which language people read. Files, JSON keys, error kinds and headings are never translated."""

from __future__ import annotations

from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Say = Callable[..., str]

LANGUAGES = ("en", "zh")


def say_in(language: str, env: Mapping[str, str]) -> Say:
    """The translator `say("{n} left", n=3)`: the option wins, then the environment."""
    if language and language not in LANGUAGES:
        raise Usage(f'there is no language "{language}"', hint="choose one of: en, zh")
    if (language or _from(env)) == "zh":
        from leftoff.locale.zh_CN import TEXTS  # only when Chinese is wanted

        return _speaker(TEXTS)
    return _speaker({})


def _from(env: Mapping[str, str]) -> str:
    chosen = (
        env.get("LEFTOFF_LANG") or env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG")
    )
    return "zh" if (chosen or "").startswith("zh") else "en"


def _speaker(texts: Mapping[str, str]) -> Say:
    def say(text: str, /, **values: object) -> str:
        known = texts.get(text, text)
        return known.format(**values) if values else known

    return say
