"""What stands below a row of the tree: the `grow` of its outline.

Items are nodes of a document, `Offer`s among them, `Envelope`s (edits of headers and
URL, and edits that fit nowhere), `Within` for what a string holds, and the `Piece`s of
an unfolded text. The `LevelGround` of a level says what its items are parts of.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sigscope.edits.records import Edit
from sigscope.jsontext import JsonText, Node
from sigscope.records import dataclass
from sigscope.tui.json.embedded import EmbeddedValue, held_in
from sigscope.tui.json.lineindex import LineIndex, Piece
from sigscope.tui.json.outline import Growth, Level
from sigscope.tui.json.overlay import Offer, Overlay
from sigscope.tui.json.source import JsonSource
from sigscope.utf8 import to_bytes

SHORT = 60
"""Bytes up to which a string on one line is not worth unfolding."""

HEX_BYTES = 16


@dataclass(frozen=True, slots=True)
class LevelGround:
    """What the items of a level belong to."""

    source: JsonSource
    """Document of the nodes."""
    overlay: Overlay | None = None
    """Edits and offers; None where nothing can be switched."""
    host: Node | None = None
    """The string in the pane's own document that all this stands in; None: nodes are
    those of the document itself."""
    lines: LineIndex | None = None
    """The text whose pieces the items are."""
    is_off: bool = False
    """Whether all this is not in the request as sent."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """An edit that concerns no node: of a header, of the URL, or one that does not
    fit this body."""

    edit: Edit
    problem: str = ""
    """Why it does not fit; empty if it does."""


@dataclass(frozen=True, slots=True)
class Within:
    """What a string holds."""

    held: EmbeddedValue


@dataclass(frozen=True, slots=True)
class HexPiece:
    """Some bytes of what a string holds."""

    start: int
    data: bytes


class HexLines(Sequence[HexPiece]):
    """Bytes, so many a row."""

    def __init__(self, data: bytes, width: int) -> None:
        self.data = data
        self.width = width

    def __len__(self) -> int:
        return -(-len(self.data) // self.width)

    def __getitem__(self, row: int) -> HexPiece:  # type: ignore[override]
        if not 0 <= row < len(self):
            raise IndexError(row)
        start = row * self.width
        return HexPiece(start, self.data[start : start + self.width])


class Mixed(Sequence[Any]):
    """Children of a container with a few other rows among them."""

    def __init__(
        self, children: Sequence[Any], extras: Sequence[tuple[int, Any]]
    ) -> None:
        self.children = children
        self.extras = tuple(item for _, item in extras)
        self._befores = [before for before, _ in extras]
        self._places = [before + n for n, before in enumerate(self._befores)]

    def __len__(self) -> int:
        return len(self.children) + len(self.extras)

    def __getitem__(self, position: int) -> Any:  # type: ignore[override]
        if not 0 <= position < len(self):
            raise IndexError(position)
        index = bisect_left(self._places, position)
        if index < len(self._places) and self._places[index] == position:
            return self.extras[index]
        return self.children[position - index]

    def place_of_child(self, index: int) -> int:
        """Where the child with this index stands."""
        return index + bisect_right(self._befores, index)

    def place_of_edit(self, edit: Edit) -> int | None:
        """Where the row of an edit stands; None if it has none here."""
        for place, extra in zip(self._places, self.extras, strict=True):
            if extra.edit == edit:
                return place
        return None


class Chain(Sequence[Any]):
    """One item, then a sequence."""

    def __init__(self, first: Any, rest: Sequence[Any]) -> None:
        self.first = first
        self.rest = rest

    def __len__(self) -> int:
        return 1 + len(self.rest)

    def __getitem__(self, position: int) -> Any:  # type: ignore[override]
        return self.rest[position - 1] if position > 0 else self.first


TextWidth = Callable[[int], int]
"""Cells a text may take at a depth of the outline."""


class Grower:
    """Grows what stands below the rows of one document."""

    def __init__(self, text_width: TextWidth) -> None:
        self.text_width = text_width

    def top(self, source: JsonSource, overlay: Overlay | None) -> Growth:
        """The outermost level: the document, and what wrongly stands behind it."""
        rest = source.document.rest
        roots: list[Any] = [source.root]
        if overlay and not source.root.is_container:
            roots += _envelopes(overlay)
        if rest is not None:
            roots.append(rest)
        return Growth(tuple(roots), LevelGround(source, overlay))

    def grow(self, item: Any, level: Level) -> Growth | None:
        """What stands below an item; None if nothing does."""
        ground: LevelGround = level.context
        depth = level.depth + 1
        if isinstance(item, Node):
            return self._below_node(item, ground, depth)
        if isinstance(item, Offer):
            inner = JsonSource(JsonText(to_bytes(item.text)))
            below = LevelGround(inner, host=item.replaces, is_off=not item.is_on)
            return self._below_node(inner.root, below, depth)
        if isinstance(item, Within):
            return self._below_held(item.held, ground, depth)
        return None

    def _below_node(self, node: Node, ground: LevelGround, depth: int) -> Growth | None:
        source = ground.source
        if not node.is_container:
            return self._below_string(node, ground, depth)
        children: Sequence[Any] = source.children(node)
        overlay = ground.overlay
        if overlay is not None:
            extras: list[tuple[int, Any]] = list(overlay.added(node))
            if node.parent is None:
                extras = [*((0, item) for item in _envelopes(overlay)), *extras]
            if extras:
                children = Mixed(children, extras)
        return Growth(children, ground) if len(children) else None

    def _below_string(
        self, node: Node, ground: LevelGround, depth: int
    ) -> Growth | None:
        if not may_unfold(ground.source, node):
            return None
        text = ground.source.value(node)
        if not isinstance(text, str):
            return None
        below = replace(ground, overlay=None, host=ground.host or node)
        held = held_in(text)
        if held and held.kind == "json" and not held.coding:
            return _below_json(held.data, below)
        lines = LineIndex(to_bytes(text), self.text_width(depth))
        context = replace(below, lines=lines)
        if held is None:
            return Growth(lines, context)
        return Growth(Chain(Within(held), lines), context)

    def _below_held(
        self, held: EmbeddedValue, ground: LevelGround, depth: int
    ) -> Growth | None:
        if held.kind == "json":
            return _below_json(held.data, ground)
        width = self.text_width(depth)
        if held.kind == "text":
            lines = LineIndex(held.data, width)
            return Growth(lines, replace(ground, lines=lines))
        size = HEX_BYTES if width >= 10 + 4 * HEX_BYTES else HEX_BYTES // 2
        return Growth(HexLines(held.data, size), ground)


def _below_json(data: bytes, ground: LevelGround) -> Growth | None:
    source = JsonSource(JsonText(data))
    children = source.children(source.root)
    return Growth(children, replace(ground, source=source)) if children else None


def _envelopes(overlay: Overlay) -> list[Envelope]:
    return [
        *(Envelope(edit) for edit in overlay.envelope),
        *(Envelope(edit, problem) for edit, problem in overlay.misfits),
    ]


def may_unfold(source: JsonSource, node: Node) -> bool:
    """Whether there is, or may be, something below a node. Cheap."""
    if node.is_container:
        return source.count(node) != 0
    if node.kind not in ("string", "broken"):
        return False
    size = node.end - node.start
    if size > SHORT:
        return True
    text = source.text(node)
    return b"\\n" in text or text[1:2] in (b"{", b"[")


def offer_may_unfold(offer: Offer) -> bool:
    """Whether the value of an offer has anything below it."""
    head = offer.text[:1]
    if head in ("{", "["):
        return len(offer.text) > 2
    return head == '"' and (len(offer.text) > SHORT or "\\n" in offer.text)


def position_of(level: Level, item: Any) -> int | None:
    """Where an item of an earlier growth stands in a new one; None if it is gone."""
    members = level.members
    found: int | None = None
    if isinstance(item, Node):
        if level.parent is None:
            found = next((n for n, m in enumerate(members) if m is item), None)
        elif isinstance(members, Mixed):
            found = members.place_of_child(item.index)
        else:
            found = item.index
    elif isinstance(item, Offer | Envelope):
        if isinstance(members, Mixed):
            found = members.place_of_edit(item.edit)
    elif isinstance(item, Within):
        found = 0
    elif isinstance(item, Piece):
        lines = members.rest if isinstance(members, Chain) else members
        if isinstance(lines, LineIndex):
            found = lines.row_at(item.start) + isinstance(members, Chain)
    elif isinstance(item, HexPiece) and isinstance(members, HexLines):
        found = item.start // members.width
    return found if found is not None and found < len(members) else None
