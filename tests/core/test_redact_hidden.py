"""Secrets that colours or bold type stand in or around are secrets all the same."""

from __future__ import annotations

import json

import pytest

from leftoff.core.redact import redact, redacted_texts
from leftoff.core.redact_lines import cleaned
from redaction_texts import ALNUM

GITHUB = "ghp_" + ALNUM + "01234567"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"\x1b[01;31mghp_\x1b[m\x1b[K{GITHUB[4:]} it", "\x1b[01;31m[redacted:github] it"),
        (f"{GITHUB[:9]}\x1b[1m{GITHUB[9:]}\x1b[0m", "[redacted:github]\x1b[0m"),
        (f"\x1b[1m{GITHUB}\x1b[0m", "\x1b[1m[redacted:github]\x1b[0m"),
        ("password=\x1b[1mhunter2hunter2\x1b[0m", "password=\x1b[1m[redacted:secret]\x1b[0m"),
        ("\x1b[32mPASS\x1b[0m all of them", "\x1b[32mPASS\x1b[0m all of them"),
        ("\x1b", "\x1b"),
    ],
)
def test_a_colour_in_the_middle_of_a_secret_does_not_save_it(text, told):
    assert redact(text) == told
    assert redacted_texts(["plain", text, "plain"]) == ["plain", told, "plain"]
    line = json.dumps({"text": text}).encode() + b"\n"
    assert json.loads(cleaned(line).data) == {"text": told}
    assert cleaned(text.encode() + b"\n").data == told.encode() + b"\n"


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[36mapi_key\x1b[0m: \x1b[33m'{}'\x1b[0m",
        '\x1b[34;1m"password"\x1b[0m\x1b[1;39m:\x1b[0m \x1b[0;32m"{}"\x1b[0m',
        "\x1b[1mAuthorization\x1b[0m: \x1b[1mBearer\x1b[0m 0123456789{}",
        "tool --password\x1b[0m {}",
    ],
)
@pytest.mark.parametrize("spelt", ["\x1b", "\\u001b", "\\u001B", "\\x1b", "\\033"])
def test_a_colour_between_a_name_and_its_secret_hides_neither(text, spelt):
    """As jq, httpie and bat colour what they show; and as a text within a text has the colours."""
    text = text.format("hunter2hunter2").replace("\x1b", spelt)
    line = json.dumps({"text": text}).encode() + b"\n"
    within = json.dumps({"text": json.dumps({"out": text})}).encode() + b"\n"
    for told in (redact(text), redacted_texts([text])[0]):
        assert "hunter2" not in told
    for data in (text.encode(), line, within):
        assert b"hunter2" not in cleaned(data).data, data


def test_a_link_of_a_terminal_hides_no_secret_that_it_parts():
    text = "\x1b]8;;https://x.example\x07password\x1b]8;;\x07=hunter2hunter2"
    for data in (text.encode(), json.dumps({"text": text}).encode()):
        assert b"hunter2" not in cleaned(data).data


def test_colours_in_a_row_cost_no_more_than_their_length():
    data = b"x\x1b[0m" + b"\x1b[0m" * 100_000 + b"\n"
    assert cleaned(data).data == data  # what grew with the square took half an hour


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("**password**: hunter2hunter2", "**password**: [redacted:secret]"),
        ("- **API key:** abcd1234efgh5678", "- **API key:** [redacted:secret]"),
        ("**Password:** `hunter2!x`", "**Password:** `[redacted:secret]`"),
        ("**`DB_PASSWORD`**: 'hunter2!x'", "**`DB_PASSWORD`**: '[redacted:secret]'"),
        ("**密码：** hunter2abc", "**密码：** [redacted:secret]"),
        ("**Token:** refresh tokens are kept", "**Token:** refresh tokens are kept"),
        ("**Primary key:** id2024", "**Primary key:** id2024"),
        ("def f(token, **kwargs): x1y2z3a4", "def f(token, **kwargs): x1y2z3a4"),
    ],
)
def test_a_name_in_bold_type_names_a_secret_as_well(text, told):
    assert redact(text) == told
    line = json.dumps({"text": text}).encode() + b"\n"
    assert json.loads(cleaned(line).data) == {"text": told}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("| API_KEY | Zx81kQp0Lm3Tt9 |", "| API_KEY | [redacted:secret] |"),
        ("| **Password** | hunter22value |", "| **Password** | [redacted:secret] |"),
        ("| `DB_PASSWORD` | `hunter22value` |", "| `DB_PASSWORD` | `[redacted:secret]` |"),
        ("|a|b|\n|-|-|\n| Admin password  |Summer2026|", None),
        ("| Token | abc123DEF456ghi |\r\n| x | y |", None),
        ("| api key (prod) | s3cr3tVal99ueXy |", "| api key (prod) | [redacted:secret] |"),
        ("| **Password (eu, 2)** | `hunter22value` |", None),
        ("| secret (生产) | s3cr3tVal99ueXy |", None),
        ("| client secret\t| aB3+dE5/gH7jK9mN1==", None),
        ("| access_token | 550e8400-e29b-41d4-a716-446655440000 |", None),
    ],
)
def test_the_value_beside_a_name_in_a_table_is_a_secret(text, told):
    made = redact(text)
    assert made == told if told else made.count("[redacted:secret]") == 1
    line = json.dumps({"text": text}).encode() + b"\n"
    assert json.loads(cleaned(line).data) == {"text": made}
    assert cleaned(text.encode()).data == made.encode()


