"""Which elements of two arrays belong together.

What is equal does; of the rest, what names the same thing (a message by the ids of its
calls); then what is equal but for what is masked; then messages of the same role that
call the same functions; then whatever looks alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from sigscope.comparison.halves import Half
from sigscope.comparison.masks import DifferenceMasker
from sigscope.conversation import Message
from sigscope.edits.align import align, look_of, name_of
from sigscope.edits.partners import pair_elements
from sigscope.jsontext import Node


def pair(
    left: DifferenceMasker,
    right: DifferenceMasker,
    before: Sequence[Node],
    after: Sequence[Node],
) -> list[tuple[int, int]]:
    """Pairs of indices, ascending in both; other elements have no partner."""
    old, new = left.half.text, right.half.text
    match = partial(_by_value, left, right)
    return pair_elements(old, new, before, after, match)


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
