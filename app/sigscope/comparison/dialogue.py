"""Histories of two dialects, compared by what they say.

A Gemini `contents` and a chat `messages` have no field in common, but the same roles,
texts, calls and results, and signatures that sit in different places. Messages are
paired by their calls, then by what they say, then by role; inside of a pair, parts by
kind and function, signatures by their order.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Sequence

from sigscope.comparison.halves import Half
from sigscope.comparison.masks import DifferenceMasker, Mask, Renaming
from sigscope.comparison.pairs import calls_of
from sigscope.comparison.records import ComparedRow, RowChange, Side, What
from sigscope.conversation import Message, Part, PartKind, Sighting, SignatureKind
from sigscope.edits.align import align
from sigscope.jsontext import Node


def speaks_otherwise(left: Half, right: Half) -> bool:
    """Whether two histories stand under different keys."""
    if left.history is None or right.history is None:
        return False
    here, there = left.text.pointer(left.history), right.text.pointer(right.history)
    return here != there


class Dialogue:
    """Makes the rows of two such histories."""

    def __init__(
        self, left: DifferenceMasker, right: DifferenceMasker, renaming: Renaming
    ) -> None:
        self._left = left.half
        self._right = right.half
        self._masks = left.masks
        self._renaming = renaming

    def history(self) -> ComparedRow:
        """The row of both histories; its own difference is the way of writing."""
        left, right = self._left.history, self._right.history
        assert left is not None
        assert right is not None
        return ComparedRow(
            op=RowChange.CHANGED,
            what="history",
            left=left,
            right=right,
            left_place=self._left.text.pointer(left),
            right_place=self._right.text.pointer(right),
            below=tuple(self._messages()),
            name="history",
        )

    # --- Messages --------------------------------------------------------------------

    def _messages(self) -> Iterator[ComparedRow]:
        before = self._left.conversation.messages
        after = self._right.conversation.messages
        found = align(
            len(before),
            len(after),
            ([*map(_says, before)], [*map(_says, after)]),
            ([*map(_call_ids, before)], [*map(_call_ids, after)]),
            ([*map(calls_of, before)], [*map(calls_of, after)]),
            ([m.role for m in before], [m.role for m in after]),
        )
        done, placed = 0, 0
        for one, other in (*found, (len(before), len(after))):
            for index in range(done, one):
                yield self._message(index, None, after, placed)
            for index in range(placed, other):
                yield self._message(None, index, before, one)
            done, placed = one + 1, other + 1
            if one < len(before) and other < len(after):
                yield self._pair(one, other)

    def _message(
        self, left: int | None, right: int | None, others: Sequence[Message], at: int
    ) -> ComparedRow:
        """A message of one side; on the other it would stand before index `at`."""
        half: Half = self._left if left is not None else self._right
        index = left if left is not None else right
        assert index is not None
        message = half.conversation.messages[index]
        place = others[at].pointer if at < len(others) else "-"
        op: RowChange = RowChange.LEFT if left is not None else RowChange.RIGHT
        return self._row(
            op, "message", half, message.pointer, place, _summary(message), message.role
        )

    def _pair(self, left: int, right: int) -> ComparedRow:
        one = self._left.conversation.messages[left]
        other = self._right.conversation.messages[right]
        rows = (
            *self._parts(one, other),
            *self._signatures(left, right, one, other),
        )
        ops = {row.op for row in rows}
        op = RowChange.SAME
        if ops - {RowChange.SAME, RowChange.MASKED}:
            op = RowChange.INSIDE
        elif RowChange.MASKED in ops:
            op = RowChange.MASKED
        return ComparedRow(
            op=op,
            what="message",
            left=self._left.text.maybe_locate(one.pointer),
            right=self._right.text.maybe_locate(other.pointer),
            left_place=one.pointer,
            right_place=other.pointer,
            below=rows,
            said=(_summary(one), _summary(other)),
            name=one.role,
        )

    # --- Parts -----------------------------------------------------------------------

    def _parts(self, one: Message, other: Message) -> Iterator[ComparedRow]:
        before, after = _telling(one), _telling(other)
        found = align(
            len(before),
            len(after),
            ([_meant(p) for p in before], [_meant(p) for p in after]),
            ([(p.kind, p.name) for p in before], [(p.kind, p.name) for p in after]),
            ([p.kind for p in before], [p.kind for p in after]),
        )
        done, placed = 0, 0
        for left, right in (*found, (len(before), len(after))):
            for part in before[done:left]:
                yield self._lone_part(part, self._left, other.pointer)
            for part in after[placed:right]:
                yield self._lone_part(part, self._right, one.pointer)
            done, placed = left + 1, right + 1
            if left < len(before) and right < len(after):
                yield from self._both(before[left], after[right])

    def _lone_part(self, part: Part, half: Half, place: str) -> ComparedRow:
        op = RowChange.LEFT if half is self._left else RowChange.RIGHT
        return self._row(op, "part", half, part.pointer, place, _said(part), part.kind)

    def _both(self, one: Part, other: Part) -> Iterator[ComparedRow]:
        """A part that both sides have: what it says, and the function it names."""
        if one.kind is PartKind.CALL and one.name != other.name:
            yield self._facing(one, other, "function", one.name or "", other.name or "")
        said = _said(one), _said(other)
        name = "arguments" if one.kind is PartKind.CALL else str(one.kind)
        yield self._facing(one, other, name, *said)

    def _facing(
        self, one: Part, other: Part, name: str, left: str, right: str
    ) -> ComparedRow:
        is_same = left == right or _meant(one) == _meant(other)
        op = RowChange.SAME if is_same else RowChange.CHANGED
        is_text = name != "function" and bool(left) == bool(right)
        if op is RowChange.CHANGED and is_text and Mask.TEXT in self._masks:
            op = RowChange.MASKED
        return self._opposite(
            op, "part", (one.pointer, other.pointer), (left, right), name
        )

    # --- Signatures ------------------------------------------------------------------

    def _signatures(
        self, left: int, right: int, one: Message, other: Message
    ) -> Iterator[ComparedRow]:
        before = [s for s in self._left.sent if s.anchor.message == left]
        after = [s for s in self._right.sent if s.anchor.message == right]
        for mine, theirs in zip(before, after, strict=False):
            op = RowChange.SAME if mine.value == theirs.value else RowChange.CHANGED
            is_alike = _is_genuine(mine) == _is_genuine(theirs)
            if op is RowChange.CHANGED and is_alike and Mask.SIGNATURES in self._masks:
                op = RowChange.MASKED
            yield self._opposite(
                op,
                "signature",
                (mine.pointer, theirs.pointer),
                (mine.value, theirs.value),
                "signature",
            )
        for mine in before[len(after) :]:
            yield self._lone_signature(mine, self._left, other.pointer)
        for theirs in after[len(before) :]:
            yield self._lone_signature(theirs, self._right, one.pointer)

    def _lone_signature(
        self, sighting: Sighting, half: Half, place: str
    ) -> ComparedRow:
        op = RowChange.LEFT if half is self._left else RowChange.RIGHT
        return self._row(
            op, "signature", half, sighting.pointer, place, sighting.value, "signature"
        )

    # --- Rows ------------------------------------------------------------------------

    def _opposite(
        self,
        op: RowChange,
        what: What,
        places: tuple[str, str],
        said: tuple[str, str],
        name: str,
    ) -> ComparedRow:
        return ComparedRow(
            op=op,
            what=what,
            left=self._left.text.maybe_locate(places[0]),
            right=self._right.text.maybe_locate(places[1]),
            left_place=places[0],
            right_place=places[1],
            said=said,
            name=name,
        )

    def _row(
        self,
        op: RowChange,
        what: What,
        half: Half,
        pointer: str,
        place: str,
        said: str,
        name: str,
    ) -> ComparedRow:
        """A row of one side."""
        side: Side = "left" if half is self._left else "right"
        node: Node | None = half.text.maybe_locate(pointer)
        is_left = side == "left"
        return ComparedRow(
            op=op,
            what=what,
            left=node if is_left else None,
            right=None if is_left else node,
            left_place=pointer if is_left else place,
            right_place=place if is_left else pointer,
            said=(said, "") if is_left else ("", said),
            name=name,
        )


_UNTOLD = (PartKind.OPAQUE,)


def _telling(message: Message) -> tuple[Part, ...]:
    """Parts that mean something in any dialect; a bearer of a signature does not."""
    return tuple(part for part in message.parts if part.kind not in _UNTOLD)


def _said(part: Part) -> str:
    """What a part says, in words of any dialect."""
    return part.arguments if part.kind is PartKind.CALL else part.text


def _meant(part: Part) -> Hashable:
    """Equal for parts that say the same, however their JSON is spelled."""
    said: Hashable = _said(part)
    if part.kind is PartKind.CALL:
        try:
            said = json.dumps(json.loads(part.arguments), sort_keys=True)
        except (ValueError, RecursionError):
            said = part.arguments
    return part.kind, part.name or "", said


def _says(message: Message) -> Hashable:
    parts = tuple(map(_meant, _telling(message)))
    return (message.role, parts) if parts else None


def _call_ids(message: Message) -> Hashable:
    ids = tuple(part.call_id for part in message.parts if part.call_id)
    return (message.role, ids) if ids else None


def _is_genuine(sighting: Sighting) -> bool:
    return sighting.kind is not SignatureKind.BYPASS


def _summary(message: Message) -> str:
    """A message in a few words."""
    names = [call.name or "call" for call in message.calls]
    return " ".join([message.text, *names]).strip()
