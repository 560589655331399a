"""Format A: the state of one skill as JSON, `.checkpoints/<skill>.checkpoint.json`.

The file name decides whose a file is: an empty object is a document with ten errors. The wire
version is this module's own business; the model does not know it.
"""

from __future__ import annotations

from leftoff.core.finish_action import Ending
from leftoff.core.ids import slug
from leftoff.core.model import ARCHIVED, COMPLETE, IN_PROGRESS, Checkpoint
from leftoff.formats._json_assign import assigned
from leftoff.formats._json_lens import (
    CONFLICTS,
    OBJECT,
    TEXT,
    Field,
    Shape,
    backwards,
    document,
    file_name,
    findings,
    is_blank,
    items,
    put,
    take,
)
from leftoff.formats._json_text import dumps, rewrite
from leftoff.formats._json_value import patched_object
from leftoff.formats._skill_rules import REQUIRED, WORDS, rules, speaks
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.model import Finding
    from leftoff.formats import Change
    from leftoff.formats._json_lens import Object

NAME = "skill"
PATTERNS = (".checkpoints/*.checkpoint.json",)
STAMPS = True
ENDING = Ending("recent", completes="status", goes_on=True)
SUFFIX = ".checkpoint.json"
WIRE_VERSION = "1.0"
# Fields that came with wire version 1.1; a file says 1.1 only where one is used, so that the
# oldest readers, which refuse it, can read all others.
NEWER, NEWER_VERSION = ("cost", "eval_scores", "telemetry_handle"), "1.1"


def _is_row(row: Object) -> bool:
    return speaks(row.get("id")) and speaks(row.get("label")) and speaks(row.get("status"))


def _as_row(row: Object) -> Object:
    """A row made of what another format knows of one."""
    label = next((row[key] for key in ("label", "id") if speaks(row.get(key))), "")
    name = row["id"] if speaks(row.get("id")) else slug(str(label), "row")
    status = row["status"] if speaks(row.get("status")) else "not_started"
    return {**row, "id": name, "label": label, "status": status} if label else {}


def _is_ticket(ref: Object) -> bool:
    return speaks(ref.get("provider")) and speaks(ref.get("id"))


_TEXTS = Shape("text", keys=("text", "done_when"), plain=True)
_ROWS = Shape("label", keys=("id", "label", "status"), whole=_is_row, repair=_as_row)
_BLOCKERS = Shape(
    "description", keys=("id", "description", "blocking", "needs", "proposed_resolution")
)
_TICKETS = Shape(
    "",
    keys=("provider", "id", "url", "role", "created_by_skill", "first_seen_at"),
    whole=_is_ticket,
    repair=lambda _: {},
)

# In the order of the seed, which is that of a new file.
FIELDS = (
    Field("id", ("skill",), TEXT),
    Field("project", ("project",), TEXT),
    Field("project_dir", ("project_dir",), TEXT),
    Field("created", ("created_at",), TEXT),
    Field("updated", ("updated_at",), TEXT),
    Field("phase", ("phase",), TEXT),
    Field("stage", ("step",), TEXT),
    Field("word", ("status",), TEXT),
    Field("summary", ("progress_summary",), TEXT),
    Field("progress", ("progress_table",), items(_ROWS)),
    Field("decisions", ("context_primer", "key_decisions"), items(_TEXTS)),
    Field("artifacts", ("context_primer", "generated_files"), items(_TEXTS._replace(text="path"))),
    Field("rules", ("context_primer", "user_preferences"), items(_TEXTS)),
    Field("blockers", ("blockers",), items(_BLOCKERS)),
    Field("next_actions", ("next_actions",), items(_TEXTS)),
    Field("refs", ("pm_refs",), items(_TICKETS)),
    Field(
        "history",
        ("recently_done",),
        backwards(items(Shape("action", keys=("at", "action")))),
    ),
    Field("parent", ("depends_on",), TEXT),
    Field("cost", ("cost",), OBJECT),
    Field("private", ("skill_state",), OBJECT),
    Field("conflicts", ("conflicts",), CONFLICTS),
)
HOLDS = {
    **{field.name: ".".join(map(str, field.place)) for field in FIELDS},
    "status": "status",
    "extra": "other keys",
}
KNOWN = (
    *REQUIRED,
    *(str(field.place[0]) for field in FIELDS),
    *NEWER,
    *("record_updated_at", "verified_at", "candidate", "findings", "handoffs"),
)


def mine(_text: str, path: str) -> bool:
    """Whether the file is called like a skill's checkpoint."""
    return path.endswith(SUFFIX)


def hold(c: Checkpoint) -> Checkpoint:
    """The checkpoint as a skill's file can carry it."""
    return _parsed(_composed(c, blanks=False))


def path(c: Checkpoint) -> str:
    """Where the checkpoint of this skill is."""
    return f".checkpoints/{file_name(c.id, 'skill name')}{SUFFIX}"


def read(text: str, path: str) -> Checkpoint:  # noqa: ARG001  (the text alone says it)
    """The model of a skill's file."""
    return _parsed(document(text))


def write(c: Checkpoint, old: str, path: str) -> str:  # noqa: ARG001
    """`old` with what differs put in."""
    held = hold(c)
    if is_blank(old):
        made = _composed(held, blanks=False)
        version = NEWER_VERSION if any(key in made for key in NEWER) else WIRE_VERSION
        return dumps({"protocol_version": version, **made})
    raw = document(old)
    new = patched_object(raw, _composed(_parsed(raw)), _composed(held))
    return rewrite(old, _with_version(raw, new))


def check(text: str, path: str) -> list[Finding]:
    """The rules of the first validator, and a few of our own."""
    name = path.rpartition("/")[2]
    size = len(text.encode("utf-8", "surrogatepass"))
    return findings(text, lambda whole: rules(whole, name, size))


def assign(text: str, path: str, changes: Sequence[Change]) -> str:  # noqa: ARG001
    """`text` after the changes of `update`."""
    raw = document(text)
    new = assigned(raw, changes, KNOWN, once=[("context_primer", "generated_files")])
    return rewrite(text, _with_version(raw, new))


def _parsed(whole: Object) -> Checkpoint:
    said, extra = take({**whole}, FIELDS)
    extra.pop("protocol_version", None)
    word = said.pop("word", "")
    if word and word not in WORDS:
        extra["status"] = word  # so that `_word` knows it for the document's own
    status = word if word in WORDS else IN_PROGRESS
    return Checkpoint(
        **{"id": "", **said, "status": status, "word": word or IN_PROGRESS, "extra": extra}
    )


def _composed(c: Checkpoint, *, blanks: bool = True) -> Object:
    said = {**c._asdict(), "word": _word(c)}
    return put(said, FIELDS, c.extra, blanks=blanks)


def _word(c: Checkpoint) -> str:
    """What `status` says; nothing where the document's own odd word still says it."""
    status = COMPLETE if c.status == ARCHIVED else c.status
    status = status if status in WORDS else IN_PROGRESS
    odd = c.extra.get("status", "")
    kept = odd == c.word if isinstance(odd, str) else True
    return "" if odd not in ("", *WORDS) and status == IN_PROGRESS and kept else status


def _with_version(raw: Object, new: Object) -> Object:
    began = any(key in new and key not in raw for key in NEWER)
    if began and new.get("protocol_version") == WIRE_VERSION:
        return {**new, "protocol_version": NEWER_VERSION}
    return new
