"""Which members and elements of two containers belong together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from sigscope.edits.align import align, look_of, name_of
from sigscope.jsontext import Node
from sigscope.jsontext.meaning import meaning

Indices = list[tuple[int, int]]
"""Of old and new elements, ascending in both."""


class NodeTexts(Protocol):
    """What is asked of a document: a `JsonText`, or what guards one."""

    def text(self, node: Node) -> bytes: ...
    def value(self, node: Node) -> Any: ...
    def key(self, node: Node) -> str: ...


def pair_members(
    old: NodeTexts, new: NodeTexts, before: Sequence[Node], after: Sequence[Node]
) -> tuple[dict[Node, Node | None], dict[str, list[Node]]]:
    """The old members with their partners, and the new ones without, by key. Of equal
    keys the first belongs to the first."""
    rest: dict[str, list[Node]] = {}
    for child in after:
        rest.setdefault(new.key(child), []).append(child)
    pairs: dict[Node, Node | None] = {}
    for child in before:
        named = rest.get(old.key(child))
        pairs[child] = named.pop(0) if named else None
    return pairs, rest


def pair_elements(
    old: NodeTexts,
    new: NodeTexts,
    before: Sequence[Node],
    after: Sequence[Node],
    match: Callable[[Sequence[Node], Sequence[Node]], Indices] | None = None,
) -> Indices:
    """Those that are spelled the same at both ends, then what `match` finds between
    them; without it what means the same, has the same name, or looks alike. Histories
    mostly grow at their end: what stayed is not even parsed."""
    head = _same_head(old, new, before, after)
    tail = _same_head(old, new, before[head:][::-1], after[head:][::-1])
    olds, news = before[head : len(before) - tail], after[head : len(after) - tail]
    pairs = [(at, at) for at in range(head)]
    if olds and news:
        found = match(olds, news) if match else _by_value(old, new, olds, news)
        pairs += [(one + head, other + head) for one, other in found]
    pairs += [(len(before) - at, len(after) - at) for at in range(tail, 0, -1)]
    return pairs


def follow(
    after: Sequence[Node], fresh: set[Node]
) -> dict[Node | None, tuple[Node, ...]]:
    """New members by the old one that they stand behind; None: in front of all."""
    found: dict[Node | None, list[Node]] = {}
    last: Node | None = None
    for child in after:
        if child in fresh:
            found.setdefault(last, []).append(child)
        else:
            last = child
    return {key: tuple(nodes) for key, nodes in found.items()}


def _same_head(
    old: NodeTexts, new: NodeTexts, before: Sequence[Node], after: Sequence[Node]
) -> int:
    """How many elements from the first are spelled the same."""
    count = 0
    for one, other in zip(before, after, strict=False):
        if old.text(one) != new.text(other):
            break
        count += 1
    return count


def _by_value(
    old: NodeTexts, new: NodeTexts, olds: Sequence[Node], news: Sequence[Node]
) -> Indices:
    ways = []
    for document, nodes in ((old, olds), (new, news)):
        values = [document.value(node) for node in nodes]
        meanings = [meaning(document.text(node)) for node in nodes]
        ways.append((meanings, [*map(name_of, values)], [*map(look_of, values)]))
    return align(len(olds), len(news), *zip(*ways, strict=True))
