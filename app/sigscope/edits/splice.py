"""Writes effects into the text: only the touched spans change.

Between members that stay, the bytes stay. New members get the commas, colons and
line breaks of their neighbours; where there are none, of the document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from sigscope.edits.plan import Add, EditMemory, Effect, Patch, Take
from sigscope.errors import EditError
from sigscope.jsontext import JsonText, Node, Style
from sigscope.jsontext.writer import margin_at, style_of

_CLEAN_COMMA = re.compile(rb"[ \t\n\r]*,[ \t\n\r]*")
_CLEAN_COLON = re.compile(rb"[ \t\n\r]*:[ \t\n\r]*")
_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Lone surrogates other than those that stand for a byte that is not UTF-8."""


def splice(
    document: JsonText, effects: Sequence[Effect], known: EditMemory | None = None
) -> bytes:
    """`document.data` with the effects, none of which may overlap."""
    patches = [
        (e.node.start, e.node.end, encode(e.text))
        for e in effects
        if isinstance(e, Take) and e.text is not None
    ]
    for container, inside in _changed_containers(effects).items():
        key = container, tuple(inside)
        rebuilt = known.patches.get(key) if known else None
        if rebuilt is None:
            rebuilt = tuple(_Rebuilt(document, container, inside).patches())
            if known:
                known.patches.put(key, rebuilt, len(inside))
        patches += rebuilt
    data = document.data
    pieces: list[bytes] = []
    done = 0
    # A member without a value is an empty span: its value comes before what follows.
    for start, end, text in sorted(patches, key=lambda patch: patch[:2]):
        pieces += (data[done:start], text)
        done = end
    return b"".join((*pieces, data[done:]))


def encode(text: str) -> bytes:
    """JSON text as bytes. Lone surrogates that `surrogateescape` made of bytes become
    those bytes again; EditError for others, which no encoding has."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise EditError(
            "the value holds half of a surrogate pair; write it as an escape: \\ud83d"
        ) from None


def _changed_containers(effects: Iterable[Effect]) -> dict[Node, list[Effect]]:
    """Those that gain or lose members, each with the effects that do it."""
    found: dict[Node, list[Effect]] = {}
    for effect in effects:
        if isinstance(effect, Add):
            found.setdefault(effect.container, []).append(effect)
        elif effect.text is None and effect.node.parent is not None:
            found.setdefault(effect.node.parent, []).append(effect)
    return found


class _Rebuilt:
    """One container that gains or loses members by effects."""

    def __init__(
        self, document: JsonText, node: Node, effects: Sequence[Effect]
    ) -> None:
        self.document = document
        self.data = document.data
        self.node = node
        self.children = document.children(node)
        self.dropped = {e.node.index for e in effects if isinstance(e, Take)}
        self.added: dict[int, list[Add]] = {}
        for effect in effects:
            if isinstance(effect, Add):
                self.added.setdefault(effect.index, []).append(effect)

    def patches(self) -> Iterable[Patch]:
        """One for each gap between neighbours that stay, if anything changes there."""
        count = len(self.children)
        kept = [index for index in range(count) if index not in self.dropped]
        for left, right in zip([-1, *kept], [*kept, count], strict=True):
            added = [
                self._member(add)
                for index in range(left + 1, right + 1)
                for add in self.added.get(index, ())
            ]
            if added or right - left > 1 or not self.children:
                span = self._end_of(left), self._begin_of(right)
                yield *span, self._gap(left, right, added)

    def _gap(self, left: int, right: int, added: list[bytes]) -> bytes:
        """What stands between two neighbours that stay; -1 and the number of children
        are the brackets."""
        first, last = left < 0, right >= len(self.children)
        if not added:
            if first and last:
                return b""
            return self._tail if last else self._between(left)
        comma = self._comma(left, right)
        before = self._head if first else comma
        after = self._tail if last else comma
        return before + comma.join(added) + after

    def _begin_of(self, index: int) -> int:
        if index < len(self.children):
            return self.children[index].begin
        return self.node.end - self.node.closed

    def _end_of(self, index: int) -> int:
        return self.node.start + 1 if index < 0 else self.children[index].end

    def _between(self, index: int) -> bytes:
        """The bytes between a child and the next one."""
        return self.data[self._end_of(index) : self._begin_of(index + 1)]

    def _member(self, add: Add) -> bytes:
        text = encode(add.text)
        return text if add.key is None else _key(add.key) + self._colon + text

    # --- Spacing ---------------------------------------------------------------------

    @cached_property
    def _style(self) -> Style:
        return style_of(self.document)

    @cached_property
    def _head(self) -> bytes:
        """The white space behind the opening bracket."""
        if self.children:
            return self.data[self._end_of(-1) : self._begin_of(0)]
        return self._new_line + self._new_indent if self._new_line else b""

    @cached_property
    def _tail(self) -> bytes:
        """The white space before the closing bracket."""
        count = len(self.children)
        if count:
            return self.data[self._end_of(count - 1) : self._begin_of(count)]
        return self._new_line

    def _comma(self, left: int, right: int) -> bytes:
        """A comma with the white space usual in this place."""
        near = [left, right - 1, *range(min(4, len(self.children) - 1))]
        for index in near:
            if 0 <= index < len(self.children) - 1:
                gap = self._between(index)
                if _CLEAN_COMMA.fullmatch(gap):
                    return gap
        if b"\n" in self._head and not self._head.strip():
            return b"," + self._head
        return self._style.comma.encode()

    @cached_property
    def _colon(self) -> bytes:
        """A colon with the white space usual around here."""
        around: list[Node] = list(self.children[:1])
        above: Node | None = self.node
        while above is not None:
            around.append(above)
            above = above.parent
        for node in around:
            if node.key_end is not None:
                gap = self.data[node.key_end : node.start]
                if _CLEAN_COLON.fullmatch(gap):
                    return gap
        return self._style.colon.encode()

    @cached_property
    def _new_line(self) -> bytes:
        """Line break and margin of this container, if it was empty and its parent has
        a line for each member; else nothing."""
        parent = self.node.parent
        if parent is None:
            return b""
        first = self.document.children(parent)[0]
        head = self.data[parent.start + 1 : first.begin]
        if b"\n" not in head or head.strip():
            return b""
        end = b"\r\n" if b"\r\n" in head else b"\n"
        return end + margin_at(self.document, self.node.begin)

    @cached_property
    def _new_indent(self) -> bytes:
        """White space for one more level."""
        parent = self.node.parent
        inner = margin_at(self.document, self.node.begin)
        outer = margin_at(self.document, parent.begin) if parent else b""
        if parent and inner.startswith(outer) and inner != outer:
            return inner[len(outer) :]
        return (self._style.indent or "  ").encode()


def _key(key: str) -> bytes:
    text = json.dumps(key, ensure_ascii=False)
    return encode(_NO_BYTE.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
