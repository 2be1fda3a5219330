"""What the ledger says."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from operator import attrgetter
from typing import Literal

from sigscope.conversation import Sighting, SignatureKind
from sigscope.dialects.carriers import OWN


class Fate(StrEnum):
    """What a request did with a signature (dialects.md 0.4)."""

    RECEIVED = "received"
    EXACT = "exact"
    """The same bytes where they belong; another base64 alphabet does not count."""
    MOVED = "moved"
    """The same bytes, on another anchor or in a place the service does not read."""
    ALTERED = "altered"
    CUT = "cut"
    """Only its beginning was sent."""
    DROPPED = "dropped"
    BYPASS = "bypass"
    """A stand-in was sent where it had been."""
    EARLIER = "earlier"
    """Sent as it came from before the recording: nothing recorded issued it, and
    nothing recorded speaks against it."""
    FOREIGN = "foreign"
    """Sent to a service, or in a conversation, that did not issue it."""
    DUPLICATED = "duplicated"
    """Sent where it belongs, and on another anchor too."""


BEFORE = "issued before this recording"
"""What is said of an earlier signature."""

LOST = frozenset({Fate.ALTERED, Fate.CUT, Fate.DROPPED, Fate.BYPASS, Fate.MOVED})
"""Fates in which the service does not get the signature as it issued it."""


class Grade(StrEnum):
    """Whether the service insists on having this signature in this request."""

    REQUIRED = "required"
    """The request is refused without it, by a rule of dialects.md."""
    OPTIONAL = "optional"
    """Accepted without it; reasoning may suffer."""
    SUPERSEDED = "superseded"
    """Another signature of the same reply counts instead."""
    NOT_APPLICABLE = "not applicable"
    """This request has no place for it: its message is gone, or it is a side
    request, or it was never issued here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One sighting and the step it was made in."""

    step: int
    sighting: Sighting


@dataclass(frozen=True, slots=True, kw_only=True)
class FateAt:
    """What became of a signature in one request."""

    step: int
    fate: Fate
    grade: Grade
    note: str = ""
    """One clause for people: why this grade, or where it went instead."""
    message: int | None = None
    """Index of the message where it belongs in this request; None if there is none."""
    instead: str = ""
    """Where it was dropped: the pointer of another signature in its place."""

    @property
    def is_lost(self) -> bool:
        """Whether the service misses something it insists on."""
        return self.fate in LOST and self.grade is Grade.REQUIRED


_step_of = attrgetter("step")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One signature and all that happened to it."""

    id: str
    """First six hex digits of the SHA-256 of its text."""
    sha256: str
    value: str
    """The text as received, or as first sent if it was never received."""
    kind: SignatureKind
    received: tuple[Place, ...] = ()
    """Where it stands in the response that brought it; empty if none did."""
    sent: tuple[Place, ...] = ()
    """Where it, or what was made of it, stands in requests."""
    fates: tuple[FateAt, ...] = ()
    """One for each later request that it concerns, by step."""

    @property
    def step(self) -> int | None:
        """The step whose response brought it; None if none did."""
        return self.received[0].step if self.received else None

    @property
    def is_earlier(self) -> bool:
        """Whether it came from before the recording, as far as that can be seen."""
        first = self.fates[0].fate if self.fates else None
        return not self.received and first is Fate.EARLIER

    @property
    def is_own(self) -> bool:
        """Whether only carriers that the user has added brought it, or, if it was
        never received, hold it."""
        places = self.received or self.sent
        return all(place.sighting.carrier.startswith(OWN) for place in places)

    @property
    def call_ids(self) -> frozenset[str]:
        """Ids of the calls it signs, as they stand on the wire."""
        found = (place.sighting.anchor.call_id for place in self.received)
        return frozenset(call_id for call_id in found if call_id)

    def fate_in(self, step: int) -> FateAt | None:
        """Its fate in a step; None where the step does not concern it."""
        at = bisect_left(self.fates, step, key=_step_of)
        found = self.fates[at : at + 1]
        return found[0] if found and found[0].step == step else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A reply found again in a later request."""

    step: int
    """The step whose reply it is."""
    messages: tuple[int, ...]
    """Indices of the messages that hold it; several where the client split it."""
    evidence: Literal["call id", "text", "signature", "call", "position"]


ThreadKind = Literal["main", "fork", "side"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """Steps that continue one another."""

    number: int
    """Counts from 1, in the order of first steps."""
    steps: tuple[int, ...]
    kind: ThreadKind
    """`side`: a title or summary request. `fork`: another way on from a step."""
    parent: int | None = None
    """The step it branches off from; None if it stands alone."""


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """All of it."""

    signatures: tuple[Signature, ...] = ()
    """By the step that brought them, then by arrival; never-received ones last."""
    threads: tuple[Thread, ...] = ()
    links: dict[int, tuple[Link, ...]]
    """For each step, the replies found in its request, in message order."""

    @cached_property
    def thread_of(self) -> dict[int, Thread]:
        """The thread of each step."""
        return {step: thread for thread in self.threads for step in thread.steps}

    def by_id(self, signature_id: str) -> tuple[Signature, ...]:
        """Signatures with this id, or whose SHA-256 starts like it."""
        return tuple(s for s in self.signatures if s.sha256.startswith(signature_id))

    def received_in(self, step: int) -> tuple[Signature, ...]:
        """Signatures that this step's response brought, in order of arrival."""
        return self._brought.get(step, ())

    @cached_property
    def _brought(self) -> dict[int | None, tuple[Signature, ...]]:
        found: dict[int | None, list[Signature]] = {}
        for signature in self.signatures:
            found.setdefault(signature.step, []).append(signature)
        return {step: tuple(brought) for step, brought in found.items()}

    def concerning(self, step: int) -> tuple[tuple[Signature, FateAt], ...]:
        """Signatures that have a fate in this step's request."""
        return self._by_step.get(step, ())

    def sent_in(self, step: int, signature: Signature) -> tuple[Sighting, ...]:
        """Where one of these signatures stands in this step's request."""
        return self._places.get((step, id(signature)), ())

    @cached_property
    def _places(self) -> dict[tuple[int, int], tuple[Sighting, ...]]:
        """Keyed by identity: a stand-in and a received signature may be equal."""
        found: dict[tuple[int, int], list[Sighting]] = {}
        for signature in self.signatures:
            for place in signature.sent:
                key = (place.step, id(signature))
                found.setdefault(key, []).append(place.sighting)
        return {key: tuple(sightings) for key, sightings in found.items()}

    @cached_property
    def _by_step(self) -> dict[int, tuple[tuple[Signature, FateAt], ...]]:
        """Made once: every rule asks for every step."""
        found: dict[int, list[tuple[Signature, FateAt]]] = {}
        for signature in self.signatures:
            for fate in signature.fates:
                found.setdefault(fate.step, []).append((signature, fate))
        return {step: tuple(pairs) for step, pairs in found.items()}
