"""Finds the stream that a person means by NAME: an id, skill, thread, file name or unique prefix.

`FORMAT:NAME` picks one where two formats use the same name.
"""

from __future__ import annotations

from leftoff.core.ids import check_name, is_name
from leftoff.core.model import ARCHIVED
from leftoff.errors import Ambiguous, FormatError, NotFound, Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from leftoff.core.stream import Glance, Stream


def find(streams: Sequence[Stream], name: str, *, exact: bool = False) -> Stream:
    """The one stream that goes by the name; NotFound with a suggestion, Ambiguous with the list.

    With `exact` neither a prefix nor a suggestion counts: for commands that put things aside.
    """
    here = [stream for stream in streams if stream.glance.path == name]
    if here:
        return here[0]
    asked, every = name, streams
    fits = _titled(streams, name, exact=exact)
    if not fits:
        kind, _, name = name.rpartition(":")
        check_name(name, "checkpoint name")
        if kind:
            streams = [stream for stream in streams if stream.glance.format == kind]
        fits = _exact(streams, name)
    if not fits and not exact:
        fits = _beginning(streams, name)
    # an archived namesake gives way to the one that is worked on
    fits = [fit for fit in fits if fit.glance.status != ARCHIVED] or fits
    if len(fits) == 1:
        return fits[0]
    if fits:
        choices = tuple(fit.glance.full_name for fit in fits)
        if len(set(choices)) < len(choices):
            choices = tuple(fit.glance.path for fit in fits)
        raise Ambiguous(
            f'"{asked}" matches {len(fits)} checkpoints: {", ".join(_label(fit) for fit in fits)}',
            hint=f'say which, for example "{choices[0]}"',
            choices=choices,
        )
    full = [stream.glance.full_name for stream in every] if name != asked else []
    meant = "" if exact else _meant(streams, name) or did_you_mean(asked, full)
    if exact and _beginning(streams, name):
        meant = 'give its whole name: "leftoff list" shows all'
    raise NotFound(
        f'there is no checkpoint "{asked}" here',
        hint=meant or 'run "leftoff list" to see all',
    )


def readable(stream: Stream) -> Stream:
    """The stream, unless nobody may open its file: a link to elsewhere, a folder."""
    if not stream.parts:
        raise FormatError(stream.glance.broken, where=stream.glance.path)
    return stream


def still_open(stream: Stream) -> Stream:
    """The stream, unless it is archived: what is put there now, nobody would come across."""
    name = readable(stream).glance.id
    if stream.glance.status == ARCHIVED:
        hint = f'continue from it: "leftoff fork {name} NEWNAME"'
        raise Usage(f"{name} is archived; nothing was changed", hint=hint)
    return stream


def _titled(streams: Sequence[Stream], name: str, *, exact: bool) -> list[Stream]:
    """Who has this title, where it is more than a name can be: two words, say."""
    if not name or is_name(name):
        return []
    fits = [stream for stream in streams if stream.glance.name == name]
    return fits if fits or exact else _beginning(streams, name)


def _beginning(streams: Sequence[Stream], start: str) -> list[Stream]:
    """Whose name begins so; in any case of its letters, where none does as they are."""
    folded = start.casefold()
    return [s for s in streams if any(n.startswith(start) for n in names(s))] or [
        s for s in streams if any(n.casefold().startswith(folded) for n in names(s))
    ]


def _meant(streams: Sequence[Stream], name: str) -> str:
    """A hint at the title that the word is a part of, or at an id or title close to it."""
    titles = [stream.glance.name for stream in streams]
    folded = name.casefold()
    inside = next((title for title in titles if folded in title.casefold().split()), "")
    ids = [stream.glance.id for stream in streams]
    return did_you_mean(inside or name, [*ids, *titles])


def _exact(streams: Sequence[Stream], name: str) -> list[Stream]:
    """Who is called exactly that; an id counts before a file's name, that before a title."""
    for kind in range(4):
        fits = [stream for stream in streams if names(stream)[kind] == name]
        if fits:
            return fits
    return []


def names(stream: Stream) -> tuple[str, ...]:
    """What a stream may be called: its id, its file's stem, its title, its id without `chk-`."""
    file = stream.glance.path.rpartition("/")[2]
    stem = next((file.removesuffix(end) for end in ENDINGS if file.endswith(end)), file)
    short = stream.glance.id.removeprefix("chk-")
    return (stream.glance.id, stem, stream.glance.name, short)


def name_of(one: Glance, shared: Container[str] = ()) -> str:
    """What to call a stream in a command that somebody may run: its id is a stranger's text.

    A name that is `shared` with another stream says the format too, else it is the path.
    """
    if one.full_name in shared and all(map(is_name, one.path.removeprefix(".").split("/"))):
        return one.path
    file = one.path.rpartition("/")[2]
    name = next((name for name in (one.id, file.partition(".")[0]) if is_name(name)), "NAME")
    return f"{one.format}:{name}" if name in shared else name


def called(streams: Sequence[Stream], path: str) -> str:
    """What to call the document at a path in a command; "" where no stream is there."""
    one = next((one.glance for one in streams if one.glance.path == path), None)
    return name_of(one, shared_ids(streams)) if one else ""


def shared_ids(streams: Sequence[Stream]) -> frozenset[str]:
    """What names more than one stream, with its format or without: a command has to say which."""
    from itertools import pairwise  # only who names a stream in a hint asks

    ids = [stream.glance.id for stream in streams]
    called = sorted((*ids, *(stream.glance.full_name for stream in streams)))
    return frozenset(one for one, other in pairwise(called) if one == other)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the closest known word, or nothing."""
    close = closest(word, known)
    return f'did you mean "{close}"?' if close else ""


def closest(word: str, known: Iterable[str]) -> str:
    """The known word that somebody may have meant; empty for none."""
    from difflib import get_close_matches  # only on the way to an error

    named = {one.lstrip("-"): one for one in known}  # the dashes of options would make all alike
    close = get_close_matches(word.lstrip("-"), named)
    return named[close[0]] if close else ""


ENDINGS = (".checkpoint.json", ".json", ".md")


def _label(stream: Stream) -> str:
    return f"{stream.glance.id} ({stream.glance.path})"
