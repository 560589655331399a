"""Chinese: chosen by option or locale, for everything that people read, and for nothing else."""

from __future__ import annotations

import errno
import json
import os
import re
from collections import Counter

import pytest

import messages
import templates
from histories import HOUR
from leftoff.commands import plainly
from leftoff.core import claims
from leftoff.core.evidence import FAILED, FRESH, MISSING, STALE
from leftoff.core.result import Ask, Choice
from leftoff.entry import translate
from leftoff.entry.lang import say_for, say_in
from leftoff.entry.translate import ADVICE, MESSAGES, PARTS, TEXTS, advised, told, translated
from leftoff.errors import Usage
from projects import NOW, get, put, put_all, put_skill
from support import repo, run
from unsaved import killed

CHINESE = re.compile("[一-鿿]")

NOTHING_TO_TRANSLATE = {
    # commands, options and names
    *("leftoff current {}", "leftoff delta {} --what TEXT", "leftoff index", "leftoff prune {}"),
    *("leftoff setup", "leftoff update {} {}"),
    *("leftoff completion bash", "leftoff init --merge-driver", "--{}=VALUE", "--status=active"),
    *("git config --local --remove-section {}", "route", "PROVIDER:ID[:ROLE[:URL]]"),
    "UUID | DATE | PHASE | MODEL | task | NOTE | FALLBACK_FIRES | ATTRIBUTION",
    "leftoff update oc-git-ops --step=review --progress_summary='Two PRs merged.'",
}
SAID_ELSEWHERE = {
    "name": "the default of core.ids.check_name",
    **{
        f"{kind} {{about}}: {{reason}}": "core.diagnose, of a claim"
        for kind in ("branch", "commit", "parent", "ticket")
    },
    **{
        f"evidence {level}: {{reason}}": "core.claims, by its level"
        for level in (FAILED, FRESH, MISSING, STALE)
    },
    "show this help message and exit": "argparse",
    "would not be valid: {reason}": "world.refusals, as it is raised",
    "would not be valid: {reason} (and {more} more)": "world.refusals, as it is raised",
    "the transcript cannot be read: {reason}": "world.log_reading, of a session",
    **{
        (said := os.strerror(code))[:1].lower() + said[1:]: "the system"
        for code in (
            *(errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.EPERM),
            *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.ELOOP, errno.ENAMETOOLONG),
            *(errno.EMFILE, errno.EIO),
        )
    },
}
"""Entries for texts that stand in no syntax tree where a message is made, and who says them."""


AVOIDED = (
    "检查点",
    "对话记录",
    "移交",
    "令牌预算",
    "会话编号",
    "智能体",
    "话题",
    "钩子函数",
    "属实",
)
"""Other words for a checkpoint, a transcript and so on: docs/glossary.md has the ones we use."""
SEEN = (
    "status | status --brief | status oc-demo | status --everywhere | list | list --pm | next --all"
    " | next --explain | doctor | doctor --fix | doctor --settings | validate | tree | current"
    " | tree --compare chk-auth oc-demo | resume oc-demo | resume chk-auth | handoff oc-demo"
    " | session list | session info | session stats | session stats --by day | session archive"
    " | session reconcile | recover --list | recover 00000001 --dry-run | budget | compact"
    " | thread list | thread enable | thread status | save Words --next Mail | done oc-demo"
    " | delta chk-auth --what Timer | fork chk-auth chk-two --intent x | index | learnings"
    " | archive chk-auth --outcome Done --force | convert oc-demo --to md --dry-run | trust"
    " | setup --dry-run | uninstall --dry-run | search timer | team share | prune oc-demo"
    " | skill route /checkpoint | dispatch --model claude-opus-4-5 --prompt x | reset oc-demo"
)
"""Command lines that together show nearly all that leftoff ever shows."""


@pytest.fixture(scope="module")
def program() -> messages.Program:
    return messages.load()


@pytest.fixture(scope="module")
def said(program) -> dict[str, str]:
    return {
        template: where
        for template, where in messages.said(program).items()
        if messages.is_text(template) and template not in NOTHING_TO_TRANSLATE
    }


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_skill(place)
    return place


def sample(template: str) -> str:
    """A message of this form, with something in its holes that no text of ours is."""
    start, *rest = template.split(messages.HOLE)
    return start + "".join(f"<{at}>{piece}" for at, piece in enumerate(rest))


