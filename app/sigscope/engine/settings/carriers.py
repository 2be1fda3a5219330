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
from functools import lru_cache
from pathlib import Path
from typing import Any

from sigscope.conversation import SignatureKind
from sigscope.dialects.base import Dialect
from sigscope.dialects.carriers import OWN, Carrier
from sigscope.dialects.registry import DIALECTS, extended
from sigscope.engine.settings.ownservices import OwnServices, own_services
from sigscope.engine.settings.owntables import (
    Stamp,
    Unusable,
    known_fields,
    read_tables,
    spoken_dialect,
    stamp_of,
)
from sigscope.engine.settings.places import config_dir
from sigscope.records import dataclass

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


def carriers_file() -> Path:
    """Where the user's own carriers stand."""
    return config_dir() / "carriers.toml"


def own_carriers() -> OwnCarriers:
    """What the user has added. Costs a look at the file; it is read when it is new."""
    return _load(carriers_file(), stamp_of(carriers_file()), own_services())


def _extended(
    more: dict[str, list[Carrier]], services: OwnServices
) -> tuple[Dialect, ...]:
    spoken = {dialect.name: services.of(dialect.name) for dialect in DIALECTS}
    return extended(more, spoken) if more or services.services else DIALECTS


@lru_cache(maxsize=4)
def _load(path: Path, stamp: Stamp | None, services: OwnServices) -> OwnCarriers:
    made, problems = read_tables(path, stamp, _carrier)
    more: dict[str, list[Carrier]] = {}
    for dialect, carrier in made:
        more.setdefault(dialect.name, []).append(carrier)
    return OwnCarriers(
        dialects=_extended(more, services),
        names=tuple(
            f"{carrier.name.removeprefix(OWN)} ({dialect.name})"
            for dialect, carrier in made
        ),
        problems=problems,
    )


def _carrier(name: str, table: dict[str, Any], _: str) -> tuple[Dialect, Carrier]:
    if not _NAME.fullmatch(name):
        raise Unusable("is no name: letters, digits, _, . and -, at most 40")
    table = dict(known_fields(table, _FIELDS))
    dialect = spoken_dialect(table)
    patterns = {side: tuple(_patterns(table, side, dialect)) for side in SIDES}
    if not any(patterns.values()):
        raise Unusable(f"has no pattern; give one for {', '.join(SIDES)}")
    comes_in_pieces = _switch(table, "in_pieces")
    if comes_in_pieces and not (patterns["response"] and patterns["event"]):
        raise Unusable("comes in pieces: give response and event", "in_pieces")
    return dialect, Carrier(
        name=OWN + name,
        kind=_kind(table),
        request=patterns["request"],
        response=patterns["response"],
        event=patterns["event"],
        call_id_beside=_text(table, "call_id_beside") or None,
        comes_in_pieces=comes_in_pieces,
    )


def _patterns(table: dict[str, Any], side: str, dialect: Dialect) -> Iterator[str]:
    given = table.get(side, [])
    for pattern in given if isinstance(given, list) else [given]:
        if not isinstance(pattern, str) or not _PATTERN.fullmatch(pattern):
            raise Unusable(
                f"{pattern!r} is no pattern; write it like /messages/*/field", side
            )
        for known in dialect.carriers:
            if pattern in getattr(known, side):
                raise Unusable(f"{pattern} is followed already, as {known.name}", side)
        yield pattern


def _kind(table: dict[str, Any]) -> SignatureKind:
    kind = table.get("kind", SignatureKind.SIGNATURE)
    if kind not in _KINDS:
        raise Unusable(f"kind is not one of {', '.join(_KINDS)}", "kind")
    return SignatureKind(kind)


def _text(table: dict[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise Unusable(f"{key} is no text", key)
    return value


def _switch(table: dict[str, Any], key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise Unusable(f"{key} is neither true nor false", key)
    return value
