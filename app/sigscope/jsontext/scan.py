"""Finds the children of one container without looking into them.

Well-formed children cost one match of a regular expression each. What that match
refuses goes through the tolerant reader below, one child at a time, and every
deviation is told to `complain`. Nothing here raises on any input, nothing recurses,
and every step moves forward.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from sigscope.jsontext.grammar import (
    CLOSERS,
    ELEMENT,
    KEY_FOLLOWS,
    MEMBER,
    NEXT_BRACKET,
    OPENER_OF,
    OPENERS,
    OPENERS_IN_A_ROW,
    SINGLE_QUOTED,
    SKIP_SPACE,
    WHOLE_SHALLOW,
    WHOLE_STRING,
    WORD,
    kind_of_word,
)
from sigscope.jsontext.nodes import Kind, Node

Complain = Callable[[int, str], None]
"""Receives the offset and a description of each deviation from the grammar."""

_KINDS: dict[int, Kind] = {
    ord('"'): "string",
    ord("{"): "object",
    ord("["): "array",
    ord("t"): "true",
    ord("f"): "false",
    ord("n"): "null",
    **dict.fromkeys(b"-0123456789", "number"),
}

_MANY = 10_000
"""Containers from which those that are never closed are kept in an array."""
_WORTH_KEEPING = 128
"""Bytes from which on the end of a skipped container is remembered. Below, looking
again is cheap; above, not looking again keeps deep nesting linear."""


_MOST_ODD = 100_000
"""Children of one container that only the tolerant reader takes. It costs some
microseconds for each, and what has so many faults is no JSON anybody meant."""


class ScannedValue(NamedTuple):
    """A value as the tolerant reader sees it."""

    kind: Kind
    start: int
    end: int
    closed: bool = True


class Scanner:
    """The children of any container of one masked text."""

    def __init__(self, masked: bytes) -> None:
        self.masked = masked
        self._ends: dict[int, int] = {}
        self._unclosed: set[int] = set()
        self._entered: dict[int, int] = {}
        """Containers, and where in them nothing but they is open."""
        self._open = array("Q")
        """Containers that are open where the text ends, if they are many, in order: a
        number each, not an object."""
        self._open_to = 0

    def children(
        self, node: Node, complain: Complain, known: Sequence[Node] = ()
    ) -> list[Node]:
        """What stands in a container, in order; [] for anything else. `known`: what is
        known to stand first in it; the last of these is looked at again, for it may go
        on otherwise."""
        if not node.is_container:
            return []
        masked, kinds = self.masked, _KINDS
        is_object = node.kind == "object"
        match_child = MEMBER.match if is_object else ELEMENT.match
        value_group = 2 if is_object else 1
        found: list[Node] = []
        at, stop = node.start + 1, node.end - node.closed
        if known:
            found = [_moved(child, node) for child in known[:-1]]
            at = known[-1].begin
        comma = False
        odd = 0
        while at < stop:
            match = match_child(masked, at, stop)
            if match:
                start, end = match.span(value_group)
                child = Node(kinds[masked[start]], start, end, True, node, len(found))
                if is_object:
                    child.key_start, child.key_end = match.span(1)
                at = match.end()
                comma = masked[at - 1] == 0x2C
            else:
                at = self._to_child(at, stop, is_object, complain)
                if at >= stop:
                    break
                odd += 1
                if odd > _MOST_ODD:
                    complain(at, "too many faults: the rest is not taken apart")
                    found.append(_left_over(at, stop, node, len(found)))
                    return found
                child = self._odd_child(at, stop, node, len(found), complain)
                at, comma = self._past_comma(child.end, stop, complain)
            found.append(child)
        if comma and node.closed:
            complain(stop, "a comma after the last one")
        return found

    def value(self, at: int, stop: int, complain: Complain) -> ScannedValue:
        """The value, or what stands for one, at `at`; at least one byte long."""
        masked = self.masked
        first = masked[at]
        if first == 0x22:
            match = WHOLE_STRING.match(masked, at, stop)
            if match:
                return ScannedValue("string", at, match.end())
            complain(at, "this string never ends")
            return ScannedValue("string", at, stop, closed=False)
        if first in OPENERS:
            kind: Kind = "array" if first == 0x5B else "object"
            end, closed = self.skip(at, stop)
            if not closed:
                complain(at, f"this {kind} is never closed")
            return ScannedValue(kind, at, end, closed)
        if first in CLOSERS:
            complain(at, f"a stray {chr(first)!r}")
            return ScannedValue("broken", at, at + 1)
        if first == 0x27:
            match = SINGLE_QUOTED.match(masked, at, stop)
            if match:
                complain(at, "a string in single quotes; JSON has double ones")
                return ScannedValue("string", at, match.end())
        match = WORD.match(masked, at, stop)
        end = match.end() if match else at + 1
        kind = cast(Kind, kind_of_word(masked[at:end]))
        if kind == "broken":
            shown = masked[at : min(end, at + 40)].decode("utf-8", "replace")
            complain(at, f"{shown!r} is not a JSON value")
        return ScannedValue(kind, at, end)

    def enter(self, start: int, at: int) -> None:
        """A child of the container that opens at `start` begins at `at`: looking for
        its end may begin there."""
        self._entered[start] = at

    def skip(self, start: int, stop: int) -> tuple[int, bool]:
        """The end of the container that opens at `start`, and whether it is closed.

        A closing bracket that does not fit the innermost open container closes the
        nearest one it fits, and leaves those inside it unclosed; if it fits none, it
        is ignored.
        """
        known = self._ends.get(start)
        if known is not None:
            return min(known, stop), known <= stop and start not in self._unclosed
        place = bisect_left(self._open, start)
        if self._open[place : place + 1] == array("Q", (start,)):
            return min(self._open_to, stop), False
        match = WHOLE_SHALLOW.match(self.masked, start, stop)
        return (match.end(), True) if match else self._skip_deep(start, stop)

    def _skip_deep(self, start: int, stop: int) -> tuple[int, bool]:
        masked = self.masked
        stack = array("Q", (start,))
        waiting = {0x5B: 0, 0x7B: 0}
        waiting[masked[start]] += 1
        at = self._entered.get(start, start + 1)
        while stack:
            match = NEXT_BRACKET.match(masked, at, stop)
            if match is None or match.end() == at:
                self._remember_open(stack, stop)
                return stop, False
            at = match.end()
            if match.lastindex is None:
                continue
            bracket = masked[at - 1]
            if bracket in OPENERS:
                row = OPENERS_IN_A_ROW.match(masked, at - 1, stop)
                if row:
                    first, at = row.start(), row.end() - 2
                    stack.extend(range(first, at))
                    waiting[0x5B] += masked.count(b"[", first, at)
                    waiting[0x7B] += masked.count(b"{", first, at)
                    continue
                inner = WHOLE_SHALLOW.match(masked, at - 1, stop)
                if inner:
                    at = inner.end()
                else:
                    stack.append(at - 1)
                    waiting[bracket] += 1
                continue
            opener = OPENER_OF[bracket]
            if not waiting[opener]:
                continue
            while masked[stack[-1]] != opener:
                opened = stack.pop()
                waiting[masked[opened]] -= 1
                self._remember(opened, at - 1, closed=False)
            waiting[opener] -= 1
            self._remember(stack.pop(), at, closed=True)
        return at, True

    def _remember_open(self, opened: array[int], stop: int) -> None:
        far = opened[: bisect_right(opened, stop - _WORTH_KEEPING)]
        if len(far) > max(_MANY, len(self._open)):
            self._open, self._open_to = far, stop
            return
        self._ends.update(dict.fromkeys(far, stop))
        self._unclosed.update(far)

    def _remember(self, start: int, end: int, *, closed: bool) -> None:
        if end - start >= _WORTH_KEEPING:
            self._ends[start] = end
            if not closed:
                self._unclosed.add(start)

    # --- What the regular expressions refuse -----------------------------------------

    def _space(self, at: int, stop: int) -> int:
        match = SKIP_SPACE.match(self.masked, at, stop)
        return match.end() if match else at

    def _to_child(self, at: int, stop: int, is_object: bool, complain: Complain) -> int:
        """Past white space, and past separators that separate nothing."""
        while True:
            at = self._space(at, stop)
            if at >= stop:
                return at
            byte = self.masked[at]
            if byte != 0x2C and (byte != 0x3A or is_object):
                return at
            complain(at, f"a {chr(byte)!r} where a value should be")
            at += 1

    def _past_comma(self, at: int, stop: int, complain: Complain) -> tuple[int, bool]:
        """Past the comma after a child; says whether there was one."""
        at = self._space(at, stop)
        if at >= stop:
            return at, False
        if self.masked[at] == 0x2C:
            return at + 1, True
        complain(at, "a comma is missing here")
        return at, False

    def _odd_child(
        self, at: int, stop: int, node: Node, index: int, complain: Complain
    ) -> Node:
        if node.kind == "array":
            span = self.value(at, stop, complain)
            return Node(*span, node, index)
        if self.masked[at] in OPENERS + CLOSERS:
            span = self.value(at, stop, complain)
            complain(at, "a value without a key")
            # It needs some name: its own text.
            _, start, end, closed = span
            return Node("broken", start, end, closed, node, index, start, end)
        key_end = self._key(at, stop, complain)
        after, found = self._past_colon(key_end, stop, complain)
        if not found:
            complain(after, "a value is missing here")
            return Node("broken", after, after, False, node, index, at, key_end)
        span = self.value(after, stop, complain)
        return Node(*span, node, index, at, key_end)

    def _key(self, at: int, stop: int, complain: Complain) -> int:
        """The end of the key at `at`; empty where a colon stands in its place."""
        masked = self.masked
        first = masked[at]
        if first == 0x22:
            match = WHOLE_STRING.match(masked, at, stop)
            if not match:
                complain(at, "this key never ends")
            return match.end() if match else stop
        if first == 0x27 and (match := SINGLE_QUOTED.match(masked, at, stop)):
            complain(at, "a key in single quotes; JSON has double ones")
            return match.end()
        match = WORD.match(masked, at, stop)
        complain(at, "a key without quotes" if match else "a key is missing here")
        return match.end() if match else at

    def _past_colon(
        self, key_end: int, stop: int, complain: Complain
    ) -> tuple[int, bool]:
        """Where the value after a key begins, or where it is missed."""
        masked = self.masked
        place, at = key_end, self._space(key_end, stop)
        colons = 0
        while at < stop and masked[at] == 0x3A:
            if colons:
                complain(at, "a ':' too many")
            colons += 1
            place, at = at + 1, self._space(at + 1, stop)
        if at >= stop or masked[at] == 0x2C:
            return place, False
        if not colons:
            # `"a" "b": 1` is a key without value, `"a" 1` a missing colon.
            if KEY_FOLLOWS.match(masked, at, stop):
                return place, False
            complain(at, "a ':' is missing here")
        return at, True


def _moved(child: Node, parent: Node) -> Node:
    """The same child of another container."""
    return Node(
        child.kind,
        child.start,
        child.end,
        child.closed,
        parent,
        child.index,
        child.key_start,
        child.key_end,
    )


def _left_over(at: int, stop: int, node: Node, index: int) -> Node:
    """The rest of a container as one piece; without a key, where it needs one."""
    key = at if node.kind == "object" else None
    return Node("broken", at, stop, True, node, index, key, key)
