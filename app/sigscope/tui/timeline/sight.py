"""Where the play head stands among the lanes, and where it can go. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from sigscope.ledger import FateAt, Ledger
from sigscope.records import dataclass
from sigscope.timeline.lanes import Lane
from sigscope.tui.selection import Selection
from sigscope.tui.timeline.rows import Key, PlayHead
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.shownsession import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """The lanes on show, in their order, and an event of one of them."""

    lanes: tuple[Lane, ...] = ()
    offsets: Mapping[Key, float] = field(default_factory=dict)
    """Where lanes begin on the axis; at 0 if not named."""
    key: Key | None = None
    """The lane under the cursor."""
    event: int = 0
    """The event of it that the play head stands at; 0: none, its end."""

    @property
    def lane(self) -> Lane | None:
        """The lane under the cursor."""
        return next((lane for lane in self.lanes if lane.key == self.key), None)

    @property
    def moment(self) -> float:
        """Where the play head is on the axis."""
        lane = self.lane
        if lane is None:
            return 0.0
        return self.offsets.get(lane.key, 0.0) + lane.at(self.event)

    @property
    def head(self) -> PlayHead | None:
        """The play head, to be drawn."""
        lane = self.lane
        if lane is None:
            return None
        label = f"{self.event:,}" if lane.is_streamed and self.event else ""
        return PlayHead(key=lane.key, moment=self.moment, label=label)

    @property
    def signatures(self) -> tuple[str, ...]:
        """Those that arrive at the play head."""
        lane = self.lane
        if lane is None:
            return ()
        here = self.event or None
        return tuple(
            mark.sha256
            for mark in lane.marks
            if mark.kind == "signature" and mark.event == here
        )

    def event_in(self, lane: Lane | None) -> int:
        """The event that the play head takes along to a lane."""
        return min(max(1, self.event), lane.events) if lane else 0

    def event_at(self, key: Key, moment: float) -> int:
        """The event of a lane nearest to a moment on the axis."""
        lane = next((lane for lane in self.lanes if lane.key == key), None)
        return lane.event_at(moment - self.offsets.get(key, 0.0)) if lane else 0

    def signature_from(self, by: int) -> tuple[Key, int] | None:
        """The lane and the event of the next (1) or previous (-1) signature, in the
        order of the lanes; None where there is no further one."""
        order = [lane.key for lane in self.lanes]
        here = (order.index(self.key) if self.key in order else 0, self.event)
        places = sorted(
            {
                (index, mark.event or 0)
                for index, lane in enumerate(self.lanes)
                for mark in lane.marks
                if mark.kind == "signature"
            }
        )
        after = [place for place in places if place > here]
        before = [place for place in places if place < here]
        found = after[:1] if by > 0 else before[-1:]
        return (order[found[0][0]], found[0][1]) if found else None

    def concerned_from(self, by: int, fates: Mapping[int, FateAt]) -> Lane | None:
        """The next (1) or previous (-1) lane whose request a signature concerns, or
        whose response brought it, around the end."""
        lanes = [lane for lane in self.lanes if lane.run is None and lane.step in fates]
        if not lanes:
            return None
        order = {lane.key: index for index, lane in enumerate(self.lanes)}
        here = order.get(self.key, -1) if self.key else -1
        ahead = [lane for lane in lanes if (order[lane.key] - here) * by > 0]
        return (ahead or lanes)[0 if by > 0 else -1]


def lanes_of(facts: Iterable[StepFacts], shown: Shown | None) -> tuple[Lane, ...]:
    """A lane for each step, and the run on show below its own."""
    found: list[Lane] = []
    for fact in facts:
        if fact.lane is not None:
            found.append(fact.lane)
        if shown is not None and shown.run and fact.number == shown.step:
            lane = shown.facts.lane
            found += [replace(lane, run=shown.run)] if lane else []
    return tuple(found)


def selected_in(lanes: tuple[Lane, ...], selection: Selection) -> Sight:
    """The play head at the selected event, else where the selected signature arrived
    in the lane of the step, or run, on show."""
    key = ("step", selection.step)
    if selection.run is not None:
        key = ("run", selection.run)
    sight = Sight(lanes=lanes, key=key)
    place, lane = selection.place, sight.lane
    if place is not None and place.side == "event":
        return replace(sight, event=place.event or 0)
    for mark in lane.marks if lane and selection.signature else ():
        if mark.sha256 == selection.signature:
            return replace(sight, event=mark.event or 0)
    return sight


def fates_of(ledger: Ledger, sha256: str | None) -> Mapping[int, FateAt]:
    """What became of a signature, by step; also of one that came twice."""
    found = (s for s in ledger.signatures if s.sha256 == sha256)
    return {fate.step: fate for signature in found for fate in signature.fates}
