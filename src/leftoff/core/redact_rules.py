"""What secrets look like: rules by families, as data. Pure.

Every rule is tried only where one of its literals stands, so that plain text costs some searches
and no regular expression. Every try is bounded, so that hostile text costs no more than its length
times that bound. Ids, hashes, paths and names of code are no secrets, nor are words that only say
where one is.
"""

from __future__ import annotations

from leftoff.core.redact_providers import BY_KIND, HOOKS, MIDDLES, SCATTERED
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator


class Rule(Record):
    """What one kind of secret looks like.

    Every match begins with one of the literals, or `back` characters before one; what group 1
    matches is kept.
    """

    kind: str
    literals: tuple[str, ...]
    pattern: str
    exact: bool = False
    """the literals are spelt as they stand; else they are in lower case, and any case will do"""
    back: int = 0
    reach: int = 0
    """a match begins no more than so many characters before a literal"""
    mark: str = ""
    """of those, where this stands last"""
    row: str = ""
    """or, without a mark, where these letters begin that stand in a row up to the literal"""
    run: bool = False
    """every match holds `redact_runs.RUN` letters in a row"""
    keys: tuple[tuple[str, str], ...] = ()
    """of a rule that is a list of them, how keys begin and go on: see `pattern_at`"""
    after: str = ""
    """what has to stand behind the name, as `behind` tells it: most names spare a pattern so"""


# A key begins a word; the letter of an escape (`\n`), of an address (`%3D`) or of a colour is none.
_BEFORE = (
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=%[0-9A-Fa-f]{2})"
    r"|(?<=[\[;][0-9]m)|(?<=[\[;][0-9]{2}m))"
)
_ALONE = "()" + _BEFORE
_NO_KEY = r"(?!x{8}|X{8}|\*{3}|\.{3}|0{16})"
_WORDS = (
    *("secret", "token", "password", "passwd", "passphrase", "pass", "pwd", "credential", "key"),
)
KINDS_OF_KEY = (
    *("api", "private", "access", "account", "secret", "auth", "signing", "encryption", "master"),
    *("license", "service", "storage", "subscription", "client"),
)
_JOINTS = ("", "[_. -]")
_LENGTHS = sorted({len(kind) for kind in KINDS_OF_KEY})
_BY_LENGTH = ["|".join(kind for kind in KINDS_OF_KEY if len(kind) == n) for n in _LENGTHS]


def of_key(after: str) -> str:
    """What stands behind a kind of key, perhaps a joint, and this.

    A look back has one length, so there is one for each: one for each kind takes long to compile.
    """
    return "|".join(f"(?<=(?:{kinds}){joint}{after})" for kinds in _BY_LENGTH for joint in _JOINTS)


