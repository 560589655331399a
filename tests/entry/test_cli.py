"""The command line as a whole: ways in, the JSON envelope, errors, help, a terminal."""

from __future__ import annotations

import ast
import errno
import glob
import json
import os
import re
import subprocess
import sys

import pytest

from callers import on_terminal, seen_until
from leftoff import __version__, commands, errors
from leftoff.entry import cli
from leftoff.entry.verbs import every_verb, find_command
from projects import NOW, get, put_all, put_markdown, put_skill
from support import SOURCE, leftoff, repo, run


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_skill(place)
    return place


@pytest.mark.req("X.cli.any-entry")
def test_module_script_and_symlink_give_the_same(root, tmp_path):
    script = os.path.join(tmp_path, "leftoff")
    with open(script, "w", encoding="utf-8") as file:
        file.write(
            f"#!{sys.executable}\nimport sys\nfrom leftoff.__main__ import main\nsys.exit(main())\n"
        )
    os.chmod(script, 0o755)
    link = os.path.join(tmp_path, "linked")
    os.symlink(script, link)
    env = {**os.environ, "PYTHONPATH": SOURCE}
    expected = leftoff("status", "--now", NOW, cwd=root)
    assert expected.returncode == 0
    for program in (script, link):
        done = subprocess.run(
            [program, "status", "--now", NOW],
            cwd=root,
            env=env,
            capture_output=True,
            encoding="utf-8",
        )
        assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout)


@pytest.mark.parametrize("verb", [name for name in commands.names() if name != "merge-driver"])
def test_every_command_speaks_json_in_one_envelope(root, verb):
    words = {
        "update": ["oc-demo", "--step=x"],
        "convert": ["oc-demo", "--to", "md"],
        "skill": ["route", "/checkpoint"],
        "show": ["oc-demo"],
        "reset": ["oc-demo"],
        "done": ["oc-demo"],
        "prune": ["oc-demo"],
        "fork": ["oc-demo", "oc-two"],
        "delta": ["chk-auth", "--what", "x"],
        "archive": ["chk-auth", "--outcome", "x"],
        "search": ["timer"],
        "team": ["share"],
    }.get(verb, [])
    put_markdown(root)
    done = run(verb, *words, "--json", "--now", NOW, cwd=root)
    body = json.loads(done.stdout)
    assert body["schema"] == f"leftoff.{verb}/1"
    assert set(body) == {"schema", "data", "findings", "ask"}
    assert done.stderr == ""


def test_an_error_is_json_too(root):
    done = run("show", "nobody", "--json", cwd=root)
    error = json.loads(done.stdout)["error"]
    assert done.returncode == 3
    assert error["kind"] == "not-found"
    assert error["retryable"] is False
    assert set(error) == {"kind", "message", "hint", "where", "line", "choices", "retryable"}


def test_an_unknown_command_or_language_gets_a_suggestion(root):
    done = run("statsu", cwd=root)
    assert (done.returncode, done.stdout) == (2, "")
    assert 'did you mean "status"?' in done.stderr
    assert run("status", "--lang", "xx", cwd=root).returncode == 2
    assert run("status", "--project", "nowhere", cwd=root).returncode == 2
    assert run("status", "--now", "yesterday", cwd=root).returncode == 2


def test_no_hint_names_a_destructive_command():
    bad = re.compile(r"\b(rm|git reset|git clean|git checkout|--force|unlink|delete)\b")
    for path in glob.glob(f"{SOURCE}/leftoff/**/*.py", recursive=True):
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        hints = [
            ast.unparse(word.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            for word in node.keywords
            if word.arg in {"hint", "fix"}
        ]
        assert not [hint for hint in hints if bad.search(hint)], path


def test_help_shows_every_command_with_examples(root):
    overview = run("help", cwd=root).stdout
    assert run("--help", cwd=root).stdout == overview
    for name in every_verb():
        assert f"  {name}" in overview
        page = run(name, "--help", cwd=root).stdout
        assert run("help", name, cwd=root).stdout == page
        assert page.startswith(f"usage: leftoff {name}")
        for example in find_command(name).EXAMPLES:
            assert example in page
    assert set(json.loads(run("help", "--json", cwd=root).stdout)["data"]["commands"]) == set(
        every_verb()
    )
    assert run("--version", cwd=root).stdout == f"leftoff {__version__}\n"
    said = json.loads(run("--version", "--json", cwd=root).stdout)
    assert said["schema"] == "leftoff.version/1"
    assert said["data"] == {"version": __version__}


def test_a_bug_of_ours_is_one_line_and_a_log_without_the_environment(root, home, monkeypatch):
    def explode(call):
        raise RuntimeError("boom")

    monkeypatch.setattr(commands.load("status"), "run", explode)
    done = run("status", cwd=root, env={"SECRET_TOKEN": "hunter2"})
    assert done.returncode == 70
    assert done.stderr.count("\n") == 2
    log = get("/", done.stderr.split("the log ")[1].strip())
    assert "RuntimeError: boom" in log
    assert "hunter2" not in log


def test_an_interrupt_is_130_and_a_closed_pipe_is_fine(root, monkeypatch):
    def interrupt(call):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands.load("status"), "run", interrupt)
    assert run("status", cwd=root).returncode == 130


