"""doctor, asked in a project: its report as data."""

from __future__ import annotations

import json

from projects import NOW, put_skill
from support import run

DEAD = 2**22 + 1
"""More than any process id."""


def doctor(root, *words, **more):
    return run("doctor", *words, "--now", NOW, cwd=root, **more)


def told(root, *words):
    return json.loads(doctor(root, "--json", *words).stdout)


def found(root, *words):
    """(level, slug, where) of each finding; what depends on this machine is left out."""
    findings = told(root, *words)["findings"]
    return [(f["level"], f["slug"], f["where"]) for f in findings if f["slug"] != "state-folder"]


def slugs(root, *words):
    return [slug for _, slug, _ in found(root, *words)]


def clean_skill(root, **fields):
    """A skill checkpoint that nothing speaks against."""
    primer = {"key_decisions": ["a"], "generated_files": ["app.py"]}
    return put_skill(root, **{"project_dir": root, "context_primer": primer, **fields})
