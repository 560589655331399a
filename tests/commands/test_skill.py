"""What packaged skills ask leftoff: which mode a person's words mean, and what to read before."""

from __future__ import annotations

import json
import os
import re
import shlex

import jsonschema
import pytest

from leftoff.core.guide import HAPI_STEP, MODES, REFERENCES, SKILLS, TOPICS, topic_of, without_hapi
from leftoff.core.route import WORDS, route
from leftoff.entry.verbs import every_verb
from leftoff.errors import NotFound
from leftoff.formats import thread_json
from leftoff.world import guide
from projects import do, get, put_markdown, put_thread
from support import run

LANGUAGES = ("en", "zh")
TOOLS = ("--tools", "Bash,mcp__hapi__change_title")
every_document = pytest.mark.parametrize("language", LANGUAGES)
SEED = {
    **dict.fromkeys(("thread enable", "thread switch"), "enable"),
    **dict.fromkeys(("thread auto-on", "thread auto-off", "thread threshold"), "auto"),
    "list": "status",
}
"""The modes whose document is not called as they are, as seed E has them."""


def answer(root, *words: str):
    done = run("skill", *words, "--json", cwd=root)
    assert done.returncode == 0, done.stdout
    return json.loads(done.stdout)["data"]


# route


@pytest.mark.req("E.mode.words")
@pytest.mark.parametrize(
    ("words", "verb"),
    [
        ("/checkpoint", "save"),
        ("/checkpoint save", "save"),
        ("保存进度", "save"),
        ("断点保存", "save"),
        ("resume", "resume"),
        ("/checkpoint resume", "resume"),
        ("断点续传", "resume"),
        ("恢复上下文", "resume"),
        ("status", "status"),
        ("/checkpoint status", "status"),
        ("检查进度", "status"),
        ("list", "list"),
        ("/checkpoint list", "list"),
        ("列出断点", "list"),
        ("/checkpoint enable", "thread enable"),
        ("checkpoint enable", "thread enable"),
        ("enable", "thread enable"),
        ("/checkpoint switch thread-1a2b3c4d", "thread switch thread-1a2b3c4d"),
        ("/checkpoint archive", "archive"),
        ("/checkpoint auto-on", "thread auto-on"),
        ("/checkpoint auto-off", "thread auto-off"),
        ("/checkpoint threshold 80", "thread threshold 80"),
    ],
)
def test_the_words_of_both_languages_lead_to_their_modes(root, words, verb):
    assert run("skill", "route", words, cwd=root).stdout == f"{verb}\n"


@pytest.mark.parametrize(
    ("words", "verb"),
    [
        ("保存进度：重试已完成", "save 重试已完成"),
        ("断点续传 chk-auth", "resume chk-auth"),
        ("/checkpoint 恢复上下文，chk-auth", "resume chk-auth"),
        ("Save my place, before lunch", "save before lunch"),
        ("save session", "save"),
        ("/checkpoint enable Payments v2", "thread enable Payments v2"),
        ("/leftoff:save Half done", "save Half done"),
        ("/leftoff-resume", "resume"),
        ("$leftoff-next", "next"),
        ("leftoff", "status"),
        ("leftoff handoff", "handoff"),
        ("[no-redispatch]\n/checkpoint Half done", "save Half done"),
        ("what is next?", "next"),
    ],
)
def test_the_rest_of_the_words_is_kept(words, verb):
    assert " ".join(filter(None, route(words))) == verb


@pytest.mark.parametrize(
    ("words", "near"),
    [("resmue", "resume"), ("/checkpoint resmue", "resume"), ("leftoff statsu", "status")],
)
def test_words_that_mean_nothing_are_refused_with_the_nearest(words, near):
    with pytest.raises(NotFound, match=f'did you mean "{near}"') as caught:
        route(words)
    assert "known words: next, doctor" in caught.value.hint


def test_words_near_to_nothing_are_refused_with_the_known_ones(root):
    done = run("skill", "route", "make me a sandwich", cwd=root)
    assert done.returncode == 3
    assert "did you mean" not in done.stderr
    assert "known words: " in done.stderr


