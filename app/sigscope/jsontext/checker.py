"""Looks through a whole document for what a reader may stumble over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from sigscope.jsontext.nodes import Flaw, JsonProblem, Node
from sigscope.jsontext.soundness import is_sound
from sigscope.jsontext.values import decode_text, fits_double, is_plain

if TYPE_CHECKING:
    from sigscope.jsontext.document import JsonText

_MOST_OF_A_KIND = 50
"""Problems reported of each flaw; a text that has more is hopeless anyhow."""

DEEPEST_LOOKED = 1000
"""Levels of containers that are looked into. Each costs a look at all that is in it;
no reader takes so many."""

_Found = tuple[int, str]
"""Offset and message."""

_LONE_SURROGATE = re.compile(
    rb"\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD])[c-fC-F][0-9a-fA-F]{2})"
)
"""For masked text, in which a backslash always begins an escape."""

_STRING_SO_FAR = re.compile(
    rb'(?>(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){0,20000})'
)
"""Part of a string; bounded, for a group costs memory for each repetition."""


def check(document: JsonText) -> tuple[JsonProblem, ...]:
    """All problems, by offset; at most 50 of each flaw.

    A sound document costs little more than parsing it; a flawed one a walk through
    all its values, about 2 s for 20 MB. What is nested deeper than a thousand levels
    is told as one: whether it is JSON, and no more.
    """
    found: dict[Flaw, list[_Found]] = {
        "encoding": [] if document.encoding.is_utf8 else [(0, document.flags[0])],
        "utf-8": list(islice(_not_utf8(document.data), _MOST_OF_A_KIND)),
        "surrogate": list(islice(_lone_surrogates(document), _MOST_OF_A_KIND)),
        "duplicate-key": [],
        "number": [],
        "depth": [],
    }
    if not is_plain(document.characters):
        # The pointers of problems need them kept; so the walk need not find them too.
        document.children(document.root)
        for level in document.levels(_enter_if_flawed(document, found["depth"])):
            if len(found["duplicate-key"]) < _MOST_OF_A_KIND:
                found["duplicate-key"] += _repeated_keys(document, level)
            if len(found["number"]) < _MOST_OF_A_KIND:
                found["number"] += _unsafe_numbers(document, level)
            _note_bad_strings(document, level)
        found["syntax"] = list(document.problems)
    problems = [
        _problem(document, flaw, offset, message)
        for flaw, places in found.items()
        for offset, message in places[:_MOST_OF_A_KIND]
    ]
    return tuple(sorted(problems, key=lambda p: (p.offset, p.flaw, p.message)))


def _enter_if_flawed(
    document: JsonText, too_deep: list[_Found]
) -> Callable[[Node, int], bool]:
    """Spares the walk through what `json` finds nothing wrong with, and through what
    is too deep for anybody."""
    # One fault fails all containers around it: no more attempts once they have cost
    # a few passes through the text, or deep nesting would cost one for each level.
    left = 4 * len(document.data)

    def enter(node: Node, around: int) -> bool:
        nonlocal left
        if around >= DEEPEST_LOOKED:
            text = f"deeper than {DEEPEST_LOOKED:,} levels"
            too_deep.append((node.start, f"nested {text}: not looked into further"))
            if node.closed and not is_sound(decode_text(document.text(node))):
                document.note(node.start, f"what is nested {text} here is not JSON")
            return False
        if not node.closed or left <= 0:
            return True
        if is_plain(decode_text(document.text(node))):
            return False
        left -= node.end - node.start
        return True

    return enter


def _problem(document: JsonText, flaw: Flaw, offset: int, message: str) -> JsonProblem:
    line, column = document.line_column(offset)
    pointer = document.pointer(document.node_at(offset, DEEPEST_LOOKED))
    return JsonProblem(
        flaw=flaw,
        offset=offset,
        line=line,
        column=column,
        pointer=pointer,
        message=message,
    )


def _not_utf8(data: bytes) -> Iterator[_Found]:
    view = memoryview(data)
    at = 0
    while at < len(data):
        try:
            str(view[at:], "utf-8")
        except UnicodeDecodeError as error:
            first, after = at + error.start, at + error.end
            shown = data[first:after].hex(" ")
            yield first, f"not UTF-8: {shown}"
            at = after
        else:
            return


def _lone_surrogates(document: JsonText) -> Iterator[_Found]:
    if b"\\u" not in document.data:
        return
    for match in _LONE_SURROGATE.finditer(document.scanner.masked):
        shown = match[0].decode()
        yield match.start(), f"{shown} is half of a surrogate pair"


def _repeated_keys(document: JsonText, level: Sequence[Node]) -> Iterator[_Found]:
    if not level or level[0].key_start is None:
        return
    seen: set[str] = set()
    for node in level:
        key = document.key(node)
        if key in seen:
            yield node.begin, f"the key {key!r} again; most readers keep this one"
        seen.add(key)


def _unsafe_numbers(document: JsonText, level: Sequence[Node]) -> Iterator[_Found]:
    for node in level:
        if node.kind == "number":
            literal = document.text(node).decode()
            if not fits_double(literal):
                yield node.start, f"{literal[:40]} does not survive as a double"


def _note_bad_strings(document: JsonText, level: Sequence[Node]) -> None:
    """Control characters and unknown escapes, which the scanner reads over."""
    for node in level:
        places = [(node.start, node.end)] if node.kind == "string" else []
        if node.key_start is not None and node.key_end is not None:
            places.append((node.key_start, node.key_end))
        for start, end in places:
            if document.data[start : start + 1] == b'"':
                _note_bad_string(document, start, end)


def _note_bad_string(document: JsonText, start: int, end: int) -> None:
    data = document.data
    at = start + 1
    while (match := _STRING_SO_FAR.match(data, at, end)) and match.end() > at:
        at = match.end()
    if at >= end or data[at] == 0x22:
        return
    if data[at] < 0x20:
        document.note(at, f"a control character (0x{data[at]:02x}) in a string")
    else:
        shown = data[at : at + 2].decode("ascii", "replace")
        document.note(at, f"{shown} is no escape JSON knows")