@pytest.mark.parametrize(
    "text",
    [
        *("| token | AES-256-GCM |", "| Secret | base64 |", "| Private key | ed25519 |"),
        *("| signing key | HMAC-SHA256 |", "| password | VARCHAR(255) |", "| token | oauth2 |"),
        *("| api_key | string32 |", "| token | v1.2.3 |", "| Token | 2026-11-16 |"),
        *(
            "| token (JWT) | RS256 |",
            "| password (type) | string |",
            "| api key (see | s3cr3tVal99 |",
        ),
        *("| max_tokens | 4096 |", "| password | bcrypt12 |", "| API_KEY | OPENAI_API_KEY_2 |"),
        *("| token | src/auth/v2.py |", "| password | argon2id |", "| API_KEY | $API_KEY1 |"),
        *(
            "| API_KEY | your-key-1234567 |",
            "| Token | expires-in-30d |",
            "| token | TICKET-1234 |",
        ),
        *("| secret | see 1Password |", "| encryption key | secp256k1 |", "| Password | 90days |"),
        *("cat token | md5sum | cut -c1", "x = secret | a1b2c3d4 |", "| password | P0 |"),
        *("| Password | Meaning |", "| token | abc12x |", "| a | b | token"),
    ],
)
def test_what_a_table_says_about_secrets_is_none(text):
    assert redact(text) == text


VALUE = "aB3dE5gH7jK9"


@pytest.mark.parametrize(
    "text",
    [
        *("api key (prod): {}", "DB password (old, eu-1) = {}", "API_KEY (prod)={}"),
        *("**API key (prod):** {}", "- **API key** (prod): `{}`", "`API_KEY` (prod): '{}'"),
        *('"api_key (prod)": "{}"', "pwd (a@b.example): {}", "secret （生产） => {}"),
        *("api key（生产）：{}", "token：{}", "**密码**：{}", "密码（生产）：{}"),
        *("密码(生产): {}", "密钥: `{}`", "秘钥={}", "私钥：{}", "密码改成 {}"),
        *("把密码设为{}", "user:ada password:{} host:db", "my key is {}", "api_key:{}"),
        *(
            "密码是：{}",
            "密码如下：{}",
            "密码 `{}`",
            "密码“{}”",
            "token是{}",
            "password为 {}，别外传",
        ),
        *("api_key设为{}", "the password is: {}", "Pass: {}", "the token:\n```\n{}\n```"),
        *("| 数据库密码 | {} |", "| **密钥**（生产） | `{}` |"),
    ],
)
def test_a_name_with_a_note_or_in_chinese_signs_names_a_secret(text):
    told = text.format("[redacted:secret]")
    assert redact(text.format(VALUE)) == told
    for escaped in (True, False):
        line = json.dumps({"text": text.format(VALUE)}, ensure_ascii=escaped).encode() + b"\n"
        assert json.loads(cleaned(line).data) == {"text": told}


@pytest.mark.parametrize("text", ["docker login -u me -p {} host", "az login -u me -p '{}'"])
def test_what_a_login_is_given_is_a_password(text):
    told = text.format("[redacted:password]")
    assert redact(text.format(VALUE)) == told
    line = json.dumps({"text": text.format(VALUE)}).encode() + b"\n"
    assert json.loads(cleaned(line).data) == {"text": told}


def test_a_field_with_a_note_in_its_name_holds_a_secret():
    line = json.dumps({"password (prod)": "correct horse"}).encode()
    assert cleaned(line).data == b'{"password (prod)":"[redacted:secret]"}'


@pytest.mark.parametrize(
    "text",
    [
        *("token (str): base64-encoded text", "token (str): OAuth2 only", "getToken(a1): abc1234"),
        *("api_key (Optional): AES256 key", "secret (see below): v1.2.3-rc1", "token (JWT): RS256"),
        *("arn:aws:secretsmanager:eu:1:secret:Db-aB3dE5", "secret:db-pass-1", "password:sha256"),
        *(
            "token (a(b)): aB3dE5gH7jK9",
            "secret (over\ntwo lines): aB3dE5gH7jK9",
            "monkey (x): a1b2c3d4",
        ),
        *("token是base64编码", "密码：SHA256加密", "token：sha256摘要", "token为JWT，RS256签名"),
        *("| 密码 | sha256 |", "| 令牌 | oauth2 |", "--- PASS: TestLogin2Fa (0.00s)"),
        *("pass: tests/a1.py", "bypass: abc123def4", "docker login -u me -p $TOKEN1"),
    ],
)
def test_a_type_in_brackets_or_a_part_of_an_address_is_no_secret(text):
    assert redact(text) == text