def test_every_word_leads_to_a_verb_that_exists():
    assert {verb.split()[0] for verb in WORDS.values()} <= set(every_verb())


# docs


@pytest.mark.req("E.docs.read-first")
@pytest.mark.parametrize("verb", MODES)
def test_every_mode_has_its_document(root, verb):
    told = answer(root, "route", f"/checkpoint {verb.rpartition(' ')[2]}")
    assert told["document"] == SEED.get(verb, verb)
    text = answer(root, "docs", told["document"])["text"]
    assert text.startswith("# ")
    assert re.search(r"^1\. ", text, re.MULTILINE)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_document_is_there_in_both_languages_with_the_same_steps_and_commands(topic):
    english, chinese = (guide.document(topic, language) for language in LANGUAGES)
    assert steps(english) == steps(chinese)
    assert shape(english) == shape(chinese)
    assert re.search("[一-鿿]", chinese)
    assert english.count("\n") < 45 or topic == "thread-schema"


def steps(text: str) -> list[tuple[str, bool]]:
    found = re.findall(r"^(\d+)\. (.*)", text, re.MULTILINE)
    return [(number, rest.startswith(HAPI_STEP)) for number, rest in found]


def shape(text: str) -> list[str]:
    """The commands and options of a document; what stands in quotes may be translated."""
    return sorted(re.sub(r"'[^']*'", "''", one) for one in commands(text))


def commands(text: str) -> list[str]:
    inline = re.findall(r"`(leftoff [^`]+)`", text)
    blocks = re.findall(r"^\s*(leftoff [^`\n]+)$", text, re.MULTILINE)
    return [" ".join(one.split()) for one in (*inline, *blocks)]


@every_document
@pytest.mark.parametrize("topic", [topic for topic in TOPICS if topic != "hapi"])
def test_what_a_document_says_to_run_can_be_run(root, topic, language):
    put_thread(root)
    put_markdown(root)
    for command in commands(guide.document(topic, language)):
        words = [_meant(word) for word in shlex.split(command)[1:]]
        if "--hapi" in words or "--headless" in words or words[0] == "doctor":
            continue  # a hub, a client; and one that looks at all of the home
        done = run(*words, cwd=root)
        assert done.returncode not in {2, 70}, f"{command}: {done.stdout}{done.stderr}"


def _meant(word: str) -> str:
    return {"NAME": "chk-auth", "THREAD": "thread-1a2b3c4d", "handoff.md": "h.md"}.get(word, word)


@every_document
@pytest.mark.req("E.docs.references")
def test_every_document_that_is_referred_to_exists(language):
    texts = [guide.document(topic, language) for topic in TOPICS]
    texts += [guide.skill(name) for name in (*SKILLS, "context")]
    named = {one for text in texts for one in re.findall(r"leftoff skill docs ([\w-]+)", text)}
    assert named <= set(TOPICS)
    assert set(REFERENCES) <= named


@pytest.mark.req("E.docs.local-skip")
@pytest.mark.parametrize("topic", ["save", "status", "archive", "handoff"])
def test_steps_for_hapi_are_there_under_hapi_and_nowhere_else(root, topic):
    there, here = answer(root, "docs", topic, *TOOLS), answer(root, "docs", topic)
    assert (there["env"], here["env"]) == ("hapi", "local")
    assert there["text"].count(HAPI_STEP) == 1
    assert HAPI_STEP not in here["text"]
    numbers = [int(number) for number, _ in steps(here["text"])]
    assert numbers == list(range(1, len(steps(there["text"]))))


def test_a_step_goes_with_all_of_its_lines_and_the_next_list_begins_anew():
    text = f"1. A\n2. {HAPI_STEP}B\n   more of B\n3. C\n   of C\n\n## Again\n\n1. D\n2. E\n"
    assert without_hapi(text) == "1. A\n2. C\n   of C\n\n## Again\n\n1. D\n2. E\n"


