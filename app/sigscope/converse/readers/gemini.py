"""Reading generateContent and streamGenerateContent."""

from __future__ import annotations

import json
from typing import Any

from sigscope.converse.memory import Captured, Heard, ReplyPiece
from sigscope.converse.policy import Read, SignedPart
from sigscope.converse.readers.base import kept_of


class GeminiReader:
    """One reply of Gemini's own API. Parts are appended, never keyed by index: the
    index starts again in every chunk (docs/wire/gemini.md#carriers)."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._pieces: list[ReplyPiece] = []
        self._signed: list[Captured] = []
        self._finish = ""
        self._is_error = False

    def feed(self, data: Any) -> None:
        """Take one partial response, or the whole."""
        if not isinstance(data, dict):
            return
        self._is_error = self._is_error or "error" in data
        candidates = data.get("candidates")
        first = candidates[0] if isinstance(candidates, list) and candidates else None
        if not isinstance(first, dict):
            return
        self._finish = first.get("finishReason") or self._finish
        content = first.get("content")
        parts = content.get("parts") if isinstance(content, dict) else None
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, dict):
                self._take(part)

    def heard(self) -> Heard:
        """Pieces in the order they came; signatures on the piece they came on."""
        return Heard(
            pieces=tuple(self._pieces),
            captured=kept_of(self._signed, self._pieces, self._read),
            finish=self._finish,
            is_error=self._is_error,
        )

    def _take(self, part: dict[str, Any]) -> None:
        piece, kind = _piece(part)
        if piece is None:
            return
        signature = part.get("thoughtSignature", part.get("thought_signature"))
        is_signed = isinstance(signature, str) and bool(signature)
        reads = is_signed and kind in self._read.signed_parts
        if self._read.keep == "overwrite":
            self._signed = []
        if reads:
            place = len(self._pieces)
            self._signed.append(Captured(value=str(signature), piece=place))
        # An empty text says nothing: it is kept only as the place of a signature.
        if kind != "empty" or reads:
            self._pieces.append(piece)


def _piece(part: dict[str, Any]) -> tuple[ReplyPiece | None, SignedPart]:
    call = part.get("functionCall", part.get("function_call"))
    if isinstance(call, dict):
        arguments = json.dumps(
            call.get("args") or {}, separators=(",", ":"), ensure_ascii=False
        )
        piece = ReplyPiece(
            kind="call",
            call_id=str(call.get("id") or ""),
            name=str(call.get("name") or ""),
            arguments=arguments,
        )
        return piece, "call"
    text = part.get("text")
    if not isinstance(text, str):
        return None, "empty"
    if part.get("thought") is True:
        return ReplyPiece(kind="thought", text=text), "thought"
    return ReplyPiece(kind="text", text=text), "text" if text else "empty"
