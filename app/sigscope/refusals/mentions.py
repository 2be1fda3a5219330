"""Nodes of the request that an error names, where no rule is known for its words.

Tried in turn: the field that the error itself gives (`param`, Google's
`fieldViolations`), a path among the words ("messages.2.content.0", "contents[3]"), ids
("call_7"), members in quotes or with an underscore (`tool_choice`), the model's name.
What is named and not there is said to be not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sigscope.conversation import Json
from sigscope.pointer import join
from sigscope.pointer import resolve as value_at
from sigscope.reader import Reading
from sigscope.refusals.layers import Layer
from sigscope.refusals.paths import find_ids, resolve, split
from sigscope.refusals.places import Located, Occurrence, distinct
from sigscope.refusals.signatures import read_block

_PATH = re.compile(r"(?<![\w./-])[A-Za-z_]\w*(?:\.?\[\d+\]|\.\d+)(?:\.?\[\d+\]|\.\w+)*")
_ID = re.compile(r"(?<!\w)(?:call|toolu|tooluse|rs|msg|fc)[_-]\w[\w-]*")
_QUOTED = re.compile(r"['\"`](\w+)['\"`]")
_COMPOUND = re.compile(r"(?<![\w'\"`./])(?:[a-z]+_\w+|[a-z]+[A-Z]\w+)(?!\w)")
_BLOCK = re.compile(r"messages\.(?P<i>\d+)(?:\.content\.(?P<j>\d+))?(?!\d)")
_SHORTEST_MODEL = 6
MAX_WORDS = 4_000
"""Characters of one layer's words that are searched for places."""
_MOST = 4
"""Nodes that are told of."""


def find_mentions(reading: Reading, layers: Sequence[Layer]) -> Located:
    """The nodes that the innermost layer with something to point at names."""
    body = reading.request_json
    if not isinstance(body, dict):
        return Located()
    missing: Located | None = None
    for layer in reversed(layers):
        found = _in_layer(reading, body, layer)
        if found.pointers:
            return found
        missing = missing or (found if found.note else None)
    return missing or Located()


def _in_layer(reading: Reading, body: dict[str, Json], layer: Layer) -> Located:
    text = layer.text[:MAX_WORDS]
    named = [layer.param] if layer.param else []
    named += [match[0] for match in _PATH.finditer(text)]
    places = [_by_path(reading, body, path) for path in distinct(named)]
    pointers = distinct(p for place in places for p in place.pointers)[:_MOST]
    if pointers:
        notes = distinct(place.note for place in places if place.pointers)
        return Located(pointers=pointers, note="; ".join(filter(None, notes)))
    other = distinct([*_by_id(body, text), *_by_member(body, text)])[:_MOST]
    if other:
        return Located(pointers=other)
    return next((place for place in places if place.note), Located())


def _by_path(reading: Reading, body: dict[str, Json], path: str) -> Located:
    steps = split(path)
    if not steps or resolve(body, steps[:1]) is None:
        return Located()
    block = _BLOCK.fullmatch(path)
    if block is not None:
        groups = {key: value for key, value in block.groupdict().items() if value}
        found = read_block(Occurrence(groups=groups, text=path, reading=reading))
        if found.pointers:
            return found
    pointer = resolve(body, steps)
    if pointer is None:
        return Located()
    if pointer.count("/") < len(steps):
        return _beyond(body, path, pointer)
    return Located(pointers=(pointer,))


def _beyond(body: dict[str, Json], path: str, pointer: str) -> Located:
    """The way ends before the path does: a missing member, or a list too short."""
    steps = split(path)
    depth = pointer.count("/")
    value = value_at(body, pointer)
    if isinstance(value, list) and steps[depth].isdecimal():
        note = (
            f"{path} does not fit this request: {pointer} has {len(value)}"
            f" entr{'y' if len(value) == 1 else 'ies'}, counted from 0"
        )
        return Located(note=note)
    return Located(pointers=(pointer,), note=f"{path}: nothing of it below {pointer}")


def _by_id(body: dict[str, Json], text: str) -> Iterator[str]:
    for found in distinct(match[0] for match in _ID.finditer(text))[:_MOST]:
        yield from find_ids(body, found)


def _by_member(body: dict[str, Json], text: str) -> Iterator[str]:
    named = [match[1] for match in _QUOTED.finditer(text)]
    named += [match[0] for match in _COMPOUND.finditer(text)]
    for name in named:
        if name in body:
            yield join("", name)
    model = body.get("model")
    if isinstance(model, str) and len(model) >= _SHORTEST_MODEL and model in text:
        yield "/model"
