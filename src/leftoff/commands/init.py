"""init: prepare a project for checkpoints, or begin a checkpoint, from an older one if asked."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.commands._scaffold import STARTERS, scaffold
from leftoff.commands._status_word import set_word
from leftoff.core import starter
from leftoff.core.blocks import Block, Line, Raw
from leftoff.core.carry import carry
from leftoff.core.find import find
from leftoff.core.ids import check_name
from leftoff.core.lineage import unknown_parent
from leftoff.core.model import Checkpoint, Item
from leftoff.core.newborn import dated, grown
from leftoff.core.result import Result
from leftoff.core.together import current
from leftoff.core.when import stamp
from leftoff.errors import Usage
from leftoff.formats import named
from leftoff.record import TYPE_CHECKING
from leftoff.world.foreign import edit_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

SUMMARY = "Prepare a project (.checkpoints with a README), or begin a checkpoint NAME."
EXAMPLES = (
    "leftoff init",
    "leftoff init --merge-driver --dry-run",
    "leftoff init chk-auth --problem 'Sessions expire too early' --next 'Read the token code'",
    "leftoff init chk-auth-2 --from chk-auth --summary 'Tokens done' --next 'Write the docs'",
)
CI_PATH = ".github/workflows/checkpoints.yml"
SCRIPTS = ("status", "list", "validate")
FORMATS = ("md", "skill", "thread", "task")
PARTS = {"thread": ("thread", "thread.json")}


def arguments(parser: Any) -> None:
    """The project, or one checkpoint with what is already known of it."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="begin this checkpoint")
    parser.add_argument("--as", dest="kind", choices=FORMATS, default="md", help="its format (md)")
    parser.add_argument("--from", dest="source", metavar="NAME", help="carry over from this one")
    parser.add_argument("--parent", metavar="ID", help="the checkpoint it diverges from")
    parser.add_argument("--anchor", metavar="TEXT", help="up to which turn or phase it reaches")
    parser.add_argument("--problem", metavar="TEXT", help="what is to be solved")
    parser.add_argument("--intent", metavar="TEXT", help="what the user wants to achieve")
    parser.add_argument("--context", metavar="TEXT", help="stack, configuration, environment")
    parser.add_argument("--summary", metavar="TEXT", help="what exists now")
    parser.add_argument("--decision", action="append", metavar="TEXT", help="a decision (again)")
    parser.add_argument("--next", action="append", metavar="TEXT", help="a next action (again)")
    parser.add_argument("--current", action="store_true", help="make it the current one")
    parser.add_argument("--ci", action="store_true", help="add a CI step that validates")
    parser.add_argument("--aliases", action="store_true", help="add scripts to package.json")
    parser.add_argument("--merge-driver", action="store_true", help="merge checkpoints by field")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")


