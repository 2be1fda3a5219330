"""Elements of a list that stand elsewhere on the other side, changed or not."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from sigscope import pointer as pointers
from sigscope.comparison.compare import Comparison
from sigscope.comparison.records import ComparedRow, RowChange
from sigscope.edits.align import name_of
from sigscope.jsontext import Node


def moves(found: Comparison) -> dict[ComparedRow, ComparedRow]:
    """Rows of elements that only the right side has, each with the row of the left
    one that is the same: in the same list equal, or but for what is masked; an object
    in another list equal. The first for the first, each once."""
    gone = [row for row in found.differences if _is_element(row, RowChange.LEFT)]
    come = [row for row in found.differences if _is_element(row, RowChange.RIGHT)]
    left, right = found.masker("left"), found.masker("right")
    pairs: dict[ComparedRow, ComparedRow] = {}
    for mine, theirs, is_near in (
        (left.meaning, right.meaning, True),
        (left.shape, right.shape, True),
        (left.meaning, right.meaning, False),
    ):
        _pair_off(pairs, come, gone, mine, theirs, is_near=is_near)
    return pairs


def changed_moves(
    found: Comparison, but: Mapping[ComparedRow, ComparedRow]
) -> dict[ComparedRow, ComparedRow]:
    """The same of elements with one name (an id, the ids of their calls) that were
    changed as well, in whatever list. `but`: pairs that are known."""
    taken = {*but, *but.values()}
    rows = [row for row in found.differences if row not in taken]
    gone = [row for row in rows if _is_element(row, RowChange.LEFT)]
    come = [row for row in rows if _is_element(row, RowChange.RIGHT)]
    left, right = found.left.text, found.right.text
    pairs: dict[ComparedRow, ComparedRow] = {}
    _pair_off(
        pairs,
        [row for row in come if row.right and name_of(right.value(row.right))],
        gone,
        lambda node: name_of(left.value(node)),
        lambda node: name_of(right.value(node)),
    )
    return pairs


def _pair_off(
    pairs: dict[ComparedRow, ComparedRow],
    come: list[ComparedRow],
    gone: list[ComparedRow],
    mine: Callable[[Node], Hashable],
    theirs: Callable[[Node], Hashable],
    *,
    is_near: bool | None = None,
) -> None:
    for row in come:
        if row not in pairs:
            partner = _partner(row, gone, mine, theirs, is_near)
            if partner is not None:
                pairs[row] = partner
                gone.remove(partner)


def _partner(
    row: ComparedRow,
    gone: list[ComparedRow],
    mine: Callable[[Node], Hashable],
    theirs: Callable[[Node], Hashable],
    is_near: bool | None,
) -> ComparedRow | None:
    """`is_near`: in the same list; False: an object in another one; None: either."""
    assert row.right is not None
    if is_near is False and row.right.kind != "object":
        return None  # a word or a number may stand in any list
    wanted = theirs(row.right)
    base = pointers.parent(row.left_place)
    for other in gone:
        is_there = is_near in (None, pointers.parent(other.left_place) == base)
        if is_there and other.left is not None and mine(other.left) == wanted:
            return other
    return None


def _is_element(row: ComparedRow, op: RowChange) -> bool:
    node = row.left if op is RowChange.LEFT else row.right
    if row.op is not op or row.what != "value" or node is None:
        return False
    return node.parent is not None and node.parent.kind == "array"
