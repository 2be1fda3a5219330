"""Two requests as one tree of rows.

Costs: what is spelled the same is not looked into, unless ids are masked; the rest is
parsed once per level it differs on. Nothing here raises on broken JSON: the innermost
sound container around what is broken counts as one value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import chain

from sigscope import pointer as pointers
from sigscope.comparison.dialogue import Dialogue, speaks_otherwise
from sigscope.comparison.halves import Half
from sigscope.comparison.masks import NOTHING, DifferenceMasker, Mask, Renaming
from sigscope.comparison.pairs import pair
from sigscope.comparison.records import ComparedRow, RowChange, Side
from sigscope.comparison.transfer import EditMaker
from sigscope.edits.partners import follow, pair_members
from sigscope.edits.records import Edit
from sigscope.jsontext import Node
from sigscope.records import dataclass

_LARGE = 64 * 1024
"""Bytes from which on a container is not parsed as a whole."""
_DEEPEST = 200
"""Levels that are looked into; real requests have about fifteen."""


@dataclass(slots=True)
class Comparison:
    """Two requests, compared."""

    left: Half
    right: Half
    masks: frozenset[Mask]
    root: ComparedRow
    renaming: Renaming
    """Which ids stand for one another; empty unless ids are masked."""
    differences: tuple[ComparedRow, ...]
    """Every row where something differs, from top to bottom."""
    _builder: _Builder
    _below: dict[ComparedRow, tuple[ComparedRow, ...]] = field(default_factory=dict)

    def half(self, side: Side) -> Half:
        return self.left if side == "left" else self.right

    def masker(self, side: Side) -> DifferenceMasker:
        """What is known about masked values of a side."""
        return self._builder.left if side == "left" else self._builder.right

    def below(self, row: ComparedRow) -> tuple[ComparedRow, ...]:
        """What is inside a row, also where nothing differs."""
        if row.below or row.what != "value":
            return row.below
        if row not in self._below:
            self._below[row] = tuple(self._builder.inside(row))
        return self._below[row]

    def has_below(self, row: ComparedRow) -> bool:
        """Whether `below` gives anything."""
        if row.below or row.what != "value":
            return bool(row.below)
        node, half = (row.left, self.left) if row.left else (row.right, self.right)
        if node is None or row.op is RowChange.CHANGED:
            return False
        return node.is_container and bool(half.text.children(node))

    def edits(self, row: ComparedRow, side: Side) -> tuple[Edit, ...]:
        """Edits of one side's request that give it what the other has in this row.

        Empty where nothing differs, and for what cannot be said in the other dialect.
        """
        return self._mender.edits(row, side)

    def all_edits(self, side: Side) -> tuple[Edit, ...]:
        """Edits of one side's request after which nothing differs any more."""
        return self._mender.edits(self.root, side)

    @property
    def _mender(self) -> EditMaker:
        return EditMaker(self.left, self.right, self.masks, self.renaming)

    def following(self, row: ComparedRow | None, by: int) -> ComparedRow | None:
        """The next (`by` 1) or previous (-1) difference, around the end; from None
        the first or last. None where nothing differs."""
        found = self.differences
        if not found:
            return None
        if row is None or row not in found:
            return found[0 if by > 0 else -1]
        return found[(found.index(row) + by) % len(found)]


def compare(left: Half, right: Half, masks: frozenset[Mask] = NOTHING) -> Comparison:
    """Align two requests and find what differs."""
    builder = _Builder(left, right, masks)
    root = builder.row(left.text.root, right.text.root, depth=0)
    return Comparison(
        left=left,
        right=right,
        masks=masks,
        root=root,
        renaming=builder.renaming,
        differences=tuple(_differing(root)),
        _builder=builder,
    )


def _differing(row: ComparedRow) -> Iterator[ComparedRow]:
    if row.is_difference:
        yield row
    for below in row.below:
        yield from _differing(below)


