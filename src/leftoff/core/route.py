"""Which verb a person's words mean. The seeds' own words, in one table: seed E's mode router.

Bare `/checkpoint` saves, as seeds C and E have it; `leftoff` alone shows status, as seed A has it.
"""

from __future__ import annotations

from leftoff.core.dispatch import MARK
from leftoff.core.find_stream import closest
from leftoff.core.texts import flat
from leftoff.errors import NotFound

_SLASH = "/checkpoint"
_CALLED = (_SLASH, "checkpoint", "/leftoff:", "/leftoff-", "$leftoff-", "/leftoff", "leftoff")
"""How a skill or this program is called; what follows is a word, or a note."""
RESTORE = "--restore"
# seed A: status, next, doctor, show, reset, list; seed C: save and restore; seed E: modes, Chinese
WORDS = {
    "next": "next",
    "doctor": "doctor",
    "show": "show",
    "reset": "reset",
    "list": "list",
    "status": "status",
    "save": "save",
    "resume": "resume",
    "restore": "resume",
    RESTORE: "resume",
    "validate": "validate",
    "update": "update",
    "done": "done",
    "init": "init",
    "handoff": "handoff",
    "enable": "thread enable",
    "switch": "thread switch",
    "archive": "archive",
    "auto-on": "thread auto-on",
    "auto-off": "thread auto-off",
    "threshold": "thread threshold",
}
PHRASES = {
    "save my place": "save",
    "save session": "save",
    "restore checkpoint": "resume",
    "resume from checkpoint": "resume",
    "what is next": "next",
    "what's next": "next",
    "where did i leave off": "status",
    "hand off": "handoff",
    "保存进度": "save",
    "断点保存": "save",
    "断点续传": "resume",
    "恢复上下文": "resume",
    "检查进度": "status",
    "列出断点": "list",
    "下一步": "next",
    "交接": "handoff",
}
_BETWEEN = " ,.:;!?，。：；！？、"  # noqa: RUF001  # what people write behind a phrase


def route(text: str) -> tuple[str, str]:
    """The verb and the words left for it; NotFound, with the nearest word, when it means none."""
    said = flat(text.strip().removeprefix(MARK))
    called, behind = _split(said)
    if found := _phrase(behind):
        return found
    first, _, rest = behind.partition(" ")
    verb = WORDS.get(first.casefold().rstrip(_BETWEEN))
    if verb:
        return verb, rest
    if called and not behind:
        return ("status" if "leftoff" in called else "save"), ""
    if called == _SLASH and not _mistyped(behind):
        return _saved_or_restored(behind.split(" "))
    near = closest(first.casefold(), _known())
    what = f'"{said[:60]}" matches no verb'
    told = f'{what}; did you mean "{near}"?' if near else what
    raise NotFound(told, hint=f"known words: {', '.join(_known())}")


def _split(said: str) -> tuple[str, str]:
    """By which name it is called, and what is said behind; "" and all of it where by none."""
    for name in _CALLED:
        if said.casefold().startswith(name):
            behind = said[len(name) :]
            if name[-1] in ":-" or behind[:1] in {"", " "}:
                return name, behind.strip()
    return "", said


def _phrase(said: str) -> tuple[str, str] | None:
    """The verb of a phrase at the beginning; in Chinese no space follows it."""
    for phrase, verb in PHRASES.items():
        behind = said[len(phrase) :]
        ends = not phrase.isascii() or behind[:1] in {"", *_BETWEEN}
        if said.casefold().startswith(phrase) and ends:
            return verb, behind.strip(_BETWEEN)
    return None


def _known() -> list[str]:
    return [word for word in WORDS if not word.startswith("-")]


def _mistyped(behind: str) -> bool:
    """Whether the one word behind the call was meant to be one of ours, and no note."""
    return " " not in behind and bool(closest(behind.casefold(), _known()))


def _saved_or_restored(words: list[str]) -> tuple[str, str]:
    """Seed C's own call: a save with a note, unless it says somewhere that it restores."""
    verb = "resume" if RESTORE in words else "save"
    return verb, " ".join(word for word in words if word != RESTORE)
