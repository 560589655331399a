"""Around a compaction: what a session gets again, on the path that each client has, and how often."""

from __future__ import annotations

import json
import os

import pytest

from events import AT, CLAUDE, SESSION, THREAD, AnyClient, settings, thread
from leftoff.core.event import Usage
from leftoff.world import now_file
from projects import get, put
from support import repo

LOST = "<leftoff id=lost>\nThe summary of the conversation does not mention:\n"
UNSEEN = "its summary was not shown to leftoff"
DECISION, STEP = "Use RS256", "Write the middleware"
NOTHING_OF_IT = "We changed things."


class Any(AnyClient):
    """A client whose context is told of."""

    def notices(self) -> list[str]:
        return [line["what"] for line in self.lines("notice")]

    def prompt_now(self, percent: float = 20, **more) -> str:
        """A prompt, handed over because `.now` is out of date, as it has to be."""
        usage = Usage(round(percent * 2000), 200_000)
        key = f"p{self.at}"
        old = now_file.is_old(now_file.read(self.state, self.agent, SESSION) or {})
        why = more.pop("why", "old" if old else "-")
        if why == "-":
            return ""  # the hook path leaves
        return self.tell("prompt", key=key, prompt="go on", usage=usage, why=why, **more)


@pytest.fixture
def root(tmp_path):
    made = repo(tmp_path)
    thread(made)
    return made


def client_in(root: str, agent: str, attended: bool = True) -> Any:
    client = Any(root, agent)
    client.process = CLAUDE._replace(name=agent, words=(agent,), tty="1" if attended else "")
    client.tell("start", source="startup")
    return client


def holds_all(text: str) -> bool:
    """The brief, with the decision and the step in it."""
    return text.startswith(f"<leftoff id={THREAD}>") and DECISION in text and STEP in text


@pytest.fixture
def rollout(tmp_path):
    line = {"type": "compacted", "payload": {"message": NOTHING_OF_IT}}
    return put(str(tmp_path), "rollout.jsonl", json.dumps(line) + "\n")


# The path of each client


def test_claude_code_gets_brief_and_loss_as_it_starts_anew(root):
    client = client_in(root, "claude-code")
    client.tell("compacting", source="auto", size=5)
    assert client.tell("summary", answer=NOTHING_OF_IT, size=5) == ""
    text = client.tell("start", source="compact", size=9)
    assert holds_all(text)
    assert f"{LOST}Decisions:\n- {DECISION}\nNext steps:\n- {STEP}\n" in text
    assert client.tell("compacted", source="auto", answer=NOTHING_OF_IT, size=9) == ""
    assert [client.prompt_now() for _ in range(3)] == ["", "", ""]
    assert client.notices() == ["lost"]


def test_without_the_event_that_has_the_summary_the_loss_goes_with_the_next_prompt(root):
    client = client_in(root, "claude-code")
    client.tell("compacting", source="manual", size=5)
    text = client.tell("start", source="compact", size=9)
    assert holds_all(text)
    assert "lost>" not in text
    assert client.tell("compacted", source="manual", answer=NOTHING_OF_IT, size=9) == ""
    text = client.prompt_now()
    assert text.startswith(LOST)
    assert f"- {DECISION}" in text
    assert f"<leftoff id={THREAD}>" not in text, "the brief came with the start"
    assert client.prompt_now() == ""


def test_a_summary_that_nobody_shows_is_not_spoken_of_behind_the_brief(root):
    client = client_in(root, "claude-code")
    client.tell("compacting", source="manual", size=5)
    assert holds_all(client.tell("start", source="compact", size=9))
    client.tell("compacted", source="manual", size=9)
    assert client.prompt_now() == ""


def test_where_no_start_follows_the_next_prompt_brings_brief_and_loss(root):
    client = client_in(root, "claude-code")
    client.tell("compacting", source="manual", size=5)
    client.tell("summary", answer=NOTHING_OF_IT, size=5)
    client.tell("compacted", source="manual", answer=NOTHING_OF_IT, size=9)
    text = client.prompt_now()
    assert holds_all(text)
    assert LOST in text
    assert client.prompt_now() == ""
    assert client.notices() == ["lost", "retold"]


def test_codex_gets_both_from_the_line_in_its_rollout(root, rollout):
    client = client_in(root, "codex")
    client.tell("compacting", source="auto", size=5)
    assert client.tell("compacted", source="auto", size=9, transcript=rollout) == ""
    text = client.tell("start", source="compact", size=9, transcript=rollout)
    assert holds_all(text)
    assert f"{LOST}Decisions:\n- {DECISION}" in text
    assert client.prompt_now(transcript=rollout) == ""


def test_a_second_compaction_is_compared_and_told_anew(root, rollout):
    client = client_in(root, "codex")
    for size in (10, 20):
        client.tell("compacting", source="auto", size=size)
        client.tell("compacted", source="auto", size=size + 1, transcript=rollout)
        text = client.tell("start", source="compact", size=size + 1, transcript=rollout)
        assert holds_all(text)
        assert LOST in text
    assert client.notices() == ["lost", "lost"]


def test_a_codex_whose_rollout_says_nothing_gets_all_of_it_again(root):
    client = client_in(root, "codex", attended=False)
    client.tell("compacting", source="auto", size=5)
    client.tell("compacted", source="auto", size=9)
    text = client.tell("start", source="compact", size=9)
    assert UNSEEN in text
    assert f"Decisions:\n- {DECISION}\nNext steps:\n- {STEP}\n" in text
    assert client.prompt_now() == ""


