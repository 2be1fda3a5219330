"""Which badges stand in which row. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import field

from sigscope import pointer as pointers
from sigscope.errors import PointerError
from sigscope.jsontext import Node
from sigscope.records import dataclass
from sigscope.tui.json.overlay import Overlay
from sigscope.tui.json.source import JsonSource
from sigscope.tui.json.subject import NodeMark

Badges = tuple[NodeMark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedMarks:
    """Badges by what they are drawn beside."""

    at: Mapping[Node, Badges] = field(default_factory=dict)
    """Those of a node itself."""
    below: Mapping[Node, Badges] = field(default_factory=dict)
    """For containers, those of everything in them."""
    offered: Mapping[str, Badges] = field(default_factory=dict)
    """Those of rows that are not in the body, by pointer."""


def place_marks(
    source: JsonSource, overlay: Overlay | None, marks: Mapping[str, Badges]
) -> PlacedMarks:
    """Find the row of each badge: a node; a row for what is not there but could be;
    else the nearest node around the place."""
    at: dict[Node, Badges] = {}
    below: dict[Node, dict[Hashable, NodeMark]] = {}
    offered: dict[str, Badges] = {}
    own, others = overlay.holders if overlay else ({}, {})
    rows = {**others, **own}
    for pointer, badges in marks.items():
        node = source.maybe_locate(pointer)
        if node is None and pointer in rows:
            offered[pointer] = badges
            _add(below, rows[pointer], badges)
        else:
            node = node or _nearest(source, pointer)
            at[node] = (*at.get(node, ()), *badges)
            if node.parent is not None:
                _add(below, node.parent, badges)
    inside = {node: tuple(found.values()) for node, found in below.items()}
    return PlacedMarks(at=at, below=inside, offered=offered)


def _add(
    below: dict[Node, dict[Hashable, NodeMark]], node: Node | None, badges: Badges
) -> None:
    """To a container and all around it; the same badge once."""
    told = {_sameness(badge): badge for badge in badges}
    while node is not None:
        known = below.setdefault(node, {})
        for key, badge in told.items():
            known.setdefault(key, badge)
        node = node.parent


def _sameness(badge: NodeMark) -> Hashable:
    """What makes two badges one; not all targets can be told apart by a hash."""
    target = badge.target if isinstance(badge.target, str) else id(badge.target)
    return badge.glyph, badge.text, badge.ink, badge.note, target


def _nearest(source: JsonSource, pointer: str) -> Node:
    """The deepest node on the way to a place that is not there."""
    while pointer:
        try:
            pointer = pointers.parent(pointer)
        except PointerError:
            break
        node = source.maybe_locate(pointer)
        if node is not None:
            return node
    return source.root
