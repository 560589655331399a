"""init: prepare a project for checkpoints, or begin a checkpoint, from an older one if asked."""

from __future__ import annotations

from leftoff.commands import Call, _begin
from leftoff.commands._new_document import STARTERS, scaffold
from leftoff.core import starter_texts
from leftoff.core.blocks import Block, Line
from leftoff.core.result import Result
from leftoff.errors import Usage
from leftoff.formats import kinds_of_work
from leftoff.record import TYPE_CHECKING
from leftoff.world.edit_file import edit_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json

SUMMARY = "Prepare a project (.checkpoints with a README), or start a checkpoint NAME."
EXAMPLES = (
    "leftoff init",
    "leftoff init --merge-driver --dry-run",
    "leftoff init chk-auth --problem 'Sessions expire too early' --next 'Read the token code'",
    "leftoff init chk-auth-2 --from chk-auth --summary 'Tokens done' --next 'Write the docs'",
)
CI_PATH = ".github/workflows/checkpoints.yml"
SCRIPTS = ("status", "list", "validate")


def arguments(parser: Any) -> None:
    """The project, or one checkpoint with what is already known of it."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="begin this checkpoint")
    kinds = kinds_of_work()
    parser.add_argument("--as", dest="kind", choices=kinds, default="md", help="its format (md)")
    parser.add_argument("--from", dest="source", metavar="NAME", help="carry over from this one")
    parser.add_argument("--parent", metavar="ID", help="the checkpoint it diverges from")
    _begin.arguments(parser)
    parser.add_argument("--ci", action="store_true", help="add a CI step that validates")
    parser.add_argument("--aliases", action="store_true", help="add scripts to package.json")
    parser.add_argument("--merge-driver", action="store_true", help="merge checkpoints by field")
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")


def run(call: Call) -> Result:
    """Create only what is missing; a second run changes nothing."""
    if call.args.name is not None:
        return _checkpoint(call)
    if _given(call.args) or call.args.source or call.args.current:
        raise Usage("these options describe a checkpoint", hint="give it a NAME")
    if call.args.merge_driver and not call.store.place.git:
        raise Usage("this project is not a git repository", hint="run it inside one")
    dry = bool(call.args.dry_run)
    missing = [path for path, _ in STARTERS if not call.store.exists(path)]
    created = missing if dry else scaffold(call.store)
    steps: list[Json] = [{"what": path, "state": "created"} for path in created]
    if call.args.ci:
        steps.append({"what": CI_PATH, "state": _ci(call, dry=dry)})
    if call.args.aliases:
        steps.append({"what": "package.json scripts", "state": _aliases(call, dry=dry)})
    if call.args.merge_driver:
        steps += _driver(call, dry=dry)
    return Result({"root": call.store.root, "dry_run": dry, "steps": steps})


def _checkpoint(call: Call) -> Result:
    args = call.args
    if args.ci or args.aliases or args.merge_driver:
        raise Usage(
            "preparing the project and starting a checkpoint are two steps",
            hint="leave NAME out for one",
        )
    wanted = _begin.Request(
        args.name,
        args.kind,
        args.source or "",
        _given(args),
        current=bool(args.current),
        dry_run=bool(args.dry_run),
    )
    return _begin.begin(call, wanted)


def _given(args: Any) -> dict[str, Any]:
    said = _begin.given(args)
    return said if args.parent is None else {**said, "parent": args.parent}


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A line for each thing."""
    if "paths" in data:
        yield from _begin.view(data, say)
        return
    for step in data["steps"]:
        would = say("would be ") if data["dry_run"] and step["state"] == "created" else ""
        good = step["state"] in {"created", "already there"}
        mark, tone = ("✓", "good") if good else ("·", "warn")
        yield Line(f"{mark} {step['what']}: {would}{say(step['state'])}", tone)
    if not data["steps"]:
        yield Line(say("Everything is already in place."))


def _ci(call: Call, *, dry: bool) -> str:
    if call.store.exists(CI_PATH):
        return "already there"
    if not dry:
        call.store.create_missing(CI_PATH, starter_texts.CI_STEP)
    return "created"


def _aliases(call: Call, *, dry: bool) -> str:
    """`npm run checkpoint:status` and its kin, where the project has a package.json."""
    if not call.store.exists("package.json"):
        return "there is no package.json"
    text = call.store.raw("package.json")
    if _with_scripts(text) == text:
        return "already there"
    if not dry:
        edit_file(call.store, "package.json", _with_scripts)
    return "created"


def _with_scripts(text: str) -> str:
    """A package.json with the scripts that it lacks."""
    from leftoff.formats._json_text import loads, rewrite

    value: Any = loads(text)
    if not isinstance(value, dict) or not isinstance(value.get("scripts", {}), dict):
        raise Usage("package.json has no object of scripts", hint="add the scripts by hand")
    scripts = {f"checkpoint:{verb}": f"leftoff {verb}" for verb in SCRIPTS}
    return rewrite(text, {**value, "scripts": {**scripts, **value.get("scripts", {})}})


def _driver(call: Call, *, dry: bool) -> list[Json]:
    """The attributes travel with the repository; the driver itself is set per clone."""
    from leftoff.world import merge_setup

    done = merge_setup.install(call.store, call.env, dry=dry)
    return [{"what": step.what, "state": step.state} for step in done]
