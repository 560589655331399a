"""A repository asked within a time budget: where it stands, what landed, what came after what."""

from __future__ import annotations

from time import monotonic

from leftoff.core.facts import Repository
from leftoff.core.paths import is_checkpoint_path
from leftoff.core.work_references import is_version, version_of
from leftoff.errors import GitError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import git, history, refs
from leftoff.world.place import prefix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from leftoff.core.stream import Glance
    from leftoff.world.history import Commit, History
    from leftoff.world.refs import Refs
    from leftoff.world.store import Store

QUESTIONS = 20
"""How often one command starts git for single commits and branches."""


class Git:
    """A repository that is asked within one time budget; what it could not say is noted."""

    def __init__(self, store: Store, env: Mapping[str, str], budget: float) -> None:
        self.store, self.env = store, env
        self._deadline = monotonic() + budget
        self._questions = 0
        self.degraded = ""

    def left(self) -> float:
        """The seconds that are left of the budget."""
        return max(0.05, self._deadline - monotonic())

    def ask(self, *words: str) -> tuple[int, str] | None:
        """Git's exit code and answer; None when there is no time for it."""
        self._questions += 1
        if self._questions > QUESTIONS or monotonic() > self._deadline:
            self.degraded = self.degraded or "there was no time to ask git about everything"
            return None
        try:
            return git.ask(self.store.root, *words, env=self.env, patience=self.left())
        except GitError as error:
            self.degraded = error.message
            return None

    def history(self, found: Refs) -> History | None:
        """The recent history; None when git did not tell it in time."""
        try:
            return history.read(self.store.state, self.store.place, found, self.env, self.left())
        except GitError as error:
            self.degraded = error.message
            return None


class Known(Record):
    """The refs and the history of a repository, looked at once."""

    refs: Refs
    commits: tuple[Commit, ...]
    older: tuple[Commit, ...]
    landed: frozenset[str]
    by_sha: Mapping[str, Commit]


def known_of(asked: Git) -> Known | None:
    """The refs and history; None without git or before the first commit."""
    place = asked.store.place
    if not place.git:
        return None
    try:
        found = refs.read(place, asked.env)
    except GitError as error:
        asked.degraded = error.message
        return None
    if not found.head:
        return None
    past = asked.history(found)
    if past is None:
        return Known(found, (), (), frozenset(), {})
    by_sha = {commit.sha: commit for commit in past.commits}
    return Known(found, past.commits, past.documents, past.landed, by_sha)


def what_landed(known: Known, streams: Sequence[Glance]) -> Repository:
    """Where the repository stands and what is in it: all that ranking needs."""
    found = known.refs
    return Repository(
        head=found.head,
        branch=found.branch,
        versions=_versions(found, streams),
        landed=known.landed,
        shallow=found.shallow,
        unheard=_unheard(known),
    )


def _unheard(known: Known) -> str:
    if not known.commits:
        return "git did not return its history in time"
    if known.refs.shallow:
        return "this is a shallow clone, which lacks most of the history"
    if len(known.commits) >= history.DEPTH:
        return f"it is not among the last {history.DEPTH} commits; older ones were not looked at"
    return ""


def repository(asked: Git, known: Known, streams: Sequence[Glance]) -> Repository:
    """What git says about everything in these streams that it can speak to."""
    tips, here = known.refs.branches(), known.refs.branch
    named = {s.branch for s in streams if s.branch in tips}
    pairs = {(s.branch, s.commit) for s in streams if s.commit and s.branch in tips}
    # How the tests stood is a matter of the branch one is on, whatever the checkpoint says.
    pairs |= {(here, s.commit) for s in streams if s.commit and s.tests and here}
    later = dict(_later(asked, known, tips, pairs))
    return what_landed(known, streams)._replace(
        branches=tips,
        merged=_merged(known, {name: tips[name] for name in named}),
        reachable=dict(_reachable(asked, known, {s.commit for s in streams if s.commit})),
        since={pair: len(some.files) if some.leads else -1 for pair, some in later.items()},
        held=_held(later, prefix(asked.store.root)),
    )


