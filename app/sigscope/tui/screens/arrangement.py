"""Which panes stand where, at which size. Pure.

80×24 has one pane and tabs, two columns from 100 cells. From 110 chat and JSON stand
side by side, beside a narrow column; from 150 three columns have their full width.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from sigscope.records import dataclass

STEPS, SIGNATURES, CHAT, JSON, TIMELINE, FINDINGS = range(1, 7)
PANES = (STEPS, SIGNATURES, CHAT, JSON, TIMELINE, FINDINGS)
NAMES = {
    STEPS: "Steps",
    SIGNATURES: "Signatures",
    CHAT: "Chat",
    JSON: "JSON",
    TIMELINE: "Timeline",
    FINDINGS: "Findings",
}

TWO_FROM, PAIR_FROM, THREE_FROM = 100, 110, 150
"""Cells of width."""
TALL = 34
"""Lines from which two panes stand below the columns."""
LOW = 30
"""Lines below which findings take few of them: the columns need some, too."""
LEFT, LEFT_NARROW = 44, 24
"""Cells of the left column: in full, and at `PAIR_FROM`."""
LEAST_LINES = 28
"""Lines from which panes stand side by side."""
LEAST = (44, 10)
"""Cells and lines below which nothing useful can be shown."""


class Mode(StrEnum):
    """How many columns there are."""

    TINY = "tiny"
    ONE = "one"
    TWO = "two"
    PAIR = "pair"
    THREE = "three"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """What is on show."""

    mode: Mode
    visible: frozenset[int]

    @property
    def has_tabs(self) -> bool:
        """Whether some pane is hidden and has to be reached by a tab."""
        return len(self.visible) < len(PANES)


def arrange(
    width: int, height: int, current: int, recent: Sequence[int], *, zoomed: bool
) -> Arrangement:
    """What is on show; `recent` are panes in the order of last use, the latest
    first, and settle which of two shares a place."""
    mode = mode_for(width, height)
    if mode is Mode.TINY:
        return Arrangement(mode=mode, visible=frozenset())
    if mode is Mode.ONE or zoomed:
        return Arrangement(mode=mode, visible=frozenset({current}))
    order = [current, *recent]
    visible = {STEPS, SIGNATURES}
    if mode is Mode.TWO:
        visible.add(_first(order, (CHAT, JSON)))
    else:
        visible |= {CHAT, JSON}
    if height >= TALL and mode is not Mode.TWO:
        visible |= {TIMELINE, FINDINGS}
    else:
        visible.add(_first(order, (FINDINGS, TIMELINE)))
    return Arrangement(mode=mode, visible=frozenset(visible))


def mode_for(width: int, height: int) -> Mode:
    if width < LEAST[0] or height < LEAST[1]:
        return Mode.TINY
    if width < TWO_FROM or height < LEAST_LINES:
        return Mode.ONE
    if width < PAIR_FROM:
        return Mode.TWO
    return Mode.PAIR if width < THREE_FROM else Mode.THREE


def left_cells(width: int) -> int:
    """Width of the left column, where it is not the only one: chat and JSON get two
    thirds of what a screen has more than `PAIR_FROM`."""
    if mode_for(width, LEAST_LINES) is Mode.PAIR:
        return LEFT_NARROW + (width - PAIR_FROM) // 3
    return LEFT if width >= PAIR_FROM else LEFT - 3


def too_small(width: int, height: int) -> str:
    """What is said where nothing useful can be shown."""
    least = f"{LEAST[0]}×{LEAST[1]}"
    return f"{width}×{height} is too small;\nsigscope needs {least} at least"


def _first(order: Sequence[int], among: tuple[int, int]) -> int:
    return next((pane for pane in order if pane in among), among[0])
