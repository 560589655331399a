"""The documents that skills read before they act, and the skills themselves: what there is of them.

Seed E: a mode has its document, a document may refer to others, and steps that need Hapi are left
out where there is none. The texts are files of the package (`world.guide` reads them).
"""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MODES = {
    "thread enable": "enable",
    "thread switch": "enable",
    "save": "save",
    "resume": "resume",
    "status": "status",
    "list": "status",
    "archive": "archive",
    "thread auto-on": "auto",
    "thread auto-off": "auto",
    "thread threshold": "auto",
    "next": "next",
    "handoff": "handoff",
}
"""The document of each mode, by the verb that it is."""
REFERENCES = ("rules", "history", "hapi", "thread-schema")
"""Documents that others refer to."""
TOPICS = (*dict.fromkeys(MODES.values()), *REFERENCES)
_ALSO = {
    # seed E's names of its files
    "status-list": "status",
    "context-detection": "auto",
    "hapi-integration": "hapi",
    "history-awareness": "history",
    "schema": "thread-schema",
    "restore": "resume",
}
SCHEMA = "thread-schema"
SKILLS = ("save", "resume", "next", "handoff")
PREFIX = "leftoff-"
"""Before the name of a skill that stands among those of others."""
HAPI_STEP = "(if Hapi available) "
"""Begins a step that is left out elsewhere; seed E's words, never translated."""


def topic_of(word: str) -> str:
    """The document that a word asks for: its own name, a mode, or seed E's name; "" for none."""
    known = {**{verb.rpartition(" ")[2]: topic for verb, topic in MODES.items()}, **_ALSO}
    return word if word in TOPICS else known.get(word, "")


def without_hapi(text: str) -> str:
    """The document as it holds locally: marked steps are gone, the others numbered anew."""
    return "\n".join(_kept(text.split("\n")))


def _kept(lines: list[str]) -> Iterator[str]:
    number, left_out = 0, False
    for line in lines:
        digits, dot, rest = line.partition(". ")
        if dot and digits.isdecimal():
            number = 1 if digits == "1" else number
            left_out = rest.startswith(HAPI_STEP)
            if not left_out:
                yield f"{number}. {rest}"
                number += 1
        elif not (left_out and line.startswith(" ")):
            left_out = False
            yield line


def named(skill: str, text: str, name: str) -> str:
    """The text of a skill under another name than its own: each package has its way to say them."""
    return text.replace(f"\nname: {PREFIX}{skill}\n", f"\nname: {name}\n", 1)