def test_opencode_takes_the_brief_again_with_the_event_itself(root):
    client = client_in(root, "opencode")
    client.tell("compacting", key="m1")
    text = client.tell("compacted", key="m1")
    assert holds_all(text)
    assert UNSEEN in text
    assert client.prompt_now() == ""
    assert client.notices() == ["lost", "retold"]


def test_opencode_hears_what_a_summary_lost_where_its_plugin_shows_it(root):
    client = client_in(root, "opencode")
    client.tell("compacting", key="m1")
    text = client.tell("compacted", key="m1", answer=NOTHING_OF_IT)
    assert holds_all(text)
    assert f"{LOST}Decisions:\n- {DECISION}" in text


def test_copilot_tells_only_that_it_will_compact_so_the_next_prompt_brings_the_brief(root):
    client = client_in(root, "copilot")
    client.prompt_now(80, why="crossed")
    client.tell("compacting", source="manual", size=5)
    text = client.prompt_now(80)
    assert holds_all(text)
    assert UNSEEN in text
    # only now the client's own figures fall: that was told
    client.tell("stop", usage=Usage(20_000, 200_000), why="fell")
    assert client.prompt_now() == ""


@pytest.mark.parametrize("event", ["prompt", "start"])
def test_copilot_hears_what_the_summary_in_its_transcript_lost(root, tmp_path, event):
    said = {"success": True, "summaryContent": f"{DECISION} it is. Next: {STEP}, then the docs."}
    line = {"type": "session.compaction_complete", "data": said}
    log = put(str(tmp_path), "events.jsonl", json.dumps(line) + "\n")
    path = f".checkpoints/threads/{THREAD}/CHECKPOINT.md"
    row = "| Use RS256 | keys rotate | #001 |\n"
    put(root, path, get(root, path).replace(row, f"{row}| Keep HS256 until May | - | #001 |\n"))
    client = client_in(root, "copilot")
    client.tell("compacting", source="manual", size=5, transcript=log)
    if event == "start":
        text = client.tell("start", source="resume", size=9, transcript=log)
    else:
        text = client.prompt_now(20, transcript=log)
    assert holds_all(text)
    assert f"{LOST}Decisions:\n- Keep HS256 until May\n</leftoff>" in text
    assert client.prompt_now(20, transcript=log) == ""


@pytest.mark.parametrize("seen_first_at", ["prompt", "stop"])
@pytest.mark.parametrize("attended", [True, False])
def test_gemini_says_nothing_and_gets_the_decisions_when_its_context_fell(
    root, seen_first_at, attended
):
    client = client_in(root, "gemini-cli", attended)
    client.prompt_now(80, why="crossed")
    if seen_first_at == "stop":
        client.tell("stop", usage=Usage(20_000, 200_000), why="fell")
    text = client.prompt_now(10, why="fell" if seen_first_at == "prompt" else "old")
    assert text.count(f"<leftoff id={THREAD}>") == 1
    assert f"- {DECISION}" in text
    assert STEP in text
    assert client.prompt_now(11) == ""
    client.tell("stop", usage=Usage(24_000, 200_000), why="fell")
    assert client.prompt_now(12) == ""
    assert client.notices().count("retold") == 1


@pytest.mark.parametrize("agent", ["opencode", "copilot"])
def test_the_work_goes_on_with_its_own_brief_and_the_save_stays_for_the_next_session(root, agent):
    os.remove(os.path.join(root, ".checkpoints/current"))
    client = client_in(root, agent)
    client.tell("compacting", source="manual", size=5)
    if agent == "opencode":
        text = client.tell("compacted", answer=NOTHING_OF_IT, size=5)
    else:
        text = client.prompt_now()
    assert holds_all(text)
    assert "precompact" not in text
    assert client.lines("given") == []


# How much


def test_brief_and_loss_fit_together_and_the_rest_of_the_loss_is_counted(root):
    path = f".checkpoints/threads/{THREAD}/CHECKPOINT.md"
    rows = "".join(f"| 决定{n}：{'采用新的认证方案' * 20} | - | #001 |\n" for n in range(20))
    put(root, path, get(root, path).replace("| Use RS256 | keys rotate | #001 |\n", rows))
    client = client_in(root, "claude-code")
    client.tell("summary", answer=NOTHING_OF_IT, size=5)
    text = client.tell("start", source="compact", size=9)
    assert len(text.encode()) <= 9500
    lost = text.partition("<leftoff id=lost>")[2].partition("</leftoff>")[0]
    kept = [line for line in lost.splitlines() if line.startswith("- 决定")]
    assert kept[0] == f"- 决定19：{'采用新的认证方案' * 20}"  # as people write it
    assert f"- {20 - len(kept)} more: leftoff show {THREAD}" in lost
    assert len(kept) >= 5


@pytest.mark.parametrize("mode", ["off", "orient"])
def test_a_session_without_briefs_still_hears_what_was_lost_once(root, mode):
    settings(f'[hooks]\nbrief = "{mode}"\n')
    client = client_in(root, "claude-code")
    client.tell("summary", answer=NOTHING_OF_IT, size=5)
    texts = [client.tell("start", source="compact", size=9), client.prompt_now()]
    assert "".join(texts).count(LOST) == 1
    assert client.prompt_now() == ""


def test_a_summary_that_kept_everything_costs_no_second_brief(root):
    client = client_in(root, "claude-code")
    everything = f"{DECISION} it is. Next: {STEP} and then write the docs."
    client.tell("compacting", source="auto", size=5)
    client.tell("summary", answer=everything, size=5)
    assert "lost>" not in client.tell("start", source="compact", size=9)
    client.tell("compacted", source="auto", answer=everything, size=9)
    assert client.prompt_now() == ""
    assert client.notices() == []
    assert not os.path.exists(f"{client.state}/saves/loss-{SESSION}.json")
    assert client.at > AT
