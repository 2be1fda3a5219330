"""Putting the ledger together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sigscope import opaque
from sigscope.conversation import Sighting, SignatureKind
from sigscope.ledger.fates import Outcome, judge, surface, trimmed
from sigscope.ledger.grading import Case
from sigscope.ledger.linking import Linker
from sigscope.ledger.records import (
    Fate,
    FateAt,
    Grade,
    Ledger,
    Link,
    Place,
    Signature,
    Thread,
)
from sigscope.ledger.threads import sort_threads
from sigscope.reading import Reading


@dataclass(slots=True)
class _Entry:
    """A signature while the ledger is being built."""

    signature: Signature
    key: bytes
    sent: list[Place] = field(default_factory=list)
    fates: list[FateAt] = field(default_factory=list)

    def close(self) -> Signature:
        old = self.signature
        return Signature(
            id=old.id,
            sha256=old.sha256,
            value=old.value,
            kind=old.kind,
            received=old.received,
            sent=tuple(self.sent),
            fates=tuple(sorted(self.fates, key=lambda fate: fate.step)),
        )


def build_ledger(readings: Sequence[Reading]) -> Ledger:
    """The ledger of a session; the readings in step order."""
    linker = Linker()
    links = {reading.number: linker.take(reading) for reading in readings}
    threads = sort_threads(readings, links, linker.whole)
    builder = _Builder(readings, links, threads)
    for reading in readings:
        builder.take(reading)
    return Ledger(signatures=builder.signatures(), threads=threads, links=links)


class _Builder:
    def __init__(
        self,
        readings: Sequence[Reading],
        links: dict[int, tuple[Link, ...]],
        threads: Sequence[Thread],
    ) -> None:
        self._readings = {reading.number: reading for reading in readings}
        self._links = links
        self._threads = {step: thread for thread in threads for step in thread.steps}
        self._received: list[_Entry] = []
        self._by_key: defaultdict[bytes, list[_Entry]] = defaultdict(list)
        self._unknown: dict[str, _Entry] = {}

    def take(self, reading: Reading) -> None:
        """Account for one request, then learn what its response brought."""
        self._account(reading)
        for signature in _group(reading):
            entry = _Entry(signature, opaque.comparison_key(signature.value))
            self._received.append(entry)
            self._by_key[entry.key].append(entry)

    def signatures(self) -> tuple[Signature, ...]:
        """All entries: received ones by arrival, then those nobody issued."""
        entries = (*self._received, *self._unknown.values())
        return tuple(entry.close() for entry in entries)

    def _account(self, reading: Reading) -> None:
        places: defaultdict[bytes, list[Sighting]] = defaultdict(list)
        for sighting in reading.sent:
            places[opaque.comparison_key(sighting.value)].append(sighting)
        strangers = [s for s in reading.sent if not self._is_known(s)]
        explained: set[str] = set()
        for entry in self._concerned(reading, places):
            same = self._places_of(entry, reading, places)
            free = [s for s in strangers if s.pointer not in explained]
            outcome = self._judge(entry, reading, same, free)
            entry.fates.append(outcome.fate)
            for sighting in outcome.explained:
                entry.sent.append(Place(step=reading.number, sighting=sighting))
                explained.add(sighting.pointer)
        for sighting in reading.sent:
            if sighting.pointer not in explained or self._is_stand_in(sighting):
                self._meet_stranger(reading, sighting)

    @staticmethod
    def _is_stand_in(sighting: Sighting) -> bool:
        """Stand-ins have an entry of their own, beside that of what they replace."""
        return sighting.kind is SignatureKind.BYPASS

    def _is_known(self, sighting: Sighting) -> bool:
        return opaque.comparison_key(sighting.value) in self._by_key

    def _concerned(
        self, reading: Reading, places: dict[bytes, list[Sighting]]
    ) -> Iterator[_Entry]:
        """Received signatures that this request has, or should have."""
        held = {link.step for link in self._links[reading.number]}
        past = self._past_of(reading)
        for entry in self._received:
            step = entry.signature.step
            if step in held or step in past or self._places_of(entry, reading, places):
                yield entry

    def _places_of(
        self,
        entry: _Entry,
        reading: Reading,
        places: Mapping[bytes, list[Sighting]],
    ) -> list[Sighting]:
        """Places with the value of a signature, less those that hold the equal value
        of another reply: recorders that hide signatures write one word for all."""
        same = places.get(entry.key, [])
        if not same or len(self._by_key[entry.key]) == 1:
            return same
        others: set[int] = set()
        for twin in self._by_key[entry.key]:
            if twin.signature.step != entry.signature.step:
                others.update(self._messages_of(reading, twin.signature.step))
        own = self._messages_of(reading, entry.signature.step)
        return [
            sighting
            for sighting in same
            if sighting.anchor.message in own or sighting.anchor.message not in others
        ]

    def _past_of(self, reading: Reading) -> set[int]:
        """Earlier steps of the conversation that this request is a turn of."""
        if not self._links[reading.number]:
            return set()
        thread = self._threads[reading.number]
        return {step for step in thread.steps if step < reading.number}

    def _judge(
        self,
        entry: _Entry,
        reading: Reading,
        same: Sequence[Sighting],
        strangers: Sequence[Sighting],
    ) -> Outcome:
        step = entry.signature.step
        assert step is not None
        messages = self._messages_of(reading, step) or _messages_with(same)
        if not messages:
            if same:
                return _stray(entry, reading, same)
            return Outcome(trimmed(entry.signature, reading.number), ())
        case = Case(
            signature=entry.signature,
            reply=self._readings[step],
            request=reading,
            messages=messages,
        )
        is_side = self._threads[reading.number].kind == "side"
        return judge(case, same, strangers, is_side=is_side)

    def _messages_of(self, reading: Reading, step: int | None) -> tuple[int, ...]:
        for link in self._links[reading.number]:
            if link.step == step:
                return link.messages
        return ()

    def _meet_stranger(self, reading: Reading, sighting: Sighting) -> None:
        """A value that no recorded response issued."""
        digest = opaque.sha256(sighting.value)
        entry = self._unknown.get(digest)
        if entry is None:
            signature = Signature(
                id=digest[: opaque.FINGERPRINT_DIGITS],
                sha256=digest,
                value=sighting.value,
                kind=sighting.kind,
            )
            key = opaque.comparison_key(sighting.value)
            entry = self._unknown[digest] = _Entry(signature, key)
        entry.sent.append(Place(step=reading.number, sighting=sighting))
        if all(fate.step != reading.number for fate in entry.fates):
            entry.fates.append(_stranger_fate(reading, sighting))


def _group(reading: Reading) -> Iterator[Signature]:
    """The distinct signatures of a response, in order of arrival."""
    groups: dict[bytes, list[Sighting]] = {}
    for sighting in reading.received:
        groups.setdefault(opaque.comparison_key(sighting.value), []).append(sighting)
    for sightings in groups.values():
        first = sightings[0]
        digest = opaque.sha256(first.value)
        yield Signature(
            id=digest[: opaque.FINGERPRINT_DIGITS],
            sha256=digest,
            value=first.value,
            kind=first.kind,
            received=tuple(
                Place(step=reading.number, sighting=sighting) for sighting in sightings
            ),
        )


def _messages_with(same: Iterable[Sighting]) -> tuple[int, ...]:
    found = {s.anchor.message for s in same if s.anchor.message >= 0}
    return tuple(sorted(found))


def _stray(entry: _Entry, reading: Reading, same: Sequence[Sighting]) -> Outcome:
    fate = FateAt(
        step=reading.number,
        fate=Fate.MOVED,
        grade=Grade.NOT_APPLICABLE,
        note=f"found at {same[0].pointer}, outside any message",
    )
    return Outcome(fate, tuple(same))


def _stranger_fate(reading: Reading, sighting: Sighting) -> FateAt:
    if sighting.kind is SignatureKind.BYPASS:
        fate, note = Fate.BYPASS, "a stand-in; no reasoning goes with it"
    else:
        fate, note = Fate.FOREIGN, _stranger_note(reading, sighting)
    message = sighting.anchor.message
    return FateAt(
        step=reading.number,
        fate=fate,
        grade=Grade.NOT_APPLICABLE,
        note=note,
        message=message if message >= 0 else None,
    )


def _stranger_note(reading: Reading, sighting: Sighting) -> str:
    origin = opaque.guess_origin(sighting.value)
    here = surface(reading)
    if origin.surface and here and origin.surface != here:
        return f"no recorded response issued it; it looks like {origin.detail}"
    return "no recorded response issued it"
