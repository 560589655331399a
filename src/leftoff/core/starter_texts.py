"""The texts `init` writes: README and ignore file of `.checkpoints/`, CI step, merge driver."""

from __future__ import annotations

MARK = "<!-- written by leftoff init -->"

GITIGNORE = "current\n*.tmp\n*.lock\n"

README = f"""{MARK}
# Checkpoints

The state of the work in this project, for the next session, the next machine and the next person.
One JSON file per skill, `<skill>.checkpoint.json`; threads of work in `threads/`. Tracked in git on
purpose: ignored files do not survive an ephemeral machine. Keep them readable, keep them honest;
there is no byte limit, but a summary above 1200 characters or a file above 32 KB gets a warning.

## Fields of a skill checkpoint

| field | required | what it holds |
|---|:-:|---|
| `protocol_version` | yes | schema of the file, "1.0" or "1.1"; not the version of any tool |
| `skill` | yes | the owner; the file is `<skill>.checkpoint.json` |
| `project`, `project_dir` | yes | name, and absolute path on the machine that wrote it |
| `created_at`, `updated_at` | yes | ISO-8601, UTC |
| `phase`, `step` | yes | where the work stands, in the skill's own words |
| `status` | yes | `in_progress`, `blocked`, `complete`, `failed` |
| `progress_summary` | yes | a few sentences, read at every resume |
| `progress_table` | | rows `{{id, label, status}}`; a row may also be `not_started` |
| `context_primer` | | `key_decisions`, `generated_files`, `user_preferences` |
| `next_actions` | while in progress | texts, or `{{text, done_when}}`; the first is next |
| `blockers` | | `{{id, description, blocking, needs, proposed_resolution}}` |
| `pm_refs` | | `{{provider, id, url, role, created_by_skill, first_seen_at}}`; never bodies |
| `skill_state` | | private to the skill; nobody else reads it |

Roles of a ticket: `source` (where the work came from, typically one), `child` (made here),
`deploy`, `incident`, `linked` (referenced only). What a sibling needs goes into `pm_refs`;
bookkeeping of one skill stays in its `skill_state`.

## Commands

    leftoff status                 where was I? (also --brief, --since 2d)
    leftoff next                   the one thing to do now, and why
    leftoff save                   record where the work stands, for the next session
    leftoff resume NAME            continue: a checked brief of a checkpoint
    leftoff list                   every checkpoint, all formats
    leftoff show NAME              the exact document
    leftoff update NAME --step=x   change fields: --key=value, --key+=value, --key:json=VALUE
    leftoff done NAME              complete the first next action
    leftoff validate               check the rules (use it in CI)
    leftoff doctor                 what drifted or broke, and how to mend it
    leftoff reset NAME             move a checkpoint to history/ and start fresh
    leftoff init                   this folder
    leftoff help                   all commands
"""

CI_STEP = f"""# {MARK[5:-4]}
name: checkpoints
on: [pull_request, push]
jobs:
  validate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {{ python-version: "3.12" }}
      - run: pip install leftoff
      - run: leftoff validate
"""

ATTRIBUTES = (
    "# Checkpoints merge by field: leftoff init --merge-driver",
    ".checkpoints/*.checkpoint.json merge=leftoff",
    ".checkpoints/threads/*/thread.json merge=leftoff",
    ".checkpoints/threads/*/CHECKPOINT.md merge=leftoff",
    "checkpoints/**/*.md merge=leftoff",
    "checkpoints/LEARNINGS.md merge=union",
)
DRIVER_NAME = "leftoff: merge checkpoints by field"


def driver(python: str) -> str:
    """The shell command that git runs for a merge, for an interpreter at an absolute path.

    -P, because git starts it in the working tree: a module of a repository must never be ours.
    Where the interpreter or the package is gone, git would take the missing command for a conflict
    and leave our side unmerged and unmarked; so the text is merged as git itself would.
    """
    # Git expands % in the command, the shell what stands outside of single quotes.
    quoted = "'" + python.replace("'", "'\\''").replace("%", "%%") + "'"
    return (
        f"if {quoted} -P -c 'import leftoff' 2>/dev/null; "
        f"then {quoted} -P -m leftoff merge-driver %O %A %B %P; "
        "else echo 'leftoff is gone from where it was; merged as text' >&2; "
        "git merge-file -L ours -L base -L theirs %A %O %B; fi"
    )


def with_attributes(text: str | None) -> str:
    """A `.gitattributes` with our lines; None stands for no file.

    It ends with a line end only if it did before, or is new: so `without_attributes` knows.
    """
    old = text or ""
    missing = [line for line in ATTRIBUTES if line not in old.splitlines()]
    if not missing:
        return old
    gap = "" if not old or old.endswith("\n") else "\n"
    end = "\n" if text is None or old.endswith("\n") else ""
    return f"{old}{gap}" + "\n".join(missing) + end


def without_attributes(text: str) -> str | None:
    """The `.gitattributes` as it was without our lines; None for no file at all."""
    lines = text.splitlines(keepends=True)
    kept = [line for line in lines if line.rstrip("\r\n") not in ATTRIBUTES]
    if kept == lines:
        return text
    ends_open = not text.endswith("\n")
    if not kept:
        return "" if ends_open else None
    if ends_open and kept[-1] != lines[-1]:
        kept[-1] = kept[-1].removesuffix("\n")
    return "".join(kept)
