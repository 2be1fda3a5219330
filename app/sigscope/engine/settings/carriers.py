"""Carriers of the user's own: where a gateway puts a signature that nobody else knows.

    [acme_state]
    dialect = "NAME"
    request = "/messages/*/acme_state"
    response = "/choices/*/message/acme_state"
    event = "/choices/*/delta/acme_state"

They stand in `carriers.toml` of the config folder, a table each, named as the screens
show it. A pattern is a JSON Pointer with `*` for any index, or a list of several. The
anchor follows from the place: in a call it signs the call, in a part the part, else the
message; `call_id_beside = "id"` names a member beside it that says which call.

Such a signature is followed like any other. That it is lost is said, not blamed: no
rule knows what the service makes of it. What cannot be used is left out and told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from sigscope.conversation import SignatureKind
from sigscope.dialects.base import Dialect
from sigscope.dialects.carriers import OWN, Carrier
from sigscope.dialects.registry import DIALECTS, extended, named
from sigscope.engine.settings.ownservices import OwnServices, own_services
from sigscope.engine.settings.places import config_dir
from sigscope.records import dataclass
from sigscope.tomlfile import read_toml

SIDES = ("request", "response", "event")
_FIELDS = ("dialect", *SIDES, "kind", "call_id_beside", "in_pieces")
_KINDS = tuple(kind for kind in SignatureKind if kind is not SignatureKind.BYPASS)
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_PATTERN = re.compile(r"(?:/(?:[^/~]|~[01])+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCarriers:
    """What the user's file adds."""

    dialects: tuple[Dialect, ...] = DIALECTS
    """All there are, with what was added to them: carriers, and services of the
    user's own."""
    names: tuple[str, ...] = ()
    """ "acme_state (copilot-chat)", in the order of the file."""
    problems: tuple[str, ...] = ()
    """What cannot be used, with file and line."""


class _Unusable(ValueError):
    """Why a carrier cannot be used; the field it is about may be named first."""

    def __init__(self, problem: str, field: str = "") -> None:
        super().__init__(problem)
        self.field = field


def carriers_file() -> Path:
    """Where the user's own carriers stand."""
    return config_dir() / "carriers.toml"


def own_carriers() -> OwnCarriers:
    """What the user has added. Costs a look at the file; it is read when it is new."""
    path, services = carriers_file(), own_services()
    try:
        stat = path.stat()
    except OSError:
        return _with(services)
    return _load(path, stat.st_mtime_ns, stat.st_size, services)


@lru_cache(maxsize=4)
def _with(services: OwnServices) -> OwnCarriers:
    return OwnCarriers(dialects=_extended({}, services))


def _extended(
    more: dict[str, list[Carrier]], services: OwnServices
) -> tuple[Dialect, ...]:
    spoken = {dialect.name: services.of(dialect.name) for dialect in DIALECTS}
    return extended(more, spoken) if more or services.services else DIALECTS


@lru_cache(maxsize=4)
def _load(path: Path, changed: int, size: int, services: OwnServices) -> OwnCarriers:
    file = read_toml(path)
    if file is None:
        return _with(services)
    if file.problem:
        return replace(_with(services), problems=(file.problem,))
    more: dict[str, list[Carrier]] = {}
    names: list[str] = []
    problems: list[str] = []
    for name, table in file.data.items():
        try:
            dialect, carrier = _carrier(name, table)
        except _Unusable as problem:
            has_field = isinstance(table, dict) and problem.field in table
            keys = (name, problem.field) if has_field else (name,)
            problems.append(f"{file.place(*keys)}: [{name}] {problem}")
            continue
        more.setdefault(dialect.name, []).append(carrier)
        names.append(f"{name} ({dialect.name})")
    return OwnCarriers(
        dialects=_extended(more, services), names=tuple(names), problems=tuple(problems)
    )


def _carrier(name: str, table: Any) -> tuple[Dialect, Carrier]:
    if not isinstance(table, dict):
        raise _Unusable("is no table; write [name] and its fields below")
    if not _NAME.fullmatch(name):
        raise _Unusable("is no name: letters, digits, _, . and -, at most 40")
    for key in table:
        if key not in _FIELDS:
            raise _Unusable(
                f"has no field {key}; it may have {', '.join(_FIELDS)}", key
            )
    dialect = named(str(table.get("dialect", "")))
    if dialect is None:
        known = ", ".join(each.name for each in DIALECTS)
        raise _Unusable(f"dialect is not one of {known}", "dialect")
    patterns = {side: tuple(_patterns(table, side, dialect)) for side in SIDES}
    if not any(patterns.values()):
        raise _Unusable(f"has no pattern; give one for {', '.join(SIDES)}")
    return dialect, Carrier(
        name=OWN + name,
        kind=_kind(table),
        request=patterns["request"],
        response=patterns["response"],
        event=patterns["event"],
        call_id_beside=_text(table, "call_id_beside") or None,
        comes_in_pieces=_switch(table, "in_pieces"),
    )


def _patterns(table: dict[str, Any], side: str, dialect: Dialect) -> Iterator[str]:
    given = table.get(side, [])
    for pattern in given if isinstance(given, list) else [given]:
        if not isinstance(pattern, str) or not _PATTERN.fullmatch(pattern):
            raise _Unusable(
                f"{pattern!r} is no pattern; write it like /messages/*/field", side
            )
        for known in dialect.carriers:
            if pattern in getattr(known, side):
                raise _Unusable(f"{pattern} is followed already, as {known.name}", side)
        yield pattern


def _kind(table: dict[str, Any]) -> SignatureKind:
    kind = table.get("kind", SignatureKind.SIGNATURE)
    if kind not in _KINDS:
        raise _Unusable(f"kind is not one of {', '.join(_KINDS)}", "kind")
    return SignatureKind(kind)


def _text(table: dict[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise _Unusable(f"{key} is no text", key)
    return value


def _switch(table: dict[str, Any], key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise _Unusable(f"{key} is neither true nor false", key)
    return value
