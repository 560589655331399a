"""budget: how full the context of a session is, what that means, and what its thread has spent."""

from __future__ import annotations

from leftoff.commands import Call, _sessions
from leftoff.commands._options import number_option
from leftoff.commands._threads import settings_of
from leftoff.core import window as w
from leftoff.core.blocks import Block, Heading, Line, Table
from leftoff.core.forecast import pace, turns_left
from leftoff.core.recover import is_saved
from leftoff.core.result import Result
from leftoff.core.thread import HARD, SOFT, level_of, token_limit
from leftoff.core.when import stamp
from leftoff.record import TYPE_CHECKING
from leftoff.world import now_file
from leftoff.world.calling_session import calling
from leftoff.world.settings import window_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.session import Session
    from leftoff.core.window import Use

SUMMARY = "Show how full a session's context is, how many turns are left, and its thread's budget."
EXAMPLES = (
    "leftoff budget",
    "leftoff budget --forecast 10",
    "leftoff budget --session claude-code/5f0c",
    "leftoff update thread-1a2b3c4d --config.tokenBudgetSoft:json=2000000",
)
MOST_TURNS = 9999


def arguments(parser: Any) -> None:
    """Of which session, how far ahead."""
    parser.add_argument(
        "--forecast",
        metavar="N",
        help="also how full it will be in N turns, and whether to save first",
    )
    parser.add_argument("--session", metavar="ID", help="the session, if it is not the calling one")


def run(call: Call) -> Result:
    """Measured where the model's side says so; a guess is called one."""
    ahead = number_option("--forecast", call.args.forecast, least=1, most=MOST_TURNS)
    known = _sessions.exactly(call) or _sessions.gather(call)
    if not known and not call.args.session and not calling(call):
        return Result({"use": None})
    chosen = _sessions.choose(call, known)
    one, limits = _sessions.with_curve(call, chosen.session), call.settings.limits
    use = use_of(one, call)
    data: dict[str, Json] = {
        "why": chosen.why,
        "agent": one.agent,
        "id": one.id,
        "use": _use(use),
        "level": w.level(use.percent, limits),
        "thresholds": {"warn": limits["budget.warn"], "critical": limits["budget.critical"]},
        "forecast": _forecast(call, one, use, ahead),
        "thread": _thread(call, one, known),
        "curve": [{"at": stamp(at), "tokens": tokens} for at, tokens in one.stats.curve],
        "compactions": [
            {"at": stamp(each.at), "before": each.before, "after": each.after}
            for each in one.stats.compactions
        ],
    }
    return Result(data, _sessions.findings([one]))


def use_of(one: Session, call: Call) -> Use:
    """The last figure of journal or transcript, whichever is later; else by the bytes."""
    stats = one.stats
    told = next((e for e in reversed(one.events) if e.context), None)
    by_client = told is not None and (not stats.context or told.at > stats.last)
    context = told.context if told and by_client else stats.context
    if not context and one.size:
        return w.estimated(one.size)
    model = one.model or max(stats.models, key=lambda name: stats.models[name], default="")
    setting = window_of(call.settings, model)
    window = w.window_for(model, _told_window(one, call), setting, max(context, stats.peak))
    use = w.measured(context, window, told=by_client)
    return use if context else use._replace(method=w.NOTHING)


def _told_window(one: Session, call: Call) -> int:
    """The client's own figure: from its status line, its events, or its transcript."""
    seen = now_file.seen(call.store.state, one.agent, one.id)
    return (seen and seen.window) or one.window or one.stats.window


def _use(use: Use) -> dict[str, Json]:
    return {
        "tokens": use.tokens,
        "window": use.window.tokens,
        "window_source": use.window.source,
        "method": use.method,
        "percent": round(use.shown, 2),
        "raw_percent": round(use.percent, 2),
        "headroom": use.headroom,
    }


def _forecast(call: Call, one: Session, use: Use, ahead: int) -> Json:
    found, limits = pace(one), call.settings.limits
    if found is None or found.per_turn <= 0:
        return None
    critical = int(use.window.tokens * limits["budget.critical"] / 100)
    data: dict[str, Json] = {
        "tokens_per_turn": int(found.per_turn),
        "method": found.method,
        "turns_left": turns_left(use.headroom, found.per_turn),
        "turns_to_critical": turns_left(max(0, critical - use.tokens), found.per_turn),
    }
    if ahead:
        then = use._replace(tokens=use.tokens + int(found.per_turn * ahead))
        level = level_of(settings_of(call.store, one.thread), limits["context.advise"])
        data |= {"ahead": ahead, "percent": round(then.shown, 2), "tokens": then.tokens}
        data |= {"save_first": then.shown >= level and not is_saved(one)}
    return data


