"""Completion in real shells: what is offered when somebody presses the key."""

from __future__ import annotations

import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import time

import pytest

from leftoff.entry.completion import SHELLS
from projects import put_all, put_skill
from support import SOURCE, repo, run
from test_imports import TOO_EXPENSIVE, probe, third_party

BASH = """
COMP_WORDS=({words}) COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)) COMPREPLY=()
_shtab_leftoff leftoff "${{COMP_WORDS[COMP_CWORD]}}" ""
printf '%s\\n' "${{COMPREPLY[@]}}" ==
"""
ZSH = """
fpath=({folder} $fpath) PS1='READY'$'> ' LISTMAX=100000
autoload -Uz compinit && compinit -u -D
unsetopt beep automenu menu_complete; setopt list_ambiguous
"""
TCSH = """
set edit autolist
source {path}
"""
OFFERED = [
    (("sta",), {"status", "statusline"}),
    (("resume", "chk"), {"chk-auth"}),
    (("status", "--eve"), {"--everywhere"}),
    (("status", "--lang", ""), {"en", "zh"}),
    (("setup", "--agent", "co"), {"codex", "copilot"}),
    (("handoff", "--to", "co"), {"codex", "copilot"}),
    (("restore", "chk"), {"chk-auth"}),
    (("convert", "chk-auth", "--to", "s"), {"skill", "session"}),
    (("thread", "auto-o"), {"auto-on", "auto-off"}),
    (("completion", "f"), {"fish"}),
]


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A project with checkpoints, and leftoff on the path of its shells."""
    place = repo(tmp_path)
    put_all(place)
    tools = tmp_path / "bin"
    tools.mkdir()
    program = tools / "leftoff"
    program.write_text(
        f"#!/bin/sh\nPYTHONPATH={shlex.quote(SOURCE)} exec {shlex.quote(sys.executable)}"
        ' -m leftoff "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    return place


def script(root, shell, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(run("completion", shell, cwd=root).stdout)
    return os.fspath(path)


def shell_said(root, *argv):
    """What a shell offered, for each line that was typed."""
    done = subprocess.run(argv, cwd=root, capture_output=True, encoding="utf-8", timeout=120)
    assert done.stderr == ""
    answers = done.stdout.split("==\n")[:-1]
    return [{line.partition("\t")[0] for line in each.splitlines()} for each in answers]


def needs(shell):
    if not shutil.which(shell):
        pytest.skip(f"{shell} absent")


def test_bash_offers_verbs_options_choices_and_names(root, tmp_path):
    path = script(root, "bash", tmp_path / "leftoff.bash")
    typed = [BASH.format(words=shlex.join(("leftoff", *words))) for words, _ in OFFERED]
    text = "".join([f"source {shlex.quote(path)}\n", *typed])
    assert shell_said(root, "bash", "--norc", "-c", text) == [each for _, each in OFFERED]


def test_fish_offers_verbs_options_choices_and_names(root, tmp_path):
    needs("fish")
    path = script(root, "fish", tmp_path / "leftoff.fish")
    lines = (shlex.quote(" ".join(("leftoff", *words))) for words, _ in OFFERED)
    typed = "".join(f"complete -C {line}; echo ==\n" for line in lines)
    text = f"source {shlex.quote(path)}\n{typed}"
    assert shell_said(root, "fish", "--no-config", "-c", text) == [each for _, each in OFFERED]


class Typed:
    """An interactive shell on a terminal: zsh and tcsh complete nowhere else."""

    def __init__(self, root: str, setting_up: str, *argv: str, term: str = "dumb") -> None:
        self.child, self.screen = pty.fork()
        if self.child == 0:
            os.chdir(root)
            env = {**os.environ, "TERM": term, "COLUMNS": "200", "LINES": "50"}
            os.execvpe(argv[0], argv, env)
        for line in setting_up.strip().splitlines():
            os.write(self.screen, f"{line}\n".encode())
        # it answers only when it has read all of that
        os.write(self.screen, b"echo BE'GUN'\n")
        self.seen_until("BEGUN")

    def seen_until(self, *marks: str) -> str:
        seen, deadline = b"", time.monotonic() + 300
        while not all(mark.encode() in seen for mark in marks):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.screen], [], [], left)[0]:
                break
            try:
                seen += os.read(self.screen, 65536)
            except OSError:
                break
        return seen.decode("utf-8", "replace")

    def offers(self, line: str, *words: str) -> str:
        """What it shows for a line, up to when all of the words have been shown."""
        os.write(self.screen, f"{line}\t\t".encode())
        shown = self.seen_until(*words)
        os.write(self.screen, b"\x15")
        return shown

    def close(self) -> None:
        os.close(self.screen)
        os.waitpid(self.child, 0)


def test_zsh_offers_verbs_options_choices_and_names(root, tmp_path):
    needs("zsh")
    functions = tmp_path / "functions"
    functions.mkdir()
    script(root, "zsh", functions / "_leftoff")
    folder = shlex.quote(os.fspath(functions))
    offers(Typed(root, ZSH.format(folder=folder), "zsh", "-f", "-i"), OFFERED[:4])


def offers(shell, expected):
    try:
        for words, offered in expected:  # each waits for a shell to draw
            shown = shell.offers(" ".join(("leftoff", *words)), *offered)
            assert not [word for word in offered if word not in shown], (words, shown)
    finally:
        shell.close()


def test_tcsh_offers_verbs_choices_and_names(root, tmp_path):
    needs("tcsh")
    path = script(root, "tcsh", tmp_path / "leftoff.tcsh")
    shell = Typed(root, TCSH.format(path=shlex.quote(path)), "tcsh", "-f", term="vt100")
    expected = [OFFERED[0], OFFERED[1], OFFERED[3], OFFERED[4], OFFERED[6]]
    offers(shell, [*expected, (("thread", "switch", "thread-"), {"thread-1a2b3c4d"})])


@pytest.mark.parametrize("shell", SHELLS)
def test_every_script_knows_the_verbs(root, shell):
    text = run("completion", shell, cwd=root).stdout
    assert "validate" in text
    assert "demo" in text
    assert f"leftoff completion {shell}" in run("completion", "--help", cwd=root).stdout


def test_a_slip_of_the_pen_gets_a_suggestion(root):
    done = run("completion", "fsh", cwd=root)
    assert done.returncode == 2
    assert 'did you mean "fish"?' in done.stderr


def test_names_mean_nothing_to_a_shell(root):
    put_skill(root, "good-one")
    for at, bad in enumerate(("$(touch owned)", "`touch owned`", "a b", "-rf", "x;y")):
        put_skill(root, f"bad-{at}", skill=bad)
    told = run("completion", "names", cwd=root).stdout.splitlines()
    assert "good-one" in told
    assert all(re.fullmatch(r"\w[\w.-]*", name) for name in told)


def test_where_there_is_nothing_or_nowhere_nothing_is_told(tmp_path):
    done = run("completion", "names", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    gone = run("completion", "names", cwd=tmp_path / "nowhere")
    assert (gone.returncode, gone.stdout, gone.stderr) == (0, "", "")


def test_names_cost_no_more_than_a_list(root):
    for _ in range(2):
        seen = probe(root, "completion", "names")
    assert "chk-auth" in seen.out
    assert not seen.loaded & TOO_EXPENSIVE
    assert not third_party(seen.loaded)
    assert "rich_argparse" not in seen.loaded
