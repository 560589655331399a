"""What stands behind the name of a secret, seen without a pattern: most names need none. Pure."""

from __future__ import annotations

from leftoff.core.redact_rules import KINDS_OF_KEY

_WORDISH = "abcdefghijklmnopqrstuvwxyz0123456789_-"
_BLANK, _QUOTES = " \t\n\r\f\v", "\\\"'`]*"
_SAYS = {":": ":", "=": "=", "|": "|", "\uff1a": ":", **dict.fromkeys("是为為设改", "c")}
_CLOSES = {"(": ")", "\uff08": "\uff09"}
_NOTED = {"|": "|", ":": "n", "=": "n", "\uff1a": "n"}
_FURTHEST = 18
"""characters by which a name goes on behind the word it is known by"""
_BEFORE_KEY = tuple(f"{kind}{joint}" for kind in KINDS_OF_KEY for joint in ("", "_", "-", ".", " "))


def behind(low: str, at: int, word: str) -> str:
    """What stands behind the name that a word of `_WORDS` ends here, as letters of `Rule.after`.

    It is loose where the patterns are strict, and must never tell less than they find.
    """
    end = at + len(word)
    tail = low[end : end + _FURTHEST]
    end += len(tail) - len(tail.lstrip(_WORDISH))
    rest = low[end : end + 120]
    value = rest.lstrip(_BLANK + _QUOTES)
    found = "r" if len(value) - len(value.lstrip(_WORDISH)) >= 32 else ""
    if rest[1:3] == "is" or rest[1:4] == "was":
        found += "i"
    if word == "key" and not low.endswith(_BEFORE_KEY, max(0, at - 20), at):
        return found
    found += _SAYS.get(value[:1], "")
    if closes := _CLOSES.get(value[:1]):
        found += _NOTED.get(value.partition(closes)[2].lstrip(_BLANK + _QUOTES)[:1], "")
    found += {"=": "e", ">": ">"}.get(rest[:1], "")
    if "value" in rest or "default" in rest:
        found += "v"
    return found + "o" if rest[:1] in _BLANK and "--" in low[max(0, at - 10) : at] else found