@pytest.mark.req("E.docs.schema")
def test_the_schema_ships_and_its_sample_validates(root):
    text = answer(root, "docs", "thread-schema")["text"]
    schema, sample = (json.loads(one) for one in re.findall(r"```json\n(.*?)```", text, re.DOTALL))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(sample, schema)
    path = f".checkpoints/threads/{sample['threadId']}/thread.json"
    assert thread_json.check(json.dumps(sample), path) == []
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**sample, "sessions": [{"seq": 0}]}, schema)


@pytest.mark.req("E.docs.schema")
def test_what_leftoff_writes_satisfies_the_schema(root):
    text = answer(root, "docs", "schema")["text"]
    schema = json.loads(re.findall(r"```json\n(.*?)```", text, re.DOTALL)[0])
    run("thread", "enable", "重构认证模块", cwd=root)
    run("save", "Half done", "--next", "The rest", cwd=root)
    for words in (("auto-on",), ("threshold", "80"), ("max-steps", "5"), ("continue", "on")):
        assert run("thread", *words, cwd=root).returncode == 0
    (thread,) = os.listdir(os.path.join(root, ".checkpoints/threads"))
    written = json.loads(get(root, f".checkpoints/threads/{thread}/thread.json"))
    jsonschema.validate(written, schema)
    assert set(written["config"]) <= set(schema["properties"]["config"]["properties"])


@pytest.mark.req("E.docs.missing")
def test_an_unknown_topic_is_refused_with_the_known_ones(root):
    done = run("skill", "docs", "nope", cwd=root)
    assert done.returncode == 3
    assert all(topic in done.stderr for topic in TOPICS)
    near = run("skill", "docs", "resum", cwd=root)
    assert 'did you mean "resume"?' in near.stderr


@pytest.mark.req("E.docs.missing")
def test_a_document_that_cannot_be_read_is_told_and_not_made_up(root, monkeypatch):
    monkeypatch.setattr(guide, "FOLDER", "gone")
    done = run("skill", "docs", "save", cwd=root)
    assert done.returncode == 3
    assert "save.md" in done.stderr
    assert done.stdout == ""


def test_the_names_that_seed_e_gives_its_files_are_known():
    named = ("enable", "save", "resume", "status-list", "context-detection", "hapi-integration")
    assert all(topic_of(name) for name in (*named, "history-awareness", "rules", "thread-schema"))


def test_a_document_is_in_the_language_of_the_reader(root):
    assert answer(root, "docs", "save", "--lang", "zh")["text"].startswith("# 保存\n")
    assert run("skill", "docs", "save", cwd=root).stdout.startswith("# Save\n")


def test_documents_and_routes_write_nothing(root):
    before = sorted(os.listdir(root))
    answer(root, "docs", "rules")
    answer(root, "route", "保存进度")
    assert sorted(os.listdir(root)) == before


@pytest.mark.req("A.cmd.set", "A.cmd.bare")
@pytest.mark.parametrize(
    ("words", "verb"),
    [
        ("/checkpoint doctor", "doctor"),
        ("/checkpoint next", "next"),
        ("/checkpoint show", "show"),
        ("/checkpoint reset", "reset"),
        ("/checkpoint list", "list"),
        ("/checkpoint status", "status"),
        ("/checkpoint", "save"),
        ("保存进度", "save"),
    ],
)
def test_the_words_after_checkpoint_lead_to_verbs(root, words, verb):
    assert do(root, "skill", "route", words).stdout.strip() == verb
    assert do(root, "skill", "route", "make me a sandwich").returncode == 3


@pytest.mark.req("C.scope.phrases")
@pytest.mark.parametrize(
    ("words", "verb"),
    [
        ("save my place", "save"),
        ("Save my place", "save"),
        ("checkpoint", "save"),
        ("save session", "save"),
        ("/checkpoint save my place", "save"),
        ("/checkpoint before the long run", "save before the long run"),
        ("--restore", "resume"),
        ("/checkpoint --restore", "resume"),
        ("/checkpoint auth-fix --restore", "resume auth-fix"),
        ("restore checkpoint", "resume"),
        ("resume from checkpoint", "resume"),
    ],
)
def test_the_words_of_seed_c_save_unless_they_say_restore(root, words, verb):
    assert run("skill", "route", "--", words, cwd=root).stdout.strip() == verb
