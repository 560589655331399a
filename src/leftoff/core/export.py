"""A conversation as a page for people or a document for programs, piece by piece. Pure.

What was said is a stranger's text: redacted, and shown as the text that it is, whatever it holds.
"""

from __future__ import annotations

from leftoff.core.fast_json import dumps
from leftoff.core.fence import STEERING
from leftoff.core.redact import PLAIN, redact
from leftoff.core.talk import AGENT, TITLES, TOOL
from leftoff.core.when import stamp
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leftoff.core.redact import Redactor
    from leftoff.core.talk import Turn

SCHEMA = "leftoff.conversation/1"
_VISIBLE = {code: f"\u27e8U+{code:04X}\u27e9" for code in STEERING}
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;"
    "color:#1c1c1c;background:#fff}"
    "section{margin:1rem 0;padding:.5rem 1rem;border-left:4px solid #999;background:#f6f6f6}"
    "section.user{border-color:#1a66c2}section.agent{border-color:#2c8a4b}"
    "h2{font-size:1rem;margin:0 0 .3rem}time{font-weight:normal;color:#595959}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;font:inherit;unicode-bidi:plaintext}"
    "p.tool{margin:.2rem 1rem;color:#595959;font-size:.9rem}code{overflow-wrap:anywhere}"
    "@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}"
    "section{background:#222}time,p.tool{color:#a8a8a8}}"
)


class About(Record):
    """Whose conversation it is."""

    agent: str
    session: str
    at: float
    """when it was exported"""
    project: str = ""


def pieces(kind: str, about: About, turns: Iterable[Turn], by: Redactor = PLAIN) -> Iterator[str]:
    """The whole document in one of the formats."""
    safe = (_redacted(turn, by) for turn in turns)
    return {"md": _markdown, "html": _html, "json": _json}[kind](about, safe)


def shown(text: str) -> str:
    """With every character that nobody sees, or that steers a terminal, spelt out."""
    flat = text.replace("\n", "").replace("\t", "")
    return text if flat.isascii() and flat.isprintable() else text.translate(_VISIBLE)


def _redacted(turn: Turn, by: Redactor) -> Turn:
    changes = tuple(redact(path, by) for path in turn.changes)
    return turn._replace(text=redact(turn.text, by), about=redact(turn.about, by), changes=changes)


def _markdown(about: About, turns: Iterable[Turn]) -> Iterator[str]:
    yield f"# {_one_line(f'{about.agent} {about.session}')}\n\n"
    for label, value in _facts(about):
        yield f"- {label}: {_one_line(value)}\n"
    last = ""
    for turn in turns:
        if turn.role == TOOL:
            yield ("" if last == TOOL else "\n") + f"- {_call(turn, '`')}\n"
        else:
            yield f"\n## {_title(turn)}\n\n{_quoted(turn.text)}\n"
        last = turn.role


def _quoted(text: str) -> str:
    """A line that looks like a heading is not taken for one of ours; HTML stays text."""
    lines = shown(text).strip().replace("<", "\\<").split("\n")
    return "\n".join(f"\\{line}" if line.startswith("#") else line for line in lines)


def _html(about: About, turns: Iterable[Turn]) -> Iterator[str]:
    title = _escaped(f"{about.agent} {about.session}")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<ul>\n"
    )
    for label, value in _facts(about):
        yield f"<li>{label}: {_escaped(value)}</li>\n"
    yield "</ul>\n<main>\n"
    for turn in turns:
        if turn.role == TOOL:
            yield f'<p class="tool">{_escaped(_call(turn))}</p>\n'
        else:
            role = turn.role if turn.role in TITLES else AGENT
            head = f"{TITLES[role]}{f' <time>{stamp(turn.at)}</time>' if turn.at else ''}"
            text = _escaped(turn.text.strip())
            yield f'<section class="{role}">\n<h2>{head}</h2>\n<pre>{text}</pre>\n</section>\n'
    yield "</main>\n</body>\n</html>\n"


def _json(about: About, turns: Iterable[Turn]) -> Iterator[str]:
    """One object, a line for each turn."""
    head = dumps({"schema": SCHEMA, **about._asdict(), "at": stamp(about.at)})
    yield head[:-1] + ', "turns": ['
    comma = "\n"
    for turn in turns:
        at = stamp(turn.at) if turn.at else None
        yield comma + dumps({**turn._asdict(), "at": at, "changes": [*turn.changes]})
        comma = ",\n"
    yield "\n]}\n"


def _facts(about: About) -> Iterator[tuple[str, str]]:
    yield "Session", f"{about.agent}/{about.session}"
    if about.project:
        yield "Project", about.project
    yield "Exported", stamp(about.at)


def _title(turn: Turn) -> str:
    at = f" ({stamp(turn.at)})" if turn.at else ""
    return f"{TITLES.get(turn.role, 'Agent')}{at}"


def _call(turn: Turn, quote: str = "") -> str:
    about = _one_line(turn.about or ", ".join(turn.changes)).replace("`", "\u02bc")
    told = f": {quote}{about}{quote}" if about else ""
    return f"{_one_line(turn.tool)}{told}{' (failed)' if turn.ok is False else ''}"


def _one_line(text: str) -> str:
    return shown(" ".join(text.split()))


def _escaped(text: str) -> str:
    return shown(text).translate(_ESCAPES)
