"""Settings: the user's own file, then the project's, which can never name a command.

Both are TOML. They are parsed only where they exist; what they say is plain data.
"""

from __future__ import annotations

import os

from leftoff.core.model import Finding
from leftoff.core.redact_setting import Own
from leftoff.core.retention import Policy
from leftoff.core.thresholds import DEFAULTS, effective, size, span
from leftoff.core.work_references import NO_TICKETS, Tickets
from leftoff.errors import FormatError, LeftoffError, Usage
from leftoff.formats import kinds_of_work
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.state import PROJECT_FILE, user_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from leftoff.core.model import Json
    from leftoff.core.prices import Price

DEFAULT, USER, PROJECT = "default", "user", "project"
FULL, ORIENT, OFF = BRIEFS = ("full", "orient", "off")
"""How much of a checkpoint a session gets at its start."""
BLOCK_LEVEL = "context.block"
PRICED = ("input", "output", "cache_read", "cache_write", "cache_write_1h")
"""What a model's price is made of."""
TABLES = (
    *("thresholds", "readers", "tickets", "health", "hooks", "windows", "save", "redaction"),
    *("archive", "prices"),
)


class Hooks(Record):
    """What hooks may do: how much they tell a session, and whether they ever refuse a prompt."""

    brief: str = FULL
    unattended: str = ORIENT
    """the same for a session that nobody watches, unless it is bound to a thread"""
    block: bool = False
    """refuse a prompt at `context.block`, once it is stored; only the user's own file says so"""


class Settings(Record):
    """What is configured: the effective thresholds, who reads whom, what a ticket looks like."""

    limits: Mapping[str, float] = DEFAULTS
    readers: Mapping[str, tuple[str, ...]] = {}
    tickets: Tickets = Tickets()
    health: str = ""
    """where the running program says its version; a project may only name an https address"""
    hooks: Hooks = Hooks()
    windows: Mapping[str, int] = {}
    """the context windows, in tokens, of models whose name begins so"""
    save: str = "thread"
    """the format that `save` writes"""
    redaction: Own = Own()
    """what is redacted besides what looks like a secret anywhere"""
    archive: Policy = Policy()
    """what stays in the archive; only the user's own file says so"""
    prices: Mapping[str, Price] = {}
    """what models cost whose name begins so, where the list is wrong or has none"""


def window_of(settings: Settings, model: str) -> int:
    """The window that is set for a model, by the longest name that its own begins with; else 0."""
    fits = [name for name in settings.windows if model.startswith(name)]
    return settings.windows[max(fits, key=len)] if fits else 0


class Origin(Record):
    """One setting in force: its key, its value, and the file it came from (empty: the default)."""

    key: str
    value: Json
    layer: str
    path: str = ""


class _Layer(Record):
    """One file: whose it is, and what it says."""

    owner: str
    path: str
    said: dict[str, Any]


def load(root: str, env: Mapping[str, str]) -> Settings:
    """The settings in force for a project."""
    layers = [_Layer(owner, path, _parse(path)) for owner, path in _files(root, env)]
    return _settings(layers) if layers else Settings()


def origins(root: str, env: Mapping[str, str]) -> list[Origin]:
    """Every setting in force, and who set it; a later file wins, and a broken one says nothing."""
    layers, _ = _sound(root, env)
    known: dict[str, tuple[str, str]] = {}
    for layer in layers:
        known.update((key, (layer.owner, layer.path)) for key in _keys(layer))
    values = _values(_settings(layers))
    return [Origin(key, values[key], *known.get(key, (DEFAULT, ""))) for key in sorted(values)]


def load_or_default(root: str, env: Mapping[str, str]) -> tuple[Settings, LeftoffError | None]:
    """The settings in force, and what is wrong with a file; what that file says does not count."""
    try:
        return load(root, env), None
    except LeftoffError as error:
        return _settings(_sound(root, env)[0]), error


def _sound(root: str, env: Mapping[str, str]) -> tuple[list[_Layer], list[LeftoffError]]:
    """The files that have an effect, and what is wrong with the others: none undoes another."""
    layers, errors = [], []
    for owner, path in _files(root, env):
        try:
            layer = _Layer(owner, path, _parse(path))
            _settings([layer])
        except LeftoffError as error:
            errors.append(error)
        else:
            layers.append(layer)
    return layers, errors


def trouble(root: str, env: Mapping[str, str], level: str = "warning") -> tuple[Finding, ...]:
    """What is wrong with the settings: nobody would notice that they are not in force."""
    layers, errors = _sound(root, env)
    broken = (_broken(error, root, level) for error in errors)
    return (*broken, *(found for layer in layers for found in _strange(layer, root)))


def _broken(error: LeftoffError, root: str, level: str) -> Finding:
    text = f"{error.message}; this file has no effect"
    fix, where = error.hint or "repair the file by hand", _shown(error.where, root)
    return Finding("settings", level, where or "settings", text, fix)


