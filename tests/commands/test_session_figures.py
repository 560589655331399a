"""session and budget for pages of figures: cost, parts of long lists and talks, context curves."""

from __future__ import annotations

import json
import os

import pytest

from histories import DAY, HOUR, Talk, ident, journal, started, state
from histories import NOW as THEN
from leftoff.entry.calls import answer
from leftoff.world.server_cache import ServerCache
from leftoff.world.server_sessions import ServerSessions
from projects import NOW, put
from support import run


def data(root, *words):
    done = run(*words, "--now", NOW, "--json", cwd=root)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["data"]


def refused(root, *words):
    done = run(*words, "--now", NOW, cwd=root)
    assert done.returncode != 0
    return done.stderr


def talked(n, root, *, ago=HOUR, model="claude-sonnet-4-6", context=1_000_010, answers=1, **more):
    talk = Talk(n, root).ask(ago, f"Please do {n}")
    for at in range(answers):
        talk.answer(ago - 10 * (at + 1), f"Answer {at}", context, ("Bash", {"command": "make"}))
    talk.lines = [line.replace("claude-sonnet-4-6", model) for line in talk.lines]
    for fields in more.get("lines", ()):
        talk.lines.append(json.dumps(fields))
    last = THEN - ago + 10 * answers
    os.utime(talk.save(), (last, last))
    return f"claude-code/{talk.session}"


SONNET = (10 * 3 + 5 * 15 + 1_000_000 * 3.75) / 1e6


def test_a_session_says_what_it_cost_and_by_whose_figure(root):
    name = talked(1, root)
    stats = data(root, "session", "stats", name)["session"]["stats"]
    assert stats["cost"] == {"usd": pytest.approx(SONNET), "source": "list", "unpriced": 0}
    assert [*stats["spentByModel"]] == ["claude-sonnet-4-6"]
    other = talked(2, root, lines=[{"type": "cost-state", "totalCostUSD": 1.25}])
    told = data(root, "session", "stats", other)["session"]["stats"]["cost"]
    assert told == {"usd": 1.25, "source": "client", "unpriced": 0}


def test_an_unknown_model_has_an_unknown_cost_until_the_settings_name_it(root):
    name = talked(1, root, model="nobody-1")
    shown = run("session", "stats", name, "--now", NOW, cwd=root).stdout
    assert "unknown" in next(line for line in shown.splitlines() if "Cost" in line)
    text = '[prices."nobody"]\ninput = 1.0\noutput = 2.0\ncache_write = 3\n'
    put(os.environ["XDG_CONFIG_HOME"], "leftoff/config.toml", text)
    cost = data(root, "session", "stats", name)["session"]["stats"]["cost"]
    assert cost["source"] == "settings"
    assert cost["usd"] == pytest.approx((10 + 5 * 2 + 1_000_000 * 3) / 1e6)


def test_the_kept_sums_follow_a_price_that_is_set(root):
    talked(1, root, model="nobody-1")
    assert data(root, "session", "stats", "--all")["total"]["cost"]["usd"] is None
    assert data(root, "session", "stats", "--all")["total"]["cost"]["usd"] is None
    text = '[prices."nobody"]\ninput = 1.0\noutput = 2.0\n'
    put(os.environ["XDG_CONFIG_HOME"], "leftoff/config.toml", text)
    assert data(root, "session", "stats", "--all")["total"]["cost"]["source"] == "settings"


def test_sums_say_what_is_known_and_that_something_is_not(root):
    talked(1, root)
    talked(2, root, model="nobody-1")
    shown = run("session", "stats", "--all", "--by", "model", "--now", NOW, cwd=root).stdout
    lines = {line.split("  ")[0]: line for line in shown.splitlines()}
    assert "about $3.75" in lines["claude-sonnet-4-6"]
    assert "unknown" in lines["nobody-1"]
    assert "more than $3.75" in lines["all"]
    assert "public list prices" in shown
    assert "1,000,015 tokens are of models without a known price" in shown


def test_tokens_count_for_the_day_and_the_model_that_they_were_spent_on(root):
    talk = Talk(1, root).ask(DAY + HOUR, "Begin").answer(DAY, "One", 100).answer(60, "Two", 200)
    talk.lines[-1] = talk.lines[-1].replace("claude-sonnet-4-6", "claude-haiku-4-5")
    talk.save()
    rows = data(root, "session", "stats", "--by", "day")["rows"]
    assert [(row["name"], row["tokens"], row["sessions"]) for row in rows] == [
        ("2026-08-08", 205, 0),
        ("2026-08-07", 105, 1),
    ]
    models = data(root, "session", "stats", "--by", "model")["rows"]
    assert [row["tokens"] for row in models] == [205, 105]
    since = data(root, "session", "stats", "--by", "day", "--since", "12h")
    assert since["total"]["tokens"] == 205


