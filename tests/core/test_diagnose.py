"""The diagnosis: which level each fault has, what it names, in which order; without any disk."""

from __future__ import annotations

import pytest

from leftoff.core.claims import judge
from leftoff.core.diagnose import counts, diagnose, worst_first
from leftoff.core.diagnose_place import Left, Listed, Marker, Signs, around, running
from leftoff.core.evidence import Tree
from leftoff.core.facts import Facts, Repository
from leftoff.core.find_stream import name_of
from leftoff.core.model import Evidence, Finding
from leftoff.core.stream import Glance, Stream
from leftoff.core.thresholds import DEFAULTS
from leftoff.core.when import DAY, instant
from leftoff.core.work_references import Tickets

NOW = instant("2026-08-08T12:00:00Z")
HEAD = "a1b2c3d4e5" * 4
NOTHING_KNOWN = Facts()


def stream(name="oc-a", *found, **fields):
    glance = Glance(f".checkpoints/{name}.checkpoint.json", "skill", name, status="in_progress")
    return Stream(glance._replace(**fields), (), tuple(found))


def slugs(*streams, facts=NOTHING_KNOWN):
    diagnosis = diagnose(streams, facts, DEFAULTS, NOW)
    return [(finding.level, finding.slug) for finding in diagnosis.findings]


def git(**facts):
    return Facts(Repository(head=HEAD, branch="main", branches={"main": HEAD}, **facts))


def test_a_clean_set_has_no_finding_and_is_counted():
    good = stream(files=("app.py", "b.py"), branch="main", commit=HEAD[:9])
    facts = git(reachable={HEAD[:9]: True}, since={("main", HEAD[:9]): 0})
    diagnosis = diagnose([good, stream("oc-b")], facts, DEFAULTS, NOW)
    assert diagnosis.findings == ()
    assert (diagnosis.documents, diagnosis.claims) == (2, 4)


@pytest.mark.parametrize("archived", [False, True])
def test_as_many_claims_are_counted_as_are_judged(archived):
    one = stream(
        files=("a.py", "b.py"),
        branch="gone",
        commit="1234567",
        tests="12 passed",
        parent="oc-x",
        project_dir="/elsewhere",
        actions=("Merge #12", "Ship UTF-8", "Rest"),
        tokens=(("#12",), ("UTF-8",), ()),
        finished=(("k", "Done", "make", ()),),
        status="archived" if archived else "in_progress",
    )
    facts = git(landed=frozenset({"#12"}))._replace(tree=Tree(HEAD), missing=frozenset({"b.py"}))
    assert diagnose([one], facts, DEFAULTS, NOW).claims == len(judge(one.glance, facts))


@pytest.mark.req("A.doctor.missing-files")
def test_one_warning_names_every_missing_file_and_what_was_not_checked():
    paths = tuple(f"any/folder{n}/file.py" for n in range(5))
    one = stream(files=(*paths, "there.py"), more_files=7)
    diagnosis = diagnose([one], Facts(missing=frozenset(paths)), DEFAULTS, NOW)
    (finding,) = diagnosis.findings
    assert (finding.level, finding.where) == ("warning", one.glance.path)
    assert all(path in finding.text for path in paths)
    assert "there.py" not in finding.text
    assert "7 more were not checked" in finding.text
    assert diagnosis.capped == ("7 files that 1 documents name beyond the first ones",)


@pytest.mark.req("A.doctor.landed-work", "X.rank.landed")
def test_an_action_is_a_warning_when_all_it_names_has_landed():
    def found(*tokens, **more):
        one = stream(actions=("Do it",), tokens=(tokens,), **more)
        return slugs(one, facts=git(landed=frozenset({"#12", "ABC-7"})))

    assert found("#12", "ABC-7") == [("warning", "landed")]
    assert found("#12", "ABC-8") == []
    assert found("#13", landed=("#13",)) == [("warning", "landed")]
    assert found("UTF-8", landed=("UTF-8",)) == []


def test_a_project_says_which_prefixes_are_tickets():
    one = stream(actions=("Do it",), tokens=(("QQ-1",),))
    facts = git(landed=frozenset({"QQ-1"}))
    assert slugs(one, facts=facts) == [("warning", "landed")]
    assert slugs(one, facts=facts._replace(tickets=Tickets(only=frozenset({"ABC"})))) == []


