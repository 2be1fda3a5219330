"""A ledger as a map: which lanes there are, and which lines lead between them.

Costs: a look at every stretch once. Marks and links are made for the columns that are
asked for: a session of 1,000 steps has half a million of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from sigscope import opaque
from sigscope.conversation import SignatureKind
from sigscope.ledger import Ledger, SightingAt, Signature
from sigscope.ledger.hops import HopLoss, hop_depth
from sigscope.ledger.records import FateStretch, StepSlice
from sigscope.paths.records import (
    PathColumn,
    PathLane,
    PathLink,
    PathMark,
    PlaceShape,
    SignaturePath,
    shape_of,
)
from sigscope.records import dataclass


@dataclass(frozen=True, kw_only=True)
class PathMap:
    """Columns, and lanes in groups by place."""

    columns: tuple[PathColumn, ...]
    paths: tuple[SignaturePath, ...]
    """In the order of the ledger."""
    hops: int = 1
    """How many hops there are: 2 with a gateway between."""
    kept_back: frozenset[tuple[str, int]] = frozenset()
    """Id and inner step of what a gateway got and did not hand to its client."""

    @cached_property
    def groups(self) -> tuple[tuple[PlaceShape, tuple[PathLane, ...]], ...]:
        """Lanes by place: the client's hop first, in the order of first arrival."""
        found: dict[PlaceShape, list[PathLane]] = {}
        for path in self.paths:
            for lane in path.lanes:
                found.setdefault(lane.shape, []).append(lane)
        places = sorted(found.items(), key=lambda each: each[0].hop)
        return tuple((shape, tuple(lanes)) for shape, lanes in places)

    def title_of(self, shape: PlaceShape) -> str:
        """ "message · reasoning_opaque"; of two hops it says which."""
        if self.hops < 2:
            return shape.name
        side = "client › gateway" if shape.hop == 0 else "gateway › service"
        return f"{side} · {shape.name}"

    def only(self, keys: Container[str]) -> PathMap:
        """The map with some signatures on it."""
        kept = tuple(path for path in self.paths if path.key in keys)
        return replace(self, paths=kept)

    def path_of(self, lane: PathLane) -> SignaturePath:
        """The path that a lane is part of."""
        return self._path_by_sha[lane.signature.sha256]

    @cached_property
    def _path_by_sha(self) -> dict[str, SignaturePath]:
        return {
            lane.signature.sha256: path for path in self.paths for lane in path.lanes
        }

    def mark(self, lane: PathLane, column: int) -> PathMark | None:
        """What a lane shows in a column."""
        if not lane.start <= column <= lane.end:
            return None
        for step in self.columns[column].steps:
            found = lane.mark_of(step) if lane.columns[step] == column else None
            if found is not None:
                return found
        return None

    def mark_after(self, lane: PathLane, column: int) -> PathMark | None:
        """The next mark to the right of a column."""
        for after in range(max(column + 1, lane.start), lane.end + 1):
            found = self.mark(lane, after)
            if found is not None:
                return found
        return None

    def links(self, path: SignaturePath, column: int) -> Iterator[PathLink]:
        """The lines between lanes of a path that a column holds."""
        for home in path.homes():
            for lane in path.lanes:
                if lane is home or lane.shape.hop != home.shape.hop:
                    continue
                if lane.start == column:
                    arrives = lane.arrival is not None
                    yield PathLink(
                        column=column, source=home, target=lane, is_arrival=arrives
                    )
        homes = list(path.homes())
        yield from self._kept_back(homes, column)
        for outer, inner in pairwise(homes):
            found = self._hop(outer, inner, column)
            if found is not None:
                yield found

    def has_links(self, path: SignaturePath) -> bool:
        """Whether there can be lines between lanes of a path."""
        return len(path.lanes) > 1 or self.hops > 1 or bool(self.kept_back)

    def comes_by_link(self, lane: PathLane, column: int) -> bool:
        """Whether what a lane shows there came from another lane, not along it."""
        path = self.path_of(lane)
        if not self.has_links(path):
            return False
        links = self.links(path, column)
        return any(link.target is lane and not link.is_arrival for link in links)

    def _kept_back(self, homes: Sequence[PathLane], column: int) -> Iterator[PathLink]:
        for home in homes:
            mark = self.mark(home, column)
            if mark is None or mark.fate is not None:
                continue
            if (home.signature.id, mark.step) in self.kept_back:
                yield PathLink(
                    column=column,
                    source=home,
                    target=None,
                    is_arrival=True,
                    is_broken=True,
                )

    def _hop(self, outer: PathLane, inner: PathLane, column: int) -> PathLink | None:
        """What the gateway did: hand down what it got, hand up what it was given."""
        ours, theirs = self.mark(outer, column), self.mark(inner, column)
        if ours is None or theirs is None:
            return None
        if theirs.fate is None:
            is_whole = ours.fate is None
            return (
                PathLink(column=column, source=inner, target=outer, is_arrival=True)
                if is_whole
                else None
            )
        if ours.fate is None or not ours.is_there:
            return None
        return PathLink(
            column=column,
            source=outer,
            target=inner,
            is_broken=not theirs.is_there,
        )


