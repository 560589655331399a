"""Texts with secrets and without, for tests of the redactor; and what they are mixed of."""

from __future__ import annotations

import string
from re._constants import MAXREPEAT  # type: ignore[import-not-found]
from re._parser import SubPattern  # type: ignore[import-not-found]
from typing import Any

from hypothesis import strategies as st

from leftoff.core.redact_rules import RULES

# Put together here, so that no scanner of repositories takes this file for a leak.
ALNUM = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8z"
HEX = "0123456789abcdef" * 4
SECRETS = {
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "github": "ghp_" + ALNUM + "01234567",
    "github fine-grained": "github_pat_" + ALNUM,
    "gitlab": "glpat-" + ALNUM,
    "slack": "xoxb-" + "123456789012-" + ALNUM,
    "slack hook": "https://hooks.slack.com/services/" + "T00000000/B00000000/" + ALNUM,
    "openai": "sk-proj-" + ALNUM,
    "anthropic": "sk-ant-api03-" + ALNUM,
    "google": "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "stripe": "sk_live_" + ALNUM,
    "npm": "npm_" + ALNUM + "01234567",
    "pypi": "pypi-" + "AgEIcHlwaS5vcmc" + ALNUM,
    "hugging face": "hf_" + ALNUM + "0123",
    "jwt": "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + ALNUM,
    "dsn": "postgres://shop:" + "pa55word" + "@db.example/shop",
    "url token": "https://" + ALNUM + "@github.com/x/y.git",
    "bearer": "curl -H 'Authorization: Bearer " + ALNUM + "'",
    "basic": "Authorization: Basic " + "dXNlcjpwYXNzd29yZA==",
    "env": "DATABASE_PASSWORD=" + "hunter22",
    "spelt oddly": "My_ToKeN=" + "hunter22",
    "json": '"client_secret": "' + 'correct horse battery"',
    "json in json": '{\\"api_key\\": \\"' + 'abcdef99\\"}',
    "yaml": "access_key: " + "q1w2e3r4t5y6",
    "code": "password = '" + "p@ss w0rd'",
    "gitlab feed": "glft-" + ALNUM,
    "docker": "dckr_pat_" + ALNUM,
    "atlassian": "ATATT3" + ALNUM * 2,
    "grafana": "glsa_" + ALNUM + "_01234567",
    "rubygems": "rubygems_" + HEX[:48],
    "pulumi": "pul-" + HEX[:40],
    "mailgun": "key-" + HEX[:32],
    "perplexity": "pplx-" + ALNUM * 2,
    "replicate": "r8_" + ALNUM + "012345678",
    "doppler": "dp.pt." + ALNUM * 2,
    "vault batch": "hvb." + ALNUM,
    "mailchimp": HEX[:32] + "-us12",
    "terraform": "aB3dE5gH7jK9mN" + ".atlasv1." + ALNUM * 2,
    "azure": "aB3" + "8Q~" + ALNUM + "abc",
    "new relic": "NRAK-" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0",
    "telegram": "12345678:" + "AA" + HEX[:33],
    "webhook in base64": "whsec_" + ALNUM + "/" + ALNUM,
    "signed address": "https://x.example/c?sv=2020&sig=" + ALNUM + "%3D",
    "aws signed": "https://x.example/c?X-Amz-Signature=" + HEX,
    "dsn with an at sign": "postgres://shop:p@" + "pa55word" + "@db.example/shop",
    "env with a dollar": "PASSWORD=" + "pa$$pa55word",
    "quote in quotes": '"password": "a\\"b' + 'pa55word"',
    "doubled quote": "password='it''s " + "hunter22'",
    "option": "tool --password " + "hunter22",
    "option of two words": "tool --api-key " + ALNUM,
    "curl": "curl -s -u admin:" + "hunter22" + " https://x.example",
    "mysql": "mysqldump -u root -p" + "hunter22" + " shop",
    "sshpass": "sshpass -p " + "hunter22" + " ssh x.example",
    "netrc": "machine x.example login me password " + "hunter22",
    "npmrc": "//registry.example/:_auth=" + "dXNlcjpodW50ZXIyMg==",
    "chinese": "密码：" + "hunter22",
    "pem": "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
    "key in base64": "LS0tLS1CRUdJTi" + "BSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFcEFJQkFBS0NBUUVB",
    "openssh key in base64": "LS0tLS1CRUdJTi" + "BPUEVOU1NIIFBSSVZBVEUgS0VZLS0tLS0KYjNCbGJu",
    "key in base64 over lines": "client-key-data: LS0tLS1CRUdJTi"
    "BQUklWQVRFIEtFWS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXcwQkFRRUZBQVNDQ\n"
    "    S0JnZ3FoU000OXdRREFRY0RRZ0FFRzZXV3hLS2pHQ1p4RnVFdzR4S2pHQ1p4RnVFdzR4S2pH\n    UUE9PQ==",
    "sql": "CREATE USER 'shop'@'%' IDENTIFIED BY '" + "hunter22'",
    "sql with a plugin": "identified with mysql_native_password by '" + "hunter22'",
    "sql of a role": "ALTER ROLE shop WITH LOGIN PASSWORD '" + "it''s hunter22'",
    "pem cut off": "-----BEGIN OPENSSH PRIVATE KEY-----\n" + "b3BlbnNzaC1rZXktdjE",
}
PLAIN = [
    "550e8400-e29b-41d4-a716-446655440000",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "src/leftoff/core/very_long_module_name_that_goes_on.py:120",
    "getUserAccessTokenFromRequestHeaderV2",
    "task-force-that-has-a-long-name-2026",
    "Tokens are signed. The token expires after 15 minutes.",
    "max_tokens=150000 tokens: 140000 of 200000",
    "token = get_token(request)",
    "password: str",
    "password=os.environ['DB']",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "TOKEN=$TOKEN",
    "api_key=<your key>",
    "https://github.com/shop/shop/pull/12",
    "git@github.com:shop/shop.git",
    "mailto:someone@example.invalid",
    "basic authentication-flow description",
    "authorization: required",
    "sk-learn-contrib-package-2-name-here",
    "xoxo-hugs-and-kisses-2026",
    "PWD=/home/shop/project",
    "pwd: /home/shop/project1",
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM0akNDQWNxZ0F3SUJBZ0lRUnZGdGhLdlp",
    "a user is identified by 'name' and 'realm'",
    "CREATE USER shop; the password policy follows",
    "ALTER USER shop PASSWORD '$1'",
    "docker run -u 1000:1000 --user app:app image",
    "mysql -u root -p shop",
    "git log --token-style=short",
    "the access-token 15minutes limit",
    "key-value-store-2026 and monkey-business",
    "signature=verify_signature_of_request",
    "self._auth=BasicAuthenticationFlow",
    "00:1b:44:11:3a:b7 aa:bb:cc:dd:ee:ff",
    "令牌：十五分钟后过期",
    "重构认证模块：令牌十五分钟后过期",
]
fragments = st.sampled_from(
    [
        *SECRETS.values(),
        *PLAIN,
        *(literal for rule in RULES for literal in rule.literals),
        *("=", ": ", '"', "'", " ", "\n", "@", "://", "Bearer ", "İ", "K", "ſecret="),
    ]
)
words = st.text(string.ascii_letters + string.digits + "_-=+/:\"' .@ſKİ", max_size=12)
texts = st.lists(st.one_of(fragments, words), max_size=8).map("".join)


def without_end(parsed: Any) -> bool:
    """Whether a repetition in a parsed pattern may go on for as long as the text does."""
    if isinstance(parsed, tuple) and len(parsed) == 3 and parsed[1] is MAXREPEAT:
        return True
    inner = parsed if isinstance(parsed, tuple | list | SubPattern) else ()
    return any(without_end(one) for one in inner)
