"""Building the edits of a fix.

All pointers name the recorded body. Two rules that mend the same thing build equal
edits, so that their fixes can be applied together. Whose they are is written on them
when the rule's card makes findings of what its check claims.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

from sigscope.conversation import Json
from sigscope.dialects.histories import Growing
from sigscope.edits.records import Edit, Op

Fix = tuple[Edit, ...]

_BEARERS = frozenset(
    {
        "extra_content",
        "google",
        "provider_specific_fields",
        "reasoning_details",
        "thought_signatures",
    }
)
"""Objects and lists that clients make only to hold a signature."""
_DETAILS_ENTRY = re.compile(r"/reasoning_details/\d+/(?:data|signature)$")


def spell(value: Json) -> str:
    """JSON text of a value; a string that is not valid Unicode keeps its escapes."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def put(pointer: str, value: Json, label: str) -> Edit:
    """Replace a value, or add the member that is not there."""
    return Edit(op=Op.SET, pointer=pointer, value=spell(value), label=label)


def copy_to_end(source: str, pointer: str, label: str) -> Edit:
    """Put what stands at `source`, byte for byte, at the end of a list as well."""
    return copy(source, f"{pointer}/-", label)


def insert(pointer: str, value: Json, label: str) -> Edit:
    """Put a new element before the one that stands at a place of a list."""
    return Edit(op=Op.INSERT, pointer=pointer, value=spell(value), label=label)


def copy(source: str, pointer: str, label: str) -> Edit:
    """Put what stands at `source`, byte for byte, before an element as well."""
    return Edit(op=Op.COPY, pointer=pointer, source=source, label=label)


def move(source: str, pointer: str, label: str) -> Edit:
    """Take what stands at `source` away, and put it before an element."""
    return Edit(op=Op.MOVE, pointer=pointer, source=source, label=label)


def drop(pointer: str, label: str) -> Edit:
    """Remove a member or an element."""
    return Edit(op=Op.DROP, pointer=pointer, label=label)


def url(address: str, label: str) -> Edit:
    """Send to another address."""
    return Edit(op=Op.URL, value=address, label=label)


def joined(*groups: Iterable[Edit]) -> Fix:
    """All edits in order, each once."""
    return tuple(dict.fromkeys(edit for group in groups for edit in group))


class MadeEdits:
    """What is made of each edit. One object for one: what mends a request is mostly
    what mended the one before, and more; so each is known by its identity."""

    def __init__(self, make: Callable[[Edit], Edit]) -> None:
        self._make = make
        self._known: dict[int, tuple[Edit, Edit]] = {}
        """Each edit beside what is made of it: it is kept, as its address is."""
        self._growing: Growing[Edit, Edit] = Growing()

    def of(self, fix: Fix) -> Fix:
        """All edits of a fix, made; of one that goes on from the last long one, what is
        new."""
        if len(fix) < _LONG:
            return tuple(map(self._made, fix))
        return tuple(self._growing.of(fix, lambda _, edit: self._made(edit)))

    def _made(self, edit: Edit) -> Edit:
        known = self._known.get(id(edit))
        if known is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            known = self._known[id(edit)] = edit, self._make(edit)
        return known[1]


_LONG = 16
"""Edits from which a fix is compared with the one before: it costs as much as some."""
_MOST = 10_000
"""Edits that are known to be met again."""


def node(body: Json, pointer: str) -> Json:
    """The value at a pointer of parsed JSON; None where there is none."""
    value = body
    for segment in pointer.split("/")[1:]:
        key = segment
        if "~" in key:
            key = key.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def with_bearers(body: Json, pointer: str) -> str:
    """The pointer of a misplaced signature, or of what was only made to hold it.

    An entry of `reasoning_details` is nothing without its signature, and goes whole.
    """
    if _DETAILS_ENTRY.search(pointer):
        pointer = pointer.rpartition("/")[0]
    while True:
        above = pointer.rpartition("/")[0]
        holder = node(body, above)
        is_lone = isinstance(holder, dict | list) and len(holder) == 1
        if not is_lone or above.rpartition("/")[2] not in _BEARERS:
            return pointer
        pointer = above
