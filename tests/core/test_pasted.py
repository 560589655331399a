"""What of a prompt a program wrote, and what the person said."""

from __future__ import annotations

import pytest

from leftoff.core.asked import said
from leftoff.core.digest import digest
from leftoff.core.draft import Seen, drafted, in_full
from leftoff.core.pasted import Parts, parts, words
from leftoff.core.talk import USER, Turn

PYTHON = """Traceback (most recent call last):
  File "/app/x.py", line 3, in f
    y = g(must)
        ~^^^^^^
ValueError: you must never do this"""
NODE = """TypeError: x is not a function
    at f (/app/a.js:1:2)
    at async Object.<anonymous> (/app/b.js:3:4)
    at node:internal/process:95:5"""
LOG = """2026-11-18T10:00:01Z INFO We go with the fallback.
2026-11-18T10:00:02Z ERROR The name must not be empty.
2026-11-18T10:00:03Z INFO stopped"""
PYTEST = """=========== FAILURES ===========
___________ test_x ___________

    def test_x():
>       assert f() == 1
E       assert 2 == 1

tests/t.py:3: AssertionError
FAILED tests/t.py::test_x - assert 2 == 1
=========== 1 failed in 0.12s ==========="""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: x
\tat com.a.B.c(B.java:10)
\tat com.a.B.main(B.java:3)
Caused by: java.io.IOException: y
\t... 2 more"""
GO = """panic: runtime error: index out of range

goroutine 1 [running]:
main.f(0x1)
\t/app/main.go:12 +0x1d
main.main()
\t/app/main.go:5 +0x20"""
PHP = """[2026-11-18 10:00:01] local.ERROR: no such table
#0 /app/a.php(12): f()
#1 {main}"""
RUST = """thread 'main' panicked at src/main.rs:2:5:
stack backtrace:
   0: rust_begin_unwind
             at /rustc/x/std/panicking.rs:1:5
   1: main::f
             at ./src/main.rs:2:5"""
OTHERS = """web-1  | 10:00:01 up
[10:00:02] GET /
Nov 18 10:00:03 host sshd[1]: 失败
I1118 10:00:04.123 main.go:1] x
[   12.345678] usb 1-1: new
10.0.0.1 - - [18/Nov/2026:10:00:05 +0000] "GET /"
ERROR:app.db:down
npm ERR! code 1
src/a.c:1:2: error: expected ;"""
PASTES = {
    PYTHON: "ValueError: you must never do this",
    NODE: "TypeError: x is not a function",
    LOG: "2026-11-18T10:00:02Z ERROR The name must not be empty.",
    PYTEST: "1 failed in 0.12s",
    JAVA: "Caused by: java.io.IOException: y",
    GO: "panic: runtime error: index out of range",
    PHP: "[2026-11-18 10:00:01] local.ERROR: no such table",
    RUST: "thread 'main' panicked at src/main.rs:2:5:",
    OTHERS: "src/a.c:1:2: error: expected ;",
}
RULES = """ERROR: shown to the user
WARN: logged only
INFO: dropped
src/a.py:10 must use UTC
src/b.py:11 must use UTC
src/c.py:12 must use UTC
$ make test
$ make lint
$ make docs
10:30 standup
11:30 deploy
12:30 lunch
    at the end (see below) no redis
    at the start no tabs
    at once, please
- no redis
- 不要重试"""


@pytest.mark.parametrize(("text", "line"), PASTES.items())
def test_what_a_program_wrote_is_no_word_of_the_user(text, line):
    assert parts(text) == Parts("", (line,))
    assert parts(f"Why?\n{text}") == Parts("Why?", (line,))
    assert parts(text).text == f"[pasted: {line}]"


@pytest.mark.parametrize("text", PASTES)
def test_what_is_said_around_a_paste_stays(text):
    before, after = "Fix it.\n- no redis\n  - not even here", "    - keep the API\n不要重试"
    found = parts(f"{before}\n{text}\n{after}\n\n{text}\nThanks")
    assert found.own == f"{before}\n{after}\n\nThanks"
    assert len(found.pasted) == 1
    assert words(found.text) == found.own


@pytest.mark.parametrize(
    "text", [RULES, "", "one\ntwo", *("\n".join(LOG.split("\n")[n:]) for n in (1, 2))]
)
def test_what_people_write_too_is_taken_for_their_words(text):
    assert parts(text) == Parts(text)
    assert parts(text).text == text
    assert words(text) == text


def test_words_between_two_lines_of_a_program_stay():
    one, two, three = LOG.split("\n")
    said = f"{one}\nthis must never happen again"
    found = parts(f"{said}\n{two}\n{three}")
    assert found.own == said
    assert len(found.pasted) == 1


def test_two_lines_with_a_time_are_of_a_program_and_one_is_not():
    line = "02:12:40 UTC FATAL:  sorry, too many clients already"
    assert parts(f"worse\n\n{line}\n{line}\n\npool back to 40").own == "worse\n\n\npool back to 40"
    assert parts(f"worse\n{line}\npool back to 40").pasted == ()


def test_words_without_a_paste_stay_as_they_are():
    text = "  Do it so:\n\n- first\n- then \n"
    assert parts(text) == Parts(text)


def test_of_lines_that_tell_of_no_failure_the_first_is_shown_and_blank_ones_part_nothing():
    times = [f"10:00:0{n} step {n}" for n in range(3)]
    assert parts("Why?\n" + "\n \n".join(times) + "\nSo slow. \n") == Parts(
        "Why?\nSo slow.", ("10:00:00 step 0",)
    )


def test_of_many_pastes_three_are_named_and_a_long_line_is_cut():
    logs = "\n.\n".join(LOG.replace("name", f"name{n} {'x ' * 60}") for n in range(5))
    told = parts(logs).text
    assert told.count("ERROR") == 3
    assert len(told) < 340


def test_a_secret_whose_name_is_in_a_paste_is_none_of_the_words():
    text = f"{LOG} token:\naB3dE5gH7jK9mN1p"
    assert parts(text).own == "[redacted:secret]"


def seen(*prompts: str) -> Seen:
    return Seen("s", "/p", "d", digest=digest([Turn(USER, text) for text in prompts]))


def test_a_paste_is_neither_a_decision_nor_said_by_the_user():
    found = seen(
        "Move the bookmarks to SQLite", f"{LOG}\nno redis for this", PYTHON, "Now let it search"
    )
    assert said(found) == ["no redis for this"]
    assert drafted(found).decisions == ()
    assert [item.text for item in in_full(found).rules] == ["no redis for this"]


def test_what_is_said_around_a_long_paste_is_known():
    found = seen(
        "Move the bookmarks",
        f"{LOG * 100}\nNever delete the old file. One table each.",
        "Now let it search",
    )
    assert [item.text for item in drafted(found).decisions] == ["Never delete the old file."]
    assert said(found) == ["One table each."]


def test_who_only_pasted_something_asked_for_it():
    assert drafted(seen("Move the bookmarks", PYTHON)).intent.startswith(
        f"[pasted: {PASTES[PYTHON]}] (first"
    )


def test_quotes_that_a_client_put_around_a_prompt_are_nobodys_words():
    assert parts('"Keep it, and \\"never\\" ask"\n') == Parts('Keep it, and "never" ask')
    assert parts('"one" and "two"') == Parts('"one" and "two"')
    assert parts('""') == Parts('""')
    assert parts('Say "it"') == Parts('Say "it"')
    assert parts('"two\nlines"') == Parts("two\nlines")
