"""Edits that would send what a recorder has written in place of a value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from sigscope.edits.records import Edit, Op
from sigscope.jsontext.meaning import maybe_json
from sigscope.opaque import split_call_id
from sigscope.utf8 import to_bytes

_WRITING = frozenset({Op.SET, Op.INSERT})


def writes_mask(edits: Iterable[Edit], masks: Collection[str]) -> bool:
    """Whether one of them writes one of these, as a string of its own or behind a call
    id. Costs parsing what they write, where there are masks at all."""
    if not masks:
        return False
    written = (maybe_json(to_bytes(e.value or "")) for e in edits if e.op in _WRITING)
    return any(
        text in masks or split_call_id(text).signature in masks
        for value in written
        for text in _strings(value)
    )


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)
