"""Opaque fields of steps whose dialect is not known: followed by name and shape.

    fields = track(readings)
    fields[0].name, fields[0].received, fields[0].sent

Nothing is judged here: what such a field means, whether it must be sent back and where
it is read, only a dialect knows. What is certain without one: which bytes came under a
name that services use for reasoning state, and whether the same bytes were sent again.

The table of names is `dialects.shapes`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import field, replace

from sigscope import opaque
from sigscope.dialects.shapes import BY_KEY, OpaqueString
from sigscope.reader import Reading
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpot:
    """Where a value stands."""

    step: int
    pointer: str
    event: int | None = None
    """Of a response that was streamed; None for a whole body."""
    pieces: int = 1
    """Events that it came in; the pointer is that of the last."""


@dataclass(slots=True, kw_only=True)
class OpaqueField:
    """One value, by its bytes, and every place where it stands."""

    name: str
    """As it is called where it was seen first."""
    value: str
    is_reference: bool = False
    received: list[FieldSpot] = field(default_factory=list)
    sent: list[FieldSpot] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The short name."""
        return opaque.fingerprint(self.value)

    @property
    def first(self) -> FieldSpot:
        """Where it was seen first."""
        return min((*self.received[:1], *self.sent[:1]), key=lambda spot: spot.step)

    @property
    def sent_again(self) -> tuple[FieldSpot, ...]:
        """Places in requests after it was received."""
        came = self.received[0].step if self.received else 0
        return tuple(spot for spot in self.sent if spot.step > came)


def track(readings: Sequence[Reading]) -> tuple[OpaqueField, ...]:
    """The opaque fields of all model calls that are not judged, by where they were seen
    first. Costs one walk through what is new in each body."""
    unjudged = [reading for reading in readings if not reading.is_judged]
    if not unjudged:
        return ()
    book = _Book()
    for reading in readings:
        if reading.is_judged:
            book.look(reading)
        else:
            book.take(reading)
    return book.fields()


class _Book:
    """Values by their bytes."""

    def __init__(self) -> None:
        self._keys = opaque.Keys()
        self._fields: dict[bytes, OpaqueField] = {}
        self._elsewhere: dict[bytes, FieldSpot] = {}
        """Received in steps whose dialect is known."""
        self._pieces: dict[bytes, tuple[str, _Lane]] = {}
        """Joined pieces that nobody has sent yet."""
        self._ids: dict[str, FieldSpot] = {}
        """Ids of answers, which later requests may refer to."""

    def take(self, reading: Reading) -> None:
        """A step that is not judged."""
        for found in reading.opaque_sent():
            spot = FieldSpot(step=reading.number, pointer=found.pointer)
            self._sent(found, spot)
        lanes: dict[tuple[str, str], _Lane] = defaultdict(_Lane)
        for found in reading.opaque_received:
            spot = FieldSpot(
                step=reading.number, pointer=found.pointer, event=found.event
            )
            self._received(found, spot)
            lanes[found.name, found.lane].add(found.value, spot)
        for (name, _), lane in lanes.items():
            if len(lane.values) > 1:
                key = self._keys["".join(lane.values)]
                self._pieces[key] = (name, lane)
        for event, pointer, name in reading.answer_ids:
            spot = FieldSpot(step=reading.number, pointer=pointer, event=event)
            self._ids.setdefault(name, spot)

    def look(self, reading: Reading) -> None:
        """A step that is judged: what goes between it and the others."""
        for found in reading.opaque_sent() if self._fields else ():
            known = self._fields.get(self._keys[found.value])
            if known is not None:
                known.sent.append(FieldSpot(step=reading.number, pointer=found.pointer))
        for sighting in reading.received:
            self._elsewhere.setdefault(
                self._keys[sighting.value],
                FieldSpot(
                    step=reading.number,
                    pointer=sighting.pointer,
                    event=sighting.event,
                ),
            )

    def fields(self) -> tuple[OpaqueField, ...]:
        return tuple(self._fields.values())

    def _sent(self, found: OpaqueString, spot: FieldSpot) -> None:
        key = self._keys[found.value]
        if key in self._pieces and key not in self._fields:
            self._settle(key)
        known = self._field(key, found.name, found.value)
        if not known.received and not known.sent:
            origin = self._elsewhere.get(key) or self._ids.get(found.value)
            known.received += [origin] if origin else []
        known.sent.append(spot)

    def _received(self, found: OpaqueString, spot: FieldSpot) -> None:
        known = self._field(self._keys[found.value], found.name, found.value)
        if not known.received or known.received[-1].step != spot.step:
            known.received.append(spot)

    def _settle(self, key: bytes) -> None:
        """The joined value was sent: its pieces are no values of their own."""
        name, lane = self._pieces.pop(key)
        for value in lane.values:
            part = self._fields.get(self._keys[value])
            if part is not None and not part.sent:
                del self._fields[self._keys[value]]
        whole = self._field(key, name, "".join(lane.values))
        last = lane.spots[-1]
        whole.received.append(replace(last, pieces=len(lane.values)))

    def _field(self, key: bytes, name: str, value: str) -> OpaqueField:
        known = self._fields.get(key)
        if known is None:
            known = self._fields[key] = OpaqueField(
                name=name, value=value, is_reference=BY_KEY[name].is_reference
            )
        return known


class _Lane:
    """Pieces that came under one name at one place, in events that follow."""

    def __init__(self) -> None:
        self.values: list[str] = []
        self.spots: list[FieldSpot] = []

    def add(self, value: str, spot: FieldSpot) -> None:
        if spot.event is not None:
            self.values.append(value)
            self.spots.append(spot)


# --- Words ----------------------------------------------------------------------------


def field_words(field: OpaqueField) -> str:
    """`signature 9f3a21, 624 characters, from step 1, ...; sent again in step 2`."""
    size = f"{len(field.value):,} characters"
    name = f"{field.name} {field.value if field.is_reference else field.id}"
    words = [name] if field.is_reference else [name, size]
    return f"{', '.join([*words, _origin(field)])}; {_again(field)}"


def _origin(field: OpaqueField) -> str:
    if field.received:
        return f"received in {spot_words(field.received[0])}"
    return f"sent in {spot_words(field.sent[0])}, received in no recorded response"


def _again(field: OpaqueField) -> str:
    spots = field.sent_again if field.received else tuple(field.sent[1:])
    if not spots:
        return "in no later request"
    more = f" and {len(spots) - 1} more" if len(spots) > 1 else ""
    what = "named" if field.is_reference else "the same bytes were sent"
    return f"{what} again in {spot_words(spots[0])}{more}"


def spot_words(spot: FieldSpot) -> str:
    """ "step 1, event 12 at /delta/signature"."""
    event = f", event {spot.event}" if spot.event is not None else ""
    pieces = f" in {spot.pieces} pieces" if spot.pieces > 1 else ""
    return f"step {spot.step}{event}{pieces} at {spot.pointer}"