def test_everything_has_all_four_tables_and_the_parts_that_add_up(root, tmp_path):
    other = str(tmp_path / "other")
    os.makedirs(other)
    talked(1, root), talked(2, root, ago=2 * DAY), talked(3, other)
    told = data(root, "session", "stats", "--all", "--by", "everything")
    assert [len(told[name]) for name in ("days", "agents", "projects", "models")] == [2, 1, 2, 1]
    assert sum(one["tokens"] for one in told["parts"]) == told["total"]["tokens"] == 3 * 1_000_015
    costs = [one["cost"]["usd"] for one in told["parts"]]
    assert sum(costs) == pytest.approx(told["total"]["cost"]["usd"])
    shown = run("session", "stats", "--by", "everything", "--now", NOW, cwd=root).stdout
    assert all(f"\n{by}" in f"\n{shown}" for by in ("day", "agent", "project", "model"))


@pytest.mark.parametrize(
    "text",
    [
        '[prices."x"]\ninput = 1.0\n',
        '[prices."x"]\ninput = "1"\noutput = 2\n',
        '[prices."x"]\ninput = -1\noutput = 2\n',
        '[prices."x"]\ninput = true\noutput = 2\n',
        '[prices."x"]\ninput = nan\noutput = 2\n',
        '[prices."x"]\ninput = 1\noutput = 2\nweekly = 3\n',
        "[prices]\nx = 3\n",
    ],
)
def test_a_price_that_cannot_be_is_said_and_not_in_force(root, text):
    put(os.environ["XDG_CONFIG_HOME"], "leftoff/config.toml", text)
    found = json.loads(run("doctor", "--json", cwd=root).stdout)
    assert "prices.x" in json.dumps(found)


def test_a_project_sets_no_prices(root):
    put(root, ".checkpoints/config.toml", '[prices."x"]\ninput = 1\noutput = 2\n')
    assert "prices of a project cannot be set" in run("doctor", "--json", cwd=root).stdout


def test_a_price_that_is_set_shows_where_it_comes_from(root):
    text = '[prices."x"]\ninput = 1\noutput = 2\n'
    put(os.environ["XDG_CONFIG_HOME"], "leftoff/config.toml", text)
    told = run("doctor", "--settings", "--json", cwd=root).stdout
    assert '"prices.x"' in told


# Parts of long lists


def test_a_list_is_read_part_by_part(root):
    for n in range(7):
        talked(n, root, ago=(n + 2) * HOUR)
    first = data(root, "session", "list", "--all", "--limit", "3")
    assert (len(first["sessions"]), first["total"], first["from"]) == (3, 7, 0)
    last = data(root, "session", "list", "--all", "--from", "6", "--limit", "3")
    assert [one["id"] for one in last["sessions"]] == [ident(6)]
    assert data(root, "session", "list", "--all", "--from", "99")["sessions"] == []
    shown = run("session", "list", "--all", "--limit", "3", "--now", NOW, cwd=root).stdout
    assert "(4 more: --from 3)" in shown


def test_a_list_is_filtered_by_state(root):
    journal(1, started(60, root), (30, "prompt"))
    talked(2, root, ago=10 * DAY)
    assert [
        one["id"] for one in data(root, "session", "list", "--state", "archived")["sessions"]
    ] == [ident(2)]
    assert [
        one["id"] for one in data(root, "session", "list", "--state", "active")["sessions"]
    ] == [ident(1)]


@pytest.mark.parametrize("odd", ["-1", "x", "1.5", "99999999999", "١"])
def test_a_number_that_is_none_is_refused(root, odd):
    talked(1, root)
    assert "cannot be" in refused(root, "session", "list", f"--limit={odd}")
    assert "cannot be" in refused(root, "session", "list", f"--from={odd}")


def test_a_conversation_is_read_part_by_part(root):
    name = talked(1, root, answers=10)
    part = data(root, "session", "export", name, "--from", "4", "--limit", "5")
    assert (part["total"], part["from"], len(part["turns"])) == (21, 4, 5)
    assert [one["role"] for one in part["turns"][:2]] == ["tool", "agent"]
    assert part["prompts"] == [{"turn": 0, "at": part["prompts"][0]["at"], "text": "Please do 1"}]
    shown = run("session", "export", name, "--limit", "2", "--now", NOW, cwd=root).stdout
    assert "Please do 1" in shown
    assert "(19 more: --from 2)" in shown


