"""Canaries: made-up secrets planted where real ones end up, and a look whether any came through.

`plant()` gives a transcript of Claude Code that holds them in prompts, answers, tool calls and
results, file contents, names of images and dumps of the environment. Whatever leftoff wrote or said
afterwards goes to `leaked()`, which names those that are still there, in any spelling that a file,
an index, a page or a database gives a text.
"""

from __future__ import annotations

import base64
import bz2
import gzip
import json
import lzma
import os
import sqlite3
from collections.abc import Iterator
from html import escape
from random import Random
from urllib.parse import quote

from redaction_corpus import _ALPHABETS


def _drawn(alphabet: str, count: int, seed: str) -> str:
    return "".join(Random(f"canary {seed}").choices(_ALPHABETS[alphabet], k=count))


CANARIES = {
    "github": "ghp_" + _drawn("A", 36, "github"),
    "anthropic": "sk-ant-api03-" + _drawn("w", 93, "anthropic") + "AA",
    "aws": "AKIA" + _drawn("B", 16, "aws"),
    "aws secret": _drawn("b", 40, "aws secret"),
    "slack": "xoxb-" + _drawn("d", 12, "slack") + "-" + _drawn("A", 24, "slack too"),
    "jwt": f"eyJ{_drawn('w', 33, 'jwt')}.eyJ{_drawn('w', 60, 'jwt too')}.{_drawn('w', 43, 'sign')}",
    "dsn": "Dsn7" + _drawn("A", 14, "dsn"),
    "password": "Pw5." + _drawn("A", 12, "password"),
    "quoted": 'q9"' + _drawn("A", 12, "quoted"),
    "cookie": _drawn("w", 48, "cookie"),
    "pem": _drawn("b", 64, "pem"),
    "pem end": _drawn("b", 64, "pem end"),
    "chinese": "Zh3" + _drawn("A", 10, "chinese"),
    "structured": "St4-" + _drawn("A", 20, "structured"),
    "thought": "glpat-" + _drawn("w", 20, "thought"),
    "image": "hf_" + _drawn("A", 34, "image"),
}
"""name -> the secret that must be nowhere"""
SESSION = "0000c0de-0000-4000-8000-00000000cafe"
_PEM = "-----BEGIN RSA PRIVATE KEY-----\n{pem}\n{pem end}\n-----END RSA PRIVATE KEY-----"
_PROMPT = "Deploy with {github}. 密码是{chinese}。Then https://shop:{dsn}@db.example/shop, please."
_ENV = "HOME=/home/ada\nAWS_ACCESS_KEY_ID={aws}\nAWS_SECRET_ACCESS_KEY={aws secret}\nDB_PASSWORD={password}\n"
_FILE = 'password = "{quoted}"\nSLACK="{slack}"\n' + _PEM
_HTTP = "> Cookie: theme=dark; sid={cookie}\n> Authorization: Bearer {jwt}\n< HTTP/1.1 200 OK"


def plant(session: str = SESSION, cwd: str = "/home/ada/shop") -> bytes:
    """A transcript that holds every canary, in lines that end."""
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png"}}
    image["source"] |= {"data": "iVBORw0KGgo" + _drawn("b", 400, "pixels")}  # type: ignore[operator]
    lines: list[tuple[str, object]] = [
        ("user", _told(_PROMPT)),
        ("user", [{"type": "text", "text": _told("See [shot-{image}.png]")}, image]),
        (
            "assistant",
            [{"type": "thinking", "thinking": _told("{thought}"), "signature": "c2lnbg=="}],
        ),
        ("assistant", [{"type": "text", "text": _told("I use `{anthropic}` then.")}]),
        ("assistant", [_call("t1", "Bash", {"command": "env", "description": _told("{github}")})]),
        ("user", [_result("t1", _told(_ENV))]),
        ("assistant", [_call("t2", "Write", {"file_path": "config.py", "content": _told(_FILE)})]),
        ("assistant", [_call("t3", "mcp__x", {"client_secret": _told("{structured}")})]),
        ("user", [_result("t3", _told(json.dumps({"headers": _HTTP})))]),
        ("user", [_result("t2", [{"type": "text", "text": _told(_HTTP)}])]),
    ]
    return b"".join(_line(number, session, cwd, *line) for number, line in enumerate(lines))


