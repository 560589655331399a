"""What is fuzzed: every reader of text that somebody else wrote, with what must hold for any bytes.

A target takes bytes and returns; an exception that is none of ours, or a law that does not hold, is
a finding. `readers.py` feeds them with a coverage-guided fuzzer; the tests feed them their seeds.
"""

from __future__ import annotations

import json
import os
import tempfile
from functools import partial

from leftoff import agents
from leftoff.core import brief, event, search_words, when
from leftoff.core.assignments import parse as assignment
from leftoff.core.brief_parts import Source
from leftoff.core.fast_json import loads as wire_loads
from leftoff.core.fence import CLOSE, harmless
from leftoff.core.glance import glance
from leftoff.core.json_equal import same
from leftoff.core.merge import merge
from leftoff.core.model import Checkpoint, Item
from leftoff.core.redact import redacted
from leftoff.core.redact_lines import cleaned
from leftoff.core.session_lines import session_of
from leftoff.entry.lang import say_in
from leftoff.errors import FormatError, LeftoffError, Usage
from leftoff.formats import Change, _cost_ledger, _json_text, _markdown, _sentinel, lenses
from leftoff.world import bulk, journal, settings

READERS = ("_claude_log", "_codex_log", "_copilot_log", "_gemini_log", "_opencode_log")
_FULL = Checkpoint(
    "chk-fuzz",
    created="2026-01-05T10:00:00Z",
    updated="2026-01-06T10:00:00Z",
    name="a name",
    summary="what it is",
    intent="what is wanted",
    problem="what is wrong",
    decisions=(Item("one thing, not another", "D1"),),
    next_actions=(Item("do it", "1"), Item("then that", "2", {"priority": "P1"})),
    progress=(Item("done", "", {"done": True}),),
    artifacts=(Item("src/a.py"),),
    extra={"note": "kept"},
)


def of_lens(lens, data):
    """Any text is a checkpoint or a FormatError that `check` reports; reading changes nothing."""
    text, path = data.decode("utf-8", "replace"), lens.path(_FULL)
    lens.mine(text, path)
    findings = lens.check(text, path)
    try:
        c = lens.read(text, path)
    except FormatError as error:
        _told(error.line, findings)
        return
    assert lens.write(c, text, path) == text, "written back, it is another text"
    assert same(lens.hold(c), c), "what was read cannot be held"
    _changed(lens, text, path, c._replace(summary="quite another"))
    _assigned(lens, text, path)


def _told(line, findings):
    assert line >= 0
    assert any(one.level == "error" for one in findings), "broken, but no finding says so"


def _changed(lens, text, path, after):
    if lens.path(after) != path:
        return
    written = lens.write(after, text, path)
    assert same(lens.read(written, path), lens.hold(after)), "a change does not read back"


def _assigned(lens, text, path):
    for change in (Change(("summary",), "=", "x"), Change(("a", "b"), "+=", {"c": [1]})):
        try:
            lens.assign(text, path, [change])
        except LeftoffError:
            continue


def of_merge(lens, data):
    """Two texts of one document always merge, and the result can be written and read."""
    first, _, second = data.decode("utf-8", "replace").partition("\x1e")
    path = lens.path(_FULL)
    try:
        ours, theirs = lens.read(first, path), lens.read(second, path)
    except FormatError:
        return
    found = merge(_FULL, ours, theirs).checkpoint
    text = lens.write(found, first, path)
    assert same(lens.read(text, path), lens.hold(found)), "a merge does not read back"


def of_json(data, *, jsonc=False):
    """The editor reads what `json` reads, and an edit changes that one thing."""
    text = data.decode("utf-8", "replace")
    try:
        value = _json_text.loads(text, jsonc=jsonc)
    except FormatError:
        return
    if not jsonc:
        # repr tells 1 from 1.0 and True, and one NaN is like another
        assert repr(json.loads(text.removeprefix("\ufeff"))) == repr(value)
    assert _json_text.rewrite(text, value, jsonc=jsonc) == text
    if isinstance(value, dict):
        new = {**value, "zz": [1, {"a": "b"}]}
        after = _json_text.rewrite(text, new, jsonc=jsonc)
        assert _json_text.loads(after, jsonc=jsonc)["zz"] == [1, {"a": "b"}]
        for key in [*value][:3]:
            left = {name: member for name, member in new.items() if name != key}
            less = _json_text.rewrite(after, left, jsonc=jsonc)
            assert key not in _json_text.loads(less, jsonc=jsonc)


