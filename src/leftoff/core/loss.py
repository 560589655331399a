"""What a summary of a conversation lost of what was known before it. Pure.

A model says things in its own words: a decision or a step counts as kept when most of its telling
words stand close together, a path when its file's name is there, a command when it stands there as
it is. `tests/core/test_loss.py` measures that on a table of statements and summaries.
"""

from __future__ import annotations

from leftoff.core.model import open_actions
from leftoff.core.quote import quoted
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from leftoff.core.model import Checkpoint
    from leftoff.core.stats import Stats
    from leftoff.core.texts import Say

ENOUGH = 0.7
"""The part of a decision's telling words that must be there."""
MOST, LONGEST = 20, 500
_SHORT = 3
"""Words below this length say little, unless they hold a digit or a capital inside."""
_NAME = 2
"""A name or a number weighs as much as so many other words."""
_ENDS = (". ", "! ", "? ", "; ", "。", "！", "？", "；")  # noqa: RUF001  # those of Chinese
_ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_IRREGULAR = {
    "wrote": "write",
    "written": "write",
    "made": "make",
    "ran": "run",
    "kept": "keep",
    "built": "build",
    "chose": "choose",
    "chosen": "choose",
    "sent": "send",
    "done": "do",
}
_LITTLE = (
    " the and for are was were not with without into from that this than then they them its has"
    " have had will can may must should every everything everywhere all any only never always once"
    " because when whether instead rather until use uses used using new also but nor who which what"
    " where most least "
)
"""Words of English that stand in any sentence."""
_LITTLE_ZH = "的了在和是用于以及与或把将对向从到由会要也都就不未无再个其此为被让能否中内上下后前"
"""The same in Chinese."""


class Known(Record):
    """What must not be forgotten."""

    decisions: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.decisions or self.actions or self.paths or self.commands)


def known(checkpoint: Checkpoint | None, stats: Stats | None, dirty: Iterable[str] = ()) -> Known:
    """From the thread of a session and from what its transcript shows, most important first."""
    decisions: list[str] = []
    actions: list[str] = []
    paths: list[str] = []
    commands: list[str] = []
    if checkpoint:
        standing = [one for one in checkpoint.decisions if not one.attrs.get("superseded")]
        decisions += (one.text for one in reversed(standing))  # the newest is the last written
        actions += (one.text for one in open_actions(checkpoint))
        paths += (one.text for one in checkpoint.artifacts)
        commands += (one.get("done_when") for one in open_actions(checkpoint))
    if stats:
        actions += stats.open_tasks
        paths += stats.files
        commands += (one.text for one in reversed(stats.failures) if one.tool in _SHELLS)
    return Known(_few(decisions), _few(actions), _few(reversed([*paths, *dirty])), _few(commands))


_SHELLS = frozenset({"Bash", "shell", "exec_command", "run_shell_command", "bash"})


def _few(texts: Iterable[str]) -> tuple[str, ...]:
    """The first of them, each once, without secrets and on one line."""
    kept = dict.fromkeys(quoted(text, LONGEST) for text in texts if text.strip())
    return tuple(kept)[:MOST]


class Heard(Record):
    """A text as it is searched for what it says."""

    flat: str
    said: tuple[frozenset[str], ...]
    """the words of each of its sentences"""

    def states(self, statement: str) -> bool:
        """Whether enough of it stands together: words that are far apart state nothing."""
        weights = _weights(statement)
        enough = ENOUGH * sum(weights.values())
        near = len(_sentences(statement)) + 1
        words = weights.keys()
        return not weights or any(
            sum(weights[one] for one in words & frozenset().union(*self.said[at : at + near]))
            >= enough
            for at in range(len(self.said))
        )

    def names(self, path: str) -> bool:
        """Whether it names the file; a longer name that ends alike is another file."""
        name = path.rpartition("/")[2].casefold()
        at = self.flat.find(name)
        while at > 0 and (self.flat[at - 1].isalnum() or self.flat[at - 1] in "-_."):
            at = self.flat.find(name, at + 1)
        return at >= 0

    def quotes(self, command: str) -> bool:
        """Whether the command stands there as it is."""
        return " ".join(command.split()).casefold() in self.flat


def heard(text: str) -> Heard:
    """A text, made ready to be asked what it says."""
    said = (frozenset(map(_stem, _words(one))) for one in _sentences(text))
    return Heard(" ".join(text.split()).casefold(), tuple(said))


def missing(before: Known, summary: str) -> Known:
    """What of it the summary does not say."""
    text = heard(summary)
    return Known(
        tuple(one for one in before.decisions if not text.states(one)),
        tuple(one for one in before.actions if not text.states(one)),
        tuple(one for one in before.paths if not text.names(one)),
        tuple(one for one in before.commands if not text.quotes(one)),
    )


def lines(lost: Known, room: int, more: str, say: Say) -> list[str]:
    """What was lost, word for word, in as many bytes as there is room for; `more` shows all."""
    told: list[str] = []
    for title, entries in (
        ("Decisions", lost.decisions),
        ("Next steps", lost.actions),
        ("Commands", lost.commands),
        ("Paths", lost.paths),
    ):
        part = _part(say(title), entries, room - _bytes(told), more, say)
        told += part
    return told


def _part(title: str, entries: Sequence[str], room: int, more: str, say: Say) -> list[str]:
    """A title and its entries; it says for how many there was no room."""
    for count in range(len(entries), -1, -1):
        left = len(entries) - count
        rest = [f"- {say('{n} more: {command}', n=left, command=more)}"] if left else []
        part = [f"{title}:", *(f"- {entry}" for entry in entries[:count]), *rest]
        if entries and _bytes(part) <= room:
            return part
    return []


def _bytes(told: Iterable[str]) -> int:
    return sum(len(line.encode()) + 1 for line in told)


def _sentences(text: str) -> list[str]:
    for end in _ENDS:
        text = text.replace(end, f"{end.rstrip()}\n")
    return [line for line in text.split("\n") if line.strip()]


def _weights(statement: str) -> dict[str, int]:
    """The words that tell what was decided, and how much each; all of them where none does."""
    words = _words(statement)
    return {_stem(word): _NAME if _is_name(word) else 1 for word in words if _tells(word)} or {
        _stem(word): 1 for word in words
    }


def _words(text: str) -> list[str]:
    """Runs of letters and digits; every character of a script without spaces is one."""
    spaced = "".join(_apart(ch) for ch in text)
    return spaced.split()


def _apart(ch: str) -> str:
    if "\u3040" <= ch <= "\u9fff" or "\uac00" <= ch <= "\ud7a3":
        return f" {ch} "
    return ch if ch.isalnum() else " "


def _stem(word: str) -> str:
    """A word without what English adds to it; good enough to know it again."""
    word = _IRREGULAR.get(word.casefold(), word.casefold())
    if not word.isascii() or not word.isalpha():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORT:
            word = word[: -len(ending)] + instead
            break
    return word[:-1] if len(word) > _SHORT and (word[-1] == "e" or word[-1] == word[-2]) else word


def _is_name(word: str) -> bool:
    """Numbers, names of code, and words of another script than the rest."""
    return word.isascii() and (word[1:].lower() != word[1:] or not word.isalpha())


def _tells(word: str) -> bool:
    if not word.isascii():
        return word not in _LITTLE_ZH
    return _is_name(word) or (len(word) >= _SHORT and f" {word.casefold()} " not in _LITTLE)