def test_the_part_with_a_line_is_found(root):
    name = talked(1, root, answers=10)
    whole = data(root, "session", "export", name, "--limit", "100")
    wanted = whole["turns"][13]
    part = data(root, "session", "export", name, "--line", str(wanted["line"]), "--limit", "5")
    found = part["turns"][part["at"] - part["from"]]
    assert found["line"] == wanted["line"]
    assert found["role"] == "agent"
    assert part["from"] % 5 == 0


def test_a_secret_in_a_part_is_redacted(root):
    secret = "ghp_" + "a1B2" * 9
    Talk(1, root).ask(60, f"use {secret}").answer(
        50, "ok", 10, ("Bash", {"command": f"curl -H {secret}"})
    ).save()
    done = run("session", "export", ident(1), "--limit", "9", "--json", "--now", NOW, cwd=root)
    assert secret not in done.stdout
    assert "[redacted:" in done.stdout


def test_half_a_secret_at_the_end_of_a_listed_prompt_is_redacted_too(root):
    secret = "ghp_" + "a1B2" * 9
    Talk(1, root).ask(60, "x" * 120 + f" {secret}").answer(50, "ok", 10).save()
    part = data(root, "session", "export", ident(1), "--limit", "9")
    assert secret[:12] not in part["prompts"][0]["text"]


def test_a_part_is_of_one_session_and_of_no_file(root, tmp_path):
    talked(1, root)
    assert "about one session" in refused(root, "session", "export", "--limit", "3")
    assert "a part of" in refused(
        root, "session", "export", ident(1), "--limit", "3", "--format", "md"
    )


def test_the_budget_has_the_curve_and_its_compactions(root):
    compact = {"type": "system", "subtype": "compact_boundary", "timestamp": "2026-08-08T11:59:00Z"}
    compact["compactMetadata"] = {"trigger": "auto", "preTokens": 150_000, "postTokens": 20_000}
    name = talked(1, root, answers=5, context=50_000, lines=[compact])
    told = data(root, "budget", "--session", name)
    assert [one["tokens"] for one in told["curve"]] == [50_000] * 5
    assert [(one["before"], one["after"]) for one in told["compactions"]] == [(150_000, 20_000)]


# In a server


def served(root, keep, *words, server_sessions=None):
    return answer(
        [*words, "--now", NOW], cwd=root, env=os.environ, keep=keep, server_sessions=server_sessions
    ).data


def test_a_server_gives_the_same_answers(root):
    name = talked(1, root, answers=5, context=50_000)
    for n in range(2, 6):
        talked(n, root, ago=n * HOUR)
    keep = ServerCache(lambda: 1)
    for words in (
        ("session", "list", "--all"),
        ("session", "list", "--all", "--everywhere"),
        ("session", "stats", name),
        ("session", "stats", "--by", "everything"),
        ("session", "export", name, "--limit", "3"),
        ("session", "export", f"claude-code/{ident(2)}", "--limit", "3"),
        ("session", "export", name, "--limit", "3"),
        ("budget", "--session", name),
        ("search", "Answer"),
        ("search", "--agent", "claude-code", "Please"),
    ):
        alone = answer([*words, "--now", NOW], cwd=root, env=os.environ).data
        assert served(root, keep, *words) == alone, words
        assert served(root, keep, *words) == alone, words


def test_a_server_looks_at_sessions_once_a_second(root):
    talked(1, root)
    clock = [0.0]
    keep, server_sessions = (
        ServerCache(lambda: 1, lambda: clock[0]),
        ServerSessions(state(), os.environ, lambda: clock[0]),
    )
    totals = []
    for clock[0] in (0.0, 0.9, 1.0):
        totals.append(
            served(root, keep, "session", "list", "--all", server_sessions=server_sessions)["total"]
        )
        talked(2, root)
    assert totals == [1, 1, 2]


def test_search_in_a_server_finds_what_was_indexed_meanwhile(root):
    talked(1, root)
    mark, clock = [1], [0.0]
    keep = ServerCache(lambda: mark[0], lambda: clock[0])
    assert served(root, keep, "search", "Please")["total"] == 1
    assert served(root, keep, "search", "Please")["total"] == 1
    talked(2, root)
    assert answer(["search", "Please", "--now", NOW], cwd=root, env=os.environ).data["total"] == 2
    mark[0], clock[0] = 2, 1.0
    assert served(root, keep, "search", "Please")["total"] == 2
