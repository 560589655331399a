"""A schema as data: what a value breaks of it, and how any value is made to satisfy it.

`fitted` gives a valid value for any; what the schema cannot carry is kept beside it in the same
object, under `leftoff`. `unfitted` undoes that, and leaves out what goes without saying.
"""

from __future__ import annotations

from leftoff.core.model import Finding
from leftoff.core.when import instant
from leftoff.formats._json_value import ABSENT, same
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from leftoff.core.model import Json

MARK = "leftoff"


class Form(Record):
    """How a text must look, in words and as a test; such a text made of another one, or none."""

    means: str
    has: Callable[[str], bool]
    repair: Callable[[str], str] | None = None


class Rule(Record):
    """What a value must be. `default` stands in for one that is required and missing or wrong."""

    kind: str
    """text, time, integer, number, flag, list, map or object"""
    default: Json = None
    null: bool = False
    words: tuple[str, ...] = ()
    form: Form | None = None
    least: int | None = 0
    most: int = 0
    of: Any = None
    """the rule of each element of a list or member of a map"""
    fields: Mapping[str, Any] = {}
    """the rules of the members of an object"""
    required: tuple[str, ...] = ()


_KINDS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "text": ((str,), "a text"),
    "time": ((str,), "a time"),
    "integer": ((int, float), "a whole number"),
    "number": ((int, float), "a number"),
    "flag": ((bool,), "true or false"),
    "list": ((list,), "a list"),
    "map": ((dict,), "an object"),
    "object": ((dict,), "an object"),
}
# Times are checked, but a validator of the schema lets any text pass for one.
BAD_TIME = ("wrong-time", "must be a time")


def problems(value: Json, rule: Rule, where: str = "") -> Iterator[Finding]:
    """Every place where a value breaks its rule."""
    if said := _problem(value, rule):
        slug, text = said
        level = "warning" if said == BAD_TIME else "error"
        yield Finding(slug, level, where, f"{where or 'the document'} {text}")
    elif isinstance(value, dict):
        inner = f"{where}." if where else ""
        for key in rule.required:
            if key not in value:
                yield Finding("missing-field", "error", f"{inner}{key}", f"{inner}{key} is missing")
        for key, member in value.items():
            known = rule.of or rule.fields.get(key)
            yield from problems(member, known, f"{inner}{key}") if known else ()
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from problems(one, rule.of, f"{where}[{at}]")


def fitted(value: Json, rule: Rule) -> Json:
    """The value as the schema can carry it, complete."""
    if value is ABSENT or _problem(value, rule) not in (None, BAD_TIME):
        value = _mended(value, rule)
    if isinstance(value, dict):
        return _fitted_object(value, rule)
    if isinstance(value, list):
        return [fitted(one, rule.of) for one in value][-rule.most :]
    return value


def _mended(value: Json, rule: Rule) -> Json:
    """A value of the right kind in place of a wrong one."""
    if rule.kind == "list" and isinstance(value, list):
        return value
    if rule.form and rule.form.repair and isinstance(value, str):
        return rule.form.repair(value) or rule.default
    said = value.get("text") if isinstance(value, dict) and rule.kind == "text" else None
    if isinstance(said, str) and not _problem(said, rule):
        return said
    return rule.default


def unfitted(value: Json, rule: Rule) -> Json:
    """The value before it was fitted; a default that had to be there is not."""
    if isinstance(value, list) and rule.kind == "list":
        return [unfitted(one, rule.of) for one in value]
    if not isinstance(value, dict) or rule.kind != "object":
        return value
    kept = _kept(value, rule)
    bare: dict[str, Json] = {}
    for key, member in value.items():
        known = rule.fields.get(key)
        if known is None or key in kept:
            bare[key] = kept.get(key, member)
        elif key not in rule.required or not _goes_without_saying(member, known):
            bare[key] = unfitted(member, known)
    return {key: member for key, member in {**bare, **kept}.items() if key != MARK}


def settled(value: Json, rule: Rule) -> Json:
    """The value without the remembered members that somebody has changed since."""
    if isinstance(value, list) and rule.kind == "list":
        return [settled(one, rule.of) for one in value]
    if not isinstance(value, dict) or rule.kind != "object":
        return value
    kept = _kept(value, rule)
    bare = {key: member for key, member in value.items() if key != MARK}
    made = {
        key: settled(member, rule.fields[key]) if key in rule.fields else member
        for key, member in bare.items()
    }
    return {**made, MARK: kept} if kept else made


def _fitted_object(value: dict[str, Json], rule: Rule) -> dict[str, Json]:
    if rule.kind == "map":
        return {key: fitted(member, rule.of) for key, member in value.items()}
    made: dict[str, Json] = {}
    kept: dict[str, Json] = {}
    for key, member in value.items():
        known = rule.fields.get(key)
        if known is None:
            made[key] = member
            continue
        new = _fitted_member(member, rule, key)
        if new is not ABSENT:
            made[key] = new
        if _is_lossy(member, new, known):
            kept[key] = member
    missing = {key: fitted(ABSENT, rule.fields[key]) for key in rule.required if key not in made}
    made = {**{key: {**made, **missing}[key] for key in rule.required}, **made}
    return {**made, MARK: kept} if kept else made


def _fitted_member(member: Json, rule: Rule, key: str) -> Json:
    """One member; ABSENT when it cannot be carried and need not be there."""
    known = rule.fields[key]
    new = fitted(member, known)
    needless = key not in rule.required and same(new, known.default)
    return ABSENT if needless and _problem(member, known) else new


def _is_lossy(member: Json, new: Json, rule: Rule) -> bool:
    return new is ABSENT or not same(unfitted(new, rule), unfitted(member, rule))


def _kept(value: dict[str, Json], rule: Rule) -> dict[str, Json]:
    """What was kept beside the members of an object, as far as it still stands for them."""
    beside = value.get(MARK)
    kept: dict[str, Json] = {}
    for key, member in beside.items() if isinstance(beside, dict) else ():
        if key in rule.fields:
            new = _fitted_member(member, rule, key)
            still = same(new, value.get(key, ABSENT))
            if still and _is_lossy(member, new, rule.fields[key]):
                kept[key] = member
    return kept


def _goes_without_saying(member: Json, rule: Rule) -> bool:
    if isinstance(member, dict) and rule.kind == "object":
        return not unfitted(member, rule)
    return same(member, rule.default)


def _problem(value: Json, rule: Rule) -> tuple[str, str] | None:
    """What is wrong with a value, apart from what is wrong inside it."""
    if value is None and rule.null:
        return None
    types, name = _KINDS[rule.kind]
    fraction = rule.kind == "integer" and isinstance(value, float) and not value.is_integer()
    flag = isinstance(value, bool) and rule.kind != "flag"
    if not isinstance(value, types) or fraction or flag:
        return "wrong-type", f"must be {name}"
    if isinstance(value, str):
        return _text_problem(value, rule)
    if isinstance(value, int | float) and rule.least is not None and value < rule.least:
        return "out-of-range", f"must be {rule.least} or more"
    if isinstance(value, list) and rule.most and len(value) > rule.most:
        return "out-of-range", f"must have {rule.most} elements at most"
    return None


def _text_problem(value: str, rule: Rule) -> tuple[str, str] | None:
    if rule.words and value not in rule.words:
        return "wrong-word", f'must be one of {"|".join(rule.words)} (got "{value}")'
    if rule.form and not rule.form.has(value):
        return "wrong-form", f"must be {rule.form.means}"
    return BAD_TIME if rule.kind == "time" and instant(value) is None else None
