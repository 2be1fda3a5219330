"""Finding rows: unfolding down to a node, keeping a place when rows change, and what
is unfolded at first. Pure: outlines in, rows out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sigscope.jsontext import Node
from sigscope.jsontext.values import read_string
from sigscope.records import dataclass
from sigscope.tui.json.lineindex import LineIndex
from sigscope.tui.json.outline import Level, Outline, Spot
from sigscope.tui.json.overlay import Offer
from sigscope.tui.json.source import JsonSource, is_large
from sigscope.tui.json.twigs import Chain, LevelGround, may_unfold, position_of
from sigscope.utf8 import to_bytes

FIRST = (
    "messages",
    "contents",
    "input",
    "choices",
    "candidates",
    "output",
    "error",
)
"""Members that are unfolded at first: where the conversation is."""

_MOST_FIRST = 300
"""Elements of such a member that are unfolded at first."""


def path_to(node: Node) -> list[Node]:
    """The root and all that stands around a node, the node last."""
    found = [node]
    while found[-1].parent is not None:
        found.append(found[-1].parent)
    return found[::-1]


def reveal(outline: Outline, node: Node) -> Spot | None:
    """Unfold down to a node of the outline's own document; None if it is not there.
    The inner levels are unfolded first: below what is folded that costs nothing, and
    else each costs its depth."""
    level = outline.top
    spot: Spot | None = None
    closed: list[tuple[Spot, Level]] = []
    for here in path_to(node):
        if spot is not None:
            below = outline.below(spot)
            if below is None:
                return None
            if not spot.is_open:
                closed.append((spot, below))
            level = below
        position = position_of(level, here)
        if position is None:
            return None
        spot = Spot(level, position)
    for around, below in reversed(closed):
        around.level.attach(around.position, below)
    return spot


def reveal_offset(outline: Outline, spot: Spot, offset: int) -> Spot:
    """Unfold the string at a spot down to the line, or the inner value, that holds a
    byte of its literal; the spot itself where that is not to be had."""
    node, ground = spot.item, spot.level.context
    if not isinstance(node, Node) or not may_unfold(ground.source, node):
        return spot
    level = outline.unfold(spot)
    if level is None:
        return spot
    literal = ground.source.data[node.start : offset]
    inside = len(to_bytes(read_string(literal)))
    inner: LevelGround = level.context
    members = level.members
    lines = members.rest if isinstance(members, Chain) else members
    if isinstance(lines, LineIndex):
        return Spot(level, lines.row_at(inside) + isinstance(members, Chain))
    return _reveal_below(outline, level, inner.source, inside) or spot


def _reveal_below(
    outline: Outline, level: Level, source: JsonSource, offset: int
) -> Spot | None:
    """Like `reveal`, below a level whose members are children of a root."""
    spot: Spot | None = None
    for here in path_to(source.node_at(offset))[1:]:
        if spot is not None:
            below = outline.unfold(spot)
            if below is None:
                return spot
            level = below
        position = position_of(level, here)
        if position is None:
            return spot
        spot = Spot(level, position)
    return spot


# --- Keeping the place ---------------------------------------------------------------


def trail(spot: Spot) -> list[Any]:
    """The items from the outermost level down to a spot."""
    found: list[Any] = []
    here: Spot | None = spot
    while here is not None:
        found.append(here.item)
        here = here.parent()
    return found[::-1]


def follow(outline: Outline, items: Sequence[Any]) -> Spot | None:
    """The spot a trail leads to in an outline that has grown anew, as far as it is
    unfolded; an offer that became another value of a node leads to the node."""
    level = outline.top
    spot: Spot | None = None
    for item in items:
        if spot is not None:
            below = spot.level.open.get(spot.position)
            if below is None:
                return spot
            level = below
        position = position_of(level, item)
        if position is None and isinstance(item, Offer) and item.replaces is not None:
            position = position_of(level, item.replaces)
        if position is None:
            return spot
        spot = Spot(level, position)
    return spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Which nodes are unfolded and where the cursor is, by pointers: what survives
    when another document is shown."""

    unfolded: tuple[str, ...] = ()
    cursor: str | None = None


_MOST_KEPT = 2000


def shape_of(outline: Outline, source: JsonSource, cursor: Spot | None) -> Shape:
    """The shape of an outline, its embedded documents left out."""
    found: list[str] = []
    queue = [outline.top]
    while queue and len(found) < _MOST_KEPT:
        level = queue.pop()
        for position in level.order():
            item = level.members[position]
            if isinstance(item, Node) and level.context.host is None:
                found.append(source.pointer(item))
                queue.append(level.open[position])
    place: str | None = None
    while cursor is not None and place is None:
        item = cursor.item
        if isinstance(item, Node) and cursor.level.context.host is None:
            place = source.pointer(item)
        cursor = cursor.parent()
    return Shape(unfolded=tuple(found), cursor=place)


def apply_shape(outline: Outline, source: JsonSource, shape: Shape) -> None:
    """Unfold what is there of a shape; what would take long to read stays folded."""
    for pointer in sorted(shape.unfolded, key=len):
        node = source.maybe_locate(pointer)
        if node is not None and source.is_known(node):
            spot = reveal(outline, node)
            if spot is not None:
                outline.unfold(spot)


# --- What is unfolded at first -------------------------------------------------------


def unfold_first(
    outline: Outline, source: JsonSource, rows: int, worth: Iterable[Node] = ()
) -> None:
    """Unfold the document, the conversation in it, what leads to the nodes that are
    `worth` it, and then whatever fits into so many rows."""
    top = outline.unfold(Spot(outline.top, 0))
    if top is None:
        return
    for key in FIRST:
        member = source.member(source.root, key)
        if member is not None and 0 < (source.count(member) or 0) <= _MOST_FIRST:
            spot = reveal(outline, member)
            if spot is not None:
                outline.unfold(spot)
    for node in worth:
        spot = reveal(outline, node)
        if spot is not None and node.is_container and not is_large(node):
            outline.unfold(spot)
    _unfold_what_fits(outline, source, rows)


def _unfold_what_fits(outline: Outline, source: JsonSource, rows: int) -> None:
    queue: list[Level] = [outline.top]
    while queue:
        level = queue.pop(0)
        if len(level.members) > rows:
            continue
        for position in range(len(level.members)):
            spot = Spot(level, position)
            item = spot.item
            if not spot.is_open and isinstance(item, Node) and item.is_container:
                count = 0 if is_large(item) else source.count(item) or 0
                if count and len(outline) + count <= rows:
                    outline.unfold(spot)
            if spot.is_open:
                queue.append(level.open[position])
