"""A statement in short says less than the whole, never something else."""

from __future__ import annotations

import pytest

from leftoff.core import brief_gist
from leftoff.core.brief_gist import (
    LEAST,
    LONGEST,
    MOST,
    RUN_ON,
    about,
    answering,
    gists,
    is_aside,
    pieces,
    shortened,
)

LONG = "The roadmap is made when the site is built"
MORE = "It is read from the tracker"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        # the first sentence
        (f"{LONG}. {MORE}.", [f"{LONG}. […]"]),
        (f"{LONG}! {MORE}. And so on.", [f"{LONG}! […]"]),
        (
            "路线图在网站构建的时候生成，数据来自于跟踪器的接口。数据每天读一次。",
            ["路线图在网站构建的时候生成，数据来自于跟踪器的接口。 […]"],
        ),
        # the first clause
        (f"{LONG} — {MORE}", [f"{LONG} […]"]),
        (f"{LONG}—{MORE}", [f"{LONG} […]"]),
        (f"{LONG} – {MORE}", [f"{LONG} […]"]),
        (f"{LONG} - {MORE}", [f"{LONG} […]"]),
        (f"{LONG}; {MORE}", [f"{LONG} […]"]),
        # both, the longer first
        (f"{LONG}; nightly. {MORE}.", [f"{LONG}; nightly. […]", f"{LONG} […]"]),
        # nothing to cut at
        (LONG, []),
        (f"{LONG}.", []),
        (f"{LONG}, {MORE}", []),
        (f"{LONG}-{MORE}", []),
        (f"{LONG};{MORE}", []),
        (f"{LONG}.{MORE}", []),
        # a question may be answered, and a small letter goes on
        (f"{LONG}? {MORE}.", []),
        (f"{LONG}. it is so", []),
        (f"{LONG} (it is shown vs. Hidden pages)", []),
        # brackets, quotes and code are not torn apart
        (f"({LONG}. {MORE}.)", []),
        (f"[{LONG}. {MORE}.]", []),
        (f"{{{LONG}. {MORE}.}}", []),
        (f'"{LONG}. {MORE}."', []),
        (f"`{LONG}. {MORE}.`", []),
        (f'(a) [b] {{c}} "d" `e` {LONG}. {MORE}.', [f'(a) [b] {{c}} "d" `e` {LONG}. […]']),
        # a dot that ends no sentence
        (f"{LONG}, e.g. Monday. {MORE}", [f"{LONG}, e.g. Monday. […]"]),
        (f"{LONG} (No. 5). {MORE}", [f"{LONG} (No. 5). […]"]),
        (f"{LONG} in step 12. Monday is best", []),
        # what follows could turn it
        (f"{LONG}. But not today.", []),
        (f"{LONG}. (Only on Mondays)", []),
        (f"{LONG}. Then {MORE}.", []),
        (f"{LONG}. {MORE}. That was dropped later.", []),
        (f"{LONG}. {MORE}, unless it is down.", []),
        (f"{LONG}. {MORE}. Ask Ada first.", []),
        (f"{LONG} — not by hand", []),
        (f"{LONG} — {MORE}, if it is up", []),
        (f"{LONG} — {MORE}, user-only", []),
        (f"{LONG}; {MORE}. However it was slow", []),
        (f"{LONG}; {MORE}. It only was slow", []),
        ("路线图在网站构建的时候生成，数据来自于跟踪器的接口。但是今天不行。", []),
        ("路线图在网站构建的时候生成，数据来自于跟踪器的接口。后来作废。", []),
        (f"{LONG}. {MORE}. In May we went on by hand instead.", []),
        (f"{LONG}. {MORE}. As of May that is no longer so.", []),
        (f"{LONG}. Exception: the page of the team.", []),
        (f"{LONG}. After {MORE}.", []),
        (f"{LONG}; once {MORE}", []),
        (f"{LONG} — {MORE}, not by hand", []),
        (f"{LONG}; don't on Mondays", []),
        (f"{LONG}; {MORE}, which doesn’t last", []),
        (f"{LONG}; {MORE}, which cannot last", []),
        (f"{LONG}; or {MORE}", []),
        (f"{LONG}. — But not today.", []),
        (f"{LONG}. {MORE}. But not today.", []),
        (f"{LONG}. {MORE}! Not on Mondays.", []),
        (f"{LONG}. {MORE}. Don't on Mondays.", []),
        (f"{LONG}; {MORE}. So it is. Not on Mondays.", []),
        ("路线图在网站构建的时候生成，数据来自于跟踪器的接口；首页除外", []),
        ("路线图在网站构建的时候生成，数据来自于跟踪器的接口。后来改用手工。", []),
        # numbers, and brackets of Chinese, are not torn apart
        (f"{LONG} in 5 - 10 minutes", []),
        (f"{LONG} for 2020—2024", []),
        (f"{LONG} for 2020 – nobody knows", [f"{LONG} for 2020 […]"]),
        (f"{LONG} in max. 10 minutes", []),
        ("路线图在网站构建的时候生成，数据来自于跟踪器的（接口。第三节）", []),
        # a later sentence that stands may end it instead
        (f"{LONG}. But not today. {MORE}.", [f"{LONG}. But not today. […]"]),
        (f"{LONG}. But it is so. {MORE}. And more.", [f"{LONG}. But it is so. […]"]),
        # only its first word, or one that takes back, makes a sentence turn another
        (f"{LONG}. And then it is read.", [f"{LONG}. […]"]),
        (f"{LONG}. 5 things follow.", [f"{LONG}. […]"]),
        (f"{LONG}. 5a follows.", [f"{LONG}. […]"]),
        (f"{LONG}. 但是今天不行。", []),
        # a clause is bounded by its own sentence
        (f"{LONG}. {MORE} — at night, when it is up", [f"{LONG}. […]"]),
        # dashes that are no words turn nothing
        (f"{LONG}. {MORE} ... -- so", [f"{LONG}. […]"]),
    ],
)
def test_a_gist_ends_where_nothing_that_follows_could_turn_it(text, told):
    assert [*gists(text)] == told


