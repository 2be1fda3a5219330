"""The path of one signature: from where it was received to each place where it was
sent, or should have been. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sigscope.ledger import Fate, FateAt, Ledger, Signature
from sigscope.records import dataclass
from sigscope.tui.place import NodePlace
from sigscope.tui.selection import Selection
from sigscope.tui.views.marks import place_received


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailStop:
    """One place on the way."""

    step: int
    place: NodePlace
    fate: Fate
    note: str = ""
    """What the ledger says to it; empty where it says nothing."""

    @property
    def words(self) -> str:
        """ "step 2: dropped, required here"."""
        note = f", {self.note}" if self.note else ""
        return f"step {self.step}: {self.fate}{note}"


MessageAt = Callable[[int, int], str]
"""The pointer of a message of a step's request; empty where there is none."""


def path_of(signature: Signature, message_at: MessageAt) -> tuple[TrailStop, ...]:
    """All stops, by step; inside of one in the order of the wire. A step that lost it
    is a stop too: at the message where it belongs, or at the whole request."""
    stops = [
        TrailStop(
            step=place.step, place=place_received(place.sighting), fate=Fate.RECEIVED
        )
        for place in signature.received
    ]
    fates = {fate.step: fate for fate in signature.fates}
    sent: dict[int, list[NodePlace]] = {}
    for place in signature.sent:
        where = NodePlace(pointer=place.sighting.pointer)
        sent.setdefault(place.step, []).append(where)
    for step in sorted({*fates, *sent}):
        fate = fates.get(step)
        places = sent.get(step) or [_missing_place(fate, step, message_at)]
        stops += [_stop(step, place, fate) for place in dict.fromkeys(places)]
    return tuple(stops)


def _missing_place(fate: FateAt | None, step: int, message_at: MessageAt) -> NodePlace:
    if fate is None or fate.message is None:
        return NodePlace()
    return NodePlace(pointer=message_at(step, fate.message))


def _stop(step: int, place: NodePlace, fate: FateAt | None) -> TrailStop:
    if fate is None:
        return TrailStop(step=step, place=place, fate=Fate.EXACT)
    return TrailStop(
        step=step, place=place, fate=fate.fate, note=fate.note or fate.grade
    )


def next_stop(path: Sequence[TrailStop], now: Selection, by: int) -> int:
    """Index of the stop after (1), or before (-1), what is selected, around the end.

    From a place off the path it is the first stop of a later step, or the last of an
    earlier one.
    """
    places = [(stop.step, stop.place) for stop in path]
    if (here := (now.step, now.place)) in places:
        return (places.index((here[0], here[1] or NodePlace())) + by) % len(path)
    if by > 0:
        ahead = (at for at, stop in enumerate(path) if stop.step > now.step)
        return next(ahead, 0)
    behind = [at for at, stop in enumerate(path) if stop.step < now.step]
    return behind[-1] if behind else len(path) - 1


def followed(now: Selection, ledger: Ledger) -> Signature | None:
    """The signature to follow: the selected one, else the first that the step on show
    has to do with. Where a bypass is spelled the same, the received one counts."""
    if now.signature is not None:
        same = [s for s in ledger.signatures if s.sha256 == now.signature]
        return min(same, key=lambda s: not s.received, default=None)
    received = ledger.received_in(now.step)
    if received:
        return received[0]
    concerned = ledger.concerning(now.step)
    return concerned[0][0] if concerned else None


def stop_selected(stop: TrailStop, signature: Signature) -> Selection:
    """What to show at a stop."""
    return Selection(step=stop.step, place=stop.place, signature=signature.sha256)
