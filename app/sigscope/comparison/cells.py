"""One side of a row in words: what it is called, and its value on one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

from sigscope import opaque
from sigscope.characters import first_difference
from sigscope.comparison.compare import Comparison
from sigscope.comparison.masks import Mask
from sigscope.comparison.records import ComparedRow, RowChange, Side
from sigscope.conversation import Message, PartKind
from sigscope.jsontext import JsonText, Node
from sigscope.records import dataclass

LONGEST = 400
"""Characters of a value that are put into words; a screen shows fewer."""
_LEAD = 24
"""Characters before the first difference from which on they are left out."""
_SHOWN_BEFORE = 12
_KEYS = 6
"""Names of members that are listed."""

Kind = Literal[
    "string", "number", "word", "container", "message", "signature", "masked", "broken"
]
"""`word`: true, false, null. `masked`: a value that is left out of account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One side of a row."""

    label: str
    """A member's name, an element's index: "content", "2 assistant"."""
    value: str
    """On one line, control characters escaped; cut after `LONGEST` characters."""
    kind: Kind
    signature: str | None = None
    """Fingerprint, where this is a signature."""
    size: int = 0
    """Characters of a string or a signature; members of a container."""


class Cells:
    """Puts the rows of a comparison into words."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    def cell(self, row: ComparedRow, side: Side) -> Cell | None:
        """One side; None where it has no such thing."""
        node = row.node(side)
        if node is None:
            return None
        label = row.name or self._label(node, side)
        if row.what == "message":
            label = f"{row.place(side).rpartition('/')[2]} {row.name}"
        if row.said is not None:
            return self._said(row, side, label)
        return self._value(row, node, side, label)

    def texts(self, row: ComparedRow) -> tuple[str, str] | None:
        """Both values, where both are strings or are told as such."""
        if row.left is None or row.right is None:
            return None
        if row.said is not None:
            return row.said
        if (row.left.kind, row.right.kind) != ("string", "string"):
            return None
        one, other = self._text("left"), self._text("right")
        return str(one.value(row.left)), str(other.value(row.right))

    def _text(self, side: Side) -> JsonText:
        return self._comparison.half(side).text

    # --- Labels ----------------------------------------------------------------------

    def _label(self, node: Node, side: Side) -> str:
        text, half = self._text(side), self._comparison.half(side)
        if node.parent is None:
            return "request"
        if node.parent.kind != "array":
            return text.key(node)
        message = half.messages.get(text.pointer(node))
        name = str(message.role) if message else _name(text, node)
        return f"{node.index} {name}".strip()

    # --- Values ----------------------------------------------------------------------

    def _value(self, row: ComparedRow, node: Node, side: Side, label: str) -> Cell:
        half, text = self._comparison.half(side), self._text(side)
        pointer = text.pointer(node)
        if node.is_container:
            size = len(text.children(node))
            message = half.messages.get(pointer)
            if message is not None:
                words = self._shortened(self._summary(message), 0)
                return Cell(label=label, value=words, kind="message", size=size)
            words = self._shortened(_count(text, node, size), 0)
            return Cell(label=label, value=words, kind="container", size=size)
        if node.kind == "string":
            return self._string(row, node, side, label)
        literal = text.text(node).decode("utf-8", "backslashreplace")
        kind: Kind = "broken" if node.kind == "broken" else "word"
        if node.kind == "number":
            kind = "number"
        return Cell(label=label, value=self._shortened(literal, 0), kind=kind)

    def _string(self, row: ComparedRow, node: Node, side: Side, label: str) -> Cell:
        value = str(self._text(side).value(node))
        mask = self._comparison.masker(side).kind_of(node)
        sighting = self._comparison.half(side).signatures.get(
            self._text(side).pointer(node)
        )
        if mask is Mask.SIGNATURES and value:
            return self._signature(value, label)
        if mask in self._comparison.masks and value:
            words = self._masked(mask, value)
            return Cell(label=label, value=words, kind="masked", size=len(value))
        found = opaque.fingerprint(sighting.value) if sighting else None
        return Cell(
            label=label,
            value=self._quoted(value, self._start(row)),
            kind="string",
            signature=found,
            size=len(value),
        )

    def _said(self, row: ComparedRow, side: Side, label: str) -> Cell:
        assert row.said is not None
        value = row.said[0 if side == "left" else 1]
        if row.what == "signature":
            return self._signature(value, label)
        is_masked = Mask.TEXT in self._comparison.masks and row.name != "function"
        if row.what == "message":
            message = self._comparison.half(side).messages.get(row.place(side))
            words = self._summary(message) if message else value
            words = self._shortened(words, 0)
            return Cell(label=label, value=words, kind="message", size=len(value))
        if is_masked and value:
            words = self._masked(Mask.TEXT, value)
            return Cell(label=label, value=words, kind="masked", size=len(value))
        words = self._quoted(value, self._start(row))
        return Cell(label=label, value=words, kind="string", size=len(value))

    def _signature(self, value: str, label: str) -> Cell:
        bypass = opaque.maybe_bypass(value)
        words = f"{len(value):,} chars"
        if bypass is not None:
            words = f"bypass {bypass.literal}"
        elif Mask.SIGNATURES in self._comparison.masks:
            words = "‹signature›"
        return Cell(
            label=label,
            value=words,
            kind="signature",
            signature=opaque.fingerprint(value),
            size=len(value),
        )

    def _masked(self, mask: Mask | None, value: str) -> str:
        if mask is Mask.IDS:
            found = opaque.split_call_id(value)
            number = self._comparison.renaming.number(found.plain)
            words = f"‹id {number}›" if number else "‹id›"
            return words + (" with a signature" if found.signature else "")
        return f"‹text› {len(value):,} chars"

    # --- Text on one line ------------------------------------------------------------

    def _start(self, row: ComparedRow) -> int:
        """From where on a changed text is worth reading."""
        texts = self.texts(row) if row.op is RowChange.CHANGED else None
        at = first_difference(*texts) if texts else 0
        return max(0, at - _SHOWN_BEFORE) if at > _LEAD else 0

    def _quoted(self, value: str, start: int) -> str:
        piece = value[start : start + LONGEST]
        literal = json.dumps(piece, ensure_ascii=False)
        if start:
            literal = "…" + literal[1:]
        if len(value) > start + LONGEST:
            literal = literal[:-1] + "…"
        return literal

    def _shortened(self, words: str, start: int) -> str:
        folded = " ".join(words[start : start + 2 * LONGEST].split())
        return folded[:LONGEST] + ("…" if len(folded) > LONGEST else "")

    def _summary(self, message: Message) -> str:
        return " · ".join(filter(None, self._summaries(message)))

    def _summaries(self, message: Message) -> Iterator[str]:
        is_masked = Mask.TEXT in self._comparison.masks
        for part in message.parts:
            if part.kind is PartKind.CALL:
                arguments = "…" if is_masked else part.arguments[:LONGEST]
                yield f"{part.name or 'call'}({arguments})"
            elif part.kind is PartKind.THOUGHT:
                yield "thought"
            elif part.kind is PartKind.MEDIA:
                yield part.text or "media"
            elif is_masked and part.text:
                yield f"‹text› {len(part.text):,} chars"
            else:
                yield part.text[:LONGEST]


def _name(text: JsonText, node: Node) -> str:
    """What an element is called: a tool's function, a block's type."""
    value = text.value(node) if node.is_container else None
    if not isinstance(value, dict):
        return ""
    for key in ("function", "functionCall", "functionResponse"):
        inner = value.get(key)
        if isinstance(inner, dict) and isinstance(inner.get("name"), str):
            return str(inner["name"])
    for key in ("name", "type", "role"):
        if isinstance(value.get(key), str):
            return str(value[key])
    return ""


def _count(text: JsonText, node: Node, size: int) -> str:
    """What is in a container: "[]", "2 items", "3 fields: id, type, function"."""
    if not size:
        return text.text(node)[:1].decode() + ("]" if node.kind == "array" else "}")
    if node.kind == "array":
        return f"{size:,} item" if size == 1 else f"{size:,} items"
    keys = ", ".join(text.key(child) for child in text.children(node)[:_KEYS])
    more = ", …" if size > _KEYS else ""
    return f"{size:,} field{'' if size == 1 else 's'}: {keys}{more}"
