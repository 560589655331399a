"""Every claim gets a verdict: what a checkpoint claims, and what git and the files say.

A checker is a function from a glance and the facts to verdicts; `CHECKERS` lists them. None of
them reads anything: the facts were gathered before, once, for all of them.
"""

from __future__ import annotations

from leftoff.core.evidence import FAILED, FRESH, Grade, Tree, grade
from leftoff.core.model import ARCHIVED, TICKET_ROLES, Evidence
from leftoff.core.work_references import is_version
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from leftoff.core.facts import Facts, Repository
    from leftoff.core.stream import Glance

CONFIRMED, CONTRADICTED, UNKNOWN = WORDS = ("confirmed", "contradicted", "unknown")


class Verdict(Record):
    """A claim and what became of it. `about` is what was looked up: a path, a branch, a token."""

    kind: str
    where: str
    about: str
    word: str
    reason: str


def judge(stream: Glance, facts: Facts) -> list[Verdict]:
    """The verdicts on a stream's claims; a broken or archived one makes none to act on."""
    if not stream.readable or stream.status == ARCHIVED:
        return []
    return [verdict for check in CHECKERS for verdict in check(stream, facts)]


def fresh_actions(stream: Glance, facts: Facts) -> list[int]:
    """The places in `stream.actions` of those whose work has not landed yet."""
    gone = {verdict.where for verdict in landed(stream, facts) if verdict.word == CONTRADICTED}
    return [at for at in range(len(stream.actions)) if _action(at) not in gone]


def files(stream: Glance, facts: Facts) -> Iterator[Verdict]:
    """A file that is named is there, and is as it was when the checkpoint was written."""
    for path in stream.files:
        if path in facts.missing:
            yield Verdict("file", "artifacts", path, CONTRADICTED, "there is no such file")
            continue
        changed = facts.changed.get((stream.path, path))
        if changed:
            yield Verdict("file", "artifacts", path, UNKNOWN, "it changed after the checkpoint")
        else:
            same = "it is there" if changed is None else "it is as the checkpoint left it"
            yield Verdict("file", "artifacts", path, CONFIRMED, same)
    if stream.more_files:
        more = f"{stream.more_files} more"
        yield Verdict("file", "artifacts", more, UNKNOWN, "too many to check them all")


def branch(stream: Glance, facts: Facts) -> Iterator[Verdict]:
    """The branch exists, is not merged, and stands where the checkpoint left it."""
    name, git = stream.branch, facts.repository
    if not name:
        return
    if git.why:
        word, reason = UNKNOWN, git.why
    elif name in git.branches:
        word, reason = _existing_branch(stream, git)
    elif git.shallow:
        word, reason = UNKNOWN, "this is a shallow clone, which has few branches"
    else:
        word, reason = CONTRADICTED, "this branch no longer exists here"
    yield Verdict("branch", "branch", name, word, reason)


def _existing_branch(stream: Glance, git: Repository) -> tuple[str, str]:
    name, commit = stream.branch, stream.commit
    if name in git.merged:
        return CONTRADICTED, f"it is merged into {git.branch or 'HEAD'}"
    if not commit:
        return CONFIRMED, "it exists"
    after = git.since.get((name, commit))
    if after is None:
        return UNKNOWN, f"git could not say what came after {commit[:9]}"
    if after < 0:
        return CONTRADICTED, f"it moved: {commit[:9]} is not on it"
    return _moved(commit[:9], after, git.held.get((name, commit, stream.path), 0))


def _moved(commit: str, after: int, own: int) -> tuple[str, str]:
    """What was committed together with the checkpoint is what it tells of, and does not count."""
    if not after:
        return CONFIRMED, f"it is where the checkpoint left it ({commit})"
    if after == own:
        return CONFIRMED, f"what came after {commit} came with the checkpoint"
    came = "1 commit" if after - own == 1 else f"{after - own} commits"
    return CONTRADICTED, f"it moved: {came} came after {commit}"


def commit(stream: Glance, facts: Facts) -> Iterator[Verdict]:
    """The commit that the checkpoint stands on is in the history of HEAD."""
    sha, git = stream.commit, facts.repository
    if not sha:
        return
    here = git.reachable.get(sha)
    if here:
        word, reason = CONFIRMED, "it is in the history"
    elif git.why or sha not in git.reachable:
        word, reason = UNKNOWN, git.why or facts.degraded or "git could not say"
    elif here is None and git.shallow:
        word, reason = UNKNOWN, "this is a shallow clone, which may lack it"
    else:
        word = CONTRADICTED
        reason = "git does not have it" if here is None else "it is not in the history of HEAD"
    yield Verdict("commit", "commit", sha[:9], word, reason)


