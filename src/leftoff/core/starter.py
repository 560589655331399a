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
    leftoff list                   every checkpoint, all formats
    leftoff show NAME              the exact document
    leftoff update NAME --step=x   change fields: --key=value, --key+=value, --key:json=VALUE
    leftoff done NAME              complete the first next action
    leftoff validate               check the rules (use it in CI)
    leftoff reset NAME             move a checkpoint to history/ and start fresh
    leftoff init                   this folder
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

ATTRIBUTES = ".checkpoints/*.checkpoint.json merge=leftoff"
DRIVER = (
    ("merge.leftoff.name", "leftoff: merge checkpoints by field"),
    ("merge.leftoff.driver", "leftoff merge-driver %O %A %B %P"),
)