def _versions(found: Refs, streams: Iterable[Glance]) -> frozenset[str]:
    named = any(is_version(t) for s in streams for tokens in s.tokens for t in tokens)
    return frozenset(filter(None, map(version_of, found.tags()))) if named else frozenset()


def _merged(known: Known, tips: Mapping[str, str]) -> frozenset[str]:
    """Branches that a merge brought in: a new one without commits is on HEAD's own line."""
    own = history.line(known.commits)
    return frozenset(
        name
        for name, tip in tips.items()
        if name != known.refs.branch and tip in known.by_sha and tip not in own
    )


def _reachable(
    asked: Git, known: Known, commits: Iterable[str]
) -> Iterable[tuple[str, bool | None]]:
    for sha in commits:
        if _full(known, sha):
            yield sha, True
            continue
        if not known.commits:
            continue  # a git that tells no history cannot tell what is not in it either
        answer = asked.ask("merge-base", "--is-ancestor", sha, "HEAD")
        if answer:
            yield sha, {0: True, 1: False}.get(answer[0])


def _full(known: Known, sha: str) -> str:
    """The full name of a commit of the history, from its beginning."""
    if sha in known.by_sha:
        return sha
    return next((name for name in known.by_sha if name.startswith(sha)), "")


class _Later(Record):
    """The commits after another one that touch more than checkpoints: the files of each."""

    files: Sequence[Sequence[str]] = ()
    leads: bool = True
    """whether the branch leads back to that commit"""


def _later(
    asked: Git, known: Known, tips: Mapping[str, str], pairs: Iterable[tuple[str, str]]
) -> Iterator[tuple[tuple[str, str], _Later]]:
    for name, sha in pairs:
        tip = tips.get(name, known.refs.head)
        after = _after(known, tip, _full(known, sha)) or _ask_after(asked, tip, sha)
        if after:
            yield (name, sha), after


def _after(known: Known, tip: str, sha: str) -> _Later | None:
    """By the history; None for what it does not reach."""
    if tip.startswith(sha) and sha:
        return _Later()
    if not sha or tip not in known.by_sha:
        return None
    before, after = _ancestors(known, sha), _ancestors(known, tip)
    if sha not in after:
        return _Later(leads=False)
    changed = (known.by_sha[commit].paths for commit in after - before)
    return _Later([paths for paths in changed if _touches_code(paths)])


def _held(later: Mapping[tuple[str, str], _Later], below: str) -> dict[tuple[str, str, str], int]:
    """How many of these commits hold each document; git names it from the top."""
    found: dict[tuple[str, str, str], int] = {}
    for (name, sha), one in later.items():
        for path in (path for paths in one.files for path in paths if is_checkpoint_path(path)):
            key = name, sha, path.removeprefix(below)
            found[key] = found.get(key, 0) + 1
    return found


def _ancestors(known: Known, tip: str) -> set[str]:
    found, todo = set(), [tip]
    while todo:
        sha = todo.pop()
        if sha not in found and sha in known.by_sha:
            found.add(sha)
            todo += known.by_sha[sha].parents
    return found


def _touches_code(paths: Iterable[str]) -> bool:
    return any(not is_checkpoint_path(path) for path in paths)


def _ask_after(asked: Git, tip: str, sha: str) -> _Later | None:
    """From git, for a branch or a commit that the history does not reach."""
    leads = asked.ask("merge-base", "--is-ancestor", sha, tip)
    if not leads or leads[0] > 1:
        return None
    if leads[0]:
        return _Later(leads=False)
    answer = asked.ask(*git.LOG, "--format=%x01", "-n1000", f"{sha}..{tip}", "--")
    if not answer or answer[0]:
        return None
    groups = ([*filter(None, group.split("\n"))] for group in answer[1].split("\x01")[1:])
    return _Later([paths for paths in groups if _touches_code(paths)])
