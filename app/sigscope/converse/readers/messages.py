"""Reading Messages: whole, and event by event."""

from __future__ import annotations

import json
from dataclasses import field
from typing import Any

from sigscope.converse.memory import Captured, Heard, ReplyPiece
from sigscope.converse.policy import Read
from sigscope.converse.readers.base import kept_of
from sigscope.records import dataclass


@dataclass(slots=True)
class _Block:
    """One block on its way."""

    kind: str
    texts: list[str] = field(default_factory=list)
    """Pieces of text, of thought, or of a call's input."""
    secret: str = ""
    """Its signature, or what is sealed."""
    name: str = ""
    call_id: str = ""


class MessagesReader:
    """One reply. Thoughts with a text are parts of the kind `thought`, sealed ones and
    those without a text of the kind `empty`."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._blocks: dict[int, _Block] = {}
        self._finish = ""
        self._is_error = False

    def feed(self, data: Any) -> None:
        """Take one event, or the whole message."""
        if not isinstance(data, dict):
            return
        self._is_error = self._is_error or "error" in data
        kind, index = data.get("type"), data.get("index", 0)
        delta = data.get("delta")
        delta = delta if isinstance(delta, dict) else {}
        if kind == "message":
            for number, block in enumerate(data.get("content") or ()):
                self._begin(number, block)
            self._finish = data.get("stop_reason") or ""
        elif kind == "content_block_start":
            self._begin(index, data.get("content_block"))
        elif kind == "content_block_delta" and index in self._blocks:
            self._grow(self._blocks[index], delta)
        elif kind == "message_delta":
            self._finish = delta.get("stop_reason") or self._finish

    def _begin(self, index: int, block: Any) -> None:
        if not isinstance(block, dict):
            return
        kind = str(block.get("type") or "")
        made = _Block(kind, name=str(block.get("name") or ""))
        made.call_id = str(block.get("id") or "")
        made.secret = str(block.get("signature") or block.get("data") or "")
        text = block.get("text") or block.get("thinking") or ""
        if block.get("input"):
            text = json.dumps(block["input"], separators=(",", ":"), ensure_ascii=False)
        made.texts += [text] if text else []
        self._blocks[index] = made

    @staticmethod
    def _grow(block: _Block, delta: dict[str, Any]) -> None:
        block.secret = delta.get("signature") or block.secret
        for key in ("text", "thinking", "partial_json"):
            if delta.get(key):
                block.texts.append(delta[key])

    def heard(self) -> Heard:
        """Pieces in the order of their blocks; signatures on the block they came on."""
        pieces: list[ReplyPiece] = []
        signed: list[Captured] = []
        for _, block in sorted(self._blocks.items()):
            for text in self._texts(block):
                piece = _piece(block, text)
                if piece is None:
                    continue
                if self._reads(block, text):
                    entry = {"type": block.kind}
                    signed.append(
                        Captured(value=block.secret, piece=len(pieces), entry=entry)
                    )
                pieces.append(piece)
        return Heard(
            pieces=tuple(pieces),
            captured=kept_of(signed, pieces, self._read),
            finish=self._finish,
            is_error=self._is_error,
        )

    def _texts(self, block: _Block) -> list[str]:
        """What becomes a piece of its own: the whole block, or what an accumulator
        makes of it."""
        if block.kind == "thinking" and len(block.texts) > 1:
            if self._read.merge_entries == "fragments":
                return block.texts
            if self._read.merge_entries == "last":
                return block.texts[-1:]
        return ["".join(block.texts)]

    def _reads(self, block: _Block, text: str) -> bool:
        kind = "thought" if text else "empty"
        is_thought = block.kind in ("thinking", "redacted_thinking")
        return is_thought and bool(block.secret) and kind in self._read.signed_parts


def _piece(block: _Block, text: str) -> ReplyPiece | None:
    if block.kind == "tool_use":
        return ReplyPiece(
            kind="call", call_id=block.call_id, name=block.name, arguments=text or "{}"
        )
    if block.kind in ("thinking", "redacted_thinking"):
        return ReplyPiece(kind="thought", text=text)
    return ReplyPiece(kind="text", text=text) if block.kind == "text" and text else None