def landed(stream: Glance, facts: Facts) -> Iterator[Verdict]:
    """What an action is about has not landed yet; it has when every reference in it has."""
    git = facts.repository
    seen = git.landed | git.versions
    done = seen | set(stream.landed)
    for at, named in enumerate(stream.tokens):
        about = [token for token in named if facts.tickets.counts(token)]
        left = [token for token in about if token not in done]
        if about and not left:
            names = ", ".join(about)
            reason = f"{names} {'has' if len(about) == 1 else 'have'} already landed"
            if not seen.issuperset(about):
                reason = f"the checkpoint itself counts {names} as done"
            yield Verdict("action", _action(at), stream.actions[at], CONTRADICTED, reason)
        elif about and (git.why or (git.unheard and not all(map(is_version, left)))):
            reason = git.why or git.unheard
            yield Verdict("action", _action(at), stream.actions[at], UNKNOWN, reason)
        elif about:
            reason = f"{', '.join(left)} {'has' if len(left) == 1 else 'have'} not landed"
            yield Verdict("action", _action(at), stream.actions[at], CONFIRMED, reason)


def _action(at: int) -> str:
    return f"next_actions[{at}]"


def project_dir(stream: Glance, facts: Facts) -> Iterator[Verdict]:
    """Where the project lay; on another machine that says nothing about this one."""
    folder = stream.project_dir
    if folder:
        here = folder in facts.folders
        reason = "it is here" if here else "written on another machine, or the project moved"
        word = CONFIRMED if here else UNKNOWN
        yield Verdict("project_dir", "project_dir", folder, word, reason)


def tests(stream: Glance, facts: Facts) -> Iterator[Verdict]:
    """How the tests stood is news only while the code is the same."""
    if not stream.tests:
        return
    git, said = facts.repository, stream.tests.splitlines()[0]
    if git.why or not stream.commit:
        reason = git.why or "it names no commit"
        yield Verdict("tests", "tests", said, UNKNOWN, reason)
    elif git.head.startswith(stream.commit) or not git.since.get((git.branch, stream.commit), 1):
        yield Verdict("tests", "tests", said, CONFIRMED, "no code was committed since")
    else:
        reason = f"they are from {stream.commit[:9]}, which is older than HEAD ({git.head[:9]})"
        yield Verdict("tests", "tests", said, UNKNOWN, reason)


def done(stream: Glance, facts: Facts) -> Iterator[Verdict]:
    """What is called done was checked, and the files are still those that were checked."""
    local, tree = facts.evidence.get(stream.path, {}), facts.tree
    for key, text, command, own in stream.finished:
        known = Evidence._make(own) if own else local.get((key, command))
        if tree is None and not (known and known.exit_code):
            continue  # a glance at many streams does not look at the tree
        given = grade(known, command, *(tree or Tree()))
        yield _graded(text, given)
    listed = {key for key, *_ in stream.finished}
    for (key, command), known in local.items():
        # A Markdown history has no place for a command: what this machine recorded names the item.
        if tree is not None and key not in listed and not known.exit_code:
            yield _graded(key, grade(known, command, *tree))


def _graded(text: str, given: Grade) -> Verdict:
    word = {FRESH: CONFIRMED, FAILED: CONTRADICTED}.get(given.level, UNKNOWN)
    return Verdict("done", "history", text, word, f"evidence {given.level}: {given.reason}")


def parent(stream: Glance, facts: Facts) -> Iterator[Verdict]:
    """The stream that this one came from, or depends on, exists."""
    name = stream.parent
    if not name:
        return
    if name in facts.ids:
        yield Verdict("parent", "parent", name, CONFIRMED, "it exists")
    elif " " in name:  # seed A's depends_on is free text
        yield Verdict("parent", "parent", name, UNKNOWN, "it names no single checkpoint")
    else:
        yield Verdict("parent", "parent", name, CONTRADICTED, "there is no such checkpoint")


def refs(stream: Glance, _: Facts) -> Iterator[Verdict]:
    """A ticket has a name, and a role that means something."""
    for ticket, role in stream.refs:
        if not ticket:
            yield Verdict("ticket", "refs", role or "(none)", CONTRADICTED, "it has no id")
        elif role and role not in TICKET_ROLES:
            reason = f"its role is not one of {', '.join(TICKET_ROLES)}"
            yield Verdict("ticket", "refs", ticket, CONTRADICTED, reason)
        else:
            yield Verdict("ticket", "refs", ticket, CONFIRMED, "it is well-formed")


CHECKERS: tuple[Callable[[Glance, Facts], Iterator[Verdict]], ...] = (
    landed,
    files,
    branch,
    commit,
    tests,
    done,
    parent,
    refs,
    project_dir,
)
