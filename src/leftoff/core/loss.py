"""What a summary of a conversation lost of what was known before it. Pure.

A model says things in its own words: a decision counts as kept when most of its telling words are
there, a path when its file's name is, a command when it stands there as it is.
"""

from __future__ import annotations

from leftoff.core.fence import one_line
from leftoff.core.model import open_actions
from leftoff.core.redact import redact
from leftoff.core.texts import cut
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leftoff.core.model import Checkpoint
    from leftoff.core.stats import Stats

ENOUGH = 0.6
"""The part of a decision's telling words that must be there."""
MOST, LONGEST = 20, 300
_SHORT = 3
"""Words up to this length say little, unless they hold a digit or a capital inside."""


class Known(Record):
    """What must not be forgotten."""

    decisions: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.decisions or self.paths or self.commands)


def known(checkpoint: Checkpoint | None, stats: Stats | None, dirty: Iterable[str] = ()) -> Known:
    """From the thread of a session and from what its transcript shows, the newest last."""
    decisions: list[str] = []
    paths: list[str] = []
    commands: list[str] = []
    if checkpoint:
        standing = (one for one in checkpoint.decisions if not one.attrs.get("superseded"))
        decisions += (one.text for one in standing)
        paths += (one.text for one in checkpoint.artifacts)
        commands += (one.get("done_when") for one in open_actions(checkpoint))
    if stats:
        paths += stats.files
        commands += (one.text for one in stats.failures if one.tool in _SHELLS)
    return Known(_few(decisions), _few([*paths, *dirty]), _few(commands))


_SHELLS = frozenset({"Bash", "shell", "exec_command", "run_shell_command", "bash"})


def _few(texts: Iterable[str]) -> tuple[str, ...]:
    """The last of them, each once, without secrets and on one line."""
    kept = dict.fromkeys(cut(one_line(redact(text)), LONGEST) for text in texts if text.strip())
    return tuple(kept)[-MOST:]


def missing(before: Known, summary: str) -> Known:
    """What of it the summary does not say."""
    text = " ".join(summary.split()).casefold()
    words = set(_words(text))
    return Known(
        tuple(one for one in before.decisions if not _is_told(one, words)),
        tuple(one for one in before.paths if one.rpartition("/")[2].casefold() not in text),
        tuple(one for one in before.commands if one.casefold() not in text),
    )


def _is_told(decision: str, words: set[str]) -> bool:
    telling = {word.casefold() for word in _words(decision) if _tells(word)}
    telling = telling or {word.casefold() for word in _words(decision)}
    return not telling or len(telling & words) / len(telling) >= ENOUGH


def _words(text: str) -> list[str]:
    """Runs of letters and digits; every character of a script without spaces is one."""
    spaced = "".join(_apart(ch) for ch in text)
    return spaced.split()


def _apart(ch: str) -> str:
    if "\u3040" <= ch <= "\u9fff" or "\uac00" <= ch <= "\ud7a3":
        return f" {ch} "
    return ch if ch.isalnum() else " "


def _tells(word: str) -> bool:
    name = word[1:].lower() != word[1:] or not word.isalpha()
    return len(word) > _SHORT or not word.isascii() or name
