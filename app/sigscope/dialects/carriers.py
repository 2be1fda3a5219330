"""Carriers: where signatures stand on a wire, as a table of data.

A pattern is a JSON Pointer in which `*` stands for any array index. All patterns of a
dialect are compiled into one tree, so that a history of hundreds of messages is walked
once, and only along keys that some pattern names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field
from typing import Literal

from sigscope import opaque
from sigscope.conversation import Json, SignatureKind
from sigscope.records import dataclass

Side = Literal["request", "response", "event"]
OWN = "own."
"""What the names of carriers begin with that a user has added: they are followed, but
what a service makes of them is not known, so no rule speaks of them."""
STATE = "state."
"""What the names of carriers begin with of what is no reasoning and has to go back all
the same: a compaction, results of the service's own tools. They are followed; nothing
is known of what their loss does, so no rule speaks of them."""
UNRULED = (OWN, STATE)
"""What the names of carriers begin with of which no rule speaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """One place on the wire where a signature may stand."""

    name: str
    """Dialect and field: "openrouter.reasoning_details.encrypted"."""
    kind: SignatureKind
    request: tuple[str, ...] = ()
    """Patterns in request bodies."""
    response: tuple[str, ...] = ()
    """Patterns in whole responses, and in what an assembler makes of a stream."""
    event: tuple[str, ...] = ()
    """Patterns in the JSON of one event."""
    is_read: bool = True
    """False: a wrong place that clients are known to use; the service ignores or
    refuses it."""
    in_call_id: bool = False
    """The signature is what follows `__thought__` in the string."""
    call_id_beside: str | None = None
    """Key beside the string that names the call it signs ("id")."""
    comes_in_pieces: bool = False
    """A stream may bring it in several events, to be joined by the assembler."""
    only_roles: tuple[str, ...] = ()
    """In requests: the wire roles of messages it counts in; empty for all."""
    only_in: tuple[str, ...] = ()
    """What the `type` of the object is that holds it, "" for none; empty for any."""
    only_events: tuple[str, ...] = ()
    """What the `type` of the event is that brings it; empty for any."""
    is_provisional: bool = False
    """A later event brings another value, which is the one to send back."""


def stray(
    name: str, *places: str, kind: SignatureKind = SignatureKind.SIGNATURE
) -> Carrier:
    """Wrong places in requests that clients are known to use."""
    return Carrier(name=name, kind=kind, request=places, is_read=False)


def strays(
    name: str,
    above: str,
    *paths: str,
    kind: SignatureKind = SignatureKind.SIGNATURE,
) -> tuple[Carrier, ...]:
    """One for each path below a place, named for it."""
    return tuple(
        stray(f"{name}.{path.replace('/', '.')}", f"{above}/{path}", kind=kind)
        for path in paths
    )


@dataclass(slots=True)
class _Branch:
    keys: dict[str, _Branch] = field(default_factory=dict)
    items: _Branch | None = None
    carriers: list[Carrier] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CarrierHit:
    """A string found at a carrier's place."""

    carrier: Carrier
    pointer: str
    text: str
    """The string as it stands, the call id still around the signature."""
    holder: Json
    """The object that holds the string."""

    @property
    def value(self) -> str | None:
        """The signature; None where the string carries none."""
        if self.carrier.in_call_id:
            return opaque.split_call_id(self.text).signature
        return self.text

    @property
    def call_id(self) -> str | None:
        """The call that the holder names; None if it names none."""
        key = self.carrier.call_id_beside
        if key is None or not isinstance(self.holder, dict):
            return None
        found = self.holder.get(key)
        return found if isinstance(found, str) and found else None


class CarrierTable:
    """Finds every carrier's strings in one walk."""

    def __init__(self, carriers: Iterable[Carrier]) -> None:
        carriers = tuple(carriers)
        self._roots: dict[Side, _Branch] = {
            "request": _compile((c, p) for c in carriers for p in c.request),
            "response": _compile((c, p) for c in carriers for p in c.response),
            "event": _compile((c, p) for c in carriers for p in c.event),
        }
        pieces = (p for c in carriers if c.comes_in_pieces for p in c.event)
        self.pieces = re.compile("|".join(map(_expression, pieces)) or r"(?!)")
        """Pointers, in an event, of strings that are to be joined."""

    def find(self, body: Json, side: Side, *, but: str = "") -> list[CarrierHit]:
        """The non-empty strings at carriers, in the order of the table's tree.

        What stands below the pointer `but` is left out.
        """
        found: list[CarrierHit] = []
        _collect(body, self._roots[side], "", None, found, but)
        return found

    def find_in(self, item: Json, at: str, among: Json, side: Side) -> list[CarrierHit]:
        """What `find` finds in an element of the list `among`, which stands at `at`."""
        found: list[CarrierHit] = []
        branch: _Branch | None = self._roots[side]
        for key in at.split("/")[1:-1]:
            branch = branch.keys.get(key) if branch else None
        if branch and branch.items:
            _collect(item, branch.items, at, among, found)
        return found


def _expression(pattern: str) -> str:
    return re.escape(pattern).replace(r"/\*", r"/\d+")


def _compile(patterns: Iterable[tuple[Carrier, str]]) -> _Branch:
    root = _Branch()
    for carrier, pattern in patterns:
        branch = root
        for segment in pattern.split("/")[1:]:
            if segment == "*":
                branch.items = branch.items or _Branch()
                branch = branch.items
            else:
                branch = branch.keys.setdefault(segment, _Branch())
        branch.carriers.append(carrier)
    return root


def _collect(
    value: Json,
    branch: _Branch,
    pointer: str,
    holder: Json,
    found: list[CarrierHit],
    but: str = "",
) -> None:
    # Walks every message of every request; no generators, which cost twice as much.
    if isinstance(value, dict):
        for key, below in branch.keys.items():
            if key in value:
                at = f"{pointer}/{key}"
                if at != but:
                    _collect(value[key], below, at, value, found, but)
    elif isinstance(value, list):
        if branch.items:
            for index, item in enumerate(value):
                _collect(item, branch.items, f"{pointer}/{index}", value, found)
    elif branch.carriers and isinstance(value, str):
        hits = (
            CarrierHit(carrier, pointer, value, holder)
            for carrier in branch.carriers
            if not carrier.only_in or _type_of(holder) in carrier.only_in
        )
        found.extend(hit for hit in hits if hit.value)


def _type_of(holder: Json) -> str:
    kind = holder.get("type", "") if isinstance(holder, dict) else ""
    return kind if isinstance(kind, str) else ""
