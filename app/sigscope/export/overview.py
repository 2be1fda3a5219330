"""All steps of a long session as inline SVG: a lane for each thread, a cell for some
steps, coloured and signed by the worst fate in them; failures above, findings below.

Every cell tells its steps as a tooltip; what is to be seen stands below in words.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.export.elements import Html, joined, tag
from sigscope.export.figures import count
from sigscope.export.paths import GLYPHS
from sigscope.export.records import Evidence
from sigscope.ledger import Fate
from sigscope.ledger.unjudged import in_steps
from sigscope.overview import (
    Anomaly,
    SessionStrip,
    Shade,
    StripCell,
    StripLane,
    find_anomalies,
    survey,
)
from sigscope.rules.findings import Severity

LEAST = 31
"""Steps from which there is a drawing; of fewer the table of steps shows as much."""
MOST_CELLS = 64
"""Cells of a lane: as many glyphs as stand side by side on a page."""
MOST_TOLD = 100
"""Anomalies that are told in words."""
_LEFT, _ROW, _HEAD, _CELL = 84, 16, 20, 12
_QUIET = (Fate.EARLIER, Fate.STORED)
_KINDS = {"main": "thread", "fork": "fork", "side": "side"}


def overview_drawing(evidence: Evidence) -> Html:
    """The drawing and its words; empty where there are few steps."""
    if len(evidence.readings) < LEAST:
        return Html("")
    ledger, refusals = evidence.ledger, evidence.refusals
    strip = survey(evidence.readings, ledger, refusals, evidence.findings)
    found = find_anomalies(strip, ledger, refusals, evidence.findings)
    sheet = StripSheet(strip)
    drawn = tag(
        "svg",
        tag("title", "All steps, by the worst fate in each"),
        list(sheet.draw()),
        viewBox=f"0 0 {sheet.width} {sheet.height}",
        style=f"max-width:{sheet.width}px;min-width:{min(sheet.width, 520)}px",
        role="img",
        aria_label="All steps by the worst fate in each; in words below",
    )
    each = f"A cell takes {sheet.per_cell} steps. " if sheet.per_cell > 1 else ""
    legend = (
        f"{each}Above: ✗ refused, ⊗ stream error or broken off, ? no answer. Lane: ✗"
        " lost and required, ≠ ◐ ○ ↔ changed or put elsewhere, ∉ never issued here, ‡"
        " doubled, ? not judged, ◇ optional and not sent, « from before, ≡ stored, ✓ as"
        " issued, ◆ received, – not sent and not required, · no signature. Below: ▽"
        " reasoning fades or ends, ✗ error, ! warning."
    )
    told = list(found.listed[:MOST_TOLD])
    left = len(found.listed) - len(told)
    more = tag("li", f"{left} more: see Findings") if left else ""
    words = count(len(found.listed), "step") + " to look at"
    return joined(
        tag("div", drawn, class_="wide"),
        tag("p", legend, class_="legend"),
        tag("details", tag("summary", words), tag("ul", map(_told, told), more))
        if told
        else tag("p", f"{found.told(None, len(evidence.remarks))}.", class_="legend"),
    )


def _told(anomaly: Anomaly) -> Html:
    message = f": {anomaly.finding.message}" if anomaly.finding else ""
    return tag("li", f"{anomaly.words}{message}")


class StripSheet:
    """Lays a strip on a page."""

    def __init__(self, strip: SessionStrip) -> None:
        self._strip = strip
        self.per_cell = -(-len(strip) // MOST_CELLS)
        self.cells = -(-len(strip) // self.per_cell)
        self.width = _LEFT + _CELL * self.cells + 8
        self.height = _HEAD + sum(
            _ROW * self._rows(lane) + 4 for lane in range(len(strip.lanes))
        )

    def _rows(self, lane: int) -> int:
        has = self._strip.has_failures(lane), self._strip.has_findings(lane)
        return 1 + sum(has)

    def draw(self) -> Iterator[Html]:
        """Numbers of steps, then lane by lane."""
        for number in range(0, self.cells, 8):
            label = str(self._strip.states[number * self.per_cell].step)
            yield tag("text", label, x=str(self._x(number)), y="12", class_="tick")
        top = _HEAD
        for lane, held in enumerate(self._strip.lanes):
            middle = top + (_ROW if self._strip.has_failures(lane) else 0)
            yield tag("text", _name(held), x="4", y=str(middle + 12), class_="lane")
            for number in range(self.cells):
                start = number * self.per_cell
                cell = self._strip.cell(lane, start, start + self.per_cell)
                if cell is not None:
                    yield tag("g", list(self._cell(cell, number, middle)))
            top += _ROW * self._rows(lane) + 4

    def _x(self, number: int) -> int:
        return _LEFT + number * _CELL + _CELL // 2

    def _cell(self, cell: StripCell, number: int, top: int) -> Iterator[Html]:
        x = self._x(number)
        glyph, look, words = shade_words(cell.shade)
        steps = [state.step for state in cell.states]
        at = f"; step {cell.worst.step} first" if len(steps) > 1 else ""
        if not cell.shade.is_judged:
            words = f"{words}: {cell.worst.unjudged}" if cell.worst.unjudged else words
        said = [in_steps(steps), words, cell.failure or ""]
        said += [f"reasoning {cell.fading}"] if cell.fading else []
        said += [f"{cell.severity} found"] if cell.severity else []
        box = look if look in ("bad", "good") else ""
        yield tag("title", ", ".join(filter(None, said)) + at)
        yield tag(
            "rect",
            x=str(x - _CELL // 2),
            y=str(top),
            width=str(_CELL),
            height=str(_ROW),
            class_=f"cell {box}".strip(),
        )
        yield _glyph(glyph, x, top, look)
        if cell.failure is not None:
            is_unknown = cell.failure == "no answer"
            sign = "?" if is_unknown else "✗" if cell.failure == "refused" else "⊗"
            yield _glyph(sign, x, top - _ROW, "warn" if is_unknown else "bad")
        if cell.fading is not None:
            yield _glyph("▽", x, top + _ROW, "warn")
        elif cell.severity is not None:
            is_error = cell.severity is Severity.ERROR
            sign, look = ("✗", "bad") if is_error else ("!", "warn")
            yield _glyph(sign, x, top + _ROW, look)


def shade_words(shade: Shade) -> tuple[str, str, str]:
    """Glyph, look and words of the worst fate of a cell."""
    fate = shade.fate
    if not shade.is_judged:
        return "?", "warn", "not judged"
    if fate is None:
        return "·", "faint", "no signature"
    if shade.is_lost:
        return "✗", "bad", f"{fate}, required"
    if fate is Fate.DROPPED:
        if shade.is_idle:
            return "–", "faint", "not sent, not required"
        return "◇", "faint", "not sent, optional"
    if fate is Fate.RECEIVED:
        return "◆", "mark", "received"
    if fate is Fate.EXACT:
        return "✓", "good", "sent back as issued"
    return GLYPHS[fate], "faint" if fate in _QUIET else "warn", str(fate)


def _name(lane: StripLane) -> str:
    if len(lane.threads) > 1:
        return f"{len(lane.threads)} {_KINDS[lane.kind]}s"
    return " ".join([_KINDS[lane.kind], *map(str, lane.threads)])


def _glyph(glyph: str, x: int, top: int, look: str) -> Html:
    return tag("text", glyph, x=str(x), y=str(top + 12), class_=f"stop small {look}")