def _strange(layer: _Layer, root: str) -> Iterator[Finding]:
    """A later leftoff may have more tables; most often it is a slip of the pen."""
    from leftoff.core.find_stream import did_you_mean  # hooks need none of it

    for name in layer.said:
        if name not in TABLES:
            text = f'there is no table "{name}"; it has no effect'
            fix = did_you_mean(name, TABLES) or f"known: {', '.join(TABLES)}"
            yield Finding("settings", "warning", _shown(layer.path, root), text, fix)


def _shown(path: str, root: str) -> str:
    inside = os.path.relpath(path, root) if path else ""
    return path if inside.startswith("..") else inside


def _files(root: str, env: Mapping[str, str]) -> list[tuple[str, str]]:
    """Those that are there, and whose they are, the user's first."""
    both = ((USER, user_file(env)), (PROJECT, os.path.join(root, PROJECT_FILE)))
    return [(owner, path) for owner, path in both if os.path.isfile(path)]


def _settings(layers: list[_Layer]) -> Settings:
    limits: dict[str, Json] = {}
    readers: dict[str, tuple[str, ...]] = {}
    only: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    health, hooks = "", Hooks()
    windows: dict[str, int] = {}
    save, own, archive = Settings().save, Own(), Policy()
    prices: dict[str, Price] = {}
    for layer in layers:
        limits.update(_thresholds(layer))
        readers.update(_lists(layer, "readers"))
        tickets = _lists(layer, "tickets")
        only, ignored = tickets.get("prefixes", only), ignored + tickets.get("ignore", ())
        health = _health(layer) or health
        hooks = hooks._replace(**_hooks(layer))
        windows.update(_windows(layer))
        save = _save(layer) or save
        own = _redaction(layer, own)
        archive = archive._replace(**_archive(layer))
        prices.update(_prices(layer))
    wanted = Tickets(frozenset(only), NO_TICKETS | frozenset(ignored))
    told = (effective(limits), readers, wanted, health, hooks, windows, save, own, archive)
    return Settings(*told, prices)


def _keys(layer: _Layer) -> Iterator[str]:
    """The settings that a file speaks of, by the names that `origins` gives them."""
    yield from (f"thresholds.{key}" for key in _flat(_table(layer, "thresholds")))
    for table in TABLES[1:]:
        yield from (f"{table}.{key}" for key in _table(layer, table))


def _values(settings: Settings) -> dict[str, Json]:
    values: dict[str, Json] = {f"thresholds.{k}": v for k, v in settings.limits.items()}
    values |= {f"readers.{key}": list(names) for key, names in settings.readers.items()}
    values["tickets.prefixes"] = [*sorted(settings.tickets.only)]
    values["tickets.ignore"] = [*sorted(settings.tickets.ignored - NO_TICKETS)]
    values["health.url"] = settings.health
    values |= {f"hooks.{key}": value for key, value in settings.hooks._asdict().items()}
    values |= {f"windows.{key}": tokens for key, tokens in settings.windows.items()}
    values["save.format"] = settings.save
    told = settings.redaction
    values |= {"redaction.words": [*told.words], "redaction.patterns": [*told.patterns]}
    values |= {"redaction.email": told.email, "redaction.phone": told.phone}
    values |= {f"archive.{key}": value for key, value in settings.archive._asdict().items()}
    for model, price in settings.prices.items():
        values[f"prices.{model}"] = {name: getattr(price, name) for name in PRICED}
    return values


def _thresholds(layer: _Layer) -> dict[str, Json]:
    """As one file says them; an error in them names that file."""
    flat = _flat(_table(layer, "thresholds"))
    if BLOCK_LEVEL in flat:  # whoever has blocking on would have every prompt refused here
        _refuse_in_project(layer, BLOCK_LEVEL)
    try:
        effective(flat)
    except Usage as error:
        error.where = layer.path
        raise
    return flat


def _health(layer: _Layer) -> str:
    """An address comes with a repository: it must not reach what only this machine can see."""
    url = _table(layer, "health").get("url", "")
    if not url:
        return ""
    if not isinstance(url, str) or not url.startswith(("https://", "http://")):
        raise FormatError("health.url must be an http or https address", where=layer.path)
    if layer.owner == PROJECT and not url.startswith("https://"):
        text = "health.url of a project must be an https address"
        raise FormatError(text, hint="your own settings may name any", where=layer.path)
    return url


def _hooks(layer: _Layer) -> dict[str, Any]:
    """A repository must not be able to refuse its readers' prompts."""
    said = _known_only(layer, "hooks", Hooks._fields)
    for key, value in said.items():
        if key == "block":
            _switch(layer, "hooks.block", value)
        elif value not in BRIEFS:
            raise FormatError(f"hooks.{key} must be full, orient or off", where=layer.path)
    if layer.owner == PROJECT and said.get("block"):
        text = "hooks.block of a project cannot be true"
        raise FormatError(text, hint="your own settings may switch it on", where=layer.path)
    return said


def _windows(layer: _Layer) -> dict[str, int]:
    """A small window makes any use look full: a repository has no say in that either."""
    said = _table(layer, "windows")
    if said:
        _refuse_in_project(layer, "windows")
    for model, tokens in said.items():
        if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 1:
            raise FormatError(f"windows.{model} must be a number of tokens", where=layer.path)
    return said


