"""Putting the ledger together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sigscope import opaque
from sigscope.conversation import Sighting, SignatureKind
from sigscope.ledger.asked import Asked, Basis, basis_of
from sigscope.ledger.fates import Verdict, judge, scene_of, trimmed
from sigscope.ledger.grading import Case, Scene
from sigscope.ledger.linking import Linker, plain
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
from sigscope.ledger.strangers import Strangers
from sigscope.ledger.threads import sort_threads
from sigscope.reading import Reading


@dataclass(slots=True)
class _Entry:
    """A signature while the ledger is being built."""

    signature: Signature
    key: bytes
    position: int = 0
    """Among the received ones."""
    signed: frozenset[str] = frozenset()
    """Plain ids of the calls it signs."""
    sent: list[Place] = field(default_factory=list)
    fates: list[FateAt] = field(default_factory=list)
    basis: Basis | None = None
    """Of the last verdict."""
    verdict: Verdict | None = None

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
        self._by_step: defaultdict[int | None, list[_Entry]] = defaultdict(list)
        self._unknown: dict[str, _Entry] = {}
        self._strange: dict[str, _Entry] = {}
        """The same by value."""
        self._keys = opaque.Keys()
        self._scenes: dict[Scene, Scene] = {}
        self._strangers = Strangers(readings)

    def take(self, reading: Reading) -> None:
        """Account for one request, then learn what its response brought."""
        self._account(reading)
        for signature in _group(reading):
            entry = _Entry(
                signature,
                opaque.comparison_key(signature.value),
                position=len(self._received),
                signed=frozenset(plain(call_id) for call_id in signature.call_ids),
            )
            self._received.append(entry)
            self._by_key[entry.key].append(entry)
            self._by_step[reading.number].append(entry)

    def signatures(self) -> tuple[Signature, ...]:
        """All entries: received ones by arrival, then those nobody issued."""
        entries = (*self._received, *self._unknown.values())
        return tuple(entry.close() for entry in entries)

    def _account(self, reading: Reading) -> None:
        thread = self._threads[reading.number]
        scene = scene_of(reading, is_side=thread.kind == "side")
        # One object for equal scenes: they are compared for every verdict.
        scene = self._scenes.setdefault(scene, scene)
        asked = Asked(reading, self._links[reading.number], thread, scene)
        for sighting in reading.sent:
            key = self._keys[sighting.value]
            asked.places[key].append(sighting)
            if key not in self._by_key:
                asked.add_stranger(sighting)
        for entry in self._concerned(asked):
            self._decide(entry, asked)
        for sighting in reading.sent:
            if sighting.pointer not in asked.explained or self._is_stand_in(sighting):
                self._meet_stranger(asked, thread, sighting)

    @staticmethod
    def _is_stand_in(sighting: Sighting) -> bool:
        """Stand-ins have an entry of their own, beside that of what they replace."""
        return sighting.kind is SignatureKind.BYPASS

    def _concerned(self, asked: Asked) -> list[_Entry]:
        """Received signatures that this request has, or should have, by arrival."""
        found: dict[int, _Entry] = {}
        for step in {*asked.linked, *asked.past}:
            for entry in self._by_step.get(step, ()):
                found[entry.position] = entry
        for key in asked.places:
            for entry in self._by_key.get(key, ()):
                if self._places_of(entry, asked):
                    found[entry.position] = entry
        return [found[position] for position in sorted(found)]

    def _places_of(self, entry: _Entry, asked: Asked) -> list[Sighting]:
        """Places with the value of a signature, less those that hold the equal value
        of another reply: recorders that hide signatures write one word for all."""
        same = asked.places.get(entry.key, [])
        twins = self._by_key[entry.key]
        if not same or len(twins) == 1:
            return same
        taken = asked.taken.get(entry.key)
        if taken is None:
            steps = {twin.signature.step for twin in twins}
            taken = {i for step in steps for i in asked.linked.get(step, ())}
            asked.taken[entry.key] = taken
        own = asked.linked.get(entry.signature.step, ())
        return [
            sighting
            for sighting in same
            if sighting.anchor.message in own or sighting.anchor.message not in taken
        ]

    def _decide(self, entry: _Entry, asked: Asked) -> None:
        """Add what became of a signature in this request."""
        step = entry.signature.step
        assert step is not None
        same = self._places_of(entry, asked)
        messages = asked.linked.get(step) or _messages_with(same)
        explained: Sequence[Sighting] = same
        if messages:
            verdict = self._verdict(entry, asked, messages, same)
            fate = verdict.fate_at(asked.number, messages[-1])
            explained = verdict.explained
        elif same:
            fate = _stray(asked.number, same)
        else:
            fate = trimmed(asked.number)
        entry.fates.append(fate)
        for sighting in explained:
            entry.sent.append(Place(step=asked.number, sighting=sighting))
            asked.explained.add(sighting.pointer)

    def _verdict(
        self,
        entry: _Entry,
        asked: Asked,
        messages: tuple[int, ...],
        same: Sequence[Sighting],
    ) -> Verdict:
        """The last one still, where all that it rests on is as it was."""
        near = asked.strangers_near(messages, entry.signed) if asked.strangers else ()
        basis = basis_of(asked, messages, same, near)
        verdict = entry.verdict
        if verdict is None or entry.basis != basis:
            signature = entry.signature
            case = Case(
                signature=signature,
                reply=self._readings[signature.received[0].step],
                scene=asked.scene,
                history=asked.history,
                messages=messages,
                is_current=messages[-1] >= asked.turn_start,
            )
            verdict = entry.verdict = judge(case, same, near)
            entry.basis = basis
        if verdict.is_absent:
            astray = asked.reading.find_sent(entry.signature.value)
            if astray is not None and not asked.has(astray):
                return verdict.found_at(astray)
        return verdict

    def _meet_stranger(self, asked: Asked, thread: Thread, sighting: Sighting) -> None:
        """A value that no recorded response issued."""
        entry = self._strange.get(sighting.value)
        if entry is None:
            entry = self._strange[sighting.value] = self._stranger(sighting)
        entry.sent.append(Place(step=asked.number, sighting=sighting))
        if not entry.fates or entry.fates[-1].step != asked.number:
            entry.fates.append(self._strangers.fate(asked, thread, sighting))

    def _stranger(self, sighting: Sighting) -> _Entry:
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
        return entry


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


def _stray(step: int, same: Sequence[Sighting]) -> FateAt:
    return FateAt(
        step=step,
        fate=Fate.MOVED,
        grade=Grade.NOT_APPLICABLE,
        note=f"found at {same[0].pointer}, outside any message",
    )
