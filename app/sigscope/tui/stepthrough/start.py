"""Where stepping through begins: at the answer on show, or where what a refused
request lost had arrived. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.ledger import Signature
from sigscope.ledger.records import LOST
from sigscope.records import dataclass
from sigscope.tui.selection import Selection
from sigscope.tui.views.shownsession import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A response, and where in it."""

    step: int
    run: int | None = None
    event: int | None = None
    """None: the first one."""
    lost: str = ""
    """SHA-256 of the signature that was lost later; empty where none leads here."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is another answer than the one on show."""
        return bool(self.lost)


def start_of(selection: Selection, shown: Shown) -> Start:
    """At the event that is selected, else at the first. A refusal has no events: where
    the request lost a signature, at the event in which that came."""
    place = selection.place
    event = place.event if place is not None and place.side == "event" else None
    if shown.refusal is not None and not shown.reading.events:
        for signature in _lost(selection, shown):
            arrivals = [
                (-spot.step, spot.sighting.event)
                for spot in signature.received
                if spot.step < shown.step and spot.sighting.event is not None
            ]
            if arrivals:  # the last time it was issued, where it came first
                step, number = min(arrivals)
                return Start(step=-step, event=number, lost=signature.sha256)
    return Start(step=shown.step, run=shown.run, event=event)


def _lost(selection: Selection, shown: Shown) -> Iterator[Signature]:
    """Signatures of this recording that the request lost: the one that is followed
    first, those that findings are about, then those that the service insists on."""
    concerned = shown.ledger.concerning(shown.step)
    known = {signature.sha256: signature for signature, _ in concerned}
    fates = {signature.sha256: fate for signature, fate in concerned}
    named = [selection.signature, *(finding.signature for finding in shown.findings)]
    insisted = [key for key, fate in fates.items() if fate.is_lost]
    for key in dict.fromkeys([*named, *insisted]):
        fate = fates.get(key) if key else None
        if key and fate is not None and fate.fate in LOST:
            yield known[key]
