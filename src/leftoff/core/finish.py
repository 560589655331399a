"""Completing an action: which one is meant, and what the checkpoint is afterwards."""

from __future__ import annotations

from leftoff.core.model import COMPLETE, Checkpoint, Item, open_actions
from leftoff.errors import NotFound

RECENT = 10  # seed A: recently_done keeps the last ten


def choose(c: Checkpoint, which: str) -> Item:
    """The open action with that number (as status numbers them), id or text; the first without."""
    actions = open_actions(c)
    if not actions:
        raise NotFound(f"{c.id} has no open action", hint="add one with --next_actions+=TEXT")
    if not which:
        return actions[0]
    if which.isdecimal() and 1 <= int(which) <= len(actions):
        return actions[int(which) - 1]
    exact = [item for item in actions if which in (item.id, item.text)]
    fits = exact or [item for item in actions if item.text.startswith(which)]
    if len(fits) != 1:
        raise NotFound(
            f'{len(fits) or "no"} open action(s) of {c.id} fit "{which}"',
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


def ticked(item: Item) -> Item:
    """The action ticked off, as threads do it."""
    return item._replace(attrs={**item.attrs, "done": "x"})


def replace(c: Checkpoint, item: Item, done: Item) -> Checkpoint:
    """Another item in the place of the action."""
    return c._replace(next_actions=_swap(c.next_actions, item, (done,)))


def move(c: Checkpoint, item: Item, done: Item) -> Checkpoint:
    """The action moved from the queue to the history."""
    return c._replace(
        next_actions=_swap(c.next_actions, item, ()), history=(*c.history, done)[-RECENT:]
    )


def move_all(c: Checkpoint, item: Item, done: Item) -> Checkpoint:
    """The same, where the format keeps its whole history."""
    return c._replace(next_actions=_swap(c.next_actions, item, ()), history=(*c.history, done))


def complete(c: Checkpoint) -> Checkpoint:
    """Nothing is left to do."""
    return c._replace(status=COMPLETE, word="")


def _swap(items: tuple[Item, ...], old: Item, new: tuple[Item, ...]) -> tuple[Item, ...]:
    at = next(at for at, item in enumerate(items) if item is old or item == old)
    return (*items[:at], *new, *items[at + 1 :])