def run(call: Call) -> Result:
    """Create only what is missing; a second run changes nothing."""
    if call.args.name is not None:
        return _begin(call)
    if _given(call.args) or call.args.source or call.args.current:
        raise Usage("these options describe a checkpoint", hint="give it a NAME")
    if call.args.merge_driver and not call.store.place.git:
        raise Usage("this project is no git repository", hint="run it inside one")
    dry = bool(call.args.dry_run)
    missing = [path for path, _ in STARTERS if not call.store.exists(path)]
    created = missing if dry else scaffold(call.store)
    steps: list[Json] = [{"what": path, "state": "created"} for path in created]
    if call.args.ci:
        steps.append({"what": CI_PATH, "state": _file(call, CI_PATH, starter.CI_STEP, dry=dry)})
    if call.args.aliases:
        steps.append({"what": "package.json scripts", "state": _aliases(call, dry=dry)})
    if call.args.merge_driver:
        steps += _driver(call, dry=dry)
    return Result({"root": call.store.root, "dry_run": dry, "steps": steps})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A line for each thing."""
    if "paths" in data:
        yield from _begun(data, say)
        return
    for step in data["steps"]:
        would = say("would be ") if data["dry_run"] and step["state"] == "created" else ""
        good = step["state"] in {"created", "already there"}
        mark, tone = ("✓", "good") if good else ("·", "warn")
        yield Line(f"{mark} {step['what']}: {would}{say(step['state'])}", tone)
    if not data["steps"]:
        yield Line(say("Everything is there already."))


def _begun(data: dict[str, Any], say: Say) -> Iterator[Block]:
    for document in data.get("documents", ()):
        yield Line(f"# {document['path']}", "strong")
        yield Raw(document["text"])
    for path in () if data["dry_run"] else data["paths"]:
        yield Line("✓ " + say("created {path}", path=path), "good")


def _file(call: Call, path: str, text: str, *, dry: bool) -> str:
    if call.store.exists(path):
        return "already there"
    if not dry:
        call.store.create_missing(path, text)
    return "created"


def _aliases(call: Call, *, dry: bool) -> str:
    """`npm run checkpoint:status` and its kin, where the project has a package.json."""
    from leftoff.formats._json_text import loads, rewrite

    if not call.store.exists("package.json"):
        return "there is no package.json"
    value = loads(call.store.raw("package.json"))
    if not isinstance(value, dict) or not isinstance(value.get("scripts", {}), dict):
        raise Usage("package.json has no object of scripts", hint="add the scripts by hand")
    known: Any = value.get("scripts", {})
    scripts = {f"checkpoint:{verb}": f"leftoff {verb}" for verb in SCRIPTS}
    if all(name in known for name in scripts):
        return "already there"
    if not dry:
        wanted: Any = {**value, "scripts": {**scripts, **known}}
        edit_file(call.store, "package.json", lambda text: rewrite(text, wanted))
    return "created"


def _driver(call: Call, *, dry: bool) -> list[Json]:
    """The attributes travel with the repository; the driver itself is set per clone."""
    from leftoff.world import merge_setup

    done = merge_setup.install(call.store, call.env, dry=dry)
    return [{"what": step.what, "state": step.state} for step in done]


def _begin(call: Call) -> Result:
    args, now = call.args, stamp(call.now)
    if args.ci or args.aliases or args.merge_driver:
        raise Usage("the project and a checkpoint are two steps", hint="leave NAME out for one")
    name = check_name(args.name, "checkpoint name")
    streams = call.store.streams()
    checkpoint = _fresh(call, streams, name, now)
    made = {
        lens.path(checkpoint): lens.write(checkpoint, "", lens.path(checkpoint))
        for lens in map(named, PARTS.get(args.kind, (args.kind,)))
    }
    if args.dry_run:
        texts: list[Json] = [{"path": path, "text": text} for path, text in made.items()]
        return Result({"paths": [*made], "documents": texts, "dry_run": True})
    found = [f for path, text in made.items() for f in call.store.create(path, text).findings]
    for other in current(streams) if args.current else ():
        set_word(call, other.glance.path, "active")
    # a new checkpoint may have empty sections: they are named, they do not fail its creation
    told = tuple(f._replace(level="info") if f.level == "error" else f for f in found)
    orphaned = unknown_parent([s.glance for s in streams], checkpoint.parent)
    return Result({"paths": [*made], "dry_run": False}, (*told, *orphaned))


def _fresh(call: Call, streams: list[Stream], name: str, now: str) -> Checkpoint:
    """The new checkpoint: what is given, on top of what the older one hands on."""
    given = _given(call.args)
    if call.args.source:
        previous = call.store.read_stream(find(streams, call.args.source))
        made = carry(previous, name, now, given)
    else:
        made = Checkpoint(id=name, created=now)._replace(**given)
    if call.args.kind == "skill":
        root = call.store.root
        return grown(dated(made, now), root, os.path.basename(root), "scaffolded")
    return made._replace(word="current" if call.args.current else "active", updated="")


def _given(args: Any) -> dict[str, Any]:
    """What the options say, by model field."""
    texts = {"problem": args.problem, "intent": args.intent, "context": args.context}
    texts |= {"summary": args.summary, "stage": args.anchor, "parent": args.parent}
    given: dict[str, Any] = {field: text for field, text in texts.items() if text is not None}
    if args.decision:
        given["decisions"] = tuple(Item(text) for text in args.decision)
    if args.next:
        given["next_actions"] = tuple(Item(text) for text in args.next)
    return given