@pytest.mark.req("A.doctor.project-dir")
def test_a_project_folder_of_another_machine_is_one_line_of_information():
    both = [stream(name, project_dir="/home/ada/shop") for name in ("oc-a", "oc-b")]
    diagnosis = diagnose(both, Facts(), DEFAULTS, NOW)
    (finding,) = diagnosis.findings
    assert (finding.level, finding.slug) == ("info", "project-dir")
    assert "2 documents" in finding.text
    assert not slugs(*both, facts=Facts(folders=frozenset({"/home/ada/shop"})))


@pytest.mark.parametrize(
    ("status", "expected"), [("in_progress", [("warning", "branch")]), ("complete", [])]
)
def test_a_branch_that_is_gone_is_no_news_once_the_work_is_over(status, expected):
    assert slugs(stream(branch="gone", status=status), facts=git()) == expected


def test_what_git_could_not_say_is_no_finding():
    one = stream(branch="x", commit="1234567", tests="ok", actions=("#1",), tokens=(("#1",),))
    assert slugs(one, facts=Facts(Repository(why="this is not a git repository"))) == []


@pytest.mark.parametrize(
    ("exit_code", "commit", "expected"),
    [
        (1, HEAD, [("error", "evidence-failed")]),
        (0, HEAD, []),
        (0, "0" * 40, [("advice", "evidence-stale")]),
    ],
)
def test_evidence_that_failed_is_an_error_and_old_evidence_is_advice(exit_code, commit, expected):
    evidence = tuple(Evidence("make", exit_code, commit))
    one = stream(finished=(("k", "Write the docs", "make", evidence),))
    assert slugs(one, facts=Facts(tree=Tree(HEAD))) == expected


@pytest.mark.req("A.status.stale")
@pytest.mark.parametrize(("days", "said"), [(7, ""), (8, "stale (8d)")])
def test_work_left_alone_is_stale_past_seven_days(days, said):
    one = stream(touched=NOW - days * DAY, updated="2026-07-31T12:00:00Z")
    texts = [finding.text for finding in diagnose([one], Facts(), DEFAULTS, NOW).findings]
    assert len(texts) == bool(said)
    assert said in "".join(texts)


def test_a_stale_delta_is_advice_until_the_checkpoint_itself_is_stale():
    def found(days):
        at = NOW - days * DAY
        return slugs(stream(format="md", updated="x", touched=at, born=NOW - 4 * DAY))

    assert found(3) == []
    assert found(4) == [("advice", "old-delta")]
    assert found(8) == [("warning", "stale")]


def test_sizes_are_judged_by_the_limits_in_force():
    long = Finding("long-summary", "warning", "progress_summary", "too long")
    one = stream("oc-a", long, summary_chars=1300)
    assert slugs(one) == [("warning", "long-summary")]
    assert diagnose([one], Facts(), {**DEFAULTS, "size.summary": 2000.0}, NOW).findings == ()


def test_a_stamp_in_the_future_is_a_warning():
    assert slugs(stream(updated="x", touched=NOW + 2 * DAY)) == [("warning", "future")]


def test_lineage_is_checked_and_free_text_is_no_parent():
    assert slugs(stream("a", parent="b"), stream("b", parent="a")) == [("warning", "parent-cycle")]
    assert slugs(stream("a", parent="nobody")) == [("warning", "missing-parent")]
    assert slugs(stream("a", parent="the design of the other team")) == []
    assert slugs(stream("a"), stream("a", path="other.json")) == [("error", "duplicate-id")]


def test_several_current_are_warned_and_markdown_ids_used_twice_are_errors():
    twins = [stream("chk-a", format="md", word="current", path=f"{n}.md") for n in range(2)]
    assert slugs(*twins) == [("error", "duplicate-id")] * 2 + [("warning", "several-current")] * 2


@pytest.mark.req("X.read.broken-reported")
def test_a_broken_document_is_one_error_and_makes_no_claims():
    own = Finding("broken", "error", "", "line 3: not JSON", line=3)
    for findings in ((own,), ()):
        one = stream("oc-x", *findings, broken="line 3: not JSON", files=("gone.py",))
        diagnosis = diagnose([one], Facts(missing=frozenset({"gone.py"})), DEFAULTS, NOW)
        (finding,) = diagnosis.findings
        assert (finding.level, finding.slug, finding.where) == ("error", "broken", one.glance.path)
        assert finding.fix