def _thread(call: Call, one: Session, known: Sequence[Session]) -> Json:
    """What all sessions of its thread spent, and the limits that the thread's config sets."""
    if not one.thread:
        return None
    spent = _spent_of(one.thread, _sessions.on_thread(call, one.thread) or known)
    config = settings_of(call.store, one.thread)
    soft, hard = token_limit(config, SOFT), token_limit(config, HARD)
    state = "over" if hard and spent > hard else "near" if soft and spent > soft else "within"
    return {
        "id": one.thread,
        "spent": spent,
        "soft": soft,
        "hard": hard,
        "state": state if soft or hard else "unlimited",
    }


def spent_by(call: Call, thread: str) -> int:
    """The tokens that all sessions of a thread took."""
    return _spent_of(thread, _sessions.gather(call, curves=False))


def _spent_of(thread: str, known: Sequence[Session]) -> int:
    return sum(each.stats.tokens.total for each in known if each.thread == thread)


_METHODS = {
    w.CLIENT: "as the client reported at the last event",
    w.USAGE: "from the usage in the transcript",
    w.ESTIMATE: "estimated from the size of the transcript",
    w.NOTHING: "nothing was measured yet",
}
_SOURCES = {
    w.CLIENT: "reported by the client",
    w.SETTINGS: "from your settings",
    w.MODEL: "from the model's name",
    w.DEFAULT: "the default",
    w.EXCEEDED: "more was used than the smaller window holds",
    w.ESTIMATE: "of the estimate",
}
_ADVICE = {
    w.HEALTHY: "There is room.",
    w.WARNING: "Delegate: give searches and long outputs to subagents.",
    w.CRITICAL: "Save first (leftoff save), then delegate or begin a new session.",
}
_TONES = {w.HEALTHY: "good", w.WARNING: "warn", w.CRITICAL: "bad"}


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The figures with their origin, then what to do."""
    use = data["use"]
    if use is None:
        yield Line(say("No agent session is known in this project."))
        return
    yield Heading(f"{data['agent']} {data['id']}")
    if data["why"] == _sessions.NEWEST:
        yield Line(say("(not called from a session: the newest one of this project)"), "dim")
    rows = tuple(_rows(data, use, say))
    yield Table((say("What"), say("Value"), ""), rows, named_rows=True)
    level = data["level"]
    yield Line("")
    yield Line(say(_ADVICE[level]), _TONES[level])
    if (data["forecast"] or {}).get("save_first"):
        text = "Save first (leftoff save): in {ahead} turns the context is {percent:g} % full."
        yield Line(say(text, **data["forecast"]), "warn")


def _rows(data: Any, use: Any, say: Say) -> Iterator[tuple[str, str, str]]:
    about = "~" if use["method"] == w.ESTIMATE else ""
    method, source, level = use["method"], use["window_source"], data["level"]
    share = f"{about}{use['tokens']:,} ({use['percent']:.2f} %)"
    yield say("In use"), share, say(_METHODS[method])
    yield say("Window"), f"{use['window']:,}", say(_SOURCES[source])
    yield say("Headroom"), f"{about}{use['headroom']:,}", ""
    limits = say("warning {warn:g} %, critical {critical:g} %", **data["thresholds"])
    yield say("Level"), say(level), limits
    if data["forecast"]:
        yield from _ahead(data["forecast"], say)
    if data["thread"]:
        yield _spent(data["thread"], say)


def _ahead(forecast: Any, say: Say) -> Iterator[tuple[str, str, str]]:
    text = "about {turns_left} turns left, {turns_to_critical} until critical"
    per_turn = say("{n} tokens per turn", n=f"{forecast['tokens_per_turn']:,}")
    yield say("Forecast"), say(text, **forecast), per_turn
    if "ahead" in forecast:
        then = say("{percent:g} % after {ahead} turns", **forecast)
        yield "", then, f"{forecast['tokens']:,}"


def _spent(thread: Any, say: Say) -> tuple[str, str, str]:
    limits = ", ".join(f"{name} {thread[name]:,}" for name in ("soft", "hard") if thread[name])
    state = say(thread["state"]) + (f" ({limits})" if limits else "")
    return say("Thread {id}", id=thread["id"]), f"{thread['spent']:,}", state