class _Builder:
    def __init__(self, left: Half, right: Half, masks: frozenset[Mask]) -> None:
        self.left = DifferenceMasker(left, masks)
        self.right = DifferenceMasker(right, masks)
        self.masks = masks
        self.renaming = Renaming()

    # --- One row ---------------------------------------------------------------------

    def row(self, left: Node, right: Node, depth: int) -> ComparedRow:
        """A value that is on both sides."""
        op = RowChange.INSIDE if self._is_large(left, right) else self._op(left, right)
        below: tuple[ComparedRow, ...] = ()
        if op is RowChange.INSIDE and depth < _DEEPEST:
            below = tuple(self._children(left, right, depth + 1))
            if left.parent is None and speaks_otherwise(
                self.left.half, self.right.half
            ):
                dialogue = Dialogue(self.left, self.right, self.renaming)
                below = tuple(_with_history(below, dialogue.history()))
            op = _summed({found.op for found in below}) if below else RowChange.CHANGED
        elif op is RowChange.INSIDE:
            op = RowChange.CHANGED
        return ComparedRow(
            op=op,
            left=left,
            right=right,
            left_place=self.left.half.text.pointer(left),
            right_place=self.right.half.text.pointer(right),
            below=below if op is RowChange.INSIDE else (),
        )

    def _is_large(self, left: Node, right: Node) -> bool:
        """Whether it costs less to look inside than to compare two values whole."""
        size = min(left.end - left.start, right.end - right.start)
        if size < _LARGE or not self._is_comparable(left, right):
            return False
        return self.left.half.text.text(left) != self.right.half.text.text(right)

    def _op(self, left: Node, right: Node) -> RowChange:
        before = self.left.half.text.text(left)
        after = self.right.half.text.text(right)
        is_same = before == after
        is_same = is_same or self.left.meaning(left) == self.right.meaning(right)
        is_alike = is_same or self.left.shape(left) == self.right.shape(right)
        if is_alike and self._agree(left, right):
            return RowChange.SAME if is_same else RowChange.MASKED
        if self._is_comparable(left, right):
            return RowChange.INSIDE
        return RowChange.CHANGED

    def _agree(self, left: Node, right: Node) -> bool:
        """Whether the ids in two values of one shape can stand for one another."""
        if Mask.IDS not in self.masks:
            return True
        pairs = zip(self.left.ids(left), self.right.ids(right), strict=False)
        return self.renaming.take(list(pairs))

    def _is_comparable(self, left: Node, right: Node) -> bool:
        """Whether what differs inside says more than both values as a whole."""
        if left.kind != right.kind or not left.is_container:
            return False
        if not left.closed or not right.closed:
            return False
        if left.kind == "array" or left.parent is None:
            return left.kind == "array" or self._has_countable_keys(left, right)
        return self._has_countable_keys(left, right) and self._are_alike(left, right)

    def _has_countable_keys(self, left: Node, right: Node) -> bool:
        before, after = _names(self.left.half, left), _names(self.right.half, right)
        # Which of several equal keys came or went cannot be told.
        return all(
            count == 1 or before[key] == after[key]
            for key, count in (before | after).items()
        )

    def _are_alike(self, left: Node, right: Node) -> bool:
        before, after = _names(self.left.half, left), _names(self.right.half, right)
        if not before or not after:
            return True
        one, other = (
            [half.text.value(member) for member in half.text.named(node, "type")]
            for half, node in ((self.left.half, left), (self.right.half, right))
        )
        if one and other and one != other:
            return False
        return not before.keys().isdisjoint(after)

    # --- What is inside --------------------------------------------------------------

    def inside(self, row: ComparedRow) -> Iterator[ComparedRow]:
        """What is inside a row of which nothing inside differs."""
        left, right = row.left, row.right
        if row.op is RowChange.CHANGED:
            return
        if left is not None and right is not None:
            yield from self._children(left, right, 1)
        elif left is not None:
            for node in self.left.half.text.children(left):
                yield self._one_sided(node, None, row.right_place)
        elif right is not None:
            for node in self.right.half.text.children(right):
                yield self._one_sided(None, node, row.left_place)

    def _children(self, left: Node, right: Node, depth: int) -> Iterator[ComparedRow]:
        if left.kind == "array":
            return self._elements(left, right, depth)
        return self._members(left, right, depth)

    def _elements(self, left: Node, right: Node, depth: int) -> Iterator[ComparedRow]:
        before = self.left.half.text.children(left)
        after = self.right.half.text.children(right)
        here = self.left.half.text.pointer(left)
        there = self.right.half.text.pointer(right)
        done, placed = 0, 0
        ends = (len(before), len(after))
        for one, other in (*pair(self.left, self.right, before, after), ends):
            for index in range(done, one):
                place = _index(there, placed, len(after))
                yield self._one_sided(before[index], None, place)
            for index in range(placed, other):
                yield self._one_sided(None, after[index], _index(here, one, ends[0]))
            done, placed = one + 1, other + 1
            if one < ends[0] and other < ends[1]:
                yield self.row(before[one], after[other], depth)

    def _members(self, left: Node, right: Node, depth: int) -> Iterator[ComparedRow]:
        mine, theirs = self.left.half.text, self.right.half.text
        here, there = mine.pointer(left), theirs.pointer(right)
        before, after = mine.children(left), theirs.children(right)
        pairs, rest = pair_members(mine, theirs, before, after)
        following = follow(after, set(chain(*rest.values())))
        for child in following.get(None, ()):
            yield self._new_member(child, here)
        for child, partner in pairs.items():
            if partner is None:
                place = pointers.join(there, mine.key(child))
                yield self._one_sided(child, None, place)
            else:
                yield self.row(child, partner, depth)
            for added in following.get(partner, ()) if partner else ():
                yield self._new_member(added, here)

    def _new_member(self, child: Node, here: str) -> ComparedRow:
        key = self.right.half.text.key(child)
        return self._one_sided(None, child, pointers.join(here, key))

    def _one_sided(
        self, left: Node | None, right: Node | None, place: str
    ) -> ComparedRow:
        """What only one side has; `place` is where the other would have it."""
        if left is not None:
            return ComparedRow(
                op=RowChange.LEFT,
                left=left,
                right=None,
                left_place=self.left.half.text.pointer(left),
                right_place=place,
            )
        assert right is not None
        return ComparedRow(
            op=RowChange.RIGHT,
            left=None,
            right=right,
            left_place=place,
            right_place=self.right.half.text.pointer(right),
        )


def _summed(ops: set[RowChange]) -> RowChange:
    """What a container is by what is inside of it."""
    if ops <= {RowChange.SAME}:
        return RowChange.SAME
    return (
        RowChange.MASKED
        if ops <= {RowChange.SAME, RowChange.MASKED}
        else RowChange.INSIDE
    )


def _with_history(
    rows: Sequence[ComparedRow], history: ComparedRow
) -> Iterator[ComparedRow]:
    """Two histories under different keys are told as one row; where one of them lies
    inside of something else, as a row of their own behind all others."""
    ends = (history.left, history.right)
    found = [row for row in rows if (row.left or row.right) in ends]
    if len(found) < len(ends):
        yield from rows
        yield replace(history, op=RowChange.INSIDE)
        return
    for row in rows:
        if row is found[0]:
            yield history
        elif row is not found[1]:
            yield row


def _index(base: str, index: int, size: int) -> str:
    """Where an element goes: before another, or to the end."""
    return f"{base}/{index}" if index < size else f"{base}/-"


def _names(half: Half, node: Node) -> Counter[str]:
    return Counter(half.text.key(child) for child in half.text.children(node))
