"""Payloads that real clients sent, and payloads that nobody should send."""

from __future__ import annotations

import json
import os
from typing import Any

from hypothesis import strategies as st

from support import shared

NOT_THERE = "shared"


def hooks(client: str) -> list[str]:
    """The names of all captured payloads of a client; one stand-in where the captures are absent."""
    try:
        folder = shared("clients", "fixtures", client, "hooks")
    except BaseException as skipped:  # pytest's own way to skip: a parameter list cannot
        if type(skipped).__name__ != "Skipped":
            raise
        return [NOT_THERE]
    return sorted(name.removesuffix(".json") for name in os.listdir(folder))


def payload(client: str, name: str) -> dict[str, Any]:
    """A captured payload; skips the test where the captures are absent."""
    with open(
        shared("clients", "fixtures", client, "hooks", f"{name}.json"), encoding="utf-8"
    ) as f:
        return json.load(f)  # type: ignore[no-any-return]


def transcript(client: str, name: str) -> bytes:
    """A captured transcript."""
    with open(shared("clients", "fixtures", client, name), "rb") as file:
        return file.read()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)

FIELDS = (
    *(
        "session_id",
        "sessionId",
        "session",
        "cwd",
        "transcript_path",
        "transcriptPath",
        "prompt_id",
    ),
    *("turn_id", "timestamp", "source", "trigger", "reason", "permission_mode", "model", "prompt"),
    *("last_assistant_message", "compact_summary", "prompt_response", "error", "stop_hook_active"),
    *(
        "context_tokens",
        "context",
        "window",
        "agent_id",
        "agent_type",
        "hook_event_name",
        "message",
    ),
    *("stopReason", "stop_reason", "parent", "answer", "agent"),
)
hostile = st.dictionaries(st.sampled_from(FIELDS), json_values) | st.dictionaries(
    st.text(), json_values, max_size=3
)
"""Any JSON value in any field that an adapter reads."""
