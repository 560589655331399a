"""Completes an action: which one is meant, and what the checkpoint is afterwards."""

from __future__ import annotations

from leftoff.core.model import COMPLETE, Checkpoint, Item, open_actions
from leftoff.core.texts import number
from leftoff.errors import NotFound
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.core.model import Json

RECENT = 10  # seed A: recently_done keeps the last ten


class Ending(Record):
    """What a format does with an action that is done, and with work that is.

    keeps:     ticked (where it stands), recent (with its attributes, the last ten), told (its
               words, in a history without end), story (the same as a step of the play-by-play)
    completes: status (it says so), archive (it is archived), "" (it has no such state)
    goes_on:   whether work in progress must always say what comes next
    """

    keeps: str
    completes: str = ""
    goes_on: bool = False


def choose(c: Checkpoint, which: str) -> Item:
    """The open action with that number (as status numbers them), id or text; the first without."""
    actions = open_actions(c)
    if not actions:
        raise NotFound(
            f"{c.id} has no open action",
            hint=f"add one: leftoff update {c.id} --next_actions+=TEXT",
        )
    if not which:
        return actions[0]
    if 1 <= number(which) <= len(actions):
        return actions[number(which) - 1]
    exact = [item for item in actions if which in (item.id, item.text)]
    fits = exact or [item for item in actions if item.text.startswith(which)]
    if len(fits) != 1:
        none = f'no open action of {c.id} matches "{which}"'
        raise NotFound(
            f'{len(fits)} open actions of {c.id} match "{which}"' if fits else none,
            hint=f"give a number from 1 to {len(actions)}, an id, or the beginning of the text",
        )
    return fits[0]


def same(c: Checkpoint, action: Item) -> Item:
    """That very action in another reading of the document; NotFound when somebody completed it."""
    if action not in open_actions(c):
        raise NotFound(f'{c.id} no longer has the action "{action.text}"', hint="look again")
    return action


def told(action: Item) -> str:
    """An action in words, with what stood beside it, for a history that keeps only texts."""
    beside = [f"{name}: {value}" for name, value in action.attrs.items() if value]
    return f"{action.text} ({', '.join(beside)})" if beside else action.text


def closed(c: Checkpoint, action: Item, ending: Ending, attested: Mapping[str, Json]) -> Item:
    """The action as it stands in the document once it is done; `attested` where there is room."""
    if ending.keeps == "ticked":
        return action._replace(attrs={**action.attrs, "done": "x"})
    if ending.keeps == "recent":
        return Item(action.text, attrs={**action.attrs, **attested})
    if ending.keeps == "story":
        return Item(f"{c.stage or 'Next action'} → {told(action)} → done")
    return Item(told(action))


def finished(c: Checkpoint, action: Item, done: Item, ending: Ending) -> Checkpoint:
    """The checkpoint with the action closed: in its place, or out of the queue into the history."""
    if ending.keeps == "ticked":
        return c._replace(next_actions=_swap(c.next_actions, action, (done,)))
    history = (*c.history, done)
    kept = history[-RECENT:] if ending.keeps == "recent" else history
    return c._replace(next_actions=_swap(c.next_actions, action, ()), history=kept)


def complete(c: Checkpoint) -> Checkpoint:
    """Nothing is left to do."""
    return c._replace(status=COMPLETE, word="")


def _swap(items: tuple[Item, ...], old: Item, new: tuple[Item, ...]) -> tuple[Item, ...]:
    at = next(at for at, item in enumerate(items) if item is old or item == old)
    return (*items[:at], *new, *items[at + 1 :])
