"""Trust as commands use it: may a command of a document run, and is one written here trusted."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.done_when import KIND, brought
from leftoff.core.model import Finding
from leftoff.errors import LeftoffError, Untrusted
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leftoff.core.model import Checkpoint, Json


def require(call: Call, command: str, path: str) -> None:
    """Untrusted unless exactly this text was approved for this repository on this machine."""
    from leftoff.world import trust

    names = trust.identities(call.store.place, call.env)
    if not trust.is_trusted_in(call.store.state, names, KIND, command):
        raise Untrusted(
            "the command that checks this action came with the repository, or was edited; "
            "nothing was run and nothing was changed",
            hint="a person has to approve the command on this machine first",
            where=path,
        )


def trust_written(
    call: Call, before: Checkpoint | None, after: Checkpoint, values: Iterable[Json]
) -> tuple[Finding, ...]:
    """Trust the commands that this very call wrote: those in `values` that are new in `after`.

    The document is written by then: where trust cannot be kept, that is a warning, no failure.
    """
    commands = brought(before, after, values)
    if not commands:
        return ()
    from leftoff.world import trust

    repository = trust.identity(call.store.place, call.env)
    try:
        for text in commands:
            subject = trust.Subject(KIND, repository, text)
            trust.grant(call.store.state, subject, call.now, trust.WRITTEN)
    except LeftoffError as error:
        return (Finding("untrusted", "warning", error.where, error.message, error.hint),)
    return ()
