"""setup writes hooks into clients' settings without loss; uninstall gives every byte back."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff import agents
from leftoff.commands import setup as command
from leftoff.entry.cli import main
from leftoff.errors import Conflict, FormatError
from leftoff.formats._json_text import loads
from leftoff.world import hook_registration, setup_ledger
from projects import put
from settings_files import CLAUDE, CODEX, COPILOT, GEMINI, ours, read, setup, write
from support import run, snapshot

FILES = {"claude-code": CLAUDE, "codex": CODEX, "gemini-cli": GEMINI, "copilot": COPILOT}
MINE = '{"type": "command", "command": "echo mine"}'
NASTY = {
    "missing": None,
    "empty": "",
    "blank": " \n\n",
    "nothing in it": "{}",
    "two lines": "{\n}\n",
    "no final newline": '{\n  "theme": "dark"\n}',
    "tabs": '{\n\t"theme": "dark",\n\t"permissions": {"allow": ["Bash(ls:*)"]}\n}\n',
    "CRLF": '{\r\n  "theme": "dark",\r\n  "env": {}\r\n}\r\n',
    "one line": '{"theme":"dark","hooks":{"Stop":[{"hooks":[MINE]}]}}'.replace("MINE", MINE),
    "own hooks": '{\n  "hooks": {\n    "Stop": [\n      {"hooks": [MINE]}\n    ]\n  },\n  "z": 1\n}\n'.replace("MINE", MINE),
    "empty lists": '{"hooks": {"Stop": [], "SessionStart": [], "Other": []}}\n',
    "empty hooks": '{\n    "hooks": {},\n    "other": [1, 2.50, 1e3, "\\u00e9é"]\n}\n',
    "deep": '{"a": {"b": [{"c": null}, [], {}]}, "a2": "\\/"}\n',
}  # fmt: skip
LENIENT = {
    ("claude-code", "BOM"): '\ufeff{\r\n  "theme": "dark"\r\n}\r\n',
    ("claude-code", "BOM alone"): "\ufeff",
    (
        "gemini-cli",
        "comments",
    ): '// mine\n{\n  /* one */ "theme": "x", // two\n  "hooks": {} // z\n}\n',
    ("gemini-cli", "comment alone"): "// nothing yet",
}
CASES = [
    *((agent, name, text) for agent in FILES for name, text in NASTY.items()),
    *((agent, name, text) for (agent, name), text in LENIENT.items()),
]


def strangers(value, key="echo mine"):
    return json.dumps(value).count(key)


@pytest.mark.parametrize(("agent", "name", "text"), CASES, ids=[f"{c[0]}: {c[1]}" for c in CASES])
def test_setup_and_uninstall_are_a_round_trip_byte_for_byte(home, place, agent, name, text):
    path = write(home, FILES[agent], text)
    before = snapshot(home)
    done = setup(place, "--agent", agent)
    assert done.returncode == 0
    assert "leftoff uninstall undoes this" in done.stdout
    written = read(path)
    events = [hook.event for hook in agents.load(agent).HOOKS]
    assert sorted(one.event for one in ours(agent, written)) == sorted(events)
    old = hook_registration._value(text or "")
    new = loads(written, jsonc=True)
    assert old.keys() <= new.keys()
    assert strangers(old) == strangers(new)
    for event, entries in old.get("hooks", {}).items():
        assert new["hooks"][event][: len(entries)] == entries
    again = setup(place, "--agent", agent)
    assert read(path) == written
    assert "already" in again.stdout
    assert "undoes this" not in again.stdout
    assert run("uninstall", cwd=place).returncode == 0
    assert read(path) == text
    assert {p for p in snapshot(home) if "/state/" not in p} == set(before)
    assert "Nothing is set up here." in run("uninstall", cwd=place).stdout


def test_gemini_shows_our_name_while_a_hook_runs_not_the_whole_command(home, place):
    text = '{"hooks": {"BeforeAgent": [{"hooks": [{"type": "command", "command": "echo mine"}]}]}}'
    path = write(home, GEMINI, text)
    setup(place, "--agent", "gemini-cli")
    now = read(path)
    assert {one.leaf["name"] for one in ours("gemini-cli", now)} == {"leftoff"}
    assert now.count('"name"') == len(agents.load("gemini-cli").HOOKS)
    older = re.sub(r'"name": "leftoff",\s*', "", now)
    write(home, GEMINI, older)
    assert "already" not in setup(place, "--agent", "gemini-cli").stdout
    assert loads(read(path), jsonc=True) == loads(now, jsonc=True)
    write(home, GEMINI, now.replace('"name": "leftoff"', '"name": "mine"'))
    setup(place, "--agent", "gemini-cli")
    assert {one.leaf["name"] for one in ours("gemini-cli", read(path))} == {"mine"}
    assert run("uninstall", cwd=place).returncode == 0
    assert read(path) == text


BROKEN = [
    ("claude-code", '{\n  "a": 1,\n}\n', 2),
    ("claude-code", '{\n  // mine\n  "a": 1\n}\n', 2),
    ("claude-code", '{\n  "a": \n', 2),
    ("claude-code", "[]", 1),
    ("claude-code", '{"hooks": []}', 0),
    ("claude-code", '{"hooks": {"Stop": 5}}', 0),
    ("gemini-cli", "\ufeff{}", 1),
    ("gemini-cli", '// fine\n{"a": 1,}', 2),
    ("codex", "\ufeff{}", 1),
    ("codex", "{} // mine", 1),
]


@pytest.mark.parametrize(("agent", "text", "line"), BROKEN)
def test_a_file_that_its_client_cannot_read_is_refused_with_the_line(
    home, place, agent, text, line
):
    path = write(home, FILES[agent], text)
    done = setup(place, "--agent", agent)
    assert done.returncode == 1
    assert not line or f"line {line}: " in done.stderr + done.stdout
    assert read(path) == text
    assert setup_ledger.entries(os.environ["LEFTOFF_STATE"]) == []


def test_a_client_that_runs_no_hooks_is_set_up_and_that_is_said(home, place):
    path = write(home, CLAUDE, '{"disableAllHooks": true}')
    done = run("setup", "--yes", "--agent", "claude-code", "--json", cwd=place)
    said = json.loads(done.stdout)
    assert done.returncode == 0
    assert [one["state"] for one in said["data"]["agents"]] == ["new"]
    assert [one["slug"] for one in said["findings"]] == ["hook-off"]
    assert json.loads(read(path))["disableAllHooks"] is True


def test_bytes_that_are_no_text_are_refused(home, place):
    path = write(home, CLAUDE, "")
    with open(path, "wb") as file:
        file.write(b'{"a": "\xff"}')
    assert setup(place, "--agent", "claude-code").returncode == 1
    with open(path, "rb") as file:
        assert file.read() == b'{"a": "\xff"}'


def test_one_refusal_does_not_keep_the_others_from_being_set_up(home, place):
    write(home, CLAUDE, "{")
    codex = write(home, CODEX, None)
    done = setup(place, "--agent", "claude-code", "--agent", "codex")
    assert done.returncode == 1
    assert read(codex)


def test_a_link_stays_a_link_and_the_mode_is_kept(home, place):
    real = write(home, "dotfiles/claude.json", '{"theme": "dark"}\n')
    os.chmod(real, 0o440)
    os.makedirs(os.path.join(home, ".claude"))
    link = os.path.join(home, CLAUDE)
    os.symlink(real, link)
    assert setup(place, "--agent", "claude-code").returncode == 0
    assert os.readlink(link) == real
    assert stat.S_IMODE(os.stat(real).st_mode) == 0o440
    assert ours("claude-code", read(real))
    run("uninstall", cwd=place)
    assert os.readlink(link) == real
    assert read(real) == '{"theme": "dark"}\n'
    assert stat.S_IMODE(os.stat(real).st_mode) == 0o440


def test_a_link_to_nothing_gets_its_file_and_loses_it_again(home, place):
    os.makedirs(os.path.join(home, ".claude"))
    target = os.path.join(home, "dotfiles", "claude.json")
    os.symlink(target, os.path.join(home, CLAUDE))
    assert setup(place, "--agent", "claude-code").returncode == 0
    assert stat.S_IMODE(os.stat(target).st_mode) == 0o600
    run("uninstall", cwd=place)
    assert not os.path.lexists(os.path.dirname(target))
    assert os.path.islink(os.path.join(home, CLAUDE))


# Changed since


def change(path: str, edit) -> None:
    value = json.loads(read(path))
    edit(value)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=3)


def test_what_the_user_wrote_since_stays_and_only_ours_goes(home, place):
    path = write(home, CLAUDE, '{"theme": "dark", "hooks": {"Stop": []}}')
    setup(place, "--agent", "claude-code")

    def edit(value):
        value["model"] = "opus"
        value["hooks"]["Stop"].append({"hooks": [json.loads(MINE)]})
        value["hooks"]["SessionStart"][0]["hooks"].insert(0, json.loads(MINE))

    change(path, edit)
    done = run("uninstall", cwd=place)
    assert "changed since setup" in done.stdout
    mine = [{"hooks": [json.loads(MINE)]}]
    hooks = {"Stop": mine, "SessionStart": mine}
    assert json.loads(read(path)) == {"theme": "dark", "hooks": hooks, "model": "opus"}
    assert read(path).startswith('{\n   "theme"')


def test_a_file_of_ours_in_which_nothing_else_is_left_goes(home, place):
    path = write(home, COPILOT, None)
    os.rmdir(os.path.dirname(path))
    setup(place, "--agent", "copilot")
    change(path, lambda value: value["hooks"].pop("sessionEnd"))
    run("uninstall", cwd=place)
    assert not os.path.exists(os.path.dirname(path))


def test_in_codex_our_place_is_kept_empty_where_others_follow_it(home, place):
    path = write(home, CODEX, json.dumps({"hooks": {"Stop": [{"hooks": [json.loads(MINE)]}]}}))
    setup(place, "--agent", "codex")
    theirs = {"hooks": [{"type": "command", "command": "echo theirs"}]}
    change(path, lambda value: value["hooks"]["Stop"].append(theirs))
    run("uninstall", cwd=place)
    mine = {"hooks": [json.loads(MINE)]}
    assert json.loads(read(path)) == {"hooks": {"Stop": [mine, {"hooks": []}, theirs]}}
    assert ours("codex", read(path)) == []


def test_in_codex_our_groups_are_the_last(home, place):
    path = write(home, CODEX, json.dumps({"hooks": {"Stop": [{"hooks": [json.loads(MINE)]}] * 2}}))
    setup(place, "--agent", "codex")
    (stop,) = [one for one in ours("codex", read(path)) if one.event == "Stop"]
    assert stop.place == "2:0"


def test_a_broken_file_stays_in_the_ledger_until_it_is_put_right(home, place):
    path = write(home, CLAUDE, "{}")
    setup(place, "--agent", "claude-code")
    whole = read(path)
    write(home, CLAUDE, whole + "}")
    done = run("uninstall", cwd=place)
    assert done.returncode == 1
    assert "still calls leftoff" in done.stderr
    assert read(path) == whole + "}"
    assert os.path.exists(os.path.join(os.environ["LEFTOFF_STATE"], "hook", "launch.py"))
    write(home, CLAUDE, whole + "\n")
    assert run("uninstall", cwd=place).returncode == 0
    assert ours("claude-code", read(path)) == []


def test_a_file_that_is_gone_is_no_trouble(home, place):
    path = write(home, CLAUDE, "{}")
    setup(place, "--agent", "claude-code")
    os.unlink(path)
    assert run("uninstall", cwd=place).returncode == 0
    assert not os.path.exists(path)


def test_what_was_compiled_for_hooks_goes_and_the_record_of_their_cost_stays(home, place):
    write(home, CLAUDE, "{}")
    setup(place, "--agent", "claude-code")
    hook = os.path.join(os.environ["LEFTOFF_STATE"], "hook")
    for name in ("runs", "runs.1", "compiled/usr/lib/cli.pyc"):
        put(hook, name, "x\n")
    told = json.loads(run("uninstall", "--json", cwd=place).stdout)["data"]["steps"]
    assert os.path.join(hook, "compiled") in {step["what"] for step in told}
    assert sorted(os.listdir(hook)) == ["runs", "runs.1"]


def test_another_state_folder_renews_our_commands_in_their_place(home, place):
    text = '{"hooks": {"Stop": [{"hooks": [MINE]}]}}'.replace("MINE", MINE)
    path = write(home, CLAUDE, text)
    setup(place, "--agent", "claude-code")
    change(path, lambda value: value["hooks"]["Stop"].append({"hooks": []}))
    first = json.loads(read(path))
    moved = os.path.join(home, "elsewhere")
    assert "renewed" in setup(place, "--agent", "claude-code", env={"LEFTOFF_STATE": moved}).stdout
    second = json.loads(read(path))
    assert json.dumps(second) == json.dumps(first).replace(os.environ["LEFTOFF_STATE"], moved)
    run("uninstall", cwd=place, env={"LEFTOFF_STATE": moved})
    assert json.loads(read(path)) == {
        "hooks": {"Stop": [{"hooks": [json.loads(MINE)]}, {"hooks": []}]}
    }


def test_a_renewal_of_what_nobody_touched_still_gives_the_first_bytes_back(
    home, place, monkeypatch
):
    path = write(home, CLAUDE, '{ "odd" :  "layout" }')
    setup(place, "--agent", "claude-code")
    monkeypatch.setattr(command, "interpreter", lambda: "/another/bin/python3")
    assert "renewed" in setup(place, "--agent", "claude-code").stdout
    assert "/another/bin/python3" in read(path)
    run("uninstall", cwd=place)
    assert read(path) == '{ "odd" :  "layout" }'


def test_what_the_user_wrote_between_two_setups_stays(home, place, monkeypatch):
    path = write(home, CLAUDE, "{}")
    setup(place, "--agent", "claude-code")
    change(path, lambda value: value.update(model="opus"))
    monkeypatch.setattr(command, "interpreter", lambda: "/another/bin/python3")
    setup(place, "--agent", "claude-code")
    run("uninstall", cwd=place)
    assert json.loads(read(path)) == {"model": "opus"}


def test_a_command_of_others_that_looks_like_ours_is_theirs(home, place):
    theirs = {"type": "command", "command": "python /opt/hook/launch.py deploy now"}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [theirs]}]}})
    path = write(home, CLAUDE, text)
    setup(place, "--agent", "claude-code")
    change(path, lambda value: value.update(z=1))
    run("uninstall", cwd=place)
    assert json.loads(read(path)) == {**json.loads(text), "z": 1}


# Died half-way


def test_a_setup_that_died_before_it_wrote_is_undone_to_what_is_there(home, place, monkeypatch):
    path = write(home, CLAUDE, '{"theme": "dark"}')

    def dies(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(setup_ledger, "_swap", dies)
        setup(place, "--agent", "claude-code")
    assert len(setup_ledger.entries(os.environ["LEFTOFF_STATE"])) == 1
    assert read(path) == '{"theme": "dark"}'
    assert run("uninstall", cwd=place).returncode == 0
    assert read(path) == '{"theme": "dark"}'
    assert setup_ledger.entries(os.environ["LEFTOFF_STATE"]) == []


def test_a_setup_that_died_is_finished_by_the_next(home, place, monkeypatch):
    path = write(home, CLAUDE, '{"theme": "dark"}')

    def dies(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(setup_ledger, "_swap", dies)
        setup(place, "--agent", "claude-code")
    setup(place, "--agent", "claude-code")
    assert ours("claude-code", read(path))
    run("uninstall", cwd=place)
    assert read(path) == '{"theme": "dark"}'


def test_an_uninstall_that_died_before_it_noted_so_is_finished_by_the_next(
    home, place, monkeypatch
):
    path = write(home, CLAUDE, '{"theme": "dark"}')
    setup(place, "--agent", "claude-code")

    def dies(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(setup_ledger, "_save", dies)
        run("uninstall", cwd=place)
    assert read(path) == '{"theme": "dark"}'
    assert setup_ledger.entries(os.environ["LEFTOFF_STATE"])
    assert run("uninstall", cwd=place).returncode == 0
    assert read(path) == '{"theme": "dark"}'
    assert setup_ledger.entries(os.environ["LEFTOFF_STATE"]) == []


@pytest.mark.parametrize("old", [None, b"seen"])
def test_a_file_that_changed_after_it_was_read_is_not_overwritten(home, old):
    path = write(home, CLAUDE, "newer")
    with pytest.raises(Conflict):
        setup_ledger.put(
            os.path.join(home, "s"), setup_ledger.Change("claude-code", path, old, b"new", old)
        )
    assert read(path) == "newer"


@pytest.mark.parametrize("again", [False, True])
def test_without_a_ledger_our_hooks_are_taken_out_all_the_same(home, place, again):
    mine = {name: write(home, name, '{"z":1}\n') for name in (CLAUDE, GEMINI)}
    os.makedirs(os.path.join(home, ".config/opencode"))
    names = ("claude-code", "gemini-cli", "copilot", "opencode")
    words = [word for name in names for word in ("--agent", name)]
    setup(place, *words)
    shutil.rmtree(os.environ["LEFTOFF_STATE"])
    if again:
        assert "already" in setup(place, *words).stdout
    planned = run("uninstall", "--dry-run", cwd=place).stdout
    done = run("uninstall", cwd=place).stdout
    assert planned.count("would be cleared of leftoff's part; there is no record") == len(mine)
    assert done == planned.replace("would be ", "")
    assert {read(path) for path in mine.values()} == {'{"z":1}\n'}
    assert read(os.path.join(home, COPILOT)) is None
    assert read(os.path.join(home, ".config/opencode/plugin/leftoff.js")) is None
    assert run("uninstall", cwd=place).stdout == "Nothing is set up here.\n"


def test_hooks_of_another_state_folder_and_of_a_colleague_stay(home, place, tmp_path):
    other = str(tmp_path / "other")
    path = write(home, CLAUDE, None)
    setup(place, "--agent", "claude-code", env={"LEFTOFF_STATE": other})
    theirs = write(place, GEMINI, None)
    setup(place, "--project-only", "--agent", "gemini-cli", env={"LEFTOFF_STATE": f"{other}2"})
    shutil.rmtree(f"{other}2")
    before = read(path), read(theirs)
    assert run("uninstall", cwd=place).stdout == "Nothing is set up here.\n"
    assert (read(path), read(theirs)) == before
    assert None not in before


def test_a_broken_ledger_is_said_and_nothing_is_touched(home, place):
    path = write(home, CLAUDE, "{}")
    setup(place, "--agent", "claude-code")
    written = read(path)
    write(os.environ["LEFTOFF_STATE"], "setup/ledger.json", "{")
    assert run("uninstall", cwd=place).returncode == FormatError.code
    assert read(path) == written


# Any settings


names = st.sampled_from(["hooks", "Stop", "SessionStart", "a", "é"]) | st.text(max_size=5)
scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
groups = st.lists(
    st.fixed_dictionaries({"hooks": st.lists(values, max_size=2)}) | values, max_size=3
)
settings = st.builds(
    lambda rest, hooks: {**rest, **({"hooks": hooks} if hooks is not None else {})},
    st.dictionaries(names.filter(lambda name: name != "hooks"), values, max_size=3),
    st.none() | st.dictionaries(st.sampled_from(["Stop", "SessionStart", "AfterAgent"]), groups),
)
AGENTS = [agents.load(name) for name in FILES]


@pytest.mark.parametrize("agent", AGENTS, ids=list(FILES))
@given(value=settings, indent=st.none() | st.integers(0, 4) | st.just("\t"))
def test_any_settings_take_our_hooks_and_give_them_back(agent, value, indent):
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    new = hook_registration.registered(
        agent, text, lambda event: f"py /s/hook/launch.py {agent.NAME} {event} || exit 0"
    )
    assert (
        hook_registration.registered(
            agent, new, lambda event: f"py /s/hook/launch.py {agent.NAME} {event} || exit 0"
        )
        == new
    )
    assert {one.event for one in hook_registration.found(agent, new)} == {
        h.event for h in agent.HOOKS
    }
    assert len(hook_registration.found(agent, new)) == len(agent.HOOKS)
    left = hook_registration.removed(agent, new, text)
    added = {"version": 1} if agent.SETTINGS.shape == "flat" else {}
    assert json.loads(left) in (value, {**added, **value})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "agreed"), [("1\n", True), ("n\n", False)])
def test_a_person_sees_what_will_be_written_before_the_question(place, answer, agreed):
    both = Terminal()
    streams = (Terminal(answer), both, both)
    argv = ["setup", "--agent", "claude-code"]
    assert (
        main(argv, env={**os.environ, "COLUMNS": "200"}, cwd=os.fspath(place), streams=streams) == 0
    )
    before, question, after = both.getvalue().partition("Write this?")
    assert question
    assert "hooks would be added to" in before
    assert "SessionStart" in before
    assert "command: " in before
    assert ("hooks added to" in after) is agreed
    assert "SessionStart" not in after  # nobody has to read it twice
