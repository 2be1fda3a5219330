"""Which elements of two arrays belong together.

What is equal does; of the rest, what names the same thing (a message by the ids of its
calls); then what is equal but for what is masked; then messages of the same role that
call the same functions; then whatever looks alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from sigscope.comparison.halves import Half
from sigscope.comparison.masks import DifferenceMasker
from sigscope.conversation import Message
from sigscope.edits.align import align, look_of, name_of
from sigscope.jsontext import Node


def pair(
    left: DifferenceMasker,
    right: DifferenceMasker,
    before: Sequence[Node],
    after: Sequence[Node],
) -> list[tuple[int, int]]:
    """Pairs of indices, ascending in both; other elements have no partner."""
    head = _same_run(left.half, right.half, before, after)
    tail = _same_run(left.half, right.half, before[head:][::-1], after[head:][::-1])
    olds, news = before[head : len(before) - tail], after[head : len(after) - tail]
    pairs = [(at, at) for at in range(head)]
    if olds and news:
        pairs += [
            (one + head, other + head)
            for one, other in _by_value(left, right, olds, news)
        ]
    pairs += [(len(before) - at, len(after) - at) for at in range(tail, 0, -1)]
    return pairs


def _same_run(
    left: Half, right: Half, before: Sequence[Node], after: Sequence[Node]
) -> int:
    """How many elements from the first are spelled the same."""
    count = 0
    for one, other in zip(before, after, strict=False):
        if left.text.text(one) != right.text.text(other):
            break
        count += 1
    return count


def _by_value(
    left: DifferenceMasker,
    right: DifferenceMasker,
    olds: Sequence[Node],
    news: Sequence[Node],
) -> list[tuple[int, int]]:
    sides = ((left, olds), (right, news))
    one, other = (
        (
            [masker.meaning(node) for node in nodes],
            [name_of(masker.half.text.value(node)) for node in nodes],
            [masker.shape(node) for node in nodes],
            [_part_played(masker.half, node) for node in nodes],
            [_look(masker.half, node) for node in nodes],
        )
        for masker, nodes in sides
    )
    return align(len(olds), len(news), *zip(one, other, strict=True))


def _part_played(half: Half, node: Node) -> Hashable:
    """A message's role with the functions it calls or brings results of; None for
    what is no message, or says no more than its role."""
    message = half.messages.get(half.text.pointer(node))
    return calls_of(message) if message else None


def calls_of(message: Message) -> Hashable:
    """A message's role and calls; None for one that has nothing to do with calls."""
    names = tuple(call.name or "" for call in message.calls)
    results = tuple(result.name or "" for result in message.results)
    return (message.role, names, results) if names or results else None


def _look(half: Half, node: Node) -> Hashable:
    message = half.messages.get(half.text.pointer(node))
    return message.role if message else look_of(half.text.value(node))
