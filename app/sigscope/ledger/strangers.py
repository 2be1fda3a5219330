"""Values that no recorded response issued: earlier than the recording, or foreign.

A capture that begins in the middle (one request, *Copy as cURL*) shows signatures
whose responses were never recorded. These are as good as any other, for all that can
be seen. Foreign is only what contradicts the recording: a value in a message whose
response is recorded and brought no such thing, one that replaced another which an
earlier request of the conversation carried in the same place, one whose outer bytes
name Google's other surface.
"""

from __future__ import annotations

from collections.abc import Iterable

from sigscope import opaque
from sigscope.conversation import Sighting, SignatureKind
from sigscope.fingerprints import guess_origin
from sigscope.ledger.asked import Asked
from sigscope.ledger.links import plain
from sigscope.ledger.records import BEFORE, Fate, FateAt, Grade, Thread
from sigscope.reader import Reading

Slot = tuple[int, str, object]
"""Thread, carrier, and what it stands on."""


class Strangers:
    """Tells what became of values that no response issued. Asked in step order."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        self._unanswered = [
            reading.number
            for reading in readings
            if reading.status is None and not reading.has_answer
        ]
        """Steps whose answer was not recorded: it may have brought anything."""
        self._earlier: set[str] = set()
        """Values found to be earlier."""
        self._slots: dict[Slot, str] = {}
        """Which of these stood in a place first: the last would depend on which
        requests were asked again."""
        self._settled: dict[tuple[Slot, str], str] = {}
        """What spoke against a value in a place. That stays, though another thread has
        it as earlier: requests that only repeat it are not asked again."""

    def follow(self, other: Strangers) -> None:
        """Know what another has found so far."""
        self._earlier = {*other._earlier}
        self._slots = {**other._slots}
        self._settled = {**other._settled}

    def fate(self, asked: Asked, thread: Thread, sighting: Sighting) -> FateAt:
        """The fate of one value in one request."""
        if sighting.kind is SignatureKind.BYPASS:
            fate, note = Fate.BYPASS, "a bypass; no reasoning goes with it"
        elif contradiction := self._contradiction(asked, thread, sighting):
            fate, note = Fate.FOREIGN, contradiction
        else:
            fate, note = Fate.EARLIER, self._issued(asked, sighting)
            self._earlier.add(sighting.value)
            self._slots.setdefault(_slot(thread, sighting), sighting.value)
        message = sighting.anchor.message
        return FateAt(
            step=asked.number,
            fate=fate,
            grade=Grade.NOT_APPLICABLE,
            note=note,
            message=message if message >= 0 else None,
        )

    def _contradiction(
        self, asked: Asked, thread: Thread, sighting: Sighting
    ) -> str | None:
        """What in the recording speaks against an issuer before it; None if nothing."""
        origin = guess_origin(sighting.value)
        here = asked.scene.surface
        if origin.surface and here and origin.surface != here:
            return f"no recorded response issued it; it looks like {origin.detail}"
        at = sighting.anchor.message
        for step, messages in asked.linked.items():
            if at in messages:
                return f"the answer of step {step} is recorded and did not bring it"
        held = _slot(thread, sighting), sighting.value
        if held not in self._settled and sighting.value not in self._earlier:
            said = self._conflict(asked, held[0], at)
            if said is not None:
                self._settled[held] = said
        return self._settled.get(held)

    def _conflict(self, asked: Asked, slot: Slot, at: int) -> str | None:
        """What a value that is met for the first time has against it."""
        if asked.is_recorded_from(at) and not self._unanswered_before(asked.number):
            return "no recorded response issued it"
        before = self._slots.get(slot)
        if before is not None and not asked.sends(before):
            name = opaque.fingerprint(before)
            return f"it replaced {name}, which an earlier request carried here"
        return None

    def _issued(self, asked: Asked, sighting: Sighting) -> str:
        steps = self._unanswered_before(asked.number)
        if not steps or not asked.is_recorded_from(sighting.anchor.message):
            return BEFORE
        step = steps[-1]
        return f"issued outside this recording: the answer of step {step} is not in it"

    def unanswered_before(self, step: int) -> int:
        """How many earlier steps may have brought anything."""
        return len(self._unanswered_before(step))

    def _unanswered_before(self, step: int) -> list[int]:
        return [number for number in self._unanswered if number < step]


def _slot(thread: Thread, sighting: Sighting) -> Slot:
    """Calls are known by their ids, which stay where histories are trimmed."""
    anchor = sighting.anchor
    home = plain(anchor.call_id) if anchor.call_id else (anchor.message, anchor.part)
    return thread.number, sighting.carrier, home
