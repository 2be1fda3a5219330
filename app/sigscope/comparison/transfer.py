"""From rows to the edits that carry a difference over to one side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from sigscope import opaque
from sigscope import pointer as pointers
from sigscope.comparison.halves import Half
from sigscope.comparison.masks import DifferenceMasker, Mask, Renaming
from sigscope.comparison.records import ComparedRow, RowChange, Side
from sigscope.edits.apply import apply, conflicts
from sigscope.edits.records import Edit
from sigscope.edits.records import Op as EditOp
from sigscope.jsontext import JsonText, Node
from sigscope.utf8 import to_text

ORIGIN = "compare"
"""Who proposes these edits."""


class EditMaker:
    """Makes edits for one comparison."""

    def __init__(
        self,
        left: Half,
        right: Half,
        masks: frozenset[Mask],
        renaming: Renaming,
    ) -> None:
        self._halves: dict[Side, Half] = {"left": left, "right": right}
        self._masks = masks
        self._renaming = renaming

    def edits(self, row: ComparedRow, side: Side) -> tuple[Edit, ...]:
        """Edits of `side` that give it what the other side has here."""
        return tuple(self._edits(row, side))

    def _edits(self, row: ComparedRow, side: Side) -> Iterator[Edit]:
        if row.what == "history":
            if row.op is RowChange.CHANGED:
                yield from self._replaced_history(row, side)
        elif row.op is RowChange.INSIDE:
            for below in row.below:
                yield from self._edits(below, side)
        elif row.is_difference and row.what != "value":
            yield from self._said(row, side)
        elif row.is_difference:
            yield self._one(row, side)

    def _one(self, row: ComparedRow, side: Side) -> Edit:
        mine, theirs = row.node(side), row.node(_other(side))
        place = row.place(side)
        if theirs is None:
            return self._edit(EditOp.DROP, place, side)
        if mine is not None:
            return self._edit(EditOp.SET, place, side, theirs)
        parent = self._halves[_other(side)].text, theirs.parent
        in_array = parent[1] is not None and parent[1].kind == "array"
        op = EditOp.INSERT if in_array else EditOp.SET
        return self._edit(op, place, side, theirs)

    def _edit(
        self,
        op: EditOp,
        place: str,
        side: Side,
        value: Node | None = None,
    ) -> Edit:
        text = None if value is None else self._translated(value, side)
        return Edit(op=op, pointer=place, value=text, origin=ORIGIN)

    # --- Ids -------------------------------------------------------------------------

    def _translated(self, node: Node, side: Side) -> str:
        """A value of the other side with the ids that this side has for them."""
        half = self._halves[_other(side)]
        text = half.json(node)
        if Mask.IDS not in self._masks:
            return text
        masker = DifferenceMasker(half, self._masks)
        base = half.text.pointer(node)
        renames = [
            Edit(
                op=EditOp.SET,
                pointer=half.text.pointer(leaf)[len(base) :],
                value=json.dumps(renamed),
            )
            for leaf in _strings(half.text, node)
            if masker.kind_of(leaf) is Mask.IDS
            for value in [str(half.text.value(leaf))]
            for renamed in [self._renamed(value, side)]
            if renamed != value
        ]
        if not renames:
            return text
        changed = apply(renames, JsonText(half.text.text(node)))
        return to_text(changed)

    def _renamed(self, value: str, side: Side) -> str:
        """What an id of the other side is called on this one. One that stands for
        nothing here keeps its name, unless that already means something else."""
        known = self._renaming
        names = known.to_left if side == "left" else known.to_right
        taken = known.to_right if side == "left" else known.to_left
        plain = opaque.split_call_id(value).plain
        found = names.get(plain, plain)
        while plain not in names and found in taken:
            found += "_"
        return found + value[len(plain) :]

    # --- Histories of two dialects ---------------------------------------------------

    def _replaced_history(self, row: ComparedRow, side: Side) -> Iterator[Edit]:
        theirs = row.node(_other(side))
        assert theirs is not None
        yield self._edit(EditOp.DROP, row.place(side), side)
        key = self._halves[_other(side)].text.key(theirs)
        place = pointers.join(pointers.parent(row.place(side)), key)
        yield self._edit(EditOp.SET, place, side, theirs)

    def _said(self, row: ComparedRow, side: Side) -> Iterator[Edit]:
        """A text, arguments or a signature of the other dialect, where this side has
        a place for it."""
        mine = row.node(side)
        if mine is None or row.said is None:
            return
        text = self._halves[side].text
        if row.node(_other(side)) is None:
            # A signature inside of a call id does not come off alone.
            if row.what != "signature" or text.value(mine) in row.said:
                yield self._edit(EditOp.DROP, row.place(side), side)
            return
        own, other = row.said if side == "left" else row.said[::-1]
        for leaf in _values(text, mine):
            found = text.value(leaf)
            if found == own or (row.name == "arguments" and _is_same(found, own)):
                is_text = leaf.kind == "string"
                value = json.dumps(other, ensure_ascii=False) if is_text else other
                yield Edit(
                    op=EditOp.SET,
                    pointer=text.pointer(leaf),
                    value=value,
                    origin=ORIGIN,
                )
                return


def joined(
    edits: Sequence[Edit], more: Sequence[Edit], body: JsonText
) -> tuple[tuple[Edit, ...], tuple[Edit, ...]]:
    """Edits with more of them, and those that had to make way for the new ones.

    Raises EditError for an edit that does not fit the body.
    """
    fresh = [edit for edit in more if edit not in edits]
    pairs = conflicts([*edits, *fresh], body)
    displaced = {
        one if other in fresh else other
        for one, other in pairs
        if (one in fresh) != (other in fresh)
    }
    kept = [edit for edit in edits if edit not in displaced]
    gone = tuple(edit for edit in edits if edit in displaced)
    return (*kept, *fresh), gone


def _other(side: Side) -> Side:
    return "right" if side == "left" else "left"


def _strings(text: JsonText, node: Node) -> Iterator[Node]:
    """All strings in a value, in the order of the text."""
    return (leaf for leaf in _values(text, node) if leaf.kind == "string")


def _values(text: JsonText, node: Node) -> Iterator[Node]:
    ways = [iter((node,))]
    while ways:
        here = next(ways[-1], None)
        if here is None:
            ways.pop()
            continue
        yield here
        ways.append(iter(text.children(here)))


def _is_same(value: object, arguments: str) -> bool:
    """Whether a value is the arguments, however they are spelled."""
    try:
        return isinstance(value, dict) and value == json.loads(arguments)
    except (ValueError, RecursionError):
        return False