def of_markdown(data):
    """A document that nobody edits keeps its bytes; a section put in is there and alone."""
    text = data.decode("utf-8", "replace")
    doc = _markdown.parse(text)
    assert _markdown.render(doc) == text
    for section in doc.sections:
        _markdown.passage_of(doc, section)
    doc = _markdown.editable(doc)
    for section in doc.sections[:3]:
        _markdown.render(_markdown.set_passage(doc, section, ["other words"]))
        _markdown.render(_markdown.without_section(doc, section))


def of_log(name, data):
    """How a transcript is split does not matter, and what was counted can be shown."""
    reader = __import__(f"leftoff.agents.{name}", fromlist=["feed"])
    cut = data.find(b"\n", len(data) // 2) + 1
    whole, parts = reader.begin(), reader.begin()
    lines = data if data.endswith(b"\n") else data + b"\n"
    reader.feed(whole, lines)
    for block in (lines[:cut], lines[cut:]):
        reader.feed(parts, block)
    assert repr(reader.stats(whole)) == repr(reader.stats(parts)), "the split is seen"
    reader.head(data)
    if name == "_claude_log" and (typed := bulk.typed_feed()):
        tally = reader.begin()
        typed(tally, memoryview(lines))
        assert repr(reader.stats(tally)) == repr(reader.stats(whole)), "two decoders differ"


def of_payload(data):
    """Any object is an event or none; any tail of a transcript tells the context or nothing."""
    try:
        payload = wire_loads(data.decode("utf-8", "replace"))
    except ValueError:
        payload = None
    for name in agents.names():
        agent = agents.load(name)
        agent.usage(data)
        if isinstance(payload, dict):
            for each in event.EVENTS:
                agent.parse(each, payload)


def of_settings(data):
    """Any file is settings or an error that names it; a project's file never stops the user's."""
    with tempfile.TemporaryDirectory() as root:
        os.mkdir(os.path.join(root, ".checkpoints"))
        path = os.path.join(root, settings.PROJECT_FILE)
        with open(path, "wb") as file:
            file.write(data)
        found, error = settings.load_or_default(root, {"HOME": root})
        assert error is None or error.where == path, "the error names no file"
        assert error is None or found == settings.Settings()
        try:
            settings.origins(root, {"HOME": root})
        except LeftoffError:
            assert error is not None


def of_journal(data):
    """Any bytes are a journal: a session comes of it, and the next line is heard and read."""
    with tempfile.TemporaryDirectory() as state:
        path = journal.path(state, "codex", "s")
        os.makedirs(os.path.dirname(path))
        with open(path, "wb") as file:
            file.write(data)
        assert journal.last_context(state, "codex", "s") >= 0
        before = journal.read(path)
        session_of("codex", "s", before.lines, before.skipped)
        line = {"at": 1.8e9, "event": "prompt", "key": "none has it", "context": 7}
        assert journal.append(state, "codex", "s", line), "a new event is taken for an old one"
        after = journal.read(path)
    assert after.lines[:-1] == before.lines or repr(after.lines[:-1]) == repr(before.lines)
    assert after.lines[-1]["context"] == 7, "a line after it is not read"


def of_ledger(data):
    """A row that is added is the last one, and no other changes."""
    text = data.decode("utf-8", "replace")
    rows, _ = _cost_ledger.rows(text)
    row = _cost_ledger.Row("id", "2026-01-05", "save", "x", "task", text, "2", "usd=1;tok=2;src=x")
    after, _ = _cost_ledger.rows(_cost_ledger.append(text, row, text))
    assert after[:-1] == rows, "another row changed"
    assert after[-1][:5] == row[:5], "the row does not read back"
    assert after[-1][6:] == row[6:], "its figures do not read back"


def of_pending(data):
    """The small files: a prompt that is kept comes back, and those before it stay."""
    text = data.decode("utf-8", "replace")
    for read in (_sentinel.read_pidfile, _sentinel.restore_path):
        try:
            read(text)
        except FormatError:
            continue
    for name in (text, f"pending-prompt-{text}.txt", f"save-{text}.pidfile.lock"):
        _sentinel.family_and_session(name)
        _sentinel.skill_and_pid(name)
    before = _sentinel.prompts(text)
    kept = _sentinel.Prompt("2026-01-05T10:00:00Z", f"say this:\n{text}\nand go")
    after = _sentinel.prompts(_sentinel.append_prompt(text, kept))
    assert after[-1] == kept, "the prompt is another one"
    assert [one.text.strip() for one in after[:-1]] == [one.text.strip() for one in before]


def of_words(data):
    """A search, an assignment and a time are read or refused; no text leaves its fence."""
    text = data.decode("utf-8", "surrogateescape")
    for read in (search_words.query, lambda word: assignment(word, _json_text.loads)):
        try:
            read(text)
        except (Usage, FormatError):
            continue
    assert when.instant(text) is None or isinstance(when.instant(text), float)
    plain = harmless(text)
    assert CLOSE not in plain
    assert "\x1b" not in plain
    assert harmless(plain) == plain
    c = _FULL._replace(summary=text, next_actions=(Item(text),), problem=text)
    source = Source(c, glance(c, "x.md", "md"))
    for tokens in (60, 1500):
        made = brief.brief(source, brief.Room(tokens), 1.8e9, say_in("en", {})).text
        assert made.count(CLOSE) == 1
        assert made.endswith(f"{CLOSE}\n")


def of_redaction(data):
    """Redacting twice is redacting once, and a line stays a line of the same shape."""
    text = data.decode("utf-8", "surrogateescape")
    once = redacted(text)
    assert redacted(once) == once
    assert cleaned(data + b"\n").data.count(b"\n") == data.count(b"\n") + 1


def _lens_seeds(lens):
    """A new document, and an empty one; the samples beside the repository join them."""
    path = lens.path(_FULL)
    return [lens.write(c, "", path).encode() for c in (_FULL, Checkpoint("x"))]


def _merge_seeds(lens):
    one, other = _lens_seeds(lens)
    return [one + b"\x1e" + other, one + b"\x1e" + one.replace(b"what it is", b"another")]


_LINES = (
    b'{"type":"user","uuid":"u1","sessionId":"s","cwd":"/p","timestamp":"2026-01-05T10:00:00Z",'
    b'"message":{"role":"user","content":"fix it"}}\n'
    b'{"type":"assistant","requestId":"r","message":{"id":"m","model":"x","usage":{"input_tokens":9,'
    b'"output_tokens":2},"content":[{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":'
    b'"/p/a.py"}}]}}\n',
    b'{"type":"event_msg","timestamp":"2026-01-05T10:00:00Z","payload":{"type":"token_count","info":'
    b'{"total_token_usage":{"input_tokens":9},"model_context_window":100}}}\n'
    b'{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":'
    b'"{\\"command\\":[\\"ls\\"]}","call_id":"c"}}\n'
    b'{"type":"session_meta","payload":{"id":"s","cwd":"/p"}}\n',
    b'{"type":"session.start","data":{"sessionId":"s"},"timestamp":"2026-01-05T10:00:00Z"}\n'
    b'{"type":"assistant.message","data":{"content":"done","toolRequests":[{"name":"bash"}]}}\n',
    b'{"sessionId":"s","projectHash":"p","startTime":"2026-01-05T10:00:00Z"}\n'
    b'{"id":"1","type":"gemini","content":"x","tokens":{"input":1,"total":2},"toolCalls":[{"name":'
    b'"run_shell_command","args":{"command":"ls"}}]}\n',
    b'{"type":"message","role":"assistant","tokens":{"input":1},"parts":[{"type":"text"}]}\n',
)
_PAYLOADS = (
    b'{"session_id":"s","cwd":"/p","transcript_path":"/t","hook_event_name":"Stop","prompt":"go",'
    b'"stop_hook_active":true,"source":"startup","context_tokens":7}',
    b'{"sessionId":"s","timestamp":1,"source":"new","initialPrompt":"x","transcriptPath":"/t"}',
)
_SETTINGS = (
    b'[thresholds]\n"stale.checkpoint" = 1\n[hooks]\nbrief = "off"\n[save]\nformat = "md"\n',
    b'[readers]\na = ["b"]\n[tickets]\nprefix = ["AB"]\n[health]\nurl = "https://x"\n'
    b'[redaction]\nwords = ["w"]\npatterns = ["p+"]\nemail = true\n[windows]\nm = 5\n'
    b'[archive]\nkeep = "9d"\n',
)
_WORDS = (
    b'two "words here" -not',
    b"--a.b:json+={}",
    b"2026-01-05T10:00:00+02:00",
    b"\x1b]0;x\x07<leftoff id=x></leftoff>",
    "中文 \uff1cleftoff id".encode(),
)
_SECRETS = (b'{"a":"token=AKIAIOSFODNN7EXAMPLE"}', b"password: hunter22hunter22", b"x" * 80)

_JOURNALS = (
    b'{"at":1768000000.1,"event":"start","key":"k","by":"1.2","root":"/p","source":"new"}\n'
    b'{"at":1768000001,"event":"prompt","key":"p","by":"1.3","context":900,"model":"x"}\n'
    b'{"at":1768000001,"event":"prompt","key":"p","by":"1.4","context":900,"model":"x"}\n'
    b'{"at":1768000009,"event":"note","key":"","task":"t","outcome":"done","notes":["a"]}\n'
    b'{"at":1768000010,"event":"end","key":"e","by":"1.5","reason":"exit","to',
    b'{"at":9,"event":"bind","thread":"t"}\n{"at":9,"event":"recover","from":"s"}\n\n{"at":-1}\n',
    b'{"at":1e999,"event":"prompt","context":' + b"9" * 5000 + b',"key":"k","by":"1.1"}\n',
    b'{"at":' + b"9" * 400 + b',"event":"prompt","key":"none has it","context":7}\n',
)
_LEDGERS = (
    "# Cost Ledger — t\n\nid | 2026-01-05 | save | m | t | a | note | 1 | usd=1;tok=2\n".encode(),
    b"id | d | p | m | t | n |\r\nid | d | p | m | t | n | 3\r\n<!-- c -->\r\n",
)
_PENDING = (
    b"skill=save\npid=12\ntimestamp=2026-01-05T10:00:00Z\nhost=h\n",
    b"=== BLOCKED PROMPT [2026-01-05T10:00:00Z] ===\ngo on\n\\=== BLOCKED PROMPT [x] ===\n",
    b".checkpoints/a.md\n",
)

TARGETS = {
    **{f"format.{one.NAME}": (partial(of_lens, one), _lens_seeds(one)) for one in lenses()},
    **{f"merge.{one.NAME}": (partial(of_merge, one), _merge_seeds(one)) for one in lenses()},
    "json": (of_json, [b'{"a": [1, 2.5, null, true, "x\\u00e9"], "b": {"c": {}}}\n']),
    "jsonc": (partial(of_json, jsonc=True), [b'{ // why\n  "a": [1, 2,], /* c */ "b": 1,\n}\n']),
    "markdown": (of_markdown, [b"---\na: b\n---\n# T\n\n## S\n- [ ] x\n```\n## no\n```\n### u\n"]),
    **{f"log.{name[1:-4]}": (partial(of_log, name), [*_LINES]) for name in READERS},
    "payload": (of_payload, [*_PAYLOADS, *_LINES]),
    "journal": (of_journal, [*_JOURNALS]),
    "ledger": (of_ledger, [*_LEDGERS]),
    "pending": (of_pending, [*_PENDING]),
    "settings": (of_settings, [*_SETTINGS]),
    "words": (of_words, [*_WORDS]),
    "redaction": (of_redaction, [*_SECRETS]),
}
"""name -> what must hold, and bytes to begin with"""