def test_the_worst_comes_first_then_the_path():
    found = [
        Finding("s", level, path, "") for level in ("info", "error", "advice") for path in "ba"
    ]
    ordered = [(finding.level, finding.where) for finding in worst_first(found)]
    assert ordered == [(level, path) for level in ("error", "advice", "info") for path in "ab"]
    assert counts(found) == {"error": 2, "warning": 0, "advice": 2, "info": 2}


@pytest.mark.parametrize(
    ("name", "path", "shown"),
    [
        ("chk-a", "checkpoints/active/x.md", "chk-a"),
        ("2026-08-06-auth_fix.v2", "x/y.md", "2026-08-06-auth_fix.v2"),
        ("--force", "checkpoints/active/chk-b.md", "chk-b"),
        ("a; rm -rf ~", "checkpoints/active/chk-b.md", "chk-b"),
        ("$(id)", "checkpoints/active/`id`.md", "NAME"),
    ],
)
def test_a_command_never_carries_a_strangers_text(name, path, shown):
    assert name_of(Glance(path, "md", name)) == shown


# Around the documents


def signs(**seen):
    return [(f.level, f.slug, f.text) for f in around(Signs(**seen), DEFAULTS, NOW)]


def test_nothing_seen_is_nothing_said():
    assert signs() == []
    assert signs(driver="working", left=(Left("a", DAY, "x"),)) == []


@pytest.mark.req("A.merge.local-only")
@pytest.mark.parametrize("state", ["missing", "gone", "other"])
def test_a_driver_that_this_clone_lacks_is_a_warning_that_speaks_of_servers(state):
    (finding,) = around(Signs(driver=state), DEFAULTS, NOW)
    assert (finding.level, finding.fix) == ("warning", "leftoff init --merge-driver")
    assert "a merge on a server never runs it" in finding.text
    assert "leftoff validate" in finding.text


@pytest.mark.req("C.pidfile.identity")
def test_files_left_behind_are_judged_by_target_age_and_process():
    gone = Left("r", 0.0, "x.md", there=False)
    old = Left("p", 8 * DAY)
    dead = Marker("m", "checkpoint", 4711, alive=False)
    alive = Marker("m", "checkpoint", 1, alive=True)
    assert [slug for _, slug, _ in signs(left=(gone, old), markers=(dead, alive))] == [
        "sentinel-target",
        "sentinel-old",
        "dead-marker",
    ]


def test_a_listed_session_is_stale_after_an_hour_of_silence():
    quiet = Listed("r", "sess-1", "2026-08-08T10:00:00Z")
    busy = Listed("r", "sess-2", "2026-08-08T11:30:00Z")
    ((level, slug, text),) = signs(listed=(quiet, busy))
    assert (level, slug) == ("warning", "stale-session")
    assert "sess-1" in text
    assert "2 h ago" in text


def test_a_state_folder_that_does_not_last_is_information_and_says_what_goes():
    assert "container" in signs(vanishing="overlay", state="/s")[0][2]
    assert "restart" in signs(vanishing="tmpfs", state="/s")[0][2]


@pytest.mark.req("A.doctor.online")
@pytest.mark.parametrize(
    ("said", "same"),
    [
        ((HEAD,), True),
        ((HEAD[:7],), True),
        ((HEAD[:12].upper(),), True),
        ((f"{HEAD[:9]}-dirty",), True),
        (("2.0.1", HEAD[:9]), True),
        ((HEAD[:6],), False),
        (("2.0.1",), False),
        ((f"{HEAD[:8]}0",), False),
    ],
)
def test_what_runs_is_compared_with_head_by_mutual_prefix(said, same):
    assert (not list(running("https://x.test/health", said, HEAD))) == same


def test_without_a_commit_nothing_that_runs_is_the_same():
    assert list(running("https://x.test/health", (HEAD,), ""))


def test_what_has_grown_is_named_with_its_size():
    ((level, slug, text),) = signs(heavy=((".checkpoints/history", 300 << 20),))
    assert (level, slug) == ("info", "grown")
    assert "300 MB" in text
