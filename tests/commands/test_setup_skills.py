"""setup --skills: the skills in each client's folder, once, and gone again with uninstall."""

from __future__ import annotations

import json
import os

import pytest

from leftoff import agents
from leftoff.core.guide import SKILLS
from leftoff.world import clients, guide, launcher
from projects import get, put
from support import repo, run

CLIENTS = ("claude-code", "codex", "copilot", "gemini-cli", "opencode")


def folder(agent: str) -> str:
    return os.path.join(clients.folder(agents.load(agent), os.environ), "skills")


def installed(agent: str) -> dict[str, str]:
    """The skills in a client's folder, by name."""
    top = folder(agent)
    names = os.listdir(top) if os.path.isdir(top) else []
    return {name: get(top, f"{name}/SKILL.md") for name in names}


def setup(root: str, *more: str, agent: str = "claude-code"):
    done = run("setup", "--yes", "--agent", agent, *more, "--json", cwd=root)
    assert done.returncode == 0, done.stdout
    return json.loads(done.stdout)["data"]["agents"][0]


def states(row) -> set[str]:
    return {skill["state"] for skill in row["skills"]}


@pytest.mark.req("A.dist.skill-file")
@pytest.mark.parametrize("agent", CLIENTS)
def test_the_skills_land_in_the_folder_once_and_go_with_uninstall(root, agent):
    home = clients.folder(agents.load(agent), os.environ)
    assert states(setup(root, "--skills", agent=agent)) == {"new"}
    assert installed(agent) == {f"leftoff-{name}": guide.skill(name) for name in SKILLS}
    again = setup(root, "--skills", agent=agent)
    assert (again["state"], states(again)) == ("same", {"same"})
    assert run("uninstall", cwd=root).returncode == 0
    assert not os.path.exists(home)


def test_without_being_asked_setup_writes_no_skill(root):
    assert setup(root)["skills"] == []
    assert installed("claude-code") == {}


def test_a_skill_that_the_user_changed_stays_as_it_is(root):
    setup(root, "--skills")
    path = put(folder("claude-code"), "leftoff-save/SKILL.md", "my own words\n")
    row = setup(root, "--skills")
    assert [one["state"] for one in row["skills"]] == ["theirs", "same", "same", "same"]
    done = run("uninstall", cwd=root)
    assert done.returncode == 0
    assert "leftoff-save/SKILL.md: left alone" in done.stdout
    assert installed("claude-code") == {"leftoff-save": "my own words\n"}
    assert path
    assert "Nothing is set up here." in run("uninstall", cwd=root).stdout


def test_a_file_of_somebody_else_in_that_place_is_not_touched(root):
    put(folder("codex"), "leftoff-next/SKILL.md", "not yours\n")
    row = setup(root, "--skills", agent="codex")
    assert [one["state"] for one in row["skills"]] == ["new", "new", "theirs", "new"]
    run("uninstall", cwd=root)
    assert installed("codex") == {"leftoff-next": "not yours\n"}