def test_an_interrupt_before_the_command_line_listens_is_130_too(root):
    code = (
        "import leftoff.entry.cli as cli\n"
        "def interrupt(*_, **__): raise KeyboardInterrupt\n"
        "cli.main = interrupt\n"
        "from leftoff.__main__ import main\n"
        "main()\n"
    )
    env = {**os.environ, "PYTHONPATH": SOURCE}
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=env, capture_output=True)
    assert (done.returncode, done.stderr) == (130, b"")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (OSError(errno.EACCES, "", "/x/y"), 1, "error: cannot use /x/y: permission denied\n"),
        (OSError(errno.ENOSPC, "", b"/x/y"), 6, "error: cannot use /x/y: no space left on device"),
    ],
)
def test_trouble_with_a_file_is_never_called_trouble_with_the_output(
    root, monkeypatch, error, code, said
):
    def fail(call):
        raise error

    monkeypatch.setattr(commands.load("status"), "run", fail)
    done = run("status", cwd=root)
    assert done.returncode == code
    assert done.stderr.startswith(said)


@pytest.mark.req("X.cli.any-entry")
def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    root = repo(tmp_path)
    for at in range(300):
        put_skill(root, f"oc-{at}", progress_summary="x" * 900)
    command = f"{sys.executable} -m leftoff status | head -1"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=root,
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.stdout, done.stderr) == ("# Session state\n", "")


@pytest.mark.parametrize("words", ["help", "--version", "status --help", "completion names"])
def test_words_about_leftoff_itself_that_nobody_can_take_are_told_as_all_others(words, tmp_path):
    root = repo(tmp_path)
    put_skill(root)
    command = [sys.executable, "-m", "leftoff", *words.split()]
    env = {**os.environ, "PYTHONPATH": SOURCE}
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(command, cwd=root, env=env, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr[:31]) == (6, b"error: cannot write the output:")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, cwd=root, env=env, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_on_a_terminal_there_is_colour_and_a_question(tmp_path, monkeypatch):
    monkeypatch.delenv("NO_COLOR")
    root = repo(tmp_path)
    path = put_skill(root, next_actions=["Last one"])
    child, screen = on_terminal(root, "done", "oc-demo", TERM="xterm-256color", COLUMNS="100")
    shown = seen_until(screen, b"> ")
    assert "What is next?" in shown
    os.write(screen, b"Tag the release\n")
    shown += seen_until(screen, None)
    os.waitpid(child, 0)
    assert "\x1b[" in shown
    assert json.loads(get(root, path))["next_actions"] == ["Tag the release"]


@pytest.mark.req("X.cli.quiet-network")
def test_no_verb_opens_a_socket(root, monkeypatch):
    import socket

    def refuse(*args, **kwargs):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    put_all(root)
    for words in (
        ("status",),
        ("list",),
        ("validate",),
        ("show", "oc-demo"),
        ("update", "oc-demo", "--step=x"),
        ("done", "oc-demo"),
        ("init",),
        ("index",),
        ("convert", "oc-demo", "--to", "md"),
    ):
        assert run(*words, "--now", NOW, cwd=root).returncode in {0, 1}


def test_every_error_kind_has_its_own_code():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    codes = {kind.kind: kind.code for kind in kinds}
    assert codes == {
        "error": 1,
        "usage": 2,
        "not-found": 3,
        "conflict": 4,
        "ambiguous": 5,
        "busy": 6,
        "broken": 7,
        "git": 8,
        **dict.fromkeys(("invalid", "untrusted", "unreachable", "hapi", "refused"), 1),
        "other-version": 1,
        "bug": 70,
    }


def test_the_verb_is_found_among_options():
    assert cli.split_verb(["--project", "x", "list", "--json"]) == (
        "list",
        ["--project", "x", "--json"],
    )
    assert cli.split_verb([]) == ("status", [])
    assert cli.split_verb(["--brief"]) == ("status", ["--brief"])
    assert cli.split_verb(["-h"]) == ("help", ["-h"])