def continued(run: Ledger, step: int, recorded: Ledger) -> Ledger:
    """A run in place of a step, and after it what was recorded: those requests were
    sent as they were, whatever the run would have changed in them."""
    before = {(each.sha256, each.step): each for each in run.signatures}
    found = dict(before)
    for signature in recorded.signatures:
        later = tuple(_after(step, signature.stretches))
        key = signature.sha256, signature.step
        known = before.get(key)
        if known is not None:
            stretches = (*known.stretches, *later)
            found[key] = replace(known, stretches=stretches)
        elif later or (signature.step or 0) > step:
            received = signature.received if (signature.step or 0) > step else ()
            found[key] = replace(signature, stretches=later, received=received)
    return replace(run, signatures=tuple(found.values()), threads=recorded.threads)


def _after(step: int, stretches: Iterable[FateStretch]) -> Iterator[FateStretch]:
    """What of them is later than a step."""
    for stretch in stretches:
        shared, start, stop = stretch.steps.shared
        start = bisect_right(shared, step, start, stop)
        if start < stop:
            first = stretch.fate_in(shared[start])
            steps = StepSlice(shared, start, stop)
            yield replace(stretch, fate=first, steps=steps)


def map_paths(
    ledger: Ledger,
    hops: Mapping[int, int] | None = None,
    losses: Iterable[HopLoss] = (),
    *,
    recorded_after: int | None = None,
) -> PathMap:
    """The map of a session. `hops`: inner step → the outer one it was made for;
    `losses`: what did not pass from one to the other; `recorded_after`: the step in
    whose place the ledger has a run (`continued`).

    Readable reasoning is no signature, and bypasses are nobody's: they have no path.
    """
    hops = hops or {}
    steps = sorted(step for thread in ledger.threads for step in thread.steps)
    columns, where = _columns(steps, hops)
    if recorded_after is not None:
        columns = tuple(
            replace(each, is_recorded=each.steps[0] > recorded_after)
            for each in columns
        )
    found: dict[str, list[PathLane]] = {}
    for signature in ledger.signatures:
        if signature.kind in (SignatureKind.TEXT, SignatureKind.BYPASS):
            continue
        lanes = _lanes(signature, where, hops)
        if lanes:
            key = opaque.comparison_key(signature.value)
            found.setdefault(str(key), []).extend(lanes)
    paths = tuple(
        SignaturePath(
            key=key, lanes=tuple(sorted(lanes, key=lambda lane: lane.shape.hop))
        )
        for key, lanes in found.items()
    )
    depths = {lane.shape.hop for path in paths for lane in path.lanes}
    kept_back = frozenset(
        (loss.signature, loss.inner)
        for loss in losses
        if loss.direction == "to the client" and loss.loser == "gateway"
    )
    return PathMap(
        columns=columns,
        paths=paths,
        hops=max(depths, default=0) + 1,
        kept_back=kept_back,
    )


def _columns(
    steps: Sequence[int], hops: Mapping[int, int]
) -> tuple[tuple[PathColumn, ...], dict[int, int]]:
    """Columns by first step, and the column of each step. Of several requests that a
    gateway made for one, the first shares its column; the others have their own."""
    held: dict[int, list[int]] = {}
    home: dict[int, int] = {}
    for step in sorted(steps, key=lambda each: hop_depth(each, hops)):
        head = home.get(hops.get(step, -1))
        if head is not None and held[head][-1] == hops[step]:
            held[head].append(step)
        else:
            head = step
            held[step] = [step]
        home[step] = head
    ordered = sorted(held, key=lambda head: min(held[head]))
    order = {head: index for index, head in enumerate(ordered)}
    columns = tuple(PathColumn(steps=tuple(held[head])) for head in ordered)
    return columns, {step: order[head] for step, head in home.items()}


def _lanes(
    signature: Signature, where: Mapping[int, int], hops: Mapping[int, int]
) -> list[PathLane]:
    """One lane for each place it stands in; its home tells where it stands in none."""
    known = signature.received or signature.sent[:1]
    first = signature.step
    if first is None and signature.stretches:
        first = min(part.steps[0] for part in signature.stretches)
    if first is None or not known:
        return []
    hop = hop_depth(first, hops)
    arrivals: dict[PlaceShape, SightingAt] = {}
    for place in signature.received:
        arrivals.setdefault(shape_of(place.sighting, hop), place)
    home = next(iter(arrivals), shape_of(known[0].sighting, hop))
    parts: dict[PlaceShape, list[FateStretch]] = {
        shape: [] for shape in (home, *arrivals)
    }
    for stretch in signature.stretches:
        shapes = dict.fromkeys(shape_of(each, hop) for each in stretch.sightings)
        for shape in shapes or (home,):
            parts.setdefault(shape, []).append(stretch)
    return [
        _lane(signature, shape, arrivals.get(shape), told, where, is_plain=not hops)
        for shape, told in parts.items()
        if told or shape in arrivals
    ]


def _lane(
    signature: Signature,
    shape: PlaceShape,
    arrival: SightingAt | None,
    stretches: Iterable[FateStretch],
    where: Mapping[int, int],
    *,
    is_plain: bool,
) -> PathLane:
    told = tuple(stretches)
    ends = [where[arrival.step]] if arrival else []
    for part in told:
        # Steps of a hop ascend in their columns unless requests ran side by side.
        steps = (part.steps[0], part.steps[-1]) if is_plain else part.steps
        ends += [where[step] for step in steps]
    return PathLane(
        signature=signature,
        shape=shape,
        arrival=arrival,
        stretches=told,
        start=min(ends),
        end=max(ends),
        columns=where,
    )