def in_chinese(text: str) -> str:
    ours = advised(text)
    return ours if ours != text else translated(text)


def used(text: str) -> set[str]:
    """The entries that the translation of a message takes."""
    found = translate.match(text, ADVICE) or translate.match(text, MESSAGES)
    if found:
        parts = (value for name, value in found[1].items() if name in PARTS)
        return {found[0]}.union(*map(used, parts))
    return used(text.partition(": ")[2]) if ": " in text else set()


@pytest.mark.req("E.behave.chinese")
def test_every_text_that_is_said_has_a_chinese_one(program):
    texts = messages.texts(program)
    for path, template in templates.files().items():
        texts |= dict.fromkeys(map(messages.nameless, templates.said(template)), path)
    known = {messages.nameless(english) for english in TEXTS}
    missing = [
        f"{where}: {text}"
        for text, where in texts.items()
        if text not in known and not CHINESE.search(in_chinese(sample(text)))
    ]
    assert len(texts) > 400
    assert not missing


def test_every_chinese_text_is_said_somewhere(program):
    there = messages.constants(program).union(*map(templates.said, templates.files().values()))
    assert not set(TEXTS) - there


def test_nothing_in_a_template_is_english_for_everybody():
    found = {path: templates.unsaid(template) for path, template in templates.files().items()}
    assert not {path: texts for path, texts in found.items() if texts}


def test_texts_of_a_template_are_found_wherever_they_stand():
    template = """{% extends "base.html" %}{% set title = say("Sessions") %}
        <h1 title="{{ say('all of them') }}">{{ "Threads" | say }}</h1>
        <p>{{ say("one" if n == 1 else "many") }} {{ count }}</p><script>let untold = 1</script>
        <img alt="A picture"><p>Untold {{ name }}</p>"""
    assert templates.said(template) == {"Sessions", "all of them", "Threads", "one", "many"}
    assert templates.unsaid(template) == ["A picture", "Untold"]


def test_what_a_person_sees_in_chinese_leaves_no_text_of_ours_out(root, monkeypatch):
    unknown = set()

    def heard(text: str, /, **values: object) -> str:
        shown = translate_say(text, **values)
        if shown == plainly(text, **values) and messages.is_text(text):
            unknown.add(text)
        return shown

    translate_say = translate.say
    monkeypatch.setattr(translate, "say", heard)
    put_all(root)
    killed(1, root)
    for line in SEEN.split(" | "):
        run(*line.split(), "--lang", "zh", "--now", NOW, cwd=root, stdin="{}")
    assert unknown <= NOTHING_TO_TRANSLATE


@pytest.mark.req("E.behave.chinese")
def test_every_message_has_a_chinese_one(said):
    assert len(said) > 500
    missing = [
        f"{where}: {template}"
        for template, where in said.items()
        if not CHINESE.search(in_chinese(sample(template)))
    ]
    assert not missing


def test_a_chinese_message_keeps_what_is_filled_in_and_no_other_english(said):
    for template in said:
        chinese = in_chinese(sample(template))
        holes = {f"<{at}>" for at in range(template.count(messages.HOLE))}
        assert holes <= set(re.findall(r"<\d+>", chinese)), (template, chinese)
        if CHINESE.search(chinese):
            words = re.sub(
                r"leftoff( [a-z-]+)+", "", chinese
            )  # a command is the same for everybody
            assert not re.search(r"\b[a-z]{3,} [a-z]{2,} [a-z]{2,}", words), (template, chinese)


def test_every_chinese_message_is_said_somewhere(said):
    entries = set(MESSAGES.texts) | set(ADVICE.texts)
    taken = set().union(*(used(sample(template)) for template in said))
    assert entries - taken == set(SAID_ELSEWHERE)


@pytest.mark.parametrize("table", ["TEXTS", "MESSAGES"])
def test_a_text_stands_on_one_page(table):
    pages = Counter(english for page in translate.PAGES for english in getattr(page, table, {}))
    assert not [english for english, pages_of_it in pages.items() if pages_of_it > 1]


@pytest.mark.parametrize("texts", [TEXTS, MESSAGES.texts, ADVICE.texts])
def test_a_thing_has_one_chinese_word(texts):
    wrong = {english: word for english, zh in texts.items() for word in AVOIDED if word in zh}
    assert not wrong


