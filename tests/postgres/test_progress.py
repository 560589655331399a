"""What a person sees of a push that takes long."""

from __future__ import annotations

from callers import PERSON, at_terminal
from histories import HOUR, Talk
from leftoff import commands
from leftoff.entry import terminal
from postgres.desk import AT, Desk
from support import repo

MANY = 40


def grown(team, tmp_path, monkeypatch):
    """Somebody with many sessions, who shares what was said in them."""
    ann = Desk(team, tmp_path, "ann").clone(repo(tmp_path / "origin"))
    for name, value in ann.env.items():
        monkeypatch.setenv(name, value)
    ann.run("team", "share", "text")
    for n in range(MANY):
        Talk(n, ann.root).ask(HOUR, f"Part {n}").answer(HOUR - 10, "Done.", 900).save()
    ann.run("session", "list")  # else the bar of reading them would do
    return ann


def test_a_push_on_a_terminal_shows_a_bar_and_takes_it_away(team, tmp_path, monkeypatch):
    ann = grown(team, tmp_path, monkeypatch)
    monkeypatch.setattr(terminal, "PATIENCE", -1)
    code, shown = at_terminal(PERSON, "", "team", "push", "--now", AT, cwd=ann.root)
    assert code == 0, shown
    bar, _, rest = shown.rpartition("\x1b[?25h")
    assert "━" in bar
    assert "%" in bar
    assert f"Sent: {MANY} sessions" in rest
    assert "%" not in rest


def test_the_bar_goes_with_every_session_that_is_sent_and_its_texts(team, tmp_path, monkeypatch):
    ann = grown(team, tmp_path, monkeypatch)
    told = []
    run = commands.load("team").run
    listening = lambda call: run(call._replace(progress=lambda *at: told.append(at)))  # noqa: E731
    monkeypatch.setattr(commands.load("team"), "run", listening)
    assert ann.data("team", "push")["texts"]["sent"] >= MANY
    twice = (*range(MANY + 1), *range(MANY, 2 * MANY + 1))  # figures, then texts
    assert told == [(n, 2 * MANY) for n in twice]
