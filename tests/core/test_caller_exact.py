"""Who is calling: which process stands for it, and what a word of its command line says."""

from __future__ import annotations

import pytest

from leftoff.core.caller import Process, hapi_session, owner_among, program_of, without_marks

SHELL = Process(5, "bash", ("-bash",), tty="pts/1")
CLAUDE = Process(6, "claude", ("claude",))
HAPI = Process(7, "node", ("node", "/opt/@twsxtd/hapi/bin/hapi.cjs"))


@pytest.mark.parametrize(
    ("ancestors", "client", "found"),
    [
        ((SHELL, CLAUDE, HAPI), 0, "h1"),
        ((SHELL, CLAUDE, SHELL, HAPI), 6, "h1"),
        ((SHELL, HAPI), 0, "h1"),
        ((SHELL, CLAUDE, SHELL), 0, ""),
        ((CLAUDE, Process(8, "codex", ("codex",)), HAPI), 0, ""),
        ((CLAUDE, Process(8, "codex", ("codex",)), HAPI), 8, "h1"),
        ((SHELL, CLAUDE, HAPI), 99, ""),
        ((SHELL,), 0, ""),
        (None, 0, ""),
    ],
)
def test_a_variable_of_hapi_counts_where_hapi_started_the_nearest_client(ancestors, client, found):
    assert hapi_session("h1", ancestors, client) == found
    assert hapi_session("", ancestors, client) == ""


def test_the_owner_is_the_nearest_agent():
    assert owner_among((SHELL, CLAUDE, HAPI)) == (CLAUDE, "claude-code")


def test_else_the_owner_is_the_last_process_on_the_nearest_one_s_terminal():
    make = Process(1, "make", ("make",), tty="pts/1")
    outer = Process(2, "zsh", ("zsh",), tty="pts/1")
    other = Process(3, "sshd", ("sshd",), tty="pts/2")
    assert owner_among((make, outer, other)) == (outer, "zsh")


@pytest.mark.parametrize(
    "passing",
    [
        Process(1, "sh", ("sh", "-c", "make")),
        Process(1, "bash", ("/bin/bash", "-lc", "make")),
    ],
)
def test_else_the_owner_is_the_nearest_process_that_was_not_started_for_one_command(passing):
    cron = Process(2, "cron", ("cron", "-c"))
    assert owner_among((passing, cron, Process(3, "init"))) == (cron, "cron")
    assert owner_among((passing, passing._replace(pid=4))) == (passing, passing.name)


@pytest.mark.parametrize(
    "lasting",
    [
        Process(1, "sh", ("sh", "--norc"))._replace(words=("sh", "-i")),
        Process(1, "sh", ("sh", "c-")),
        Process(1, "sh", ("sh", "script", "-c")),
        Process(1, "bash", ("bash", "--norc")),
        Process(1, "bash", ()),
        Process(1, "make", ("make", "-c")),
    ],
)
def test_a_shell_without_a_command_lasts(lasting):
    assert owner_among((lasting, Process(3, "init"))) == (lasting, lasting.name)


@pytest.mark.parametrize(
    ("process", "agent"),
    [
        (Process(1, "node", ("/usr/bin/node", "/x/gemini.js")), "gemini-cli"),
        (Process(1, "node", ("node", "x/claude.mjs")), "claude-code"),
        (Process(1, "gemini.exe", ("C/gemini.exe",)), "gemini-cli"),
        (Process(1, "x", ("/a/-codex",)), "codex"),
        (Process(1, "node", ()), ""),
        (Process(1, "MainThread", ("node", "codex")), "codex"),
        (Process(1, "node-20", ("worker", "codex")), "codex"),
        (Process(1, "x", ("mynode", "codex")), ""),
        (Process(1, "my-node", ("x", "codex")), ""),
        (Process(1, "node", ("node", "a.b.codex.js")), ""),
        (Process(1, "node", ("node", "run.me", "codex")), ""),
        (Process(1, "npm", ("npm", "exec", "--", "codex")), "codex"),
        (Process(1, "npm", ("npm", "a", "b", "c", "codex")), ""),
        (Process(1, "bash", ("bash", "-c", "codex exec")), ""),
    ],
)
def test_a_process_is_the_program_or_the_script_that_it_runs(process, agent):
    assert program_of(process) == agent


def test_an_environment_for_another_client_keeps_everything_but_marks():
    given = {"PATH": "/bin", "CLAUDECODE": "1", "CODEX_SANDBOX_DIR": "x", "CODEX_HOME": "y"}
    assert without_marks(given) == {"PATH": "/bin", "CODEX_HOME": "y"}