ERRORS_ABOUT_A_COMMAND = {
    "session forget needs the ID of a session",
    "session list --team takes neither --all nor --outcome",
}
COMMAND = re.compile(
    r"(?<!leftoff )\b(?:session|thread|team) "
    r"(?:archive|enable|export|forget|info|init|list|migrate|pull|share|stats|status|switch|take)\b"
)


def test_a_hint_names_a_command_as_it_is_typed():
    short = {text for text in MESSAGES.texts if COMMAND.search(text)}
    assert short - {"in what the team shares with you"} == ERRORS_ABOUT_A_COMMAND


@pytest.mark.parametrize("texts", [TEXTS, MESSAGES.texts, ADVICE.texts])
def test_a_translation_has_the_same_holes(texts):
    for english, chinese in texts.items():
        holes = re.findall(r"\{\w+\}", english)
        assert len(set(holes)) == len(holes) or texts is TEXTS, english
        ours = {*holes} - {"{s}"}  # an English ending
        assert ours == set(re.findall(r"\{\w+\}", chinese)), english


def test_every_kind_of_claim_has_a_chinese_word():
    with open(claims.__file__, encoding="utf-8") as file:
        kinds = {*re.findall(r'Verdict\(\s*"(\w+)"', file.read())}
    assert {"file", "branch", "commit", "action", "done"} <= kinds
    assert not [kind for kind in sorted(kinds) if not CHINESE.search(translate.say(kind))]


def test_claims_are_told_in_chinese_wherever_they_are_listed(root):
    for verb in ("status", "resume"):
        shown = run(verb, "oc-demo", "--lang", "zh", "--now", NOW, cwd=root).stdout
        assert "✗ 文件 spec.md: 没有这个文件" in shown, (verb, shown)


def test_a_message_within_a_message_is_translated_too():
    assert translated("cannot read a.json: permission denied") == "无法读取 a.json：权限不足"
    assert translated("line 3: expected a comma") == "第 3 行：应为逗号"
    assert translated("thread.json: line 3: expected a comma") == "thread.json: 第 3 行：应为逗号"
    assert translated("branch main: it is merged into HEAD") == "分支 main：它已合入 HEAD"


def test_the_message_around_another_one_is_translated_however_short_it_is():
    said = translated('next action 3, "Merge it": #232 has already landed')
    assert said == f"下一步行动 3，“Merge it”：{translated('#232 has already landed')}"
    assert "landed" not in said


def test_the_template_with_the_most_fixed_words_counts():
    assert translated("there is no folder /x") == "没有文件夹 /x"
    assert translated("there is no /x") == "没有 /x"


def test_braces_that_are_no_holes_are_text():
    said = translated("next_actions[0] must be a string or { text, done_when? }")
    assert said == "next_actions[0] 必须是字符串或 { text, done_when? }"


def test_what_is_not_known_stays_as_it_is():
    assert translated("Some words of a stranger") == "Some words of a stranger"
    assert translated("") == ""


def test_data_of_documents_is_never_translated():
    advice = {"terms": ["in progress"], "why": "there is no /x", "action": "write tests"}
    assert told(advice) == {**advice, "terms": ["进行中"]}
    document = {"text": "it exists", "reason": "it exists", "items": [{"what": "it exists"}]}
    assert told(document) == document


def test_a_choice_that_holds_a_command_is_shown_as_it_is():
    choices = (Choice("1", "echo x: it exists"), Choice("2", "all of them"))
    ask = translate.asked(Ask("Which one? They match equally well.", choices, "--grant"))
    assert [one.means for one in ask.choices] == ["echo x: it exists", "全部"]
    assert ask.question == "选哪一个？它们同样接近。"


def test_our_own_advice_is_translated():
    advice = {"terms": [], "why": "Blocked: it exists", "action": "Decide, then resume."}
    said = {"terms": [], "why": "受阻：it exists", "action": "先做决定，再继续。"}
    assert told(advice) == said


