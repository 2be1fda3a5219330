"""The lanes of a session in order: by thread, runs below their step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sigscope.ledger import Thread
from sigscope.records import dataclass
from sigscope.timeline.lanes import Lane


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneGroup:
    thread: Thread | None
    """None where nothing is known of threads."""
    lanes: tuple[Lane, ...]


def sort_lanes(
    lanes: Iterable[Lane],
    threads: Sequence[Thread],
    *,
    by_thread: bool = True,
    runs: bool = True,
) -> tuple[LaneGroup, ...]:
    """Groups by thread in the order of their first steps, or one group by step; runs
    stand below the step they were made from, or are left out."""
    wanted = [lane for lane in lanes if runs or lane.run is None]
    wanted.sort(key=lambda lane: (lane.step, lane.run or 0))
    if not by_thread or len(threads) < 2:
        only = threads[0] if len(threads) == 1 else None
        return (LaneGroup(thread=only, lanes=tuple(wanted)),) if wanted else ()
    home = {step: thread.number for thread in threads for step in thread.steps}
    found = [
        LaneGroup(
            thread=thread,
            lanes=tuple(x for x in wanted if home.get(x.step) == thread.number),
        )
        for thread in threads
    ]
    strays = tuple(lane for lane in wanted if lane.step not in home)
    if strays:
        found.append(LaneGroup(thread=None, lanes=strays))
    return tuple(group for group in found if group.lanes)


def offsets_of(lanes: Iterable[Lane]) -> Mapping[tuple[str, int], float] | None:
    """Where each lane begins on the clock of the session: milliseconds after the first
    request. None where a recorded step tells no time, or has none within.

    Runs are made days later; they are laid at the moment of their step. What the
    recorder held while nothing else was going on is cut out.
    """
    listed = list(lanes)
    steps = [lane for lane in listed if lane.run is None]
    begins = {lane.step: lane.began for lane in steps}
    known = [at for at in begins.values() if at is not None]
    if not known or len(known) < len(begins) or not all(x.is_timed for x in steps):
        return None
    zero = min(known)
    cuts = _cuts(steps)
    offsets = {
        step: (at or zero)
        - zero
        - sum(cut for when, cut in cuts if when <= (at or zero))
        for step, at in begins.items()
    }
    return {lane.key: offsets.get(lane.step, 0.0) for lane in listed}


def _cuts(steps: Sequence[Lane]) -> list[tuple[float, float]]:
    """When requests were let go, and how many milliseconds before that nothing was
    going on but that they were held. The first one counts from when it was sent."""
    found = []
    busy_until: float | None = None
    for lane in sorted(steps, key=lambda lane: lane.began or 0.0):
        began = lane.began or 0.0
        if busy_until is not None and lane.held:
            found.append((began, max(0.0, min(lane.held, began - busy_until))))
        busy_until = max(busy_until or 0.0, began + lane.end)
    return found
