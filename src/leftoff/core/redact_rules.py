"""What secrets look like: rules by families, as data. Pure.

Every rule begins with one of a few literals and is tried only where one stands, so that plain text
costs some searches and no regular expression. Ids, hashes, paths and names of code are no secrets.
"""

from __future__ import annotations

from leftoff.record import Record


class Rule(Record):
    """What one kind of secret looks like.

    Every match begins with one of the literals, in any case; what group 1 matches is kept.
    """

    kind: str
    literals: tuple[str, ...]
    pattern: str


_ALONE = r"()(?<![A-Za-z0-9])"
_WORDS = ("secret", "token", "password", "passwd", "passphrase", "pwd", "credential", "key")
_KINDS_OF_KEY = ("api", "private", "access", "account", "secret", "auth", "signing", "encryption")
_BEFORE_KEY = "|".join(f"(?<={kind}{joint})" for kind in _KINDS_OF_KEY for joint in ("", "_", "-"))
# A value that only names where the secret is, or is a word of a program, is none.
_REFERENCE = (
    r"(?![$<{%\[]|\.\.\.|(?:os|process|env|environ|self|this|config|settings|args|options|request"
    r"|get\w{0,60}|none|null|nil|true|false|undefined|str|string|bytes|int|bool)\b|\*{3}"
    r"|~?/[a-z._-]{1,60}/)"
)
_NAME = rf"(?:{'|'.join(_WORDS[:-1])}|(?:{_BEFORE_KEY})key)"
_OPTION = "|".join(
    f"(?<=--{before})" for before in ("", "api-", "auth-", "access-", "client-", "db-", "secret-")
)
_PROVIDERS = (
    ("AGE-SECRET-KEY-1", "[A-Z0-9]{50,64}"),
    ("ATATT3", r"[\w=-]{40,255}"),
    ("dapi", "[a-f0-9]{32}"),
    ("dckr_pat_", r"[\w-]{20,64}"),
    ("doo_v1_", "[a-f0-9]{64}"),
    ("dop_v1_", "[a-f0-9]{64}"),
    ("dor_v1_", "[a-f0-9]{64}"),
    ("dp.pt.", "[A-Za-z0-9]{40,64}"),
    ("esecret_", "[A-Za-z0-9]{20,64}"),
    ("figd_", r"[\w-]{30,64}"),
    ("fm2_", r"[\w+/=-]{40,4000}"),
    ("glsa_", "[A-Za-z0-9]{20,64}_[a-f0-9]{8}"),
    ("gsk_", r"[\w-]{30,255}"),
    ("hf_", "[A-Za-z0-9]{30,64}"),
    ("HRKU-", r"[\w-]{30,255}"),
    ("hvb.", r"[\w-]{24,255}"),
    ("hvs.", r"[\w-]{24,255}"),
    ("key-", "[a-f0-9]{32}"),
    ("lin_api_", "[A-Za-z0-9]{30,64}"),
    ("NRAK-", "[A-Z0-9]{27}"),
    ("ntn_", "[A-Za-z0-9]{40,64}"),
    ("nvapi-", r"[\w-]{30,255}"),
    ("ops_eyJ", r"[\w-]{40,4000}"),
    ("PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"),
    ("pplx-", "[A-Za-z0-9]{40,64}"),
    ("pscale_", r"(?:tkn|pw|oauth)_[\w.-]{28,64}"),
    ("pul-", "[a-f0-9]{40}"),
    ("r8_", "[A-Za-z0-9]{37}"),
    ("rubygems_", "[a-f0-9]{48}"),
    ("sbp_", "[a-f0-9]{40}"),
    ("SG.", r"[\w-]{16,64}\.[\w-]{16,64}"),
    ("shpat_", "[a-fA-F0-9]{32}"),
    ("shpca_", "[a-fA-F0-9]{32}"),
    ("shppa_", "[a-fA-F0-9]{32}"),
    ("shpss_", "[a-fA-F0-9]{32}"),
    ("sntrys_", r"[\w=/+-]{30,255}"),
    ("sq0", r"(?:atp|csp)-[\w-]{22,43}"),
    ("xai-", r"[\w-]{30,255}"),
)
"""How keys of a provider begin, and what follows."""
RULES = (
    Rule(
        "private-key",
        ("-----begin",),
        r"()-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?s:.*?)(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    Rule("aws", ("akia", "asia", "abia", "acca"), _ALONE + r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}\b"),
    Rule(
        "github",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        _ALONE + r"(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{22,255})",
    ),
    Rule(
        "gitlab",
        ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glft-", "gloas-", "glsoat-"),
        _ALONE + r"gl(?:pat|dt|rt|ptt|cbt|ft|oas|soat)-[A-Za-z0-9_.-]{16,255}",
    ),
    Rule(
        "slack",
        ("xox", "xapp-", "hooks.slack.com"),
        _ALONE + r"(?:xox(?:[a-np-z]-|o-[0-9])[A-Za-z0-9-]{10,255}|xapp-[A-Za-z0-9-]{10,255}"
        r"|hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{16,255})",
    ),
    Rule(
        "model-key",
        ("sk-",),
        # names of branches and packages are words with hyphens between
        _ALONE + r"sk-(?=[A-Za-z0-9_-]{0,255}[0-9])(?=[a-z0-9_-]{0,60}?(?:[A-Z]|[a-z0-9]{16}))"
        r"[A-Za-z0-9_-]{20,255}",
    ),
    Rule(
        "google",
        ("aiza", "ya29.", "gocspx-"),
        _ALONE + r"(?:AIza[\w-]{35}|ya29\.[\w.-]{20,255}|GOCSPX-[\w-]{20,64})",
    ),
    Rule(
        "stripe",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"),
        _ALONE + r"(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9+/=]{16,255}",
    ),
    Rule("npm", ("npm_",), _ALONE + r"npm_[A-Za-z0-9]{30,64}"),
    Rule("pypi", ("pypi-",), _ALONE + r"pypi-(?=[\w-]{0,255}[A-Z])[\w-]{40,255}"),
    Rule(
        "provider-key",
        tuple(prefix.lower() for prefix, _ in _PROVIDERS),
        _ALONE + "(?:" + "|".join(p.replace(".", r"\.") + rest for p, rest in _PROVIDERS) + ")",
    ),
    Rule("telegram", (":aa",), r"((?<=[0-9]{8}):)AA[\w-]{33}"),
    Rule("jwt", ("eyj",), _ALONE + r"eyJ[\w-]{8,4000}+\.[\w-]{8,8000}(?:\.[\w-]{0,4000})?"),
    Rule(
        "password",
        ("://",),
        r"(://[^\s/:@\"'<>\[]{0,120}:)(?![$<{%\[])[^\s/\"'<>]{1,200}(?=@)",
    ),
    Rule(
        "password",
        ("://",),
        r"(://)(?=[^\s/:@]{0,200}[0-9])[A-Za-z0-9_-]{20,200}(?=@)",
    ),
    Rule(
        "authorization",
        ("authorization",),
        r"((?i:authorization)[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:[A-Za-z]{3,12}\s{1,2})?)"
        r"(?![$<{%\[])(?![a-z-]{1,20}\b(?![A-Z0-9._~+/=]))[A-Za-z0-9._~+/=-]{8,4000}",
    ),
    Rule(
        "bearer",
        ("bearer", "basic"),
        r"((?<![A-Za-z0-9])(?i:bearer|basic)\s{1,2})(?=[A-Za-z0-9._~+/=-]{0,4000}[0-9])"
        r"[A-Za-z0-9._~+/=-]{16,4000}",
    ),
    Rule(
        "secret",
        _WORDS,
        # a quote that is itself escaped ends the value where it comes again
        rf"((?i:{_NAME})\\?[\"'`]?\s{{0,3}}(?::=|=>|[:=])\s{{0,3}}(\\)?([\"'`]))(?i:{_REFERENCE})"
        r"(?(2)(?:(?!\3)[^\n\\]){6,400}|(?:(?!\3)[^\n\\]|\\[^\n]|\3\3){6,400})",
    ),
    Rule(
        "secret",
        _WORDS,
        rf"((?i:{_NAME})=)(?i:{_REFERENCE})(?![A-Za-z_][\w.]{{0,80}}\()"
        r"[^\s\"'`&;,<>(){}\[\]|\\]{6,400}",
    ),
    Rule(
        "secret",
        _WORDS,
        rf"((?i:{_NAME})\s{{0,2}}(?:[:=]|=>)\s{{1,3}})(?i:{_REFERENCE})"
        r"(?=[A-Za-z+/=_.~-]{0,200}[0-9])(?=[0-9+/=_.~-]{0,200}[A-Za-z])"
        r"[A-Za-z0-9+/=_~!@#%^*&$?-]{8,400}(?![\w(\[.])",
    ),
    Rule(
        "secret",
        _WORDS,
        rf"((?i:{_OPTION})(?i:{_NAME})\s{{1,2}}[\"']?)(?![-$<{{%\[])"
        r"(?=[A-Za-z+/=_.~-]{0,200}[0-9])[^\s\"']{8,400}",
    ),
    Rule(
        "secret",
        ("密码", "密碼", "口令", "密钥", "令牌"),
        r"((?:密码|密碼|口令|密钥|令牌)\s{0,2}[:=\uff1a]\s{0,3}[\"'“]?)"
        r"(?=[A-Za-z+/=_.~-]{0,200}[0-9])[A-Za-z0-9+/=_.~!@#%^*&$?-]{6,400}",
    ),
    Rule(
        "signature",
        ("sig=", "signature="),
        r"((?i:(?<=[?&])sig|(?<=amz-)signature|(?<=goog-)signature)=)[A-Za-z0-9%+/=_-]{20,600}",
    ),
    Rule("password", ("_auth",), r"((?<![\w.])_auth\s?=\s?)[A-Za-z0-9+/=]{12,400}"),
    Rule(
        "password",
        ("curl", "mysql", "sshpass", "machine"),
        r"(curl\s[^\n|;]{0,200}?(?<=\s)(?:-u|--user)[\s=]{1,2}[\"']?[^\s:\"'@/]{1,80}:"
        r"|mysql[a-z]{0,6}\s[^\n|;]{0,200}?(?<=\s)(?:-p)(?![a-z]{0,20}\b)[\"']?"
        r"|sshpass\s{1,2}-p\s{0,2}[\"']?"
        r"|machine\s{1,9}\S{1,100}\s{1,9}login\s{1,9}\S{1,100}\s{1,9}password\s{1,9})"
        r"(?![$<{%\[])[^\s\"']{4,200}",
    ),
)
HEADERS = frozenset(("authorization", "proxy-authorization", "cookie", "set-cookie"))
"""Names of which the value is read together with them."""


def names_secret(name: str) -> bool:
    """Whether what stands under such a name is a secret."""
    import re  # only for what may hold something

    return re.search(rf"(?i:{_NAME})\Z", name, re.ASCII) is not None


def tells_secret(value: str) -> bool:
    """Whether a value is more than a reference to one or a word of a program."""
    import re  # only for what may hold something

    return len(value) >= 6 and re.match(rf"(?i:{_REFERENCE})", value, re.ASCII) is not None