def leaked(where: str | bytes) -> list[str]:
    """The canaries in some bytes, or in any file, or file name, at or below a path; with where."""
    if isinstance(where, bytes):
        return sorted(_in(where))
    found = []
    for path in _files(where):
        found += [f"{name} in the name {path}" for name in _in(os.fsencode(path))]
        with open(path, "rb") as file:
            data = file.read()
        found += [f"{name} in {path}" for form in _opened(data) for name in _in(form)]
    return sorted(set(found))


def _told(text: str) -> str:
    for name, secret in CANARIES.items():
        told = json.dumps(secret)[1:-1] if f'"{{{name}}}"' in text else secret
        text = text.replace(f"{{{name}}}", told)
    return text


def _call(name: str, tool: str, given: dict[str, str]) -> dict[str, object]:
    return {"type": "tool_use", "id": f"toolu_{name}", "name": tool, "input": given}


def _result(name: str, content: object) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": f"toolu_{name}", "content": content}


def _line(number: int, session: str, cwd: str, role: str, content: object) -> bytes:
    ids = [f"{at:08x}-0000-4000-8000-000000000001" for at in (number, number - 1) if at >= 0]
    known = {"type": role, "uuid": ids[0], "parentUuid": ids[1] if number else None}
    known |= {"sessionId": session, "cwd": cwd, "timestamp": f"2026-05-07T09:00:{number:02}.000Z"}
    message: dict[str, object] = {"role": role, "content": content}
    if role == "assistant":
        usage = {"input_tokens": 10, "output_tokens": 5}
        message |= {"id": f"msg_{number}", "model": "claude-sonnet-4-6", "usage": usage}
    told = {**known, "message": message}
    if isinstance(content, list) and content[0].get("type") == "tool_result":
        told["toolUseResult"] = {"stdout": content[0]["content"], "stderr": ""}
    return json.dumps(told, ensure_ascii=bool(number % 2)).encode() + b"\n"


def _in(data: bytes) -> Iterator[str]:
    for name, secret in CANARIES.items():
        if any(form in data for form in _forms(secret)):
            yield name


def _forms(secret: str) -> set[bytes]:
    """How a page, an address, a document within a document or a message may spell it."""
    once = json.dumps(secret)[1:-1]
    told = {secret, once, json.dumps(once)[1:-1], escape(secret), quote(secret, safe="")}
    told |= {secret.replace("/", "\\/"), base64.b64encode(secret.encode()).decode()}
    return {form.encode() for form in told} | {secret.encode("utf-16-le")}


def _files(where: str) -> Iterator[str]:
    if not os.path.isdir(where):
        yield where
    for place, _, names in os.walk(where):
        yield from (os.path.join(place, name) for name in names)


def _opened(data: bytes) -> Iterator[bytes]:
    """The bytes, and what is packed in them."""
    yield data
    if data.startswith(b"\x1f\x8b"):
        yield gzip.decompress(data)
    elif data.startswith(b"BZh"):
        yield bz2.decompress(data)
    elif data.startswith(b"\xfd7zXZ"):
        yield lzma.decompress(data)
    elif data.startswith(b"\x28\xb5\x2f\xfd"):
        yield _unzstd(data)
    elif data.startswith(b"SQLite format 3\0"):
        yield from _rows(data)


def _unzstd(data: bytes) -> bytes:
    import io

    import zstandard

    with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True) as f:
        return f.read()


def _rows(data: bytes) -> Iterator[bytes]:
    """Every value of every table: pages may cut a long one in two."""
    base = sqlite3.connect(":memory:")
    base.deserialize(data)
    tables = base.execute("select name from sqlite_master where type = 'table'").fetchall()
    for (table,) in tables:
        for row in base.execute(f'select * from "{table}"'):
            for value in row:
                if isinstance(value, str | bytes):
                    yield from _opened(value.encode() if isinstance(value, str) else value)
    base.close()