def test_a_skill_of_an_older_leftoff_is_renewed_by_any_setup(root, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(guide, "skill", lambda name: f"older {name}\n")
        setup(root, "--skills")
    assert states(setup(root)) == {"renew"}
    assert installed("claude-code")["leftoff-save"] == guide.skill("save")
    run("uninstall", cwd=root)
    assert installed("claude-code") == {}


def test_the_question_names_the_skills_and_nothing_is_written_before_the_answer(root):
    done = json.loads(run("setup", "--agent", "codex", "--skills", "--json", cwd=root).stdout)
    assert "leftoff-save/SKILL.md" in done["ask"]["question"]
    assert installed("codex") == {}


def test_in_a_project_the_skills_lie_where_its_clients_look(root):
    for agent, place in (("claude-code", ".claude/skills"), ("gemini-cli", ".agents/skills")):
        setup(root, "--project-only", "--skills", agent=agent)
        assert get(root, f"{place}/leftoff-save/SKILL.md") == guide.skill("save")
    run("uninstall", cwd=root)
    assert not os.path.exists(os.path.join(root, ".claude"))
    assert not os.path.exists(os.path.join(root, ".agents"))


def test_clients_that_share_a_folder_of_the_project_share_the_skills(root):
    setup(root, "--project-only", "--skills", agent="codex")
    assert states(setup(root, "--project-only", "--skills", agent="gemini-cli")) == {"same"}


def test_a_link_to_the_skills_stays_a_link(root, tmp_path):
    real = tmp_path / "dotfiles"
    real.mkdir()
    os.makedirs(os.path.dirname(folder("claude-code")))
    os.symlink(real, folder("claude-code"))
    setup(root, "--skills")
    assert os.path.islink(folder("claude-code"))
    assert setup(root)["skills"] != []
    run("uninstall", cwd=root)
    assert os.listdir(real) == []


# Beside a plugin


def switch_on(agent: str = "claude-code") -> str:
    home = clients.folder(agents.load(agent), os.environ)
    put(home, "settings.json", '{"enabledPlugins": {"leftoff@leftoff": true}}\n')
    return home


def slugs(root: str) -> list[tuple[str, str]]:
    found = json.loads(run("doctor", "--json", cwd=root).stdout)["findings"]
    return [(one["slug"], one["text"]) for one in found if "plugin" in one["text"]]


def test_a_plugin_brings_its_skills_and_setup_writes_only_what_it_calls(root):
    switch_on()
    asked = json.loads(run("setup", "--agent", "claude-code", "--json", cwd=root).stdout)
    state = os.environ["LEFTOFF_STATE"]
    script = os.path.join(state, launcher.RUN)
    assert asked["ask"]["question"] == f"Write this? {script}"
    row = setup(root, "--skills")
    assert (row["state"], row["skills"], row["script"]) == ("plugin", [], script)
    assert installed("claude-code") == {}
    assert os.access(script, os.X_OK)
    assert (
        json.loads(run("setup", "--agent", "claude-code", "--json", cwd=root).stdout)["ask"] is None
    )


def test_doctor_says_which_is_active_and_warns_of_both(root):
    home = switch_on()
    assert [slug for slug, _ in slugs(root)] == ["plugin-silent", "hook-active"]
    setup(root)
    assert slugs(root) == [("hook-active", "Claude Code calls leftoff through its plugin")]
    put(home, "settings.json", "{}")
    setup(root)
    told = json.loads(run("doctor", "--json", cwd=root).stdout)["findings"]
    active = [one["text"] for one in told if one["slug"] == "hook-active"]
    assert active == ["Claude Code calls leftoff through the hooks of setup"]
    whole = json.loads(get(home, "settings.json"))
    put(home, "settings.json", json.dumps({**whole, "enabledPlugins": {"leftoff@leftoff": True}}))
    ((slug, text),) = slugs(root)
    assert slug == "plugin-twice"
    assert text.startswith("Claude Code calls leftoff through its plugin and the hooks in ")


def test_a_plugin_that_is_on_for_the_project_alone_counts_there(root, tmp_path):
    put(root, ".claude/settings.json", '{"enabledPlugins": {"leftoff@leftoff": true}}\n')
    assert setup(root, "--project-only")["state"] == "plugin"
    other = repo(os.path.join(tmp_path, "other"))
    assert setup(other)["state"] == "new"


def test_an_extension_of_gemini_that_is_switched_off_does_not_count(root):
    home = clients.folder(agents.load("gemini-cli"), os.environ)
    put(home, "extensions/leftoff/gemini-extension.json", "{}")
    place = os.path.realpath(os.environ["HOME"])
    switches = {"leftoff": {"overrides": [f"{place}/*"]}}
    put(home, "extensions/extension-enablement.json", json.dumps(switches))
    assert setup(root, agent="gemini-cli")["state"] == "plugin"
    switches["leftoff"]["overrides"] = ["!/elsewhere/*", f"!{place}/*"]
    put(home, "extensions/extension-enablement.json", json.dumps(switches))
    assert setup(root, agent="gemini-cli")["state"] == "new"


def without_ledger() -> None:
    os.remove(os.path.join(os.environ["LEFTOFF_STATE"], "setup", "ledger.json"))


@pytest.mark.parametrize("agent", CLIENTS)
def test_where_the_ledger_is_lost_skills_that_are_as_we_wrote_them_go_all_the_same(root, agent):
    setup(root, "--skills", agent=agent)
    without_ledger()
    before = installed(agent)
    assert "would be removed" in run("uninstall", "--dry-run", cwd=root).stdout
    assert installed(agent) == before
    assert run("uninstall", cwd=root).returncode == 0
    assert installed(agent) == {}
    assert "Nothing is set up here." in run("uninstall", cwd=root).stdout


def test_where_the_ledger_is_lost_a_skill_that_was_changed_stays_and_is_told_of(root):
    setup(root, "--skills")
    without_ledger()
    put(folder("claude-code"), "leftoff-save/SKILL.md", "my own words\n")
    assert "leftoff-save/SKILL.md: left alone" in run("uninstall", cwd=root).stdout
    assert installed("claude-code") == {"leftoff-save": "my own words\n"}
    assert "Nothing is set up here." in run("uninstall", cwd=root).stdout


def test_skills_of_a_leftoff_with_another_state_folder_are_not_ours_to_take(root, tmp_path):
    setup(root, "--skills")
    other = {"LEFTOFF_STATE": str(tmp_path / "other")}
    assert "Nothing is set up here." in run("uninstall", cwd=root, env=other).stdout
    assert len(installed("claude-code")) == len(SKILLS)
