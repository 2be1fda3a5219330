"""Previews of values, and what an element of an array is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len, set_cell_size

from sigscope.jsontext import Node
from sigscope.jsontext.values import read_string
from sigscope.tui import figures
from sigscope.tui.json.source import JsonSource, is_large
from sigscope.tui.json.subject import Chips, NodeMark
from sigscope.tui.json.visible import cells_of, spans_of
from sigscope.tui.lines import Span
from sigscope.utf8 import to_text

_MOST_COUNTED = 1024 * 1024
"""Bytes up to which the characters of a string are counted."""

_LEAST_CHIP = 6
"""Bytes of a literal that may be a signature: two quotes, and something in them."""
_LEAST_TEXT = 12
"""Cells from which on the text of a signature says something."""

_NONE = object()
"""Stands for a member that is not there."""

_LONGEST_LABEL = 300
"""Bytes of a literal that may be a label; the names of tools have 128 at most."""
_LABEL_SHOWN = 78
"""Characters up to which one is whole."""
_LABEL_CUT = 32
"""Characters that are left of a longer one."""
_LABELS = ("role", "name", "type")
_PARTS = ("text", "inlineData", "fileData", "executableCode", "codeExecutionResult")
_CALLS = ("function", "functionCall", "functionResponse", "function_call")


def chip_of(source: JsonSource, node: Node, chips: Chips) -> NodeMark | None:
    """The signature that a string is; None for any other value."""
    size = node.end - node.start
    if not chips or node.kind != "string" or not node.closed:
        return None
    if not _LEAST_CHIP < size < _MOST_COUNTED:
        return None
    return chips.get(source.value(node))


def chip_spans(chip: NodeMark, room: int) -> list[Span]:
    """What a signature is called; whether it is required, and where it is from, if
    there is room."""
    name = f"{chip.glyph} {chip.text}"
    notes = (f" {note}" for note in (chip.note, chip.note.partition(", ")[0]) if note)
    note = next((n for n in notes if cell_len(name + n) <= room), "")
    return [Span(name, chip.ink, chip), Span(note, "dim", chip)]


def value_spans(
    source: JsonSource,
    node: Node,
    room: int,
    ellipsis: str,
    chip: NodeMark | None = None,
) -> list[Span]:
    """The preview of a value in at most so many cells; of a signature first what it
    is called, its text only where that leaves room."""
    if chip is not None:
        spans = chip_spans(chip, room)
        left = room - cells_of(spans) - 2
        if left < _LEAST_TEXT:
            return spans
        return [*spans, Span("  "), *value_spans(source, node, left, ellipsis)]
    if node.is_container:
        return [Span(_container(source, node, room, ellipsis), "dim")]
    text = source.text(node)
    if node.kind == "broken":
        if not text:
            return [Span("(no value)", "bad")]
        return _cut(text, "bad", room, ellipsis)
    if node.kind != "string":
        ink = "number" if node.kind == "number" else "word"
        return _cut(text, ink, room, ellipsis)
    return _string(source, node, room, ellipsis)


Placed = tuple[JsonSource, Node]
"""A value, and what it stands in."""


def told_apart(old: Placed, new: Placed) -> str:
    """What differs between two values that have one preview: "1 of 2 differs",
    "differs from character 41 on"."""
    if any(is_large(node) for _, node in (old, new)):
        return "differs"
    if old[1].kind == new[1].kind == "string":
        one, other = (str(source.value(node)) for source, node in (old, new))
        pairs = enumerate(zip(one, other, strict=False))
        first = next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
        return f"differs from character {first + 1:,} on"
    olds, news = _members(*old), _members(*new)
    if not (olds and news):
        return "differs"
    if old[1].kind == "array" and olds != news and _sorted(olds) == _sorted(news):
        return "in another order"
    every = olds.keys() | news.keys()
    count = sum(olds.get(key, _NONE) != news.get(key, _NONE) for key in every)
    if not count:
        return "the same, spelled otherwise"
    return f"{count:,} of {len(every):,} differ{'s' * (count == 1)}"


def _members(source: JsonSource, node: Node) -> dict[str | int, object]:
    """What is in a container, by key or place."""
    is_object = node.kind == "object"
    return {
        source.key(child) if is_object else child.index: source.value(child)
        for child in (source.children(node) if node.is_container else ())
    }


def _sorted(members: Mapping[str | int, object]) -> list[str]:
    return sorted(map(repr, members.values()))


def _container(source: JsonSource, node: Node, room: int, ellipsis: str) -> str:
    """ "{3 fields}", or "{3}" where that has no room."""
    count = source.count(node)
    left, right = "[]" if node.kind == "array" else "{}"
    if count == 0:
        return left + right
    noun = "item" if node.kind == "array" else "field"
    words = figures.count(count, noun) if count is not None else ellipsis
    if is_large(node):
        words = f"{words}, {figures.size(node.end - node.start)}"
    if cell_len(words) + 2 <= room or count is None:
        return f"{left}{words}{right}"
    short = f"{count:,}"
    return f"{left}{short if len(short) + 2 <= room else ellipsis}{right}"


def _decoded(literal: bytes) -> str:
    return _plain(to_text(literal))


def _plain(text: str) -> str:
    """Without variation selectors, which terminals measure in their own ways."""
    if text.isascii():
        return text
    return text.replace("\ufe0f", "").replace("\ufe0e", "")


def _cut(literal: bytes, ink: str, room: int, ellipsis: str) -> list[Span]:
    """The beginning of a literal, with an ellipsis if that is not all."""
    spans = spans_of(_decoded(literal[: 4 * room + 8]), ink)
    if len(literal) <= 4 * room + 8 and cells_of(spans) <= room:
        return spans
    return [*_head(spans, room - 1), Span(ellipsis, "dim")]


def _head(spans: Sequence[Span], cells: int) -> list[Span]:
    """The first cells of some spans."""
    found: list[Span] = []
    for span in spans:
        size = cell_len(span.text)
        if size > cells:
            if cells > 0:
                text = set_cell_size(span.text, cells)
                found.append(Span(text, span.ink, span.target))
            break
        found.append(span)
        cells -= size
    return found


def _string(source: JsonSource, node: Node, room: int, ellipsis: str) -> list[Span]:
    """A string as it reads: escapes of what can be seen are undone."""
    size = node.end - node.start
    # The longest spelling is an escaped pair of surrogates: 12 bytes for two cells.
    literal = source.data[node.start : min(node.end, node.start + 6 * room + 16)]
    is_all = size == len(literal)
    text = _readable(literal)
    spans = spans_of(text + '"' if is_all and node.closed else text, "string")
    if is_all and cells_of(spans) <= room:
        return spans
    length = Span(f" {length_of(source, node)}", "dim")
    closing = '"' if node.closed else ""
    left = room - cell_len(length.text) - 1 - len(closing)
    if left < 6:
        length, left = Span(""), max(1, room - 1 - len(closing))
    return [*_head(spans, left), Span(ellipsis + closing, "string"), length]


def _readable(literal: bytes) -> str:
    """A string literal, or its beginning, with its opening quote."""
    if b"\\" not in literal:
        text = _decoded(literal)
        return text.removesuffix('"') if len(text) > 1 else text
    return '"' + _plain(read_string(literal).translate(_ESCAPED))


_ESCAPED = {ord("\\"): "\\\\", ord('"'): '\\"', 10: "\\n", 13: "\\r", 9: "\\t"}


def length_of(source: JsonSource, node: Node) -> str:
    """ "1,464": code points of a string, as the ledger counts; of a very long one its
    size instead."""
    size = node.end - node.start
    if size > _MOST_COUNTED:
        return figures.size(size)
    length = source.length(node)
    return f"{length:,}" if length is not None else ""


def label_of(source: JsonSource, node: Node) -> str:
    """What an element of an array is: the role of a message, the name of a tool, the
    type of a part. Empty if it does not say."""
    if node.kind != "object" or not source.is_known(node):
        return ""
    role = _text_of(source, node, "role")
    if role:
        return role
    for key in _CALLS:
        call = source.member(node, key)
        name = _text_of(source, call, "name") if call else ""
        if name:
            return name
    said = next(filter(None, (_text_of(source, node, key) for key in _LABELS)), "")
    return said or _part(source, node)


def _part(source: JsonSource, node: Node) -> str:
    """Parts of Gemini's messages are named by their only telling key."""
    for key in _PARTS:
        if source.member(node, key) is not None:
            thought = source.member(node, "thought")
            return "thought" if thought and thought.kind == "true" else key
    return ""


def _text_of(source: JsonSource, node: Node, key: str) -> str:
    member = source.member(node, key)
    if member is None or member.kind != "string":
        return ""
    if member.end - member.start > _LONGEST_LABEL:
        return ""
    text = str(source.value(member))
    return text if len(text) <= _LABEL_SHOWN else f"{text[:_LABEL_CUT]}…"
