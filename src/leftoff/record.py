"""`typing.NamedTuple` without importing `typing`, which costs more than half a bare interpreter.

Every record of leftoff is one of these. Type checkers see the real thing.
"""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:
    from collections import namedtuple

    class _RecordType(type):
        """Turns an annotated class body into a named tuple with its defaults and methods."""

        def __new__(cls, name: str, bases: tuple, body: dict) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = list(body.get("__annotations__", {}))
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])  # noqa: PYI024
            made.__annotations__ = body["__annotations__"]
            for key, value in body.items():
                if key not in {"__module__", "__qualname__", "__annotations__"}:
                    setattr(made, key, value)
            return made

    class Record(metaclass=_RecordType):
        """The base that annotated records name."""


__all__ = ["TYPE_CHECKING", "Record"]
