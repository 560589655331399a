"""What every store of passages must do: the same records in, the same answers out.

A store is made by a factory. `fill` takes all passages of each source; `find` answers for some of
the sources. A test module of a store imports the tests below and defines the fixture `store`.
"""

from __future__ import annotations

from typing import Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leftoff.core import search_hits as f
from leftoff.core.search_hits import Found, Hit, Passage, Source, Wanted, first
from leftoff.core.search_words import matcher, query, whole
from leftoff.errors import Usage

Said = dict[Source, list[Passage]]


class Store(Protocol):
    def fill(self, said: Said) -> None:
        """These sources say this, and nothing else any more."""

    def find(self, wanted: Wanted, limit: int, sources: list[Source]) -> Found:
        """The first hits in these sources, and the number of all."""


WORDS = [
    "retry",
    "Retry",
    "cache",
    "re-try",
    "断点续传",
    "缓存",
    "传",
    "ＡＢ１",
    "é",
    "src/app.py",
    "_x",
]
TEXTS = st.one_of(
    st.lists(st.sampled_from([*WORDS, "\n", "，", "->", "x"]), max_size=8).map(" ".join),
    st.lists(st.sampled_from([*WORDS, "点", "续"]), max_size=6).map("".join),
    st.text(max_size=20),
)
ASKED = st.lists(
    st.sampled_from(
        [
            *WORDS,
            "断点",
            "续",
            "点续传",
            '"retry cache"',
            "-cache",
            "ca*",
            "-缓",
            '"缓存 retry"',
            "-x",
        ]
    ),
    min_size=1,
    max_size=3,
).map(" ".join)
PASSAGES = st.builds(
    Passage,
    st.sampled_from(f.KINDS),
    TEXTS.map(lambda text: whole(text.encode("utf-8", "replace").decode())),
    st.sampled_from([0.0, 1.0, 2.5, 1e9]),
    st.integers(0, 9),
    st.just(""),  # hypothesis would make one up
)
WANTED = st.builds(
    lambda asked, kinds, since: (asked, tuple(kinds), since),
    ASKED,
    st.sets(st.sampled_from(f.KINDS), max_size=2),
    st.sampled_from([0.0, 1.0, 2.0]),
)


def source(number: int, **more: object) -> Source:
    known = {"form": "document", "prints": (number, 1, 1), "root": "/p", "path": f"{number}.md"}
    return Source(f"/p/{number}.md", **{**known, **more})


def by_hand(said: Said, wanted: Wanted, limit: int, sources: list[Source]) -> Found:
    """The meaning itself, written as it reads."""
    fits = matcher(wanted.query).fits
    hits = [
        Hit(one, passage, number)
        for one in sources
        for number, passage in enumerate(said[one])
        if wanted.counts(passage.kind, passage.at) and fits(passage.text)
    ]
    return Found(first(hits, limit), len(hits))


def ask(store: Store, said: Said, text: str, limit: int = 1000, **more: object) -> list[str]:
    found = store.find(Wanted(query(text), **more), limit, [*said])
    return [hit.passage.text for hit in found.hits]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.lists(st.lists(PASSAGES, max_size=6), max_size=4),
    WANTED,
    st.integers(1, 5),
    st.sets(st.integers(0, 3)),
)
def test_the_answer_is_what_the_query_means(store, texts, asked, limit, without):
    said = {source(at): some for at, some in enumerate(texts)}
    text, kinds, since = asked
    try:
        wanted = Wanted(query(text), kinds, since)
    except Usage:
        return
    store.fill(said)
    some = [one for at, one in enumerate(said) if at not in without]
    assert store.find(wanted, limit, some) == by_hand(said, wanted, limit, some)


def test_a_chinese_term_of_two_characters_is_found_in_all_of_500_texts(store):
    """断点 stands at the start, in the middle, at the end, beside Latin letters and marks."""
    forms = ["断点{n}", "这里需要断点续传{n}", "x断点y{n}", "没有断点。{n}", "「断点」{n}"]
    texts = [Passage(f.MESSAGE, forms[n % 5].format(n=n), float(n)) for n in range(500)]
    others = [Passage(f.MESSAGE, f"点断{n}", float(n)) for n in range(500)]
    said = {source(1): texts, source(2): others}
    store.fill(said)
    found = store.find(Wanted(query("断点")), 1000, [*said])
    assert found.total == 500
    assert {hit.passage.text for hit in found.hits} == {one.text for one in texts}


def test_the_newest_comes_first_then_the_name_then_the_place(store):
    said = {
        source(2): [Passage(f.MESSAGE, "word b", 5.0), Passage(f.MESSAGE, "word c", 5.0)],
        source(1): [Passage(f.MESSAGE, "word a", 5.0), Passage(f.MESSAGE, "word new", 9.0)],
        source(3): [Passage(f.MESSAGE, "word old", 0.0)],
    }
    store.fill(said)
    assert ask(store, said, "word") == ["word new", "word a", "word b", "word c", "word old"]
    assert ask(store, said, "word", 2) == ["word new", "word a"]


def test_kinds_and_age_choose_among_passages(store):
    said = {source(n): [Passage(kind, "word", float(n))] for n, kind in enumerate(f.KINDS, 1)}
    store.fill(said)
    found = store.find(Wanted(query("word"), (f.DECISION, f.FILE), 4.0), 9, [*said])
    assert [hit.passage.kind for hit in found.hits] == [f.DECISION]


def test_a_source_that_is_not_asked_about_says_nothing(store):
    said = {source(n): [Passage(f.MESSAGE, f"word {n}", 1.0)] for n in range(3)}
    store.fill(said)
    found = store.find(Wanted(query("word")), 9, [source(1)])
    assert [hit.passage.text for hit in found.hits] == ["word 1"]
    assert found.total == 1


def test_what_a_source_no_longer_says_is_not_found(store):
    store.fill({source(1): [Passage(f.MESSAGE, "old word", 1.0)]})
    said = {source(1, prints=(1, 2, 2)): [Passage(f.MESSAGE, "new word", 1.0)]}
    store.fill(said)
    assert ask(store, said, "word") == ["new word"]
    assert ask(store, said, "old") == []


@pytest.mark.parametrize(
    "text",
    [
        'a "b',
        "AND",
        "NEAR",
        'x" OR "y',
        "word:retry",
        "^retry",
        "{a b}: c",
        "'; drop table word",
        "*a",
    ],
)
def test_no_word_means_anything_to_the_store_itself(store, text):
    said = {source(1): [Passage(f.MESSAGE, f"{text} retry", 1.0), Passage(f.MESSAGE, "zz", 2.0)]}
    store.fill(said)
    assert ask(store, said, text) == [f"{text} retry"]


def test_many_terms_are_no_trouble(store):
    words = [f"w{n}" for n in range(240)]
    said = {source(1): [Passage(f.MESSAGE, " ".join(words), 1.0)]}
    store.fill(said)
    assert len(ask(store, said, " ".join(words)[:990].rpartition(" ")[0])) == 1


def test_a_text_of_any_size_and_any_character_is_kept_as_it_is(store):
    texts = ["a\0b word", "word " + "长" * 70_000, "word " + "x" * 40_000, "word \U0001f600 \u202e"]
    said = {source(1): [Passage(f.MESSAGE, text, float(-at)) for at, text in enumerate(texts)]}
    store.fill(said)
    assert ask(store, said, "word") == texts
    assert ask(store, said, "长长") == [texts[1]]
