"""Bodies put away cheaply while a stream grows them.

A body after event 900 is mostly the body after event 800: the same containers, and long
texts that only got longer. What is equal is shared, and of a longer text only the new
end is kept, so that all bodies put away together weigh little more than the last one.
"""

from __future__ import annotations

from typing import Any

from sigscope.conversation import Json
from sigscope.records import dataclass

LONG = 512
"""Characters from which a text is kept in pieces."""


@dataclass(frozen=True, slots=True, eq=False)
class Rope:
    """A long text: an earlier one, and what was added to it."""

    before: Rope | None
    tail: str

    def text(self) -> str:
        pieces: list[str] = []
        rope: Rope | None = self
        while rope is not None:
            pieces.append(rope.tail)
            rope = rope.before
        return "".join(reversed(pieces))


@dataclass(frozen=True, slots=True)
class Packed:
    """A body put away. `plain` serves to pack the next one and may be dropped then."""

    plain: Json
    packed: Any
    """Like the body, with ropes for long texts."""


_NOTHING = Packed(None, None)


def pack(value: Json, earlier: Packed | None = None) -> Packed:
    """Put a body away, sharing what it has in common with an earlier one. The result
    holds no container of `value`. Costs one comparison with the earlier body, and a
    copy of what differs."""
    before = earlier or _NOTHING
    if isinstance(value, str):
        return _pack_text(value, before)
    if not isinstance(value, dict | list):
        return Packed(value, value)
    if type(value) is type(before.plain) and _is_same(value, before.plain):
        return before
    if isinstance(value, dict):
        members = {
            key: pack(inner, _below(before, key)) for key, inner in value.items()
        }
        return Packed(
            {key: inner.plain for key, inner in members.items()},
            {key: inner.packed for key, inner in members.items()},
        )
    items = [pack(inner, _below(before, at)) for at, inner in enumerate(value)]
    return Packed([inner.plain for inner in items], [inner.packed for inner in items])


def _is_same(value: Json, other: Json) -> bool:
    """Equal in order and type too: JSON tells 1 and true apart, Python does not."""
    if type(value) is not type(other):
        return False
    if isinstance(value, dict):
        return (
            len(value) == len(other)
            and list(value) == list(other)
            and all(_is_same(inner, other[key]) for key, inner in value.items())
        )
    if isinstance(value, list):
        return len(value) == len(other) and all(map(_is_same, value, other))
    return bool(value is other or value == other)


def _below(earlier: Packed, place: str | int) -> Packed | None:
    plain, packed = earlier.plain, earlier.packed
    if isinstance(plain, dict) and isinstance(place, str) and place in plain:
        return Packed(plain[place], packed[place])
    if isinstance(plain, list) and isinstance(place, int) and place < len(plain):
        return Packed(plain[place], packed[place])
    return None


def _pack_text(value: str, before: Packed) -> Packed:
    if len(value) < LONG:
        return Packed(value, value)
    old = before.plain
    if isinstance(old, str) and old and value.startswith(old):
        if len(old) == len(value):
            return before
        packed = before.packed
        rope = packed if isinstance(packed, Rope) else Rope(None, packed)
        return Packed(value, Rope(rope, value[len(old) :]))
    return Packed(value, Rope(None, value))


def unpack(packed: Any) -> Json:
    """The body again, in containers of its own."""
    if isinstance(packed, Rope):
        return packed.text()
    if isinstance(packed, dict):
        return {key: unpack(inner) for key, inner in packed.items()}
    if isinstance(packed, list):
        return [unpack(inner) for inner in packed]
    return packed