def test_a_language_is_chosen_by_option_before_the_environment():
    assert say_in("", {"LANG": "zh_CN.UTF-8"})("see leftoff list") == "见 leftoff list"
    assert say_in("", {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"})("see leftoff list")[:3] == "see"


def test_behind_a_full_width_colon_stands_no_blank(root):
    put_skill(root)
    shown = run("next", "--lang", "zh", "--now", NOW, cwd=root).stdout
    assert "\n  下一步：Read the report\n" in shown
    assert say_in("en", {"LANG": "zh_CN.UTF-8"})("see leftoff list") == "see leftoff list"
    with pytest.raises(Usage):
        say_in("xx", {})


@pytest.mark.parametrize("name", ["zh_CN", "zh-CN", "zh_CN.UTF-8", "zh-Hans", "ZH"])
def test_a_language_may_be_named_as_locales_are(name):
    assert say_in(name, {})("see leftoff list") == "见 leftoff list"
    assert say_for(["status", "--lang", name], {})("see leftoff list") == "见 leftoff list"


def test_chinese_is_chosen_by_option_or_environment(root):
    assert "会话状态" in run("status", "--lang", "zh", "--now", NOW, cwd=root).stdout
    assert "会话状态" in run("status", "--now", NOW, cwd=root, env={"LEFTOFF_LANG": "zh"}).stdout


def test_what_was_counted_of_a_session_is_chinese_and_its_own_words_stay(root):
    killed(1, root)
    killed(2, root, 5 * HOUR, (4 * HOUR, "end"))
    for line in ("status", "session info"):
        shown = run(*line.split(), "--lang", "zh", "--now", NOW, cwd=root).stdout
        assert "完成 1 项任务; 修改 1 个文件" in shown, shown
        assert "Repair the login test" in shown


def test_in_json_only_messages_are_chinese(root):
    english, chinese = (
        run("status", "--json", "--now", NOW, "--lang", language, cwd=root).stdout.splitlines()
        for language in ("en", "zh")
    )
    changed = [pair for pair in zip(english, chinese, strict=True) if pair[0] != pair[1]]
    assert changed
    assert all('"reason": ' in one and '"reason": ' in other for one, other in changed)


@pytest.mark.parametrize("words", [("--lang", "zh"), ("--lang=zh",)])
def test_an_error_is_chinese_even_where_the_command_line_is_wrong(root, words):
    done = run("statsu", *words, cwd=root)
    assert done.returncode == 2
    assert done.stderr == "error: 没有命令 “statsu”\nhint: 你是指 “status” 吗？\n"


def test_an_error_in_json_keeps_its_kind_and_says_it_in_chinese(root):
    error = json.loads(run("show", "nobody", "--json", "--lang", "zh", cwd=root).stdout)["error"]
    assert (error["kind"], error["retryable"]) == ("not-found", False)
    assert error["message"] == "这里没有断点 “nobody”"


def test_findings_and_their_fixes_are_chinese_in_text_and_json(root):
    put(root, ".checkpoints/oc-bad.checkpoint.json", '{"a" 1}')
    assert "第 1 行：应为冒号" in run("list", "--lang", "zh", cwd=root).stderr
    shown = run("doctor", "--lang", "zh", cwd=root).stdout
    assert "oc-bad.checkpoint.json: 第 1 行：应为冒号\n    → 请手动修复" in shown
    found = json.loads(run("doctor", "--lang", "zh", "--json", cwd=root).stdout)
    assert found["findings"][0]["slug"] == "broken"
    assert found["findings"][0]["text"] == found["data"]["worst"][0]["text"] == "第 1 行：应为冒号"


def test_a_question_and_its_choices_are_chinese(tmp_path):
    root = repo(tmp_path)
    path = put_skill(root, next_actions=["Last one"])
    before = get(root, path)
    asked = run("done", "--lang", "zh", cwd=root).stderr
    assert "“Last one” 是 oc-demo 的最后一个行动" in asked
    assert "  --complete: 没有了：工作已完成" in asked
    assert get(root, path) == before


def test_help_is_chinese_and_options_stay(root):
    assert "显示工作停在哪里" in run("help", "--lang", "zh", cwd=root).stdout
    page = run("done", "--help", "--lang", "zh", cwd=root).stdout
    assert "--next TEXT" in page
    assert "接下来的行动" in page
    assert page.startswith("用法: leftoff done ")
    assert [line for line in page.splitlines() if line.endswith(":")] == ["参数:", "选项:", "示例:"]
    listed = json.loads(run("help", "--json", "--lang", "zh", cwd=root).stdout)["data"]
    assert CHINESE.search(listed["commands"]["status"]["summary"])
