"""The paths of signatures as inline SVG: steps as columns, places as rows.

A long session has more than a page can hold: what was lost is drawn first, and columns
in which nothing begins, ends or changes are left out. The same stands below in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from sigscope.export import facts
from sigscope.export.elements import Html, joined, tag
from sigscope.export.figures import count
from sigscope.export.records import Evidence
from sigscope.ledger import Fate
from sigscope.ledger.hops import find_hops, hop_losses
from sigscope.paths import PathLane, PathLink, PathMap, PathMark, map_paths
from sigscope.records import dataclass

MOST_LANES = 24
"""Lines that are drawn; as many as a page shows without scrolling."""
MOST_COLUMNS = 40
INKS = 6
"""Colours that signatures take turns with."""
_LEFT, _LANE, _HEAD, _WIDEST = 108, 22, 24, 64
_WIDTH = 840
GLYPHS = {
    Fate.DROPPED: "✗",
    Fate.ALTERED: "≠",
    Fate.CUT: "◐",
    Fate.BYPASS: "○",
    Fate.MOVED: "↔",
    Fate.FOREIGN: "∉",
    Fate.DUPLICATED: "‡",
    Fate.STORED: "≡",
    Fate.EARLIER: "«",
}


def paths_drawing(evidence: Evidence) -> Html:
    """The drawing and its words; empty where no signature has a path."""
    hops = find_hops(evidence.readings)
    losses = hop_losses(evidence.readings, evidence.ledger, hops) if hops else ()
    whole = map_paths(evidence.ledger, hops, losses)
    if not whole.paths:
        return Html("")
    chosen = chosen_paths(whole)
    columns = telling_columns(chosen)
    sheet = PathSheet(chosen, columns)
    drawn = tag(
        "svg",
        tag("title", "The path of each signature through the session"),
        list(sheet.draw()),
        viewBox=f"0 0 {sheet.width:g} {sheet.height}",
        style=f"max-width:{sheet.width:g}px;min-width:{min(sheet.width, 520):g}px",
        role="img",
        aria_label="Where each signature went, step by step; in words below",
    )
    left = len(whole.paths) - len(chosen.paths)
    note = (
        f"{count(left, 'more signature')} not drawn: see Signatures. " if left else ""
    )
    legend = (
        f"◆ received · ✓ sent back · ✗ dropped · ≠ altered · ◐ cut · ↔ moved ·"
        f" – not sent, not required. {note}"
    )
    lines = [_told(lane) for path in chosen.paths for lane in path.homes()]
    return joined(
        tag("div", drawn, class_="wide"),
        tag("p", legend, class_="legend"),
        tag("details", tag("summary", "The same in words"), tag("ul", lines)),
    )


def chosen_paths(whole: PathMap) -> PathMap:
    """As many signatures as there is room for: lost ones first, then the first ones;
    drawn in their own order."""
    ranked = sorted(whole.paths, key=lambda path: not path.is_lost)
    kept: set[str] = set()
    room = MOST_LANES
    for path in ranked:
        room -= len(path.lanes)
        if room < 0 and kept:
            break
        kept.add(path.key)
    return whole.only(kept)


def telling_columns(chosen: PathMap) -> tuple[int, ...]:
    """Columns in which something begins, ends or changes; all if there are few."""
    if len(chosen.columns) <= MOST_COLUMNS:
        return tuple(range(len(chosen.columns)))
    found: set[int] = set()
    for path in chosen.paths:
        for lane in path.lanes:
            found |= {lane.start, lane.end}
            for part in lane.stretches:
                found |= {lane.columns[part.steps[0]], lane.columns[part.steps[-1]]}
    return tuple(sorted(found)[:MOST_COLUMNS])


def _told(lane: PathLane) -> Html:
    signature = lane.signature
    came = f"arrived in {facts.received(signature)}"
    words = came if signature.received else facts.received(signature)
    fates = "; ".join(facts.fate_words(part) for part in signature.worded)
    return tag("li", tag("code", signature.id), f" {words}. {fates}")


@dataclass(frozen=True, slots=True)
class DrawnMark:
    mark: PathMark
    x: float


class PathSheet:
    """Lays a map on a page; `columns` are those that are drawn."""

    def __init__(self, chosen: PathMap, columns: Sequence[int]) -> None:
        self._map = chosen
        self._columns = tuple(columns)
        self._step = min(_WIDEST, (_WIDTH - _LEFT) / max(1, len(columns)))
        self._x = {
            column: _LEFT + (place + 0.5) * self._step
            for place, column in enumerate(columns)
        }
        self._y: dict[int, float] = {}
        self._titles: list[tuple[str, float]] = []
        row = _HEAD
        for shape, lanes in chosen.groups:
            self._titles.append((chosen.title_of(shape), row + _LANE * 0.7))
            row += _LANE
            for lane in lanes:
                self._y[id(lane)] = row + _LANE / 2
                row += _LANE
        self.height = row + 6
        self.width = _LEFT + self._step * len(columns) + 8

    def draw(self) -> Iterator[Html]:
        """Grid, titles, lines, and marks on top."""
        last = -1
        for column, x in self._x.items():
            label = self._map.columns[column].label
            gap = "… " if column > last + 1 else ""
            last = column
            yield _line(x, _HEAD - 4, x, self.height, "grid")
            yield tag("text", gap + label, x=_n(x), y="14", class_="tick")
        for number, path in enumerate(self._map.paths):
            drawn = [
                *(
                    piece
                    for column in self._columns
                    for link in self._map.links(path, column)
                    for piece in self._link(link)
                ),
                *(piece for lane in path.lanes for piece in self._lane(lane)),
            ]
            yield tag("g", drawn, class_=f"ink-{number % INKS + 1}")
        for title, y in self._titles:
            yield tag("text", title, x="2", y=_n(y), class_="place")

    def _lane(self, lane: PathLane) -> Iterator[Html]:
        y = self._y[id(lane)]
        yield tag("text", "◆", x="10", y=_n(y + 4), class_="mine")
        yield tag("text", lane.signature.id, x="24", y=_n(y + 4))
        marks = [
            DrawnMark(mark, self._x[column])
            for column in self._columns
            if (mark := self._map.mark(lane, column)) is not None
        ]
        for before, after in pairwise(marks):
            if self._map.comes_by_link(lane, after.mark.column):
                continue
            look = "path" if after.mark.is_there else "path missing"
            if after.mark.state == "lost":
                look = "path lost"
            yield _line(before.x, y, after.x, y, look)
        for cell in marks:
            yield from _mark(cell, y, lane.signature.id)

    def _link(self, link: PathLink) -> Iterator[Html]:
        """Down beside the diamond of an answer, up before the mark of a request; a
        line leads there where its source shows nothing in this column."""
        x = self._x[link.column] + (6 if link.is_arrival else -6)
        source = self._y[id(link.source)]
        words = "lost by the gateway" if link.is_broken else "the same signature"
        look = "path lost" if link.is_broken else "path"
        target = source - _LANE if link.target is None else self._y[id(link.target)]
        if self._map.mark(link.source, link.column) is None:
            before = [c for c in self._columns if c < link.column]
            shown = [c for c in before if self._map.mark(link.source, c) is not None]
            if shown:
                yield _line(self._x[shown[-1]], source, x, source, look)
        yield tag(
            "line",
            tag("title", words),
            x1=_n(x),
            x2=_n(x),
            y1=_n(source),
            y2=_n(target),
            class_=look,
        )


def _mark(cell: DrawnMark, y: float, name: str) -> Iterator[Html]:
    mark, x = cell.mark, cell.x
    fate = mark.fate
    glyph, look, words = "◆", "mark", "received"
    if fate is not None:
        glyph, look = GLYPHS.get(fate.fate, "✓"), "good"
        words = f"{fate.fate} ({fate.grade})"
        if mark.state == "lost":
            look = "bad"
        elif mark.state == "missing" or fate.fate is not Fate.EXACT:
            look = "faint"
        if mark.state == "missing" and fate.fate is Fate.DROPPED:
            glyph = "–"
    place = f", {mark.sighting.pointer}" if mark.sighting else ""
    told = f"{name}, step {mark.step}: {words}{place}"
    yield tag("circle", "", cx=_n(x), cy=_n(y), r="7", class_="node")
    yield tag(
        "text", tag("title", told), glyph, x=_n(x), y=_n(y + 4), class_=f"stop {look}"
    )


def _line(x1: float, y1: float, x2: float, y2: float, look: str) -> Html:
    return tag("line", x1=_n(x1), x2=_n(x2), y1=_n(y1), y2=_n(y2), class_=look)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