def test_a_gist_is_no_mere_number_and_no_account():
    short = "x" * (LEAST - 1)
    assert [*gists(f"{short}. {MORE}")] == [f"{short}. […]"]
    assert [*gists(f"{short[1:]}. {MORE}")] == []
    assert [*gists(f"2. {MORE}")] == []
    long = "x" * (MOST - 2)
    assert [*gists(f"{long}. {MORE}")] == [f"{long}. […]"]
    assert [*gists(f"{long}x. {MORE}")] == []
    rest = LONGEST - len(LONG) - 3
    assert [*gists(f"{LONG}. {'X' * rest}")] == [f"{LONG}. […]"]
    assert [*gists(f"{LONG}. X{'X' * rest}")] == []


@pytest.mark.parametrize("mark", [" [draft]", " [draft: claude-code/0badcafe]"])
def test_a_draft_stays_one_however_short_it_is_told(mark):
    assert [*gists(f"{LONG}. {MORE}.{mark}")] == [f"{LONG}. […]{mark}"]
    assert shortened(f"{LONG} {MORE}{mark}", 60 + len(mark)) == f"{LONG} It is read […]{mark}"
    assert shortened(f"{LONG}{mark}", 300) == f"{LONG}{mark}"
    assert shortened(mark.strip() * 9, 20).endswith(" […]")
    twice = f"{LONG} [draft] or so. {MORE}.{mark}"
    assert [*gists(twice)] == [f"{LONG} [draft] or so. […]{mark}"]
    assert [*gists(f"{LONG}. {MORE} [draft of it")] == [f"{LONG}. […]"]


def test_a_path_that_is_gone_keeps_its_mark_where_a_text_is_cut():
    text = "read the file at src/a.py ✗ before anything else is done in there"
    for most in (30, 31):
        assert shortened(text, most) == "read the file at src/a.py ✗ […]"
    assert shortened(text, len("read the file at […]")) == "read the file at […]"
    assert shortened(text, len(text)) == text


@pytest.mark.parametrize("text", ["5 — 1 s", "5 — 10 s", "5 —10 s", "5— 1 s"])
def test_a_dash_between_two_numbers_ends_nothing(text):
    assert not brief_gist._is_end(text, text.index("—"), "—")
    assert brief_gist._is_end(f"a{text[1:]}", text.index("—"), "—")