AFTER = "(?:[_-]?(?:[0-9]{1,2}|value|base|prod|production|dev|staging|live|b64|base64|old|new))?"
_NAME = (
    r"(?:secret|token|password|passwd|passphrase|(?<=[_-])pass|pwd|credentials?"
    rf"|(?:{of_key('')})key){AFTER}"
)
_LOUD = (
    r"(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|(?<=_)PASS|PWD|CREDENTIALS?|(?:"
    + "|".join(f"(?<=(?:{kinds.upper()})_)" for kinds in _BY_LENGTH)
    + rf")KEY){AFTER.upper().replace('(?:[_-]?', '(?:_?')}"
)
"""As variables of the environment are spelt."""
_OPTION = "|".join(
    f"(?<=--{before})"
    for before in ("", "api-", "auth-", "access-", "client-", "db-", "secret-", "admin-", "user-")
)
# A value that only names where the secret is, stands for one, or is a word of a program, is none.
_REFERENCE = (
    r"(?![$<{%\[]|[\w-]{0,24}\.\.\.|#[0-9a-f]{6}\b|[a-z]:\\|(?:same-origin|include)\b|(?:os|process|env|environ|self|this|config|settings|args|options"
    r"|request|get\w{0,60}|none|null|nil|true|false|undefined|str|string|bytes|int|bool|optional)\b"
    r"|\*{3}|[a-z_-]{0,12}x{6}|~?/[a-z._-]{1,60}/|your[\s_-]|change_?(?:me|it)\b|replace[_-]?me|placeholder\b)"
)
_WORD_OF_CODE = "(?:token|passw(?:or)?d|passphrase|secret|key|credential|pwd)"
# letters only, and among them such a word: the name of a variable or of a field
_NO_NAME = rf"(?![A-Za-z_-]{{0,40}}{_WORD_OF_CODE}[A-Za-z_-]{{0,40}}(?:[\"'`\\\s,;)}}]|\Z))"
_NO_PROSE = r"(?![\s,;)\]}]|\+ |[A-Z][a-z]{1,20},? [a-z]{1,20} [A-Za-z]|[^\x00-\x7f])"
_NO_CODE = (
    r"(?![A-Za-z_]\w{0,80}(?:\.\w{1,80}){0,8}[(\[])(?![A-Za-z_]{1,80}(?:\.[A-Za-z_]{1,80}){1,8}\b)"
    rf"(?!\w{{0,40}}(?i:{_WORD_OF_CODE})\w{{0,40}}(?:[\s,;)}}]|\Z))(?![A-Za-z_]{{1,80}}[,)])"
)
_MIXED = r"(?=[A-Za-z+/=_.~!@#%^*&$?-]{0,200}[0-9])(?=[0-9+/=_.~!@#%^*&$?-]{0,200}[A-Za-z])"
# names may be in bold type, with the sign or without it
_ASSIGNED = r"\*{0,2}\s{0,3}(?::=|=>|[:=\uff1a])\*{0,2}\s{0,3}"
# behind a name may stand in brackets whose it is; without the blank it would be a call
_WHOSE = r"[^()\uff08\uff09|\r\n]{1,40}"
_NOTE = rf"(?:[*`\"'\\]{{0,4}}(?: \({_WHOSE}\)| ?\uff08{_WHOSE}\uff09))"
# a quote that is itself escaped ends the value where it comes again, escaped as often
_QUOTED = (
    r"(?(2)(?:(?!(?<!\\)\2\3)[^\n]){6,400}"
    r"|(?:(?!\3)[^\n\\]|\\[^\n]|\3\3){6,400})"
)
_WRITTEN = r"(?:[A-Za-z0-9+/=_~!@#%^*&$?-]|\.(?=[^\s\"'`])){6,400}(?![\w(\[])"
_BARE = r"[^\s\"'`&;,<>(){}\[\]|\\]"
# a row of a table: a name of few words, alone in its cell but for a note in brackets, and in the
# next one a value, alone too
_CELL = r"\|[ \t]{0,4}[*`_]{0,3}(?:[\w.()-]{1,24} ){0,3}[\w.-]{0,40}?"
_NEXT = r"[*`_]{0,3}(?: \([^|()\r\n]{1,40}\)[*`_]{0,3})?[ \t]{0,60}\|[ \t]{0,4}[*`_]{0,3}"
_ENDS = r"[*`_]{0,3}[ \t]{0,400}(?:\||\r?\n|\Z)"
_STOPS = r"[*`_.]{0,3}(?:[\s,;)]|[^\x00-\x7f]|\Z)"
_PART = "(?:[A-Za-z]{1,24}[0-9]{0,12}|[0-9]{1,12}[A-Za-z]{0,8})"
# An algorithm, a version, a name with a number (AES-256-GCM, v1.2) or a path is none; what people
# choose themselves as a password may be one word with a number.
_ALGORITHM = "[bs]crypt|argon|pbkdf|secp|prime|curve|blake|sha|md|aes|rsa|hmac|base|utf"
_COLON = rf"\uff1a(?!\*{{0,2}}\s{{0,3}}(?i:{_ALGORITHM})[0-9-])"
_IS = "(?:是|[设改]?为|[设改]成|為)"
_NOT_TERM = (
    rf"(?!(?i:{_ALGORITHM}|n?varchar|v)[0-9-])"
    rf"(?!{_PART}(?:[-_./]{_PART}){{1,12}}<E>|[0-9]{{1,12}}[a-z]{{0,8}}<E>)"
    rf"(?(2)|(?=\S{{8}})(?!{_PART}<E>|[a-z0-9._/-]{{1,200}}/[a-z0-9._-]{{0,60}}<E>))"
)
_CHINESE = ("密码", "密碼", "口令", "密钥", "秘钥", "私钥", "令牌")
HEADERS = frozenset(("authorization", "proxy-authorization", "cookie", "set-cookie"))
"""Names of which the value is read together with them."""


def key_pattern(prefix: str, body: str) -> str:
    """A provider's key; what only stands for one has no capital and no digit, or is all x."""
    drawn = "" if prefix in SCATTERED | HOOKS else "(?=[a-z_-]{0,80}[A-Z0-9])"
    return prefix.replace(".", r"\.") + _NO_KEY + drawn + body


