"""Which language people read. Files, JSON keys, error kinds and headings are never translated."""

from __future__ import annotations

from leftoff.commands import plainly
from leftoff.core.texts import LANGUAGES
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leftoff.commands import Say


def say_in(language: str, env: Mapping[str, str]) -> Say:
    """The translator `say("{n} left", n=3)`: the option wins, then the environment."""
    if language and not _known(language):
        raise Usage(f'there is no language "{language}"', hint="choose one of: en, zh")
    if (_known(language) or _from(env)) == "zh":
        from leftoff.entry.translate import say  # only when Chinese is wanted

        return say
    return plainly


def say_for(words: Sequence[str], env: Mapping[str, str]) -> Say:
    """The same for a command line that may be wrong, so that its error can be told."""
    asked = ""
    for before, word in zip(("", *words), words, strict=False):
        if before == "--lang" or word.startswith("--lang="):
            asked = word.removeprefix("--lang=")
    return say_in(_known(asked), env)


def _known(language: str) -> str:
    """The language of a name as people write it: `zh`, `zh_CN`, `zh-Hans`, `zh_CN.UTF-8`."""
    name = language.replace("-", "_").replace(".", "_").partition("_")[0].lower()
    return name if name in LANGUAGES else ""


def _from(env: Mapping[str, str]) -> str:
    chosen = (
        env.get("LEFTOFF_LANG") or env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG")
    )
    return "zh" if (chosen or "").startswith("zh") else "en"
