"""What a map of paths is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Literal

from sigscope.conversation import Sighting
from sigscope.ledger import Fate, FateAt, SightingAt, Signature
from sigscope.ledger.records import FateStretch
from sigscope.records import dataclass

GONE = frozenset({Fate.DROPPED, Fate.ALTERED, Fate.CUT, Fate.BYPASS})
"""Fates in which the bytes that were issued are not in the request."""

State = Literal["received", "carried", "lost", "missing"]
"""`lost`: not sent though the service insists on it; `missing`: not sent, and nobody
insists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathColumn:
    """One moment: a step, or the steps of a client and a gateway that are one."""

    steps: tuple[int, ...]
    """By hop, the client's first."""
    is_recorded: bool = False
    """Whether it shows what was recorded, while what stands before it is a run's."""

    @property
    def label(self) -> str:
        """ "3", "3›4" where a gateway asked on; "(4)" for what a run did not do."""
        label = "›".join(map(str, self.steps))
        return f"({label})" if self.is_recorded else label


@dataclass(frozen=True, slots=True, order=True, kw_only=True)
class PlaceShape:
    """A place on the wire without its indices."""

    hop: int
    """0 between client and service (or gateway), 1 behind the gateway."""
    anchor: str
    """ "message" or "call": what a signature in it belongs to."""
    carrier: str
    """The field: "reasoning_opaque"."""
    is_read: bool = True
    """False: the service does not look for a signature here."""

    @property
    def name(self) -> str:
        """ "call · thought_signature"."""
        wrong = "" if self.is_read else " (not read here)"
        return f"{self.anchor} · {self.carrier}{wrong}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PathMark:
    """A signature in one step, seen from one place."""

    column: int
    step: int
    fate: FateAt | None
    """None: the response of the step brought it."""
    sighting: Sighting | None
    """Where it stands; None where it does not."""

    @property
    def state(self) -> State:
        if self.fate is None:
            return "received"
        if self.fate.is_lost:
            return "lost"
        return "missing" if self.fate.fate in GONE else "carried"

    @property
    def is_there(self) -> bool:
        """Whether the bytes that were issued are in this step."""
        return self.fate is None or self.fate.fate not in GONE


@dataclass(frozen=True, slots=True, kw_only=True)
class PathLane:
    """The line of a signature in one place."""

    signature: Signature
    shape: PlaceShape
    arrival: SightingAt | None
    """Where the response brought it, if it was here."""
    stretches: tuple[FateStretch, ...]
    """What requests did with it, as far as this place tells it."""
    start: int
    """Column of the first mark."""
    end: int
    """Column of the last one."""
    columns: Mapping[int, int] = field(repr=False)
    """Step → column; shared by all lanes."""

    def mark_of(self, step: int) -> PathMark | None:
        """What is to be drawn for a step; None where it does not concern the lane."""
        column = self.columns[step]
        if self.arrival is not None and self.arrival.step == step:
            brought = self.arrival.sighting
            return PathMark(column=column, step=step, fate=None, sighting=brought)
        for stretch in self.stretches:
            if step in stretch.steps:
                here = (s for s in stretch.sightings if _is_in(s, self.shape))
                fate, sighting = stretch.fate_in(step), next(here, None)
                return PathMark(column=column, step=step, fate=fate, sighting=sighting)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class PathLink:
    """A line down or up between two lanes of one signature, in one column."""

    column: int
    source: PathLane
    target: PathLane | None
    """None where the gateway kept it: it never reached the client."""
    is_arrival: bool = False
    """Whether it is part of the answer; else of the request."""
    is_broken: bool = False
    """Whether the signature was lost on this way: by the gateway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignaturePath:
    """One signature, in all places and hops."""

    key: str
    """What two hops' spellings of it share."""
    lanes: tuple[PathLane, ...]
    """By hop; the home of it in each hop first."""

    @property
    def signature(self) -> Signature:
        return self.lanes[0].signature

    @property
    def is_lost(self) -> bool:
        """Whether some request misses it that the service insists on."""
        parts = (part for lane in self.lanes for part in lane.stretches)
        return any(part.fate.is_lost for part in parts)

    def homes(self) -> Iterator[PathLane]:
        """The first lane of each hop."""
        seen: set[int] = set()
        for lane in self.lanes:
            if lane.shape.hop not in seen:
                seen.add(lane.shape.hop)
                yield lane


def shape_of(sighting: Sighting, hop: int) -> PlaceShape:
    """Where it stands, without the indices."""
    return PlaceShape(
        hop=hop,
        anchor="call" if sighting.anchor.call_id else "message",
        carrier=sighting.carrier.partition(".")[2] or sighting.carrier,
        is_read=sighting.is_read,
    )


def _is_in(sighting: Sighting, shape: PlaceShape) -> bool:
    return shape_of(sighting, shape.hop) == shape
