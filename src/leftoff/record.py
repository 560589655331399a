"""`typing.NamedTuple` without `typing` or `collections`, which cost half a bare interpreter.

Every record of leftoff is one of these: an immutable tuple with named fields and defaults, made
without compiling code at import. Type checkers see the real `NamedTuple`.
"""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:
    try:
        from _collections import _tuplegetter
    except ImportError:  # not CPython
        from operator import itemgetter

        def _tuplegetter(at: int, _: str) -> property:
            return property(itemgetter(at))

    class _RecordType(type):
        """Turns an annotated class body into a tuple type with a getter for each field."""

        def __new__(cls, name: str, bases: tuple, body: dict) -> type:
            fields = body["_fields"] = tuple(body.get("__annotations__", ()))
            body["_defaults"] = tuple(body.pop(field) for field in fields if field in body)
            body["__slots__"] = ()
            body.update({field: _tuplegetter(at, "") for at, field in enumerate(fields)})
            return super().__new__(cls, name, bases, body)

    class Record(tuple, metaclass=_RecordType):  # noqa: SLOT001  # the metaclass adds them
        """The base that annotated records name."""

        def __new__(cls, *values: object, **named: object) -> "Record":  # noqa: PYI034
            missing = len(cls._fields) - len(values)
            if not named and 0 < missing <= len(cls._defaults):
                values += cls._defaults[-missing:]
            elif named or missing:
                values = _filled(cls, values, named)
            return tuple.__new__(cls, values)

        _make = classmethod(tuple.__new__)

        def _asdict(self) -> dict:
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **changes: object) -> "Record":
            kept = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"{type(self).__name__} has no field {', '.join(changes)}")
            return kept

        def __repr__(self) -> str:
            shown = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({shown})"

        def __getnewargs__(self) -> tuple:
            return tuple(self)

    def _filled(cls: type, values: tuple, named: dict) -> tuple:
        """The values in order: given by position or name, else by default."""
        left = cls._fields[len(values) :]
        known = dict(zip(reversed(cls._fields), reversed(cls._defaults), strict=False))
        known.update(named)
        if len(values) > len(cls._fields) or not known.keys() >= set(left) >= named.keys():
            shown = [*map(repr, values), *(f"{name}=" for name in named)]
            raise TypeError(f"{cls.__name__}({', '.join(shown)}) does not fit {cls._fields}")
        return values + tuple(map(known.__getitem__, left))


__all__ = ["TYPE_CHECKING", "Record"]