def test_what_follows_turns_by_its_first_word_alone():
    assert brief_gist._turned(" 如果下雨")
    assert not brief_gist._turned(" 下雨如果")
    assert brief_gist._turned("Good. Yet it works")
    assert not brief_gist._turned("Good. It yet works")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Keep the old key, now v2", {"keep", "old", "key", "v2"}),
        ("Go to 1.30 on it", {"1.30"}),
        ("use this with them, not that", set()),
        ("老节点保留", {"老节", "节点", "点保", "保留"}),
        ("改 node", {"node"}),
    ],
)
def test_what_a_statement_is_about_is_told_by_its_words_and_pairs_of_characters(text, words):
    assert about(text) == words


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{LONG}. {MORE}.", [f"{LONG}.", f"{MORE}."]),
        (f"{LONG}. {MORE}! {LONG}", [f"{LONG}.", f"{MORE}!", LONG]),
        # what is too short stays with its neighbour
        (f"Hello! {LONG}. Thanks.", [f"Hello! {LONG}. Thanks."]),
        (f"Hello! {LONG}. {MORE}. Thanks.", [f"Hello! {LONG}.", f"{MORE}. Thanks."]),
        # what bounds the sentence before it stays with it
        (f"{LONG}. But {MORE}. {LONG}.", [f"{LONG}. But {MORE}.", f"{LONG}."]),
        (f"{LONG}. Don't ask why it is so.", [f"{LONG}. Don't ask why it is so."]),
        (f"{LONG}. Wait, no, {MORE}.", [f"{LONG}. Wait, no, {MORE}."]),
        # and what it replies to stays with the words that reply
        (
            f"Yes. [in reply to: {MORE}] {LONG} and paid for by all.",
            [f"Yes. [in reply to: {MORE}]", f"{LONG} and paid for by all."],
        ),
        # and with what may turn that
        (f"1. [in reply to: {MORE}] {LONG}.", [f"1. [in reply to: {MORE}] {LONG}."]),
        (f"{LONG}. [in reply to: {MORE}]", [f"{LONG}. [in reply to: {MORE}]"]),
        (f"{LONG} ({MORE}. {MORE}.)", [f"{LONG} ({MORE}. {MORE}.)"]),
        ("", [""]),
        ("x. " * LONGEST, ["x. " * LONGEST]),
    ],
)
def test_what_somebody_said_comes_in_pieces(text, told):
    assert [*pieces(text)] == told


@pytest.mark.parametrize(
    "more",
    [
        *("Actually, an hour.", "Scratch that, an hour.", "Hmm, no, an hour is better."),
        *("Pero mejor una hora entera.", "Nein, doch lieber eine Stunde.", "Mais non, une heure."),
        *(
            "等等，还是一个小时吧，客户抱怨太多了，我们改一下数字。",
            "でも一時間のほうがいいと思いますので変えてください。",
        ),
    ],
)
def test_who_changes_their_mind_is_told_with_what_they_changed(more):
    text = f"{LONG}. {more} {MORE}."
    assert next(pieces(text)).startswith(f"{LONG}. {more}")
    assert not [one for one in gists(text) if more not in one]


@pytest.mark.parametrize(
    ("said", "is_one"),
    [
        ("And so, what would the road to the launch in December look like?", True),
        ("Could you write the status of every open point down for me?", True),
        ("这个接口现在还有什么功能没有写完测试？", True),
        ("How about one table for tags and another one for bookmarks?", False),
        ("Why don't we keep local time and the zone of the club?", False),
        ("What the club keeps is local time and its own zone.", False),
        ("Thank you, that I can follow.", True),
    ],
)
def test_requests_and_mere_remarks_settle_nothing(said, is_one):
    assert is_aside(said) is is_one


LONG_ANSWER = "Write them into a table of their own. " + "Each costs an index and a join more. " * 4


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Yes. [in reply to: Use WAL mode]", "Yes. [in reply to: Use WAL mode]"),
        (
            f"Yes. [in reply to: {LONG_ANSWER}]",
            "Yes. [in reply to: Write them into a table of their own. […]]",
        ),
        (f"Yes. [in reply to: {LONG_ANSWER}] And log it", None),
        (LONG_ANSWER, None),
        ("Yes.", None),
    ],
)
def test_of_what_somebody_replies_to_the_gist_is_told(said, told):
    assert answering(said) == (told or said)


