"""The words of made-up work, for `resume_works.py`: statements, a session's facts, its summary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from leftoff.core.quality import COMMAND, FILE, LANDED, PATH, Fact, Facts
from leftoff.core.token_estimate import estimate

AREAS = (
    *("ledger", "invoice", "courier", "catalog", "voucher", "refund", "shipment", "tariff"),
    *("session", "avatar", "webhook", "mailer", "sitemap", "quota", "tenant", "replica"),
)
DECIDED = (
    "The {a} keeps amounts as integers in cents, never as floats",
    "Retries of the {a} stop after five tries with doubled delays",
    "The {a} writes to its own table so that {b} can be rebuilt alone",
    "We talk to the {a} over gRPC, since the REST gateway drops trailers",
    "Deleting a {a} only marks it; a nightly job removes it after 90 days",
    "The {a} takes its limits from the {b} settings, not from the environment",
    "Every {a} gets a UUIDv7 as its key, so that pages sort by time",
    "The {a} importer stays synchronous until the {b} queue is replaced",
)
STEPS = (
    "Write the migration that moves every {a} to the new {b} schema",
    "Make the {a} endpoint answer 409 when two writers meet",
    "Cover the {a} parser with the samples that support sent",
    "Let the {a} page show why a {b} was refused",
    "Take the old {a} client out once nothing imports it",
)
RULES = (
    "Ask before a new dependency enters the {a} package",
    "Commit messages of the {a} name the ticket",
    "No mocks of the {a} in tests: run the real one",
)
REASONS = (
    "the {a} report of last week showed what the {b} costs otherwise",
    "the review of the {a} asked for it and nobody had a better idea for the {b}",
    "support has three tickets about the {a} that all end at the {b}",
    "the load test of the {a} fell over at 400 requests while the {b} was idle",
)
NOTES = (
    "Moved the {a} tests beside the code they test, and made the slow ones share one {b} fixture",
    "Read through the {a} logs of last week: nothing but the {b} warnings that are known already",
    "Split the {a} module in two after the review of the {b} change, with no change of behaviour",
    "Measured the {a} import again: 14 s before, 9 s with the {b} index, 9 s with both indexes",
)
PARTS = ("store", "views")
SETTLED = ("Let us decide: {}.", "Please do it so: {}.", "We go with this: {}.")
"""How people settle things while they ask; by the second nothing tells that it is a decision."""


class Words:
    """Sentences about the areas of a shop; none of them twice."""

    def __init__(self, random: Random, areas: Sequence[str] = AREAS) -> None:
        self.random = random
        self.areas = random.sample(areas, len(areas))
        self._said: set[str] = set()

    def one(self, forms: tuple[str, ...]) -> str:
        while True:
            a, b = self.random.sample(self.areas, 2)
            text = self.random.choice(forms).format(a=a, b=b)
            if text not in self._said:
                self._said.add(text)
                return text

    def some(self, forms: tuple[str, ...], count: int, tokens: int) -> list[str]:
        """Statements of about so many tokens: what was said, and then why."""
        return [self._reasoned(self.one(forms), tokens) for _ in range(count)]

    def _reasoned(self, text: str, tokens: int) -> str:
        while estimate(text) + 8 < tokens:
            a, b = self.random.sample(self.areas, 2)
            text += f", because {self.random.choice(REASONS).format(a=a, b=b)}"
        return text

    def notes(self, tokens: int) -> str:
        """An account of so many tokens."""
        text = ""
        while estimate(text) < tokens:
            a, b = self.random.sample(self.areas, 2)
            text += f"{self.random.choice(NOTES).format(a=a, b=b)}. "
        return text.strip()


class Talk(NamedTuple):
    """What a session must leave to the next one."""

    intent: str
    decided: list[str]
    edited: list[str]
    failed: list[str]
    todos: list[str]
    done: list[str]
    commits: list[str]

    def facts(self, gone: str) -> Facts:
        """A file that has gone since is none, and must not pass for there."""
        kinds = {
            "intent": [self.intent],
            "decision": self.decided,
            FILE: [path for path in self.edited if path != gone],
            COMMAND: self.failed,
            "step": self.todos,
            LANDED: [*self.done, *self.commits],
        }
        musts = (Fact(kind, one) for kind, some in kinds.items() for one in some)
        return Facts(tuple(musts), (Fact(PATH, gone),))


SNIPPET = """     ```python
     def load_{0}(store, key, *, limit=50):
         rows = store.select("{0}", key=key, limit=limit)
         if not rows:
             raise Missing("{0}", key)
         return [{1}(row) for row in rows]
     ```
"""


def summary(talk: Talk, areas: list[str], words: Words, asked: Iterable[str]) -> str:
    """A compaction's summary that forgot nothing, in the nine sections that Claude Code asks for.

    Four real ones, without their analysis, which the client takes out, had about 1,300 to 3,500
    tokens (median 1,800). Of these the sections took, in their order, about 6, 7, 40 (files with
    their code), 13, 7, 12, 4, 7 and 5 of a hundred. What the person settled stands in the first
    section already, though real ones have it in the sixth alone as often.
    """
    files = "".join(
        f"   - `{path}`\n     - Edited: the error is handed on, not swallowed, as views do it\n"
        + SNIPPET.format(area, area.title())
        for path, area in zip(talk.edited, areas[5:], strict=False)
    )
    sections = {
        "Primary Request and Intent": _listed([talk.intent, *talk.decided]),
        "Key Technical Concepts": _listed(
            f"How the {one} hands errors to the checkout" for one in areas[:9]
        ),
        "Files and Code Sections": files,
        "Errors and fixes": _listed(
            f"`{one}` failed and is not repaired: {words.notes(60)}" for one in talk.failed
        ),
        "Problem Solving": _listed([*talk.commits, *talk.done]) + f"   {words.notes(60)}\n",
        "All user messages": _listed(
            [*asked, *(f"go on with the {one}, please" for one in areas[:9])]
        ),
        "Pending Tasks": _listed(talk.todos),
        "Current Work": f"   {words.notes(130)}\n",
        "Optional Next Step": f"   {talk.todos[0]}. {words.notes(70)}\n",
    }
    told = "\n".join(f"{n}. {name}:\n{text}" for n, (name, text) in enumerate(sections.items(), 1))
    return (
        "This session is being continued from a previous conversation that ran out of context. "
        f"The summary below covers the earlier portion of the conversation.\n\nSummary:\n{told}"
    )


def _listed(texts: Iterable[str]) -> str:
    return "".join(f"   - {text}\n" for text in texts)