def _providers() -> Iterator[Rule]:
    for kind, keys in BY_KIND.items():
        for run in (True, False):
            some = [key for key in keys if (key[0] not in SCATTERED | HOOKS) == run]
            told = "|".join(key_pattern(prefix, body) for prefix, body in some)
            literals = tuple(prefix for prefix, _ in some)
            if some:
                whole = f"{_ALONE}(?:{told})"
                yield Rule(kind, literals, whole, exact=True, run=run, keys=(*some,))
    for kind, mark, back, head, tail in MIDDLES:
        told = _ALONE + head + key_pattern(mark, tail)
        run = mark not in SCATTERED
        yield Rule(kind, (mark,), told, exact=True, back=back, run=run)


PROVIDERS = (*_providers(),)
PRIVATE_KEYS = (
    Rule(
        "private-key",
        ("-----begin",),
        r"()-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?s:.*?)(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    Rule(
        "private-key",
        ("private-lines:",),
        r"((?i:private-lines): [0-9]{1,3}\s{1,4})(?:[A-Za-z0-9+/=]{1,80}\s{1,2}){1,100}",
    ),
)
ADDRESSES = (
    Rule(
        "password",
        ("://",),
        r"(://[^\s/:@\"'<>\[]{0,120}:)(?![$<{%\[]|(?:password|pass|pw|passwd|secret|token|\*{1,40}|x{1,40})@)"
        r"[^\s/\"'<>]{1,200}(?=@)",
    ),
    Rule(
        "password",
        ("://",),
        r"(://)(?=[^\s/:@]{0,200}[0-9])[A-Za-z0-9_-]{20,200}(?=@)",
    ),
    Rule(
        "signature",
        ("sig=", "signature="),
        r"((?i:(?<=[?&])sig|(?<=amz-)signature|(?<=goog-)signature)=)[A-Za-z0-9%+/=_-]{20,600}",
    ),
)
TOKENS = (
    Rule("telegram", (":AA",), r"((?<=[0-9]{8}):)AA[\w-]{33}", exact=True, run=True),
    Rule(
        "jwt",
        ("eyJ",),
        _ALONE + r"eyJ[\w-]{13,2000}+\.[\w-]{8,8000}(?:\.[\w-]{0,4000})?",
        exact=True,
        run=True,
    ),
    Rule(
        "authorization",
        ("authorization",),
        r"((?i:authorization)\\{0,7}[\"']?\s{0,3}[:=]\s{0,3}\\{0,7}[\"']?(?:[A-Za-z]{3,12}\s{1,2})?)"
        r"(?![$<{%\[]|(?i:your)[_-]|[A-Z]{1,20}_[A-Z_]{1,40}\b)"
        r"(?![a-z-]{1,20}\b(?![A-Z0-9._~+/=])|[A-Za-z_]\w{0,60}(?:\.[a-z_]{1,40}){1,4}\()"
        r"[A-Za-z0-9._~+/=-]{8,4000}",
    ),
    Rule(
        "bearer",
        ("bearer", "basic"),
        r"((?<![A-Za-z0-9])(?i:bearer|basic)\s{1,2})(?=[A-Za-z0-9._~+/=-]{0,4000}[0-9])"
        r"[A-Za-z0-9._~+/=-]{16,4000}",
    ),
    Rule(
        "cookie",
        ("cookie",),
        r"((?i:cookie)\\{0,7}[\"']?\s{0,2}[:=]\s{0,2}\\{0,7}[\"']?)"
        r"(?=[^\n\"'\\]{0,300}?=[^\s;\"'\\]{16})(?!\[)[^\n\"'\\]{8,4000}",
    ),
)
NAMED = (
    Rule(
        "secret",
        _WORDS,
        rf"((?i:{_NAME}){_NOTE}?\\{{0,7}}[\"'`]?\]?{_ASSIGNED}(\\{{1,7}})?([\"'`]))"
        rf"(?i:{_REFERENCE}{_NO_NAME}){_NO_PROSE}{_QUOTED}",
        after=":=n",
    ),
    Rule(
        "secret",
        _WORDS,
        # in a variable of the environment nearly anything may stand
        rf"({_LOUD}=)(?i:{_REFERENCE})(?:{_BARE}|[&;,(){{}}\[\]|](?=[^\s\"'`\\])){{6,400}}",
        after="e",
    ),
    Rule(
        "secret",
        _WORDS,
        rf"((?i:{_NAME})=)(?i:{_REFERENCE}){_NO_CODE}{_BARE}{{6,400}}",
        after="e",
    ),
    Rule(
        "secret",
        _WORDS,
        rf"((?i:{_NAME})\*{{0,2}}\s{{0,2}}(?:(?:[:=]|=>)\*{{0,2}}\s{{1,3}}|{_COLON}\*{{0,2}}\s{{0,3}})"
        rf"(?:`{{3}}\w{{0,12}}\s{{1,2}})?)(?i:{_REFERENCE}){_NO_CODE}{_MIXED}{_WRITTEN}",
        after=":=",
    ),
    Rule(
        "secret",
        _WORDS,
        # a type in brackets looks so too; without a blank it may be one of code, or of an ARN
        rf"((?:((?i:passw(?:or)?d|passphrase|pwd)|(?<![A-Za-z])[Pp]ass(?=\s?[:=]))|(?i:{_NAME}))"
        rf"(?:{_NOTE}{_ASSIGNED}|(?<!:secret):|(?<=ass)\s?[:=]\s{{0,3}}|\s?{_IS}\s{{0,3}}[\"'`“「]?))"
        rf"(?i:{_REFERENCE}){_NO_CODE}{_NOT_TERM.replace('<E>', _STOPS)}{_MIXED}{_WRITTEN}",
        after=":=nc",
    ),
    Rule(
        "secret",
        _WORDS,
        rf"((?i:{_OPTION})(?i:{_NAME})\s{{1,2}}\\?[\"']?)(?![-$<{{%\[])"
        r"(?=[A-Za-z+/=_.~!@#%^*&$?-]{0,200}[0-9])[^\s\"'\\]{6,400}",
        after="o",
    ),
    Rule(
        "secret",
        _WORDS,
        rf"((?i:{_NAME})\\{{0,7}}[\"']?(?:[\s,{{]|\\n){{1,40}}\\{{0,7}}[\"']?(?:value|default)\\{{0,7}}[\"']?"
        rf"\s{{0,2}}[:=]\s{{0,2}}\\{{0,7}}[\"']?)(?i:{_REFERENCE}){_NO_PROSE}[^\s\"'\\,}}]{{6,400}}",
        after="v",
    ),
    Rule(
        "secret",
        _WORDS,
        rf"((?i:{_NAME})>)(?i:{_REFERENCE}{_NO_NAME}){_NO_PROSE}[^<\s]{{6,400}}(?=</)",
        after=">",
    ),
    Rule(
        "secret",
        _WORDS,
        r"((?i:password|passwd|passphrase|secret|token|key)\s(?:is|was):?\s{1,2}[\"'`]?)"
        rf"{_MIXED}[A-Za-z0-9+/=_~!@#%^*&$?]{{6,400}}",
        after="i",
    ),
    Rule(
        "secret",
        _WORDS,
        r"((?i:password|passphrase|secret|token|key)\s{1,2}[\"'`]?)(?=[\w-]{0,255}[0-9])"
        r"(?=[\w-]{0,255}[A-Z])(?=[\w-]{0,255}[a-z])[\w-]{32,255}",
        after="r",
    ),
    Rule(
        "secret",
        _WORDS,
        rf"({_CELL}(?:((?i:passw(?:or)?d|passphrase|pwd))|(?i:{_NAME})){_NEXT})(?i:{_REFERENCE})"
        rf"{_NO_CODE}{_NOT_TERM.replace('<E>', _ENDS)}{_MIXED}"
        rf"[A-Za-z0-9+/=_~!@#%^*&$?.-]{{6,400}}(?={_ENDS})",
        reach=130,
        mark="|",
        after="|",
    ),
    Rule(
        "secret",
        ("env ",),
        rf"((?<![A-Za-z])ENV\s{{1,3}}[A-Z0-9_]{{0,60}}{_LOUD}\s{{1,3}})(?i:{_REFERENCE})\S{{6,400}}",
    ),
    Rule(
        "secret",
        ("define(",),
        rf"(define\(\s?[\"'][\w]{{0,60}}(?i:{_NAME})[\"'],\s?([\"']))(?i:{_REFERENCE})"
        r"(?:(?!\2)[^\n\\]|\\[^\n]){6,400}",
    ),
    Rule(
        "secret",
        _CHINESE,
        rf"((?:密[码碼钥]|口令|[秘私]钥|令牌)\*{{0,2}}(?: ?[(\uff08]{_WHOSE}[)\uff09])?"
        rf"[\"'`]?\*{{0,2}}\s{{0,2}}(?:(?:如下|{_IS})?[:=\uff1a]|{_IS}|(?=[\"'`“「]))\*{{0,2}}\s{{0,3}}[\"'`“「]?)"
        rf"(?!(?i:{_ALGORITHM})[0-9-]){_MIXED}[A-Za-z0-9+/=_.~!@#%^*&$?-]{{6,400}}",
    ),
    Rule(
        "secret",
        _CHINESE,
        rf"((?:(密[码碼]|口令)|密钥|[秘私]钥|令牌)\*{{0,2}}(?: ?[(\uff08]{_WHOSE}[)\uff09])?"
        rf"[*`_]{{0,3}}[ \t]{{0,60}}\|[ \t]{{0,4}}[*`_]{{0,3}}){_NOT_TERM.replace('<E>', _ENDS)}"
        rf"{_MIXED}[A-Za-z0-9+/=_~!@#%^*&$?.-]{{6,400}}(?={_ENDS})",
    ),
)
TOOLS = (
    Rule("password", ("_auth",), r"((?<![\w.])_auth\s?=\s?)[A-Za-z0-9+/=]{12,400}"),
    Rule(
        "password",
        ('auth"', 'auth\\"'),
        r"(auth\\{0,7}\"\s{0,2}:\s{0,2}\\{0,7}\")(?=[A-Za-z+/]{0,400}[0-9=])"
        r"(?=[a-z0-9+/]{0,400}[A-Z])[A-Za-z0-9+/]{16,400}={0,2}(?=\\{0,7}\")",
    ),
    Rule(
        "password",
        ("identified", "alter user", "create user", "alter role", "create role"),
        r"((?i:identified\s{1,9}(?:with\s{1,9}[\w\"']{1,40}\s{1,9})?(?:by|as)(?:\s{1,9}password)?"
        r"|(?:alter|create) (?:user|role)\s[^;]{1,200}?\spassword)\s{1,9}\\{0,7}([\"']))"
        r"(?![$<{%\[:]|\*{3}|x{4})(?=(?:(?!\2)[^\n]|\2\2){0,200}?[0-9])(?:(?!\2)[^\n\\]|\2\2){6,200}",
    ),
    Rule("password", (":5432:",), r"(:5432:[^:\s]{1,64}:[^:\s]{1,64}:)[^\s:\"'\\]{6,200}"),
    Rule(
        "password",
        ("curl", "mysql", "sshpass", "machine", "redis-cli", "docker login", "az login"),
        r"(curl\s[^\n|;]{0,200}?(?<=\s)(?:-u|--user)[\s=]{0,2}[\"']?[^\s:\"'@/]{1,80}:"
        r"|curl\s[^\n|;]{0,200}?(?<=\s)-b\s?[\"']?[\w.-]{1,60}=(?=[^\s\"']{16})"
        r"|mysql[a-z]{0,6}\s[^\n|;]{0,200}?(?<=\s)(?:-p)(?![a-z]{0,20}\b)[\"']?"
        r"|(?:docker|az) login\s[^\n|;]{0,200}?(?<=\s)-p\s{1,2}[\"']?"
        r"|sshpass\s{1,2}-p\s{0,2}[\"']?"
        r"|redis-cli\s[^\n|;]{0,200}?(?<=\s)-a\s{1,2}[\"']?"
        r"|machine\s{1,9}\S{1,100}\s{1,9}login\s{1,9}\S{1,100}\s{1,9}password\s{1,9})"
        r"(?![$<{%\[])[^\s\"']{4,200}",
    ),
)
RULES = (*PRIVATE_KEYS, *PROVIDERS, *ADDRESSES, *TOKENS, *NAMED, *TOOLS)


def pattern_at(rule: Rule, literal: str) -> str:
    """What of a pattern can match where a literal stands: all of it takes long to compile."""
    if not rule.keys:
        return rule.pattern
    fit = [
        key_pattern(prefix, body)
        for prefix, body in rule.keys
        if prefix.startswith(literal) or literal.startswith(prefix)
    ]
    return f"{_ALONE}(?:{'|'.join(fit)})"


def names_secret(name: str) -> bool:
    """Whether what stands under such a name is a secret."""
    import re  # only for what may hold something

    return re.search(rf"(?i:{_NAME}|(?<![a-z])pass){_NOTE}?\Z", name, re.ASCII) is not None


def tells_secret(value: str) -> bool:
    """Whether a value is more than a reference to one, a word of a program, or a sentence."""
    import re  # only for what may hold something

    least = rf"(?i:{_REFERENCE}{_NO_NAME}){_NO_PROSE}.{{6}}"
    long = len(value) > 400 and any(map(str.isspace, value))
    return not long and re.match(least, value, re.ASCII | re.DOTALL) is not None
