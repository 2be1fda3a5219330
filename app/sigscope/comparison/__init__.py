"""Comparing: two requests side by side, whoever made them.

In: two readings (of steps, runs, sessions; of any two dialects) and what to mask. Out:
a tree of rows, each with its place on both sides, and the edits that carry a
difference over. `records` says what a row is, `halves` what is known of one side,
`masks` what is left out of account and which ids stand for one another, `pairs`
which elements of two arrays belong together (by role and call), `compare` makes the
rows, `dialogue` those of two dialects whose histories have nothing in common but their
meaning, `transfer` turns rows into edits, `cells` puts a side of a row into words,
`texts` lays two texts beside one another, `envelope` looks at URLs and headers.

To mask something else: a member of `Mask`, and its keys in `masks`.
"""

from sigscope.comparison.cells import Cell, Cells
from sigscope.comparison.compare import Comparison, compare
from sigscope.comparison.envelope import edits_around, envelope_edits
from sigscope.comparison.halves import Half, half_of
from sigscope.comparison.masks import EVERYTHING, NOTHING, Mask
from sigscope.comparison.moves import changed_moves, moves
from sigscope.comparison.records import DIFFERENCES, ComparedRow, RowChange, Side
from sigscope.comparison.texts import Facing, facing_lines
from sigscope.comparison.transfer import joined

__all__ = [
    "DIFFERENCES",
    "EVERYTHING",
    "NOTHING",
    "Cell",
    "Cells",
    "ComparedRow",
    "Comparison",
    "Facing",
    "Half",
    "Mask",
    "RowChange",
    "Side",
    "changed_moves",
    "compare",
    "edits_around",
    "envelope_edits",
    "facing_lines",
    "half_of",
    "joined",
    "moves",
]
