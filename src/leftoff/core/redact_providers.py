"""How the keys of providers begin, and what follows: facts, as public rule sets have them.

Prefixes are spelt as they are; a body never takes in what could not be part of a key. Pure data.
"""

from __future__ import annotations

# Names of branches and packages are words with hyphens between.
_NO_WORDS = "(?=[A-Za-z0-9_-]{0,255}[0-9])(?=[a-z0-9_-]{0,60}?(?:[A-Z]|[a-z0-9]{16}))"
BY_KIND = {
    "aws": (
        *(("AKIA", r"[A-Z0-9]{16}\b"), ("ASIA", r"[A-Z0-9]{16}\b")),
        *(("ABIA", r"[A-Z0-9]{16}\b"), ("ACCA", r"[A-Z0-9]{16}\b")),
    ),
    "github": (
        *((prefix, "[A-Za-z0-9]{20,255}") for prefix in ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")),
        ("github_pat_", "[A-Za-z0-9_]{22,255}"),
    ),
    "gitlab": tuple(
        (f"gl{what}-", "[A-Za-z0-9_-]{16}[A-Za-z0-9_.-]{0,255}")
        for what in ("pat", "dt", "rt", "ptt", "cbt", "ft", "oas", "soat", "agent", "imt")
    ),
    # a PEM block in base64, as kubeconfig and secrets of Kubernetes have it; over many lines, too
    "private-key": (
        (
            "LS0tLS1CRUdJTi",
            (
                r"(?=[A-Za-z0-9+/]{0,24}(?:UFJJVkFUR|BSSVZBVE|QUklWQVRF))[A-Za-z0-9+/]{16,20000}+={0,2}"
                r"(?:\s{1,12}[A-Za-z0-9+/]{60,80}){0,400}+"
                r"(?:\s{1,12}(?:[A-Za-z0-9+/]{16,80}={0,2}|[A-Za-z0-9+/]{1,15}={1,2}))?"
            ),
        ),
    ),
    "slack": (
        ("xox", "(?:[a-np-z]-[A-Za-z0-9-]{11}|o-[0-9][A-Za-z0-9-]{10})[A-Za-z0-9-]{0,255}"),
        ("xoxe.", "[A-Za-z0-9-]{16,255}"),
        ("xapp-", "[A-Za-z0-9-]{11,255}"),
        ("hooks.slack.com/", "(?:services|workflows)/[A-Za-z0-9/_-]{16,255}"),
    ),
    "model-key": (
        ("sk-", _NO_WORDS + "[A-Za-z0-9_-]{20,255}"),
        ("csk-", "[a-z0-9]{40,64}"),
        ("fw_", "(?=[A-Za-z0-9]{0,64}[0-9])(?=[A-Za-z0-9]{0,64}[A-Z])[A-Za-z0-9]{22,64}"),
        ("gsk_", r"[\w-]{30,255}"),
        ("hf_", "[A-Za-z0-9]{30,64}"),
        ("jina_", "[A-Za-z0-9]{40,80}"),
        ("lsv2_", "(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
        ("nvapi-", r"[\w-]{30,255}"),
        ("pplx-", "[A-Za-z0-9]{40,64}"),
        ("r8_", "[A-Za-z0-9]{37}"),
        ("rpa_", "[A-Z0-9]{40,64}"),
        ("tvly-", "[A-Za-z0-9-]{28,64}"),
        ("xai-", r"[\w-]{30,255}"),
    ),
    "google": (
        ("AIza", r"[\w-]{35}"),
        ("ya29.", r"(?:[a-z]\.)?[\w-]{16}[\w.-]{4,255}"),
        ("GOCSPX-", r"[\w-]{20,64}"),
        ("1//0", r"[\w-]{40,255}"),
    ),
    "stripe": (
        *(
            (f"{who}k_{where}_", "[A-Za-z0-9]{16,255}")
            for who in "sr"
            for where in ("live", "test")
        ),
        ("whsec_", "[A-Za-z0-9+/=]{16,255}"),
    ),
    "npm": (("npm_", "[A-Za-z0-9]{30,64}"),),
    "pypi": (("pypi-", r"(?=[\w-]{0,255}[A-Z])[\w-]{40,255}"),),
    "provider-key": (
        ("2/", "[0-9]{16,17}/[0-9]{16,17}:[a-f0-9]{32}"),
        ("AGE-SECRET-KEY-1", "[A-Z0-9]{50,64}"),
        ("AKCp", "[A-Za-z0-9]{60,80}"),
        ("AKID", "[A-Za-z0-9]{32}"),
        ("ATATT3", r"[\w-]{16}[\w=-]{24,255}"),
        ("ATBB", "[A-Za-z0-9]{28,40}"),
        ("ATCTT3", r"[\w-]{16}[\w=-]{24,255}"),
        ("AstraCS:", r"[\w-]{16}[\w:-]{24,255}"),
        ("CLOJARS_", "[a-z0-9]{60}"),
        ("EAAA", r"[\w-]{60}"),
        ("EAAC", "[A-Za-z0-9]{80,255}"),
        ("EAAM", "[A-Za-z0-9]{80,255}"),
        ("EZAK", "[A-Za-z0-9]{54}"),
        ("EZTK", "[A-Za-z0-9]{54}"),
        ("GR1348941", r"[\w-]{20}"),
        ("HRKU-", r"[\w-]{30,255}"),
        ("LTAI", "[A-Za-z0-9]{12,24}"),
        ("NRAK-", "[A-Z0-9]{27}"),
        ("NRII-", "[A-Za-z0-9-]{32}"),
        ("PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"),
        ("SG.", r"[\w-]{16,64}\.[\w-]{16,64}"),
        ("SK", r"[a-f0-9]{32}\b"),
        ("dapi", "[a-f0-9]{32}"),
        ("dckr_oat_", r"[\w-]{20,64}"),
        ("dckr_pat_", r"[\w-]{20,64}"),
        ("discord.com/api/webhooks/", r"[0-9]{15,20}/[\w-]{30,100}"),
        ("doo_v1_", "[a-f0-9]{64}"),
        ("dop_v1_", "[a-f0-9]{64}"),
        ("dor_v1_", "[a-f0-9]{64}"),
        ("dp.pt.", "[A-Za-z0-9]{40,64}"),
        ("dp.st.", r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,64}"),
        ("dt0", r"[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
        ("duffel_", r"(?:test|live)_[\w-]{16}[\w=-]{27}"),
        ("e2b_", "[a-f0-9]{40}"),
        ("esecret_", "[A-Za-z0-9]{20,64}"),
        ("figd_", r"[\w-]{30,64}"),
        ("fio-u-", r"[\w-]{16}[\w=-]{34,64}"),
        ("fm2_", r"[\w+/=-]{40,4000}"),
        ("glc_", r"[\w-]{12}[\w+/=-]{20,400}"),
        ("glsa_", "[A-Za-z0-9]{20,64}_[a-f0-9]{8}"),
        ("hvb.", r"[\w-]{24,255}"),
        ("hvr.", r"[\w-]{24,255}"),
        ("hvs.", r"[\w-]{24,255}"),
        ("key-", "[a-f0-9]{32}"),
        ("lin_api_", "[A-Za-z0-9]{30,64}"),
        ("lin_oauth_", "[A-Za-z0-9]{30,80}"),
        ("nfp_", "[A-Za-z0-9]{36,64}"),
        ("ntn_", "[A-Za-z0-9]{40,64}"),
        ("ops_eyJ", r"[\w-]{9}[\w+/=-]{31,4000}"),
        ("p8e-", "[A-Za-z0-9]{32}"),
        ("pat", r"[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
        ("pat-", "(?:na|eu)[0-9]-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"),
        ("phx_", "[A-Za-z0-9]{40,64}"),
        ("pnu_", "[A-Za-z0-9]{36}"),
        ("pscale_", r"(?:tkn|pw|oauth)_[\w-]{7}[\w=.-]{21,64}"),
        ("pul-", "[a-f0-9]{40}"),
        ("rdme_", "[a-z0-9]{60,80}"),
        ("rnd_", "[A-Za-z0-9]{32}"),
        ("rubygems_", "[a-f0-9]{48}"),
        ("sb_secret_", r"[\w-]{20,64}"),
        ("sbp_", "[a-f0-9]{40}"),
        ("secret_", "[A-Za-z0-9]{43}"),
        ("sgp_", r"(?:[a-zA-Z0-9]{16}_)?[a-f0-9]{40}"),
        ("sha256~", r"[\w-]{43}"),
        ("shpat_", "[a-fA-F0-9]{32}"),
        ("shpca_", "[a-fA-F0-9]{32}"),
        ("shppa_", "[a-fA-F0-9]{32}"),
        ("shpss_", "[a-fA-F0-9]{32}"),
        ("sl.", r"[\w-]{120,1200}"),
        ("sntrys_", r"[\w-]{9}[\w=/+-]{21,255}"),
        ("sntryu_", "[a-f0-9]{64}"),
        ("sq0", r"(?:atp|csp)-[\w-]{22,43}"),
        ("tfp_", r"[\w-]{12}[\w.=-]{28,68}"),
        ("tskey-", "[a-z]{2,12}-[A-Za-z0-9-]{16,80}"),
        ("v1.0-", "[a-f0-9]{24}-[a-f0-9]{146}"),
        *((f"vc{what}_", "[A-Za-z0-9]{24,80}") for what in "pkisar"),
        (
            "webhook.office.com/webhookb2/",
            "[a-f0-9-]{36}@[a-f0-9-]{36}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9-]{36}",
        ),
        ("xkeysib-", "[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    ),
}
"""kind -> (prefix, body as a regular expression)"""
SCATTERED = frozenset(("Q~", "dp.st.", "fm2_", "whsec_"))
HOOKS = frozenset(
    ("hooks.slack.com/", "discord.com/api/webhooks/", "webhook.office.com/webhookb2/")
)
"""Beginnings of keys in which no 16 letters, digits, `_` or `-` in a row are sure, and of addresses
that are keys as a whole. All others hold such a run, and in it a digit or a capital."""
MIDDLES = (
    ("provider-key", "-us", 32, "[a-f0-9]{32}", r"[0-9]{1,2}\b"),
    ("provider-key", ".atlasv1.", 14, "[A-Za-z0-9]{14}", r"[\w-]{40,100}"),
    ("provider-key", "Q~", 4, r"[\w~.]{3}[0-9]", r"[\w~.-]{31,34}(?![\w~.-])"),
)
"""Keys that show in their middle: kind, mark, how far into the key it stands, what is around it."""
