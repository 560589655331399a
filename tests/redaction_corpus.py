"""A labelled corpus for the redactor: made-up secrets and their false friends, drawn from templates.

Values are drawn at load from a fixed seed, so that no file of the repository holds a string that a
scanner could take for a key. Rules are written with the part `tune` in sight; the part `held` (the
files that say so in their names) is scored, and docs/decisions/0017 tells how far that is true.
"""

from __future__ import annotations

import os
import re
import string
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from leftoff.core.redact import redact

FOLDER = os.path.join(os.path.dirname(__file__), "corpus", "redaction")
TUNE, HELD = "tune", "held"
EACH_KEY, EACH_NAMED, EACH_FRIEND = 8, 3, 10
"""so many contexts for a key, and so many draws of a template; equal ones count once"""
_FILES = {TUNE: "{}.txt", HELD: "{}_held.txt"}
_WORDS = (
    *("amber", "basket", "copper", "delta", "ember", "falcon", "garden", "harbor", "island"),
    *("jungle", "kernel", "lantern", "meadow", "nebula", "orchid", "pepper", "quartz", "river"),
    *("saddle", "timber", "umbra", "velvet", "willow", "yonder", "zephyr", "checkout", "billing"),
)
_CHINESE = ("缓存", "断点", "重构", "测试", "部署", "会话", "数据库", "用户", "配置", "日志")
_B64 = string.ascii_letters + string.digits + "+/"
_SIGNS = "!#%+-_.~^*?"
_ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "B": string.ascii_uppercase + "234567",
    "H": "0123456789ABCDEF",
    "P": string.ascii_letters + string.digits + _SIGNS,
    "Q": string.ascii_letters + string.digits + "!.~*_-",
    "U": string.ascii_uppercase + string.digits,
    "Z": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "a": string.ascii_lowercase + string.digits,
    "b": _B64,
    "d": string.digits,
    "e": "123456789",
    "h": "0123456789abcdef",
    "w": string.ascii_letters + string.digits + "_-",
}
_FIELD = re.compile(r"\{([A-Za-z]+?)([0-9]*)\}")
_ESCAPES = {r"\n": "\n", r"\\": "\\", r"\x1b": "\x1b"}


class Sample(NamedTuple):
    """A text, the secrets in it (none: a false friend), its kind, and the part it belongs to."""

    kind: str
    text: str
    secrets: tuple[str, ...]
    part: str


def corpus(part: str = "") -> list[Sample]:
    """All samples, or those of one part; the same ones on every machine."""
    parts = [part] if part else [TUNE, HELD]
    return [one for each in parts for one in _drawn_from(each)]


def _drawn_from(part: str) -> list[Sample]:
    made = [*_keys(part), *_named(part), *_friends(part)]
    return list({one.text: one for one in made}.values())


class Score(NamedTuple):
    """How many secrets are gone, and how many false friends were taken for one."""

    part: str
    found: int
    missed: Counter[str]
    taken: Counter[str]
    friends: int
    wrong: list[str]

    @property
    def recall(self) -> float:
        return self.found / (self.found + self.missed.total())

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.taken.total())


def score(part: str = "") -> Score:
    """What the redactor makes of the samples, one by one."""
    told = Score(part, 0, Counter(), Counter(), 0, [])
    for sample in corpus(part):
        said = redact(sample.text)
        wrong = any(secret in said for secret in sample.secrets)
        wrong = wrong if sample.secrets else said != sample.text
        if wrong:
            (told.missed if sample.secrets else told.taken)[sample.kind] += 1
            told.wrong.append(f"{sample.kind}: {sample.text!r} -> {said!r}")
        told = told._replace(
            found=told.found + (bool(sample.secrets) and not wrong),
            friends=told.friends + (not sample.secrets),
        )
    return told


def _keys(part: str) -> Iterator[Sample]:
    contexts = list(_lines(part, "contexts"))
    for line in _lines(TUNE, "kinds"):
        kind, shape = line.split(" ", 1)
        for context in Random(kind).sample(contexts, EACH_KEY):
            chance = Random(f"{kind} {context}")
            value = _fill(shape, chance)
            text = value.join(_fill(one, chance) for one in context.split("{v}"))
            yield Sample(kind, text, (value,), part)


def _named(part: str) -> Iterator[Sample]:
    for line in _lines(part, "named"):
        kind, template = line.split(" ", 1)
        for number in range(EACH_NAMED):
            chance = Random(f"{line} {number}")
            before, secret, after = re.split("[«»]", template)
            value = _fill(secret, chance)
            text = _fill(before, chance) + value + _fill(after, chance)
            yield Sample(kind, text, tuple(value.split("\n")), part)


def _friends(part: str) -> Iterator[Sample]:
    for line in _lines(part, "friends"):
        kind, template = line.split(" ", 1)
        for number in range(EACH_FRIEND):
            yield Sample(kind, _fill(template, Random(f"{line} {number}")), (), part)


def _lines(part: str, name: str) -> Iterator[str]:
    path = os.path.join(FOLDER, _FILES[part].format(name))
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("# "):
                yield line.rstrip("\n")


def _fill(template: str, chance: Random) -> str:
    """The template with its escapes told and its fields drawn."""
    told = re.sub(r"\\n|\\\\|\\x1b", lambda found: _ESCAPES[found[0]], template)
    return _FIELD.sub(lambda found: _drawn(found[1], found[2], chance), told)


def _drawn(name: str, count: str, chance: Random) -> str:
    if count and name in _ALPHABETS:
        return _letters(name, int(count), chance)
    made = _MAKERS.get(name)
    return made(chance) if made and not count else "{" + name + count + "}"


def _letters(name: str, count: int, chance: Random) -> str:
    """Drawn letters; a password holds a letter first and a digit last."""
    drawn = "".join(chance.choices(_ALPHABETS[name], k=count))
    if name in "PQ" or (name == "A" and count < 20):
        return chance.choice(string.ascii_letters) + drawn[1:-1] + chance.choice(string.digits)
    return drawn


def _word(chance: Random) -> str:
    return chance.choice(_WORDS)


def _several(chance: Random, joint: str) -> str:
    return joint.join(chance.sample(_WORDS, 2))


def _hex(chance: Random, count: int) -> str:
    return f"{chance.getrandbits(4 * count):0{count}x}"


_MAKERS: dict[str, Callable[[Random], str]] = {
    "word": _word,
    "Word": lambda chance: _word(chance).title(),
    "WORD": lambda chance: _word(chance).upper(),
    "camel": lambda chance: _word(chance) + _word(chance).title(),
    "snake": lambda chance: _several(chance, "_"),
    "kebab": lambda chance: _several(chance, "-"),
    "path": lambda chance: _several(chance, "/"),
    "host": lambda chance: f"{_word(chance)}.example.{chance.choice(('com', 'org', 'net'))}",
    "n": lambda chance: str(chance.randrange(2, 9000)),
    "year": lambda chance: str(chance.randrange(2020, 2030)),
    "ip": lambda chance: f"192.0.2.{chance.randrange(255)}",
    "mac": lambda chance: ":".join(_hex(chance, 2) for _ in range(6)),
    "date": lambda chance: f"2026-0{chance.randrange(1, 10)}-1{chance.randrange(10)}T10:00:00Z",
    "uuid": lambda chance: "-".join(_hex(chance, count) for count in (8, 4, 4, 4, 12)),
    "zh": lambda chance: "".join(chance.sample(_CHINESE, 3)),
}
