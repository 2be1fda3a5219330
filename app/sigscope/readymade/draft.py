"""A copy of a request to change freely; the changes come back as edits.

Whoever writes a mistake or a cure changes plain Python objects. The draft remembers
which node of the recorded body each object was, compares at the end, and answers with
the fewest edits that lead there: each names a place in the recorded body, none touches
another's span. What is moved keeps the spelling it was recorded in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Any

from sigscope import opaque
from sigscope.conversation import Json
from sigscope.edits.records import Edit, Op
from sigscope.pointer import join, parent, parse
from sigscope.readymade.context import Context
from sigscope.utf8 import to_text

HOLDERS = frozenset(
    {
        "provider_specific_fields",
        "extra_content",
        "google",
        "vertex",
        "reasoning_details",
        "thinking_blocks",
        "thought_signatures",
        "server_side_tool_invocations",
    }
)
"""Containers that exist for signatures only: an empty one is taken away too."""

DEEPEST = 12
"""Levels of a message that are copied; what lies deeper is nobody's carrier."""
SHOWN = 40
"""Characters of a value that a label shows."""


_HALF = re.compile("[\ud800-\udc7f\udd00-\udfff]")


class Draft:
    """A changeable copy of one request body. Only what is asked for is copied."""

    def __init__(self, context: Context) -> None:
        self._text = context.reading.request_text
        self._sources = context.sources
        self._places: dict[int, str] = {}
        self._kept: list[Json] = []
        self._old = context.body
        self._messages = context.conversation.messages
        self.body: Json = self._shallow(self._old, "")
        """The whole body; its members are shared with the recording until changed."""
        self.items: list[Json] = self._open_list()
        """The list of messages or contents, to insert into and delete from."""

    def _shallow(self, value: Json, pointer: str) -> Json:
        if not isinstance(value, dict | list):
            return value
        return self._keep(value.copy(), pointer)

    def _open_list(self) -> list[Json]:
        if not self._messages:
            return []
        *way, last = parse(parent(self._messages[0].pointer))
        holder, pointer = self.body, ""
        for key in way:
            pointer = join(pointer, key)
            holder[key] = self._shallow(holder[key], pointer)
            holder = holder[key]
        holder[last] = self._shallow(holder[last], join(pointer, last))
        found: list[Json] = holder[last]
        return found

    def _copy(self, value: Json, pointer: str, depth: int = 0) -> Json:
        made: Json
        if depth > DEEPEST:
            return value
        if isinstance(value, dict):
            made = {
                key: self._copy(item, join(pointer, key), depth + 1)
                for key, item in value.items()
            }
        elif isinstance(value, list):
            made = [
                self._copy(item, join(pointer, index), depth + 1)
                for index, item in enumerate(value)
            ]
        else:
            return value
        return self._keep(made, pointer)

    def _keep(self, made: Json, pointer: str) -> Json:
        self._places[id(made)] = pointer
        self._kept.append(made)  # an id is only safe while its object lives
        return made

    # --- Changing ---------------------------------------------------------------------

    def message(self, index: int) -> dict[str, Json]:
        """The message that had this index when recorded, to be changed."""
        place = self._find(index)
        if place < 0:
            return {}
        pointer = self._messages[index].pointer
        item = self.items[place]
        if self._places.get(id(item)) != pointer:
            item = self.items[place] = self._copy(item, pointer)
        return item if isinstance(item, dict) else {}

    def _find(self, index: int) -> int:
        """Where a message stands now; first where it stood, since few ever move."""
        pointer = self._messages[index].pointer
        original = self._recorded(pointer)
        start = min(index, len(self.items))
        order: Iterable[int] = chain(range(start, len(self.items)), range(start))
        for place in order:
            item = self.items[place]
            if item is original or self._places.get(id(item)) == pointer:
                return place
        return -1

    def position(self, index: int) -> int:
        """Where that message stands now among the items; -1 if it is gone."""
        return self._find(index)

    def at(self, index: int, pointer: str) -> Any:
        """Something inside a message, by its pointer in the recorded body."""
        here: Any = self.message(index)
        for segment in parse(pointer)[len(parse(self._messages[index].pointer)) :]:
            here = here[int(segment)] if isinstance(here, list) else here[segment]
        return here

    def remove(self, index: int, pointer: str) -> None:
        """Take away a value inside a message, and the containers that held nothing
        but it. Remove from the back of an array to the front: indices shift."""
        depth = len(parse(self._messages[index].pointer))
        *way, last = parse(pointer)
        while way[depth:] and way[-1] in HOLDERS:
            if len(self.at(index, join("", *way))) > 1:
                break
            last = way.pop()
        holder = self.at(index, join("", *way))
        del holder[int(last) if isinstance(holder, list) else last]

    # --- Comparing --------------------------------------------------------------------

    def edits(self) -> tuple[Edit, ...]:
        """The changes, in the order of the recorded body."""
        return tuple(self._compare(self._old, self.body, ""))

    def _compare(self, old: Json, new: Json, pointer: str) -> Iterator[Edit]:
        if new is old:
            return
        is_same = self._places.get(id(new)) == pointer
        if isinstance(new, dict) and is_same:
            yield from self._compare_objects(old, new, pointer)
        elif isinstance(new, list) and is_same:
            yield from self._compare_arrays(old, new, pointer)
        elif not _is_equal(old, new):
            yield self._set(pointer, new, old)

    def _compare_objects(
        self, old: dict[str, Json], new: dict[str, Json], pointer: str
    ) -> Iterator[Edit]:
        for key, value in old.items():
            below = join(pointer, key)
            if key not in new:
                yield self._drop(below, value)
            else:
                yield from self._compare(value, new[key], below)
        for key in new:
            if key not in old:
                yield self._set(join(pointer, key), new[key])

    def _compare_arrays(
        self, old: list[Json], new: list[Json], pointer: str
    ) -> Iterator[Edit]:
        originals = {id(item): index for index, item in enumerate(old)}
        origins = [
            originals.get(id(item), self._index_in(item, pointer))
            if isinstance(item, dict | list)
            else None
            for item in new
        ]
        stays = [index for index in origins if index is not None]
        if not stays and len(old) == len(new):
            for index, (before, after) in enumerate(zip(old, new, strict=True)):
                yield from self._compare(before, after, join(pointer, index))
        elif not stays or any(a >= b for a, b in pairwise(stays)):
            if not _is_equal(old, new):
                yield self._set(pointer, new, old)
        else:
            yield from self._splice(old, new, origins, pointer)

    def _index_in(self, item: Json, pointer: str) -> int | None:
        """The index that an element of the copy had in the recorded array."""
        place = self._places.get(id(item))
        if place is None or place.rpartition("/")[0] != pointer:
            return None
        return int(place.rpartition("/")[2])

    def _splice(
        self,
        old: list[Json],
        new: list[Json],
        origins: list[int | None],
        pointer: str,
    ) -> Iterator[Edit]:
        stays = {index for index in origins if index is not None}
        for index, item in enumerate(old):
            if index not in stays:
                yield self._drop(join(pointer, index), item)
        for position, (item, origin) in enumerate(zip(new, origins, strict=True)):
            if origin is not None:
                yield from self._compare(old[origin], item, join(pointer, origin))
                continue
            after = (o for o in origins[position + 1 :] if o is not None)
            yield self._insert(join(pointer, next(after, "-")), item)

    # --- Edits ------------------------------------------------------------------------

    def _set(self, pointer: str, value: Json, old: Json = None) -> Edit:
        new, before = self._known(value), self._known(old)
        if before and before != new:
            label = f"replace {before} at {pointer} by {new or _shorten(value)}"
        elif new and not before:
            label = f"put {new} at {pointer}"
        elif new:
            label = f"change {pointer} around {new}"
        else:
            label = f"set {pointer} to {_shorten(value)}"
        return Edit(op=Op.SET, pointer=pointer, value=self.spell(value), label=label)

    def _drop(self, pointer: str, value: Json) -> Edit:
        known = self._known(value)
        label = f"take {known} away from {pointer}" if known else f"drop {pointer}"
        return Edit(op=Op.DROP, pointer=pointer, label=label)

    def _insert(self, pointer: str, value: Json) -> Edit:
        kind = _name(value)
        where = f"before {pointer}" if not pointer.endswith("/-") else f"at {pointer}"
        known = self._known(value)
        label = f"insert {kind} {where}" + (f" with {known}" if known else "")
        return Edit(op=Op.INSERT, pointer=pointer, value=self.spell(value), label=label)

    def _known(self, value: Json) -> str:
        """The signatures inside a value, by name and origin."""
        found: dict[str, None] = {}
        for text in _strings(value):
            bare = opaque.split_call_id(text).signature or text
            if bare in self._sources:
                name = opaque.fingerprint(bare)
                found[f"signature {name} from {self._sources[bare]}"] = None
            elif opaque.maybe_bypass(bare):
                found["a bypass"] = None
        return " and ".join(found)

    def spell(self, value: Json) -> str:
        """JSON text of a value; what was recorded is spelled as it was."""
        place = self._places.get(id(value))
        if place is not None and _is_equal(self._recorded(place), value):
            node = self._text.maybe_locate(place)
            if node is not None and node.closed:
                return to_text(self._text.text(node))
        if isinstance(value, dict):
            members = (f"{_dump(k)}: {self.spell(v)}" for k, v in value.items())
            return "{" + ", ".join(members) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(self.spell(item) for item in value) + "]"
        return _dump(value)

    def _recorded(self, pointer: str) -> Json:
        here = self._old
        for segment in parse(pointer):
            here = here[int(segment)] if isinstance(here, list) else here[segment]
        return here


def put(holder: dict[str, Json], path: str, value: Json) -> None:
    """Set `a/b/c` below an object, making the objects on the way."""
    *way, last = path.split("/")
    for key in way:
        below = holder.get(key)
        if not isinstance(below, dict):
            below = holder[key] = {}
        holder = below
    holder[last] = value


def _is_equal(one: Json, other: Json) -> bool:
    """Equal as JSON: 1 is not true, and the order of members counts."""
    if isinstance(one, dict | list) or isinstance(other, dict | list):
        return type(one) is type(other) and _dump(one) == _dump(other)
    return type(one) is type(other) and bool(one == other)


def _dump(value: Json) -> str:
    """JSON text. Halves of surrogate pairs are escaped, but for those that stand for
    a byte that is not UTF-8: edits write these back as they were."""
    return _HALF.sub(
        lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False)
    )


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _shorten(value: Json) -> str:
    text = _dump(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _name(value: Json) -> str:
    if isinstance(value, dict) and isinstance(value.get("role"), str):
        return f"a message of the {value['role']}"
    if isinstance(value, dict) and isinstance(value.get("type"), str):
        return f"an entry {value['type']}"
    return "an element"
