"""All steps of a session in lanes; a cell takes several of them together.

Costs: one look at every stretch of the ledger, at every finding and every step; a cell
is made when it is drawn.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from sigscope.conversation import SignatureKind
from sigscope.ledger import Ledger, Thread
from sigscope.ledger.records import ThreadKind
from sigscope.ledger.unjudged import why_unjudged
from sigscope.overview.endings import reasoning_ends
from sigscope.overview.records import (
    NOTHING,
    RECEIVED,
    SHADES,
    UNJUDGED,
    Fading,
    Failure,
    Shade,
    StepState,
    rank_of,
)
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.rules.findings import Finding, Severity
from sigscope.rules.session.ses_1_reasoning_fades import RULE as FADES

MOST_LANES = 8
"""Threads that have a lane each; of more, those that follow one another share one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripLane:
    """One thread, or some that do not overlap."""

    threads: tuple[int, ...]
    """Numbers as in the ledger; empty for steps of no thread."""
    kind: ThreadKind
    places: tuple[int, ...]
    """Places of its steps in the strip, ascending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripCell:
    """Some steps of a lane, neighbours in the session, taken together."""

    states: Sequence[StepState]

    @property
    def worst(self) -> StepState:
        """The step one would look at first, the earliest of those alike."""
        return min(self.states, key=lambda state: state.rank)

    @property
    def shade(self) -> Shade:
        """The worst fate of all."""
        return SHADES[min(state.shade.rank for state in self.states)]

    @property
    def failure(self) -> Failure | None:
        """The gravest."""
        found = {state.failure for state in self.states}
        order: tuple[Failure, ...] = (
            "refused", "stream error", "broken off", "no answer",
        )  # fmt: skip
        return next((each for each in order if each in found), None)

    @property
    def fading(self) -> Fading | None:
        """Which one begins in it."""
        return next((state.fading for state in self.states if state.fading), None)

    @property
    def severity(self) -> Severity | None:
        """Of the worst finding."""
        found = {state.severity for state in self.states}
        order = (Severity.ERROR, Severity.WARNING)
        return next((each for each in order if each in found), None)


@dataclass(frozen=True, kw_only=True)
class SessionStrip:
    states: tuple[StepState, ...] = ()
    """By number of the step; a place is an index of these."""
    lanes: tuple[StripLane, ...] = ()
    """By first step."""
    is_checked: bool = True
    """Whether the rules have run; before, that no finding is marked says nothing."""

    def __len__(self) -> int:
        return len(self.states)

    @cached_property
    def lane_at(self) -> tuple[int, ...]:
        """The lane of each place."""
        found = {
            place: number
            for number, lane in enumerate(self.lanes)
            for place in lane.places
        }
        return tuple(found[place] for place in range(len(self.states)))

    def place_of(self, step: int) -> int:
        """Where a step stands; the place before where there is no such step."""
        numbers = self._numbers
        place = bisect_left(numbers, step)
        is_there = place < len(numbers) and numbers[place] == step
        return place if is_there else max(0, place - 1)

    @cached_property
    def _numbers(self) -> list[int]:
        return [state.step for state in self.states]

    def cell(self, lane: int, start: int, end: int) -> StripCell | None:
        """What a lane has from one place up to another; None where it has no step."""
        places = self.lanes[lane].places
        first, stop = bisect_left(places, start), bisect_left(places, end)
        if first == stop:
            return None
        return StripCell(states=[self.states[at] for at in places[first:stop]])

    def worst_between(self, start: int, end: int) -> int:
        """The place to look at first, in any lane."""
        return min(range(start, end), key=lambda place: self.states[place].rank)

    def has_failures(self, lane: int) -> bool:
        """Whether there is one to be marked."""
        return any(self.states[place].failure for place in self.lanes[lane].places)

    def has_findings(self, lane: int) -> bool:
        """Whether a finding or a fading is to be marked."""
        states = (self.states[place] for place in self.lanes[lane].places)
        return any(state.fading or state.severity for state in states)


def survey(
    readings: Sequence[Reading],
    ledger: Ledger,
    refusals: Mapping[int, Refusal],
    findings: Iterable[Finding],
    *,
    is_checked: bool = True,
) -> SessionStrip:
    by_number = {reading.number: reading for reading in readings}
    ranks = _ranks(ledger)
    fading: dict[int, Fading] = dict.fromkeys(reasoning_ends(by_number, ledger), "ends")
    severities: dict[int, Severity] = {}
    for finding in findings:
        if finding.rule == FADES.code:
            fading[finding.step] = "fades"
        if finding.severity is Severity.ERROR:
            severities[finding.step] = finding.severity
        elif finding.severity is Severity.WARNING:
            severities.setdefault(finding.step, finding.severity)
    states = []
    for number in sorted(by_number):
        reading = by_number[number]
        rank = ranks.get(number, NOTHING)
        unjudged = why_unjudged(reading)
        if unjudged:
            rank = min(rank, UNJUDGED)
        states.append(
            StepState(
                step=number,
                shade=SHADES[rank],
                status=reading.status,
                failure=failure_of(reading, refusals.get(number)),
                fading=fading.get(number),
                severity=severities.get(number),
                unjudged=unjudged,
            )
        )
    return SessionStrip(
        states=tuple(states),
        lanes=tuple(_lanes(ledger.threads, [state.step for state in states])),
        is_checked=is_checked,
    )


def failure_of(reading: Reading, refusal: Refusal | None) -> Failure | None:
    """How a step failed; None where an answer came, or may still come."""
    if refusal is not None and refusal.event:
        return "stream error"
    if refusal is not None or (reading.status or 0) >= 400:
        return "refused"
    response = reading.exchange.response
    if response is not None and response.ending == "upstream-aborted":
        return "broken off"
    return None if reading.is_accepted else "no answer"


def _ranks(ledger: Ledger) -> dict[int, int]:
    """The worst shade of each step. Stretches share the list of the steps of their
    conversation, so they are counted where they begin and end, and summed up."""
    found: dict[int, int] = {}
    for signature in ledger.signatures:
        if signature.step is not None and signature.kind is not SignatureKind.TEXT:
            found[signature.step] = RECEIVED
    edges: dict[tuple[int, int], list[int]] = {}
    lists: dict[int, Sequence[int]] = {}
    for signature in ledger.signatures:
        for stretch in signature.stretches:
            rank = rank_of(stretch.fate)
            steps, start, stop = stretch.steps.shared
            lists[id(steps)] = steps
            key = id(steps), rank
            if key not in edges:
                edges[key] = [0] * (len(steps) + 1)
            edges[key][start] += 1
            edges[key][stop] -= 1
    for (which, rank), changes in edges.items():
        for step, count in zip(lists[which], accumulate(changes), strict=False):
            if count:
                found[step] = min(rank, found.get(step, NOTHING))
    return found


def _lanes(threads: Sequence[Thread], steps: Sequence[int]) -> Iterator[StripLane]:
    """A lane for each thread; where there are too many, main ones, forks and side
    requests each in as few as hold them."""
    place_of = {step: place for place, step in enumerate(steps)}
    groups: list[list[Thread]] = []
    if len(threads) <= MOST_LANES:
        groups = [[thread] for thread in threads]
    else:
        for thread in sorted(threads, key=lambda thread: min(thread.steps)):
            for group in groups:
                last = group[-1]
                if last.kind == thread.kind and max(last.steps) < min(thread.steps):
                    group.append(thread)
                    break
            else:
                groups.append([thread])
    for group in groups:
        held = {step for thread in group for step in thread.steps}
        places = sorted(place_of[step] for step in held if step in place_of)
        if places:
            yield StripLane(
                threads=tuple(thread.number for thread in group),
                kind=group[0].kind,
                places=tuple(places),
            )
    known = {step for thread in threads for step in thread.steps}
    strays = tuple(place for step, place in place_of.items() if step not in known)
    if strays:
        yield StripLane(threads=(), kind="main", places=strays)
