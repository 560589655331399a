"""Generated JSON values, the many ways to write one down, edits of one, and checkpoints."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from leftoff.core.model import STATUSES, Checkpoint, Item
from leftoff.errors import FormatError
from leftoff.formats._json_text import dumps

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.sampled_from([0, 1, 0.0, 1.0, True, False, 1e300, 1e-7, -0.5])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["", "a", "b", '"', "\\", "//", "/* x */", ",", "\u2028", "😀", "é", "a\nb"])
)
KEYS = st.sampled_from(["a", "b", "id", "text", "ключ", "", 'q"', "//"]) | st.text(max_size=3)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=14,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=3)
WORDS = st.sampled_from(["", "a", "b c", "é😀", "x"]) | st.text(max_size=6)
BLANKS = st.sampled_from(["", " ", "  ", "\t", "\n", "\r\n", "\n\n    ", "\n  "])
COMMENTS = st.sampled_from(
    [" // note, }\n", "/* a\n b */", "//\r\n", " /* [ */ ", "", "", "", "\n"]
)


@st.composite
def texts(draw, value, *, jsonc=False):
    """Some text that says the value."""

    def space():
        return draw(COMMENTS) if jsonc and draw(st.booleans()) else draw(BLANKS)

    def quoted(text):
        return json.dumps(text, ensure_ascii=draw(st.booleans()))

    def written(value):
        if isinstance(value, dict):
            pairs = ((quoted(key), written(member)) for key, member in value.items())
            parts = [f"{space()}{key}{space()}:{space()}{member}{space()}" for key, member in pairs]
        elif isinstance(value, list):
            parts = [f"{space()}{written(element)}{space()}" for element in value]
        else:
            return quoted(value)
        extra = "," + space() if jsonc and parts and draw(st.booleans()) else ""
        opener, closer = "{}" if isinstance(value, dict) else "[]"
        return opener + (",".join(parts) + extra if parts else space()) + closer

    bom = draw(st.sampled_from(["", "", "\ufeff"]))
    return bom + space() + written(value) + space()


@st.composite
def edits(draw, value):
    """The value with some parts changed, added, taken out or moved."""
    if isinstance(value, dict) and value and draw(st.integers(0, 3)):
        kept = {key: member for key, member in value.items() if draw(st.integers(0, 4))}
        if kept and draw(st.booleans()):
            key = draw(st.sampled_from(sorted(kept)))
            kept[key] = draw(edits(kept[key]))
        return {**kept, **draw(st.dictionaries(KEYS, VALUES, max_size=2))}
    if isinstance(value, list) and value and draw(st.integers(0, 3)):
        kept = [one for one in value if draw(st.integers(0, 4))]
        kept = [one if draw(st.integers(0, 4)) else draw(edits(one)) for one in kept]
        at = draw(st.integers(0, len(kept)))
        return kept[:at] + draw(st.lists(VALUES, max_size=2)) + kept[at:]
    return draw(VALUES)


def items(attrs=OBJECTS):
    """Items, most of them plain."""
    some = st.just({}) | attrs
    return st.lists(st.builds(Item, WORDS, st.just("") | WORDS, some), max_size=3).map(tuple)


def checkpoints(*, item_attrs=OBJECTS, extra=OBJECTS):
    """Any checkpoint at all; every field may say something."""
    lists, mappings = items(item_attrs), st.just({}) | extra
    fields = {
        name: lists if value == () else mappings if value == {} else WORDS
        for name, value in Checkpoint("")._asdict().items()
    }
    fields["status"] = st.sampled_from(STATUSES)
    fields["word"] = st.sampled_from(["", "in_progress", "complete", "current", "odd"])
    said = st.fixed_dictionaries({"id": fields.pop("id")}, optional=fields)
    return said.map(lambda some: Checkpoint(**some))


def documents(known, odd=VALUES):
    """Objects with the known keys, some of them said properly, some oddly, and with others."""
    proper = st.fixed_dictionaries({}, optional=known)
    strange = st.dictionaries(st.sampled_from(sorted(known)) | KEYS, odd, max_size=3)
    return st.builds(lambda one, other: {**one, **other}, proper, st.just({}) | strange)


def changes_of(one, other):
    """A checkpoint with some fields of another one."""
    names = st.sets(st.sampled_from(Checkpoint._fields), max_size=4)
    return names.map(lambda some: one._replace(**{name: getattr(other, name) for name in some}))


def obeys(lens, text, path, c):
    """The laws of a lens, for one text and one checkpoint."""
    held = lens.hold(c)
    read = lens.read(text, path)
    assert_same(lens.hold(held), held, "hold is idempotent")
    assert_same(lens.hold(read), read, "what is read can be held")
    assert lens.write(read, text, path) == text, "GetPut"
    assert_same(lens.read(lens.write(c, text, path), path), held, "PutGet")
    assert_same(lens.read(lens.write(c, "", path), path), held, "Create")


def assert_same(one, other, law):
    """Equal field by field, so that a failure names the field."""
    for name, mine, wanted in zip(Checkpoint._fields, one, other, strict=True):
        assert mine == wanted, f"{law}: {name}"


def keeps_the_unknown(lens, one, other, path):
    """Keys beyond the model are still there after any change."""
    c = lens.read(dumps(one), path)
    changed = lens.read(dumps(other), path)._replace(extra=c.extra)
    whole = json.loads(lens.write(changed, dumps(one), path))
    for key in one.keys() - set(lens.KNOWN):
        assert whole[key] == one[key]


def survives(lens, text, path):
    """Total: a checkpoint or a FormatError, and findings in any case."""
    found = lens.check(text, path)
    lens.mine(text, path)
    error = failure(lens.read, text, path)
    if error:
        assert [(one.level, one.line) for one in found] == [("error", error.line)]


def failure(function, *given):
    """The FormatError of a call, or nothing."""
    try:
        function(*given)
    except FormatError as error:
        return error
    return None
