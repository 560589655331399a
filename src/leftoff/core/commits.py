"""The commits that a shell command makes, and what they say, as far as its text tells."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# One piece of a command line: a comment, a quoted part, what ends a command, blanks, plain text.
_PIECE = (
    r"(?P<note>(?<![^\s;&|()])\#[^\n]*)|(?P<quoted>'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.)"
    r"|(?P<end>[;&|(){}\n`]+)|(?P<blank>[ \t\r]+)|(?P<plain>[^\s;&|(){}`'\"\\]+|.)"
)
_HERE = r"<<-?[ \t]*(['\"\\]?)([\w.-]+)\1([^\n]*)\n(?:.*?\n)??[ \t]*\2(?=\s|\)|$)"

_SAID_HERE = r"<<-?[ \t]*['\"\\]?[\w.-]+['\"]?[^\n]*\n([^\n]*)"

_BEFORE = {"if", "then", "do", "else", "elif", "while", "until", "!", "time", "sudo", "env", "exec"}
_BEFORE |= {"command", "nohup", "builtin"}
_WITH_VALUE = {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"}
_ONLY_SHOWS = {"--dry-run", "--short", "--porcelain", "--long", "-h", "--help"}


def commits_in(command: str) -> int:
    """`git commit` in each command of a chain; a dry run, a quoted text or a comment is none."""
    if "commit" not in command or "git" not in command:
        return 0
    return sum(map(_is_commit, commands_in(command)))


def messages_in(command: str) -> list[str]:
    """The first line of what each `git commit` says; empty where its text is told elsewhere."""
    if not commits_in(command):
        return []
    import re

    here = re.search(_SAID_HERE, command)
    said = [_message(words) for words in commands_in(command) if _is_commit(words)]
    told = here[1].strip() if here else ""
    return [told if one.startswith("$(") else one for one in said]


def _message(words: list[str]) -> str:
    """The value of -m; what only the shell knows is no message."""
    for word, following in zip(words, (*words[1:], ""), strict=True):
        if word == "--message" or (word[:1] == "-" != word[1:2] and word.endswith("m")):
            return following.strip().partition("\n")[0]
        if word.startswith("--message="):
            return word.removeprefix("--message=").strip().partition("\n")[0]
    return ""


def commands_in(text: str) -> Iterator[list[str]]:
    """The words of each simple command, without their quotes."""
    import re

    if "<<" in text:  # what a here-document holds is text
        text = re.sub(_HERE, r"\3", text, flags=re.DOTALL)
    words, word = [], ""
    for piece in re.finditer(_PIECE, text, re.DOTALL):
        kind, found = piece.lastgroup, piece[0]
        if kind == "plain":
            word += found
        elif kind == "quoted":
            word += found.strip(found[0]) if found[0] in "'\"" else found[1:]
        else:
            words += [word] if word else []
            word = ""
            if kind == "end":
                yield words
                words = []
    yield [*words, word] if word else words


def _is_commit(words: list[str]) -> bool:
    rest = iter(words)
    for word in rest:
        name, sets, _ = word.partition("=")
        if word not in _BEFORE and not (sets and name.isidentifier()):
            break  # neither a keyword nor a variable for the command
    else:
        return False
    if word.rpartition("/")[2] != "git":
        return False
    for word in rest:
        if word in _WITH_VALUE:
            next(rest, None)
        elif not word.startswith("-"):
            return word == "commit" and not _ONLY_SHOWS & set(rest)
    return False
