"""What of a prompt came out of a program, a log or a trace of calls, and is nobody's words. Pure.

Three or more lines that only a program writes so, or two with a time, are taken out, with what is
indented between them. Whatever else is in the prompt stays: a sentence too many does no harm, a
rule that is gone does. So levels, paths with lines, commands and code do not count: people write
those, too.
"""

from __future__ import annotations

import re

from leftoff.core.redact import redact
from leftoff.core.texts import short
from leftoff.record import Record

MARK = "[pasted: "
"""What stands before the telling line of each paste, at the end of a prompt."""
_SHOWN, _MOST_SHOWN = 100, 3
_TIME = r"\d{2}:\d{2}:\d{2}(?!\d)"
# with seconds, behind a date and the name of a container if any
_CLOCK = re.compile(
    rf"(?:[\w.-]{{1,40}}\s{{1,20}}\| )?[\[(]?(?:\d{{4}}[-/.]\d{{2}}[-/.]\d{{2}}[T ,]\s?)?{_TIME}"
)
_OUTPUT = re.compile(
    rf"[A-Z][a-z]{{2}} [ \d]\d {_TIME}|[IWEF]\d{{4}} {_TIME}|\[ {{0,8}}\d{{1,9}}\.\d{{6}}\] "
    rf"|\d{{1,3}}(?:\.\d{{1,3}}){{3}} \S{{1,60}} \S{{1,60}} \[\d"
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]{1,80}:|npm (?:ERR!|error|WARN|warn) "
    # calls: Python, JavaScript and Java, PHP, Rust, Go; compilers; pytest
    r"|\s{0,12}Traceback \(most recent call last\):|\s{1,12}File \"[^\"]{1,400}\", line \d"
    r"|(?:[A-Za-z_][\w.]{0,120}\.)?[A-Z]\w{0,80}(?:Error|Exception)(?::|$)|Caused by: \S"
    r"|Exception in thread \"|panic: \S|\S{1,400}:\d{1,9}: [A-Z]\w{0,80}(?:Error|Exception)$"
    r"|\s{1,24}at (?:async |new )?[^\s()]{1,200}(?: \[as \w{1,80}\])?(?: ?\(.{0,400}\).{0,400})?$"
    r"|\s{1,12}\.\.\. \d{1,9} more$"
    r"|#\d{1,4} (?:[^\s(]{1,400}\(\d{1,9}\): |\{main\}$)"
    r"|thread '[^']{1,80}' panicked at |stack backtrace:$"
    r"|goroutine \d{1,9} \[|\s{1,8}/\S{1,400}\.go:\d"
    r"|\S{1,400}:\d{1,9}:\d{1,9}: (?:fatal error|error|warning|note): "
    r"|[E>] {3,8}\S|(?:FAILED|ERROR) \S{1,400}::\S|={3,} .{0,400} ={3,}$|_{3,} .{0,400} _{3,}$"
)
# code that a trace of calls shows, or the name of what was called
_BETWEEN = re.compile(
    r"(?: {4}|\t)\s{0,80}(?!(?:[-*+•]|\d{1,2}[.)、])\s)\S|[\w./*()-]{1,200}\(.{0,200}\)$"
    r"| {1,4}\d{1,4}: \S{1,200}$"
)
_TELLS = re.compile(
    r"(?!\s).*?(?:error|exception|fail|fatal|panic|refused|denied|错误|失败|异常)", re.IGNORECASE
)
# as OpenCode keeps what is said on its command line
_QUOTED = re.compile(r'"((?:[^"\\]++|\\.)++)"\s*', re.DOTALL)
# by what `_kind` says of each line
_RUN = re.compile(r"[oc](?:[ib]{0,16}[oc]){2,}|c(?:[ib]{0,16}c)+")


class Parts(Record):
    """What a person said in a prompt, and what they pasted into it: the line that tells most."""

    own: str
    pasted: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Both on one line, first the words."""
        if not self.pasted:
            return self.own
        return f"{self.own} {MARK}{'; '.join(self.pasted[:_MOST_SHOWN])}]".lstrip()


def parts(prompt: str) -> Parts:
    """A prompt in two; nearly all of them are words only."""
    if quoted := _QUOTED.fullmatch(prompt):
        prompt = quoted[1].replace('\\"', '"')
    if prompt.count("\n") < 2 or not _runs(prompt.splitlines()):
        return Parts(prompt)
    lines = redact(prompt).splitlines()  # now: a value may stand in the line after its name
    own, pasted, at = [], [], 0
    for run in _runs(lines):
        own += lines[at : run.start]
        pasted.append(_telling(lines[run.start : run.stop]))
        at = run.stop
    return Parts("\n".join([*own, *lines[at:]]).strip(), tuple(dict.fromkeys(pasted)))


def words(text: str) -> str:
    """Of a prompt as `Parts.text` tells it what the person said."""
    return text.partition(MARK)[0].rstrip()


def is_output(line: str) -> bool:
    """Whether a line by itself looks as only a program writes it."""
    return _kind(line) in {"c", "o"}


def _runs(lines: list[str]) -> list[range]:
    return [range(*run.span()) for run in _RUN.finditer("".join(map(_kind, lines)))]


def _telling(run: list[str]) -> str:
    return short(next(filter(_TELLS.match, reversed(run)), run[0]).strip("=_ "), _SHOWN)


def _kind(line: str) -> str:
    if _CLOCK.match(line):
        return "c"
    if _OUTPUT.match(line):
        return "o"
    if not line.strip():
        return "b"
    return "i" if _BETWEEN.match(line) else "t"