def test_a_sentence_behind_many_others_is_a_piece_of_its_own():
    said = [f"Number {n} of these sentences says what is to be done." for n in range(20)]
    assert [*pieces(" ".join(said))] == said


def test_a_sentence_of_eight_chinese_characters_is_one():
    assert [*pieces("文件开头加上BOM。手机号只留后四位。")] == [
        "文件开头加上BOM。",
        "手机号只留后四位。",
    ]
    assert [*pieces("好。手机号只留后四位。")] == ["好。手机号只留后四位。"]
    assert [*pieces("手机号只留后四位。好。")] == ["手机号只留后四位。好。"]


DICTATED = (
    "so sorry if this comes out funny it is Dale who wrote the planner in the winter of that year"
    " and it reads the sheet with the kids in it and then I glue the lists together with tape"
    " and the tape, so to speak, is me and if the bus is late and it rains you tell me and I decide"
)


def test_what_somebody_dictates_comes_apart_where_a_clause_has_its_own_subject():
    assert [*pieces(DICTATED)] == [
        DICTATED[: DICTATED.index(" and it reads")],
        "and it reads the sheet with the kids in it",
        DICTATED[DICTATED.index("and then") :],
    ]


def test_a_clause_close_behind_a_condition_is_a_part_of_it():
    far = "if the bus is late on a day in the winter the kids are to wait inside of the school"
    start = DICTATED[: DICTATED.index(" and it reads")]
    said = f"{start} and we know that {far} and they go home with the second one of them all"
    assert [*pieces(said)] == [
        start,
        f"and we know that {far}",
        "and they go home with the second one of them all",
    ]


def test_only_a_sentence_of_more_than_two_hundred_characters_is_dictated():
    said = f"{'x' * 100} and it reads the sheet with the kids in it "
    said += "y" * (RUN_ON - len(said))
    assert [*pieces(said)] == [said]
    assert len([*pieces(f"{said}y")]) == 2
    assert [*pieces(f"{'x' * 190} and it is so")] == [f"{'x' * 190} and it is so"]


@pytest.mark.parametrize(
    "said",
    [
        f"{'z' * 180} et je vous demande de garder les noms en suédois",
        f"{'z' * 180} und ich möchte die Namen auf Schwedisch behalten",
        f"{'z' * 180} so let’s keep all of the names in Swedish, too",
    ],
)
def test_it_comes_apart_in_other_languages_too(said):
    assert [one[:2] for one in pieces(said)] == ["zz", said[181:183]]


def test_two_replies_are_told_whole():
    said = f"Both. [in reply to: {LONG_ANSWER}; {LONG_ANSWER}]"
    assert answering(said) == said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("für die Straße", {"strasse"}),
        ("c'est dans une école", {"école"}),
        ("las reservas de todos", {"reservas", "todos"}),
        ("não são as séries", {"séries"}),
    ],
)
def test_words_that_tell_nothing_are_known_in_other_languages(text, words):
    assert about(text) == words


@pytest.mark.parametrize(
    "clauses",
    [
        "and I don't want you to delete the rows and you rename the table as if it was new",
        "and it is not the case that we drop it and you rebuild it every night at four",
        "and neither the app deletes all of it and it asks nobody nor does the server",
        "and instead of deleting all of the rows and you know archiving them we keep them",
        "and Bob says we should drop the table and we use a file which is nonsense to me",
        "and Bob suggested at lunch that we drop the table and we use a file for all of it",
        "und ich will nicht dass du sie löschst und du sie dann unter neuem Namen anlegst",
    ],
)
def test_a_clause_is_not_cut_off_from_what_it_depends_on(clauses):
    told = [*pieces(f"{'x' * 180} {clauses}")]
    assert told[-1].endswith(clauses)


def test_what_goes_on_behind_a_label_stays_with_what_the_label_replies_to():
    said = f"2. [in reply to: {MORE}] is too slow for what we have in mind here."
    assert [*pieces(said)] == [said]


def test_a_clause_of_a_few_letters_is_no_piece_of_its_own():
    start = "x" * RUN_ON
    assert [*pieces(f"{start} and it is so and I know that of all the others here")] == [
        start,
        "and it is so and I know that of all the others here",
    ]
