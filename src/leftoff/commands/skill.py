"""skill: what a packaged skill asks: which mode a person's words mean, and what to read before."""

from __future__ import annotations

from leftoff.commands import Call, plainly
from leftoff.commands._hapi_environment import HAPI, add_tools, environment
from leftoff.core.blocks import Block, Line, Raw
from leftoff.core.find_stream import closest
from leftoff.core.guide import MODES, TOPICS, topic_of, without_hapi
from leftoff.core.result import Result
from leftoff.core.route import route
from leftoff.errors import NotFound
from leftoff.record import TYPE_CHECKING
from leftoff.world import guide

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say

SUMMARY = (
    "For skills: find the command that a person's words ask for, and the document to read first."
)
EXAMPLES = (
    'leftoff skill route "/checkpoint doctor"',
    "leftoff skill route 保存进度",
    "leftoff skill docs save",
    "leftoff skill docs thread-schema",
)
ROUTE, DOCS = "route", "docs"


def arguments(parser: Any) -> None:
    """What to do with the text."""
    parser.add_argument("action", metavar="ACTION", choices=(ROUTE, DOCS), help="route or docs")
    parser.add_argument(
        "text", metavar="TEXT", help="route: the words of the person; docs: the topic or mode"
    )
    add_tools(parser)


def run(call: Call) -> Result:
    """The verb and the words left for it; or a document."""
    return _docs(call) if call.args.action == DOCS else _route(call)


def _route(call: Call) -> Result:
    verb, rest = route(call.args.text)
    return Result({"verb": verb, "rest": rest, "document": MODES.get(verb)})


def _docs(call: Call) -> Result:
    """The document, in the reader's language, with the steps that hold where the caller runs."""
    asked = call.args.text.strip().casefold()
    topic = topic_of(asked)
    if not topic:
        near = closest(asked, TOPICS)
        what = f'there is no document "{asked[:60]}"'
        told = f'{what}; did you mean "{near}"?' if near else what
        raise NotFound(told, hint=f"known topics: {', '.join(TOPICS)}")
    env, language = environment(call), "en" if call.say is plainly else "zh"
    text = guide.document(topic, language)
    shown = text if env == HAPI else without_hapi(text)
    return Result({"topic": topic, "env": env, "language": language, "text": shown})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The verb alone, which a script reads; or the document as it is."""
    del say
    if "text" in data:
        yield Raw(data["text"])
    else:
        yield Line(" ".join(part for part in (data["verb"], data["rest"]) if part))
