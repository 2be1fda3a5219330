"""What the ledger says."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from enum import StrEnum
from functools import cached_property
from heapq import merge
from itertools import chain, groupby, repeat
from operator import attrgetter, itemgetter
from typing import Generic, Literal, TypeVar, overload

from sigscope.conversation import Sighting, SignatureKind
from sigscope.dialects.carriers import UNRULED
from sigscope.fingerprints import Hint, read_hints
from sigscope.opaque import is_mask
from sigscope.records import dataclass


class Fate(StrEnum):
    """What a request did with a signature (docs/wire/README.md#outcomes)."""

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
    """A bypass was sent where it had been."""
    EARLIER = "earlier"
    """Sent as it came from before the recording: nothing recorded issued it, and
    nothing recorded speaks against it."""
    FOREIGN = "foreign"
    """Sent to a service, or in a conversation, that did not issue it."""
    STORED = "stored"
    """Not sent: the request names what the service keeps, and this is in it."""
    DUPLICATED = "duplicated"
    """Sent where it belongs, and on another anchor too."""


class Origin(StrEnum):
    """Where a signature came from, as far as can be seen."""

    RECEIVED = "received"
    EARLIER = "earlier"
    """Nothing recorded issued it, and nothing recorded speaks against it."""
    FOREIGN = "foreign"
    """Nothing recorded issued it, and what is recorded speaks against it."""
    STAND_IN = "bypass"
    """Text that services take in place of a signature."""


BEFORE = "issued before this recording"
"""What is said of an earlier signature."""
NEVER = "never issued here"
"""What is said of a foreign one."""
UNSEEN = {
    Origin.EARLIER: BEFORE,
    Origin.FOREIGN: NEVER,
    Origin.STAND_IN: "a bypass; nobody issued it",
}
"""What is said of signatures that no recorded response brought."""

LOST = frozenset({Fate.ALTERED, Fate.CUT, Fate.DROPPED, Fate.BYPASS, Fate.MOVED})
"""Fates in which the service does not get the signature as it issued it."""


class Grade(StrEnum):
    """Whether the service insists on having this signature in this request."""

    REQUIRED = "required"
    """The request is refused without it, by a rule of docs/wire."""
    OPTIONAL = "optional"
    """Accepted without it; reasoning may suffer."""
    SUPERSEDED = "superseded"
    """Another signature of the same reply counts instead."""
    NOT_APPLICABLE = "not applicable"
    """This request has no place for it: its message is gone, or it is a side
    request, or it was never issued here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SightingAt:
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

    def repeats(self, other: FateAt) -> bool:
        """Whether it is that of another step, still."""
        return (
            self.fate is other.fate
            and self.grade is other.grade
            and self.message == other.message
            and self.note == other.note
            and self.instead == other.instead
        )

    def in_step(self, step: int, note: str | None = None) -> FateAt:
        """The same in another step, perhaps in other words. There are as many as steps
        times signatures, in the worst case."""
        return FateAt(
            step=step,
            fate=self.fate,
            grade=self.grade,
            note=self.note if note is None else note,
            message=self.message,
            instead=self.instead,
        )


class StepSlice(Sequence[int]):
    """Some successive steps of a conversation, ascending; the list is shared."""

    __slots__ = ("_start", "_steps", "_stop")

    def __init__(self, steps: Sequence[int], start: int, stop: int) -> None:
        self._steps = steps
        self._start = start
        self._stop = stop

    @property
    def shared(self) -> tuple[Sequence[int], int, int]:
        """The list of the whole conversation; where in it these begin and end."""
        return self._steps, self._start, self._stop

    def __len__(self) -> int:
        return self._stop - self._start

    def __iter__(self) -> Iterator[int]:
        return iter(self._steps[self._start : self._stop])

    def __contains__(self, step: object) -> bool:
        if not isinstance(step, int):
            return False
        at = bisect_left(self._steps, step, self._start, self._stop)
        return at < self._stop and self._steps[at] == step

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[int]: ...
    def __getitem__(self, at: int | slice) -> int | Sequence[int]:
        if isinstance(at, slice):
            return self._steps[self._start : self._stop][at]
        return self._steps[range(self._start, self._stop)[at]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FateStretch:
    """Steps of one conversation that all did the same with a signature.

    Requests repeat the one before, so this is how much a fate takes: "exact in steps 5
    to 1,000" is one stretch.
    """

    fate: FateAt
    """In the first of these steps; in the others only its `step` is another."""
    steps: StepSlice
    sightings: tuple[Sighting, ...] = ()
    """Where the signature, or what was made of it, stands in each of them."""
    notes: Mapping[int, str] | None = None
    """By step, where each says it in words of its own; it may have more steps."""

    def fate_in(self, step: int) -> FateAt:
        if step == self.fate.step:
            return self.fate
        return self.fate.in_step(step, self.notes[step] if self.notes else None)

    @property
    def worded(self) -> Iterator[FateStretch]:
        """The same as stretches of which each says one thing in the same words."""
        if self.notes is None:
            yield self
            return
        steps, at, _ = self.steps.shared
        for _, same in groupby(self.steps, key=self.notes.__getitem__):
            first, *others = same
            part = StepSlice(steps, at, at + 1 + len(others))
            fate = self.fate_in(first)
            yield FateStretch(fate=fate, steps=part, sightings=self.sightings)
            at += len(part)


Told = TypeVar("Told")


class Unrolled(Sequence[Told], Generic[Told]):
    """What stretches say, told step by step, ascending; made when it is looked at."""

    __slots__ = ("_size", "_stretches", "_tell")

    def __init__(
        self,
        stretches: tuple[FateStretch, ...],
        tell: Callable[[FateStretch, int], Sequence[Told]],
        size: int,
    ) -> None:
        self._stretches = stretches
        self._tell = tell
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Told]:
        each = (zip(one.steps, repeat(one)) for one in self._stretches)
        pairs = merge(*each, key=itemgetter(0))
        return chain.from_iterable(self._tell(one, step) for step, one in pairs)

    @overload
    def __getitem__(self, at: int) -> Told: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Told]: ...
    def __getitem__(self, at: int | slice) -> Told | Sequence[Told]:
        if at == 0 and self._stretches:
            first = min(self._stretches, key=lambda stretch: stretch.steps[0])
            told = self._tell(first, first.steps[0])
            if told:
                return told[0]
        return tuple(self)[at]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def _tell_fate(stretch: FateStretch, step: int) -> tuple[FateAt]:
    return (stretch.fate_in(step),)


def _tell_places(stretch: FateStretch, step: int) -> list[SightingAt]:
    return [SightingAt(step=step, sighting=sighting) for sighting in stretch.sightings]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One signature and all that happened to it."""

    id: str
    """First six hex digits of the SHA-256 of its text."""
    sha256: str
    value: str
    """The text as received, or as first sent if it was never received."""
    kind: SignatureKind
    received: tuple[SightingAt, ...] = ()
    """Where it stands in the response that brought it; empty if none did."""
    stretches: tuple[FateStretch, ...] = ()
    """What requests did with it, by their first steps; no step is in two of them."""

    @property
    def worded(self) -> Iterator[FateStretch]:
        """The stretches, each of one wording; by their first steps."""
        parts = map(attrgetter("worded"), self.stretches)
        return merge(*parts, key=lambda part: part.steps[0])

    @property
    def fates(self) -> Sequence[FateAt]:
        """One for each later request that it concerns, by step. As many as there are
        such requests: who can, looks at the stretches."""
        size = sum(len(stretch.steps) for stretch in self.stretches)
        return Unrolled(self.stretches, _tell_fate, size)

    @property
    def sent(self) -> Sequence[SightingAt]:
        """Where it, or what was made of it, stands in requests, by step."""
        size = sum(len(one.steps) * len(one.sightings) for one in self.stretches)
        return Unrolled(self.stretches, _tell_places, size)

    @property
    def step(self) -> int | None:
        """The step whose response brought it; None if none did."""
        return self.received[0].step if self.received else None

    @property
    def is_provisional(self) -> bool:
        """Whether the response brought another in its place afterwards."""
        found = [place.sighting.is_provisional for place in self.received]
        return bool(found) and all(found)

    @property
    def origin(self) -> Origin:
        """Where it came from."""
        if self.received:
            return Origin.RECEIVED
        if self.kind is SignatureKind.BYPASS:
            return Origin.STAND_IN
        first = self.stretches[0].fate.fate if self.stretches else None
        return Origin.EARLIER if first is Fate.EARLIER else Origin.FOREIGN

    @property
    def is_earlier(self) -> bool:
        """Whether it came from before the recording, as far as that can be seen."""
        return self.origin is Origin.EARLIER

    @property
    def is_unruled(self) -> bool:
        """Whether only carriers of which no rule speaks brought it, or, if it was
        never received, hold it."""
        sightings = [place.sighting for place in self.received] or [
            sighting for stretch in self.stretches for sighting in stretch.sightings
        ]
        return all(sighting.carrier.startswith(UNRULED) for sighting in sightings)

    @property
    def hints(self) -> tuple[Hint, ...]:
        """What its own bytes tell of who minted it."""
        if self.received:
            return hints_in(self.received[0].sighting)
        first = next((s for part in self.stretches for s in part.sightings), None)
        return hints_in(first) if first and first.value == self.value else ()

    @property
    def call_ids(self) -> frozenset[str]:
        """Ids of the calls it signs, as they stand on the wire."""
        found = (place.sighting.anchor.call_id for place in self.received)
        return frozenset(call_id for call_id in found if call_id)

    def fate_in(self, step: int) -> FateAt | None:
        """Its fate in a step; None where the step does not concern it."""
        found = self.stretch_in(step)
        return found.fate_in(step) if found else None

    def stretch_in(self, step: int) -> FateStretch | None:
        """The stretch that a step belongs to; None where it does not concern it."""
        for stretch in self.stretches:
            if step in stretch.steps:
                return stretch
        return None


def hints_in(sighting: Sighting) -> tuple[Hint, ...]:
    """What a signature that stands somewhere tells of itself; readable reasoning
    tells nothing that one would have to guess."""
    if sighting.kind is SignatureKind.TEXT:
        return ()
    return read_hints(sighting.value, sighting.carrier)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A reply found again in a later request."""

    step: int
    """The step whose reply it is."""
    messages: tuple[int, ...]
    """Indices of the messages that hold it; several where the client split it."""
    evidence: Literal["call id", "text", "item id", "signature", "call", "position"]


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


BRIEF = 4
"""Steps up to which a stretch is noted with each of them."""
_Concerned = tuple[int, tuple[Signature, FateStretch]]
"""A stretch with its signature, behind the place of that in the ledger."""
_Alike = tuple[Sequence[int], list[tuple[int, int, _Concerned]]]
"""Steps of a conversation; stretches, with where in it they begin and end."""


@dataclass(frozen=True, kw_only=True)
class Ledger:
    signatures: tuple[Signature, ...] = ()
    """By the step that brought them, then by arrival; never-received ones last."""
    threads: tuple[Thread, ...] = ()
    links: dict[int, tuple[Link, ...]]
    """For each step, the replies found in its request, in message order."""
    anew: Mapping[int, Mapping[int, tuple[str, ...]]] = field(default_factory=dict)
    """For each step, by the step of a reply: pointers of the parts of its request that
    stand where that reply does, and did in no request before; that of a message where
    it thinks, or does not, for the first time."""
    unmet: Mapping[int, int] = field(default_factory=dict)
    """Steps whose requests have calls that were in none before, that no recorded answer
    brought and that nothing signs; each with the index of the first such message."""

    @cached_property
    def masks(self) -> frozenset[str]:
        """What a recorder wrote in place of signatures that answers brought: the true
        ones only the client knows."""
        brought = (s for s in self.signatures if s.kind is not SignatureKind.TEXT)
        values = (signature.value for signature in brought if signature.received)
        return frozenset(filter(is_mask, values))

    @cached_property
    def thread_of(self) -> dict[int, Thread]:
        """The thread of each step."""
        return {step: thread for thread in self.threads for step in thread.steps}

    def received_in(self, step: int) -> tuple[Signature, ...]:
        """Signatures that this step's response brought, in order of arrival."""
        return self._brought.get(step, ())

    @cached_property
    def _brought(self) -> dict[int | None, tuple[Signature, ...]]:
        found: dict[int | None, list[Signature]] = {}
        for signature in self.signatures:
            found.setdefault(signature.step, []).append(signature)
        return {step: tuple(brought) for step, brought in found.items()}

    def concerning(
        self, step: int, fates: Set[Fate] | None = None
    ) -> tuple[tuple[Signature, FateAt], ...]:
        """Signatures that have a fate in this step's request, or one of these fates.

        Costs a look at all stretches that hold several steps; those that a rule asks
        for in each step are best named, for nearly all fates of a long session are
        exact.
        """
        return tuple(
            (signature, stretch.fate_in(step))
            for signature, stretch in self.stretches_in(step, fates)
        )

    def stretches_in(
        self, step: int, fates: Set[Fate] | None = None
    ) -> list[tuple[Signature, FateStretch]]:
        """The same, each with the stretch that the step belongs to: nothing is made for
        the step, so it is what to ask where there are many. Steps of one stretch get
        the very same pair."""
        wanted = self._lasting if fates is None else fates & self._lasting.keys()
        found = [
            each
            for each in self._brief.get(step, ())
            if fates is None or each[1][1].fate.fate in fates
        ]
        for fate in wanted:
            for steps, alike in self._lasting[fate]:
                at = bisect_left(steps, step)
                if at < len(steps) and steps[at] == step:
                    found += [each for first, end, each in alike if first <= at < end]
        found.sort(key=itemgetter(0))
        return [pair for _, pair in found]

    @cached_property
    def _brief(self) -> dict[int, list[_Concerned]]:
        """Stretches of a few steps, by step."""
        found: dict[int, list[_Concerned]] = {}
        for place, signature in enumerate(self.signatures):
            for stretch in signature.stretches:
                if len(stretch.steps) <= BRIEF:
                    each = place, (signature, stretch)
                    for step in stretch.steps:
                        found.setdefault(step, []).append(each)
        return found

    @cached_property
    def _lasting(self) -> dict[Fate, list[_Alike]]:
        """Stretches of more steps, by fate and conversation."""
        found: dict[Fate, dict[int, _Alike]] = {}
        for place, signature in enumerate(self.signatures):
            for stretch in signature.stretches:
                if len(stretch.steps) > BRIEF:
                    steps, first, end = stretch.steps.shared
                    by_list = found.setdefault(stretch.fate.fate, {})
                    _, alike = by_list.setdefault(id(steps), (steps, []))
                    alike.append((first, end, (place, (signature, stretch))))
        return {fate: list(by_list.values()) for fate, by_list in found.items()}

    def sent_in(self, step: int, signature: Signature) -> tuple[Sighting, ...]:
        """Where one of these signatures stands in this step's request."""
        for _, (brief, stretch) in self._brief.get(step, ()):
            if brief is signature:
                return stretch.sightings
        for stretch in signature.stretches:
            if len(stretch.steps) > BRIEF and step in stretch.steps:
                return stretch.sightings
        return ()