def _prices(layer: _Layer) -> dict[str, Price]:
    """Dollars for a million tokens; what is left out of a model's table costs as its input does."""
    said = _table(layer, "prices")
    if said:
        _refuse_in_project(layer, "prices")
    return {model: _price(layer, model, table) for model, table in said.items()}


def _price(layer: _Layer, model: str, said: Any) -> Price:
    from leftoff.core.prices import Price  # only where some are set

    hint = f"known: {', '.join(PRICED)}; the first two are needed"
    if not isinstance(said, dict) or not {"input", "output"} <= said.keys() <= {*PRICED}:
        raise FormatError(f"prices.{model} must say what it costs", hint=hint, where=layer.path)
    if not all(type(value) in (int, float) and 0 <= value < 1e6 for value in said.values()):
        text = f"prices.{model} must be dollars for a million tokens"
        raise FormatError(text, hint=hint, where=layer.path)
    given = float(said["input"])
    read, write, hour = (float(said.get(name, given)) for name in PRICED[2:])
    return Price(given, float(said["output"]), read, write, hour)


def _save(layer: _Layer) -> str:
    said = _table(layer, "save")
    for key, value in said.items():
        if key != "format" or value not in kinds_of_work():
            text = f"save.format must be one of {', '.join(kinds_of_work())}"
            raise FormatError(text, hint=f'correct or remove "save.{key}"', where=layer.path)
    return str(said.get("format", ""))


def _redaction(layer: _Layer, before: Own) -> Own:
    """Each file adds to the one before: a project's cannot take out what the user's says."""
    said = _known_only(layer, "redaction", Own._fields)
    if not said:
        return before
    for key in ("email", "phone"):
        _switch(layer, f"redaction.{key}", said.get(key, False))
    lists = {key: said[key] for key in ("words", "patterns") if key in said}
    added = _lists(layer._replace(said={"redaction": lists}), "redaction")
    own = Own(
        (*before.words, *added.get("words", ())),
        (*before.patterns, *added.get("patterns", ())),
        before.email or said.get("email", False),
        before.phone or said.get("phone", False),
    )
    from leftoff.core.redact_own import rules  # only where some are set

    try:
        rules(own)
    except FormatError as error:
        error.where = layer.path
        raise
    return own


def _archive(layer: _Layer) -> dict[str, Any]:
    """What a repository says must not empty the archive of all others; it may keep out of it."""
    said = _known_only(layer, "archive", Policy._fields)
    if layer.owner == PROJECT and said not in ({}, {"auto": False}):
        text = "archive of a project can only be auto = false"
        raise FormatError(text, hint="your own settings may set the rest", where=layer.path)
    values: dict[str, float] = {}
    for key, value in said.items():
        if key == "auto":
            values[key] = _switch(layer, "archive.auto", value)
            continue
        text = value if isinstance(value, str) else ""
        found = span(text) if key == "keep" else size(text)
        if found is None and value != 0:
            hint = "write keep as 365d, max_size as 20GB; 0 means no limit"
            raise FormatError(f"archive.{key} cannot be {value!r}", hint=hint, where=layer.path)
        values[key] = found or 0
    return values


def _switch(layer: _Layer, key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise FormatError(f"{key} must be true or false", where=layer.path)
    return value


def _lists(layer: _Layer, name: str) -> dict[str, tuple[str, ...]]:
    found = {}
    for key, words in _table(layer, name).items():
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise FormatError(f"{name}.{key} must be a list of names", where=layer.path)
        found[key] = tuple(words)
    return found


def _refuse_in_project(layer: _Layer, setting: str) -> None:
    if layer.owner == PROJECT:
        text = f"{setting} of a project cannot be set"
        raise FormatError(text, hint="your own settings may set it", where=layer.path)


def _table(layer: _Layer, name: str) -> dict[str, Any]:
    table = layer.said.get(name, {})
    if not isinstance(table, dict):
        raise FormatError(f"{name} must be a table", where=layer.path)
    return table


def _known_only(layer: _Layer, name: str, known: tuple[str, ...]) -> dict[str, Any]:
    """A table, in which nothing may stand but these."""
    table = _table(layer, name)
    unknown = [key for key in table if key not in known]
    if unknown:
        text = f'there is no setting "{name}.{unknown[0]}"'
        raise FormatError(text, hint=f"known: {', '.join(known)}", where=layer.path)
    return table


def _parse(path: str) -> dict[str, Any]:
    from leftoff.world.toml_file import read_toml  # only where a settings file exists

    try:
        return read_toml(path)
    except LeftoffError as error:
        raise FormatError(f"the settings cannot be read: {error.message}", where=path) from error


def _flat(table: Mapping[str, Any], before: str = "") -> dict[str, Json]:
    """`[thresholds.stale] checkpoint = 1` and `"stale.checkpoint" = 1` are the same."""
    flat: dict[str, Json] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{before}{key}."))
        else:
            flat[f"{before}{key}"] = value
    return flat
