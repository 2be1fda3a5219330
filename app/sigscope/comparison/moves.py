"""Elements of a list that stand elsewhere in it on the other side."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from sigscope import pointer as pointers
from sigscope.comparison.compare import Comparison
from sigscope.comparison.records import ComparedRow, RowChange
from sigscope.jsontext import Node


def moves(found: Comparison) -> dict[ComparedRow, ComparedRow]:
    """Rows of elements that only the right side has, each with the row of the left
    one that is the same, in the same list: equal, or but for what is masked. The first
    for the first, each once."""
    gone = [row for row in found.differences if _is_element(row, RowChange.LEFT)]
    come = [row for row in found.differences if _is_element(row, RowChange.RIGHT)]
    left, right = found.masker("left"), found.masker("right")
    pairs: dict[ComparedRow, ComparedRow] = {}
    for mine, theirs in ((left.meaning, right.meaning), (left.shape, right.shape)):
        for row in come:
            if row not in pairs:
                partner = _partner(row, gone, mine, theirs)
                if partner is not None:
                    pairs[row] = partner
                    gone.remove(partner)
    return pairs


def _partner(
    row: ComparedRow,
    gone: list[ComparedRow],
    mine: Callable[[Node], Hashable],
    theirs: Callable[[Node], Hashable],
) -> ComparedRow | None:
    assert row.right is not None
    wanted = theirs(row.right)
    base = pointers.parent(row.left_place)
    for other in gone:
        is_near = pointers.parent(other.left_place) == base
        if is_near and other.left is not None and mine(other.left) == wanted:
            return other
    return None


def _is_element(row: ComparedRow, op: RowChange) -> bool:
    node = row.left if op is RowChange.LEFT else row.right
    if row.op is not op or row.what != "value" or node is None:
        return False
    return node.parent is not None and node.parent.kind == "array"
