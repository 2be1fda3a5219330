"""Bodies and edits for properties, and what a set of edits should come to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from tests.unit.jsontext.texts import SPACES, nodes

from sigscope.edits.apply import conflicts
from sigscope.edits.records import Edit, Op
from sigscope.errors import EditError
from sigscope.jsontext import JsonText
from sigscope.pointer import index_of, join, parse

_LEAVES = st.one_of(
    st.integers(0, 9), st.none(), st.booleans(), st.text("aé/~", max_size=2)
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", "c/d", "~", "0"]), inner)
    ),
    max_leaves=12,
)


@st.composite
def _spelled(draw: st.DrawFn) -> bytes:
    """A body without repeated keys, in one of the styles clients write."""
    value = draw(
        st.lists(_VALUES, max_size=4) | st.dictionaries(st.text("abc"), _VALUES)
    )
    indent = draw(st.sampled_from([None, None, 1, 2, "\t"]))
    comma = draw(st.sampled_from([",", ", ", " ,"])) if indent is None else ","
    colon = draw(st.sampled_from([":", ": ", " : "]))
    text = json.dumps(
        value,
        indent=indent,
        separators=(comma, colon),
        ensure_ascii=draw(st.booleans()),
    )
    return (draw(SPACES) + text + draw(SPACES)).encode()


UNIQUE = _spelled()
"""Bodies whose objects repeat no key, so that parsed JSON loses nothing."""

TEXTS = st.sampled_from(["null", "7", '"x"', "[]", '{"k": [1, 2]}', "[ 1,2 ]"])


ALL = (Op.SET, Op.DROP, Op.INSERT, Op.MOVE, Op.COPY)


@st.composite
def some_edit(draw: st.DrawFn, body: bytes, ops: Sequence[Op] = ALL) -> Edit:
    """A body edit that fits the body; `set` where the drawn one cannot."""
    document = JsonText(body)
    found = nodes(document)
    places = [document.pointer(node) for node in found]
    containers = [n for n in found if n.is_container]
    op = draw(st.sampled_from(ops))
    if op in (Op.DROP, Op.MOVE) and len(places) == 1:
        op = Op.SET
    new = [
        join(document.pointer(node), name)
        for node in containers
        for name in (
            ("new", "n/ew")
            if node.kind == "object"
            else ("-", *range(len(document.children(node)) + 1))
        )
    ]
    pointer = draw(st.sampled_from(new))
    match op:
        case Op.DROP:
            return Edit(op=op, pointer=draw(st.sampled_from(places[1:])))
        case Op.SET:
            pointer = draw(st.sampled_from(places + new))
            return Edit(op=op, pointer=pointer, value=draw(TEXTS))
        case Op.INSERT:
            return Edit(op=op, pointer=pointer, value=draw(TEXTS))
    start = 1 if op is Op.MOVE else 0
    source = draw(st.sampled_from(places[start:]))
    edit = Edit(op=op, source=source, pointer=pointer)
    try:
        conflicts([edit], body)
    except EditError:
        return Edit(op=Op.SET, pointer=source, value=draw(TEXTS))
    return edit


@st.composite
def some_edits(draw: st.DrawFn, body: bytes) -> list[Edit]:
    """Up to four edits that do not contradict each other."""
    chosen: list[Edit] = []
    for _ in range(draw(st.integers(0, 4))):
        edit = draw(some_edit(body))
        if edit not in chosen and not conflicts([*chosen, edit], body):
            chosen.append(edit)
    return chosen


def model(value: Any, edits: Sequence[Edit]) -> Any:
    """What edits should make of a value whose objects are tuples of pairs.

    Slow and obvious: walks the value once and asks of every place what is wanted.
    """
    recorded = value
    edits = [e for e in edits if e.op is not Op.MOVE or e.source != e.pointer]
    gone = {e.pointer for e in edits if e.op is Op.DROP}
    gone |= {e.source or "" for e in edits if e.op is Op.MOVE}
    puts = [(e.pointer, _read(recorded, e), e.op) for e in edits if e.op is not Op.DROP]

    def walk(here: Any, pointer: str) -> Any:
        for place, new, op in puts:
            if place == pointer and (op is Op.SET or _in_object(recorded, place)):
                return new
        if isinstance(here, list):
            return elements(here, pointer)
        return members(here, pointer) if isinstance(here, tuple) else here

    def elements(here: list[Any], pointer: str) -> list[Any]:
        made: list[Any] = []
        for index in range(len(here)):
            at = join(pointer, index)
            made += [n for place, n, op in puts if place == at and op is not Op.SET]
            if at not in gone:
                made.append(walk(here[index], at))
        ends = (join(pointer, len(here)), join(pointer, "-"))
        behind = [(n, op) for place, n, op in puts if place in ends]
        # There is one place behind the last element, and `set` names it.
        again = [at for at, (_, op) in enumerate(behind) if op is Op.SET][1:]
        return made + [n for at, (n, _) in enumerate(behind) if at not in again]

    def members(here: tuple[Any, ...], pointer: str) -> tuple[Any, ...]:
        kept = [
            [key, walk(item, join(pointer, key))]
            for key, item in here
            if join(pointer, key) not in gone
        ]
        known = {join(pointer, key) for key, _ in here}
        for place, new, _ in puts:
            segments = parse(place)
            if place not in known and segments and join(pointer, segments[-1]) == place:
                kept.append([segments[-1], new])
        return tuple(map(tuple, kept))

    return walk(value, "")


def _read(recorded: Any, edit: Edit) -> Any:
    if edit.value is not None:
        return json.loads(edit.value, object_pairs_hook=tuple)
    return _find(recorded, edit.source or "")


def _find(value: Any, pointer: str) -> Any:
    for segment in parse(pointer):
        if isinstance(value, list):
            value = value[int(segment)]
        else:
            value = dict(value)[segment]
    return value


def _in_object(recorded: Any, pointer: str) -> bool:
    """Whether a place is a member of an object, or the whole."""
    segments = parse(pointer)
    if not segments:
        return True
    above = pointer.rpartition("/")[0]
    return not isinstance(_find(recorded, above), list) or (
        index_of(segments[-1]) is None and segments[-1] != "-"
    )
