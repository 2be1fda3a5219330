"""Assembling the events of the Messages API.

Source: https://docs.claude.com/en/docs/build-with-claude/streaming and what
anthropics/anthropic-sdk-python accumulates (`lib/streaming/_messages.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sigscope.conversation import Json
from sigscope.dialects.assembly import Assembler, Effect, own
from sigscope.fingerprints.protobuf import is_whole
from sigscope.opaque import is_mask

ARGUMENTS = "input"
_CALL_FIELDS = ("id", "name", ARGUMENTS)
_TOP = {"usage": Effect.USAGE, "stop_reason": Effect.FINISH}


class AnthropicAssembler(Assembler):
    """Puts blocks together by `index`.

    The pieces of a call's `input` stand in it as text until its block ends, and stay
    there as text where they are no JSON: a torn stream shows how far it came. Of
    several `signature_delta` the last counts, as the SDK has it, unless the one before
    it breaks off. The blocks of another message in the same stream, which began anew
    or was saved with the first, stand behind those of the first.
    """

    def __init__(self) -> None:
        super().__init__()
        self._slots: dict[int, int] = {}
        """Index on the wire → place in `content`."""
        self._last = -1

    def _take(self, data: dict[str, Json]) -> None:
        kind = data.get("type")
        message, delta = data.get("message"), data.get("delta")
        if kind == "message_start" and isinstance(message, dict):
            self._take_message(message)
        elif kind == "content_block_start":
            self._take_block(data, data.get("content_block"))
        elif kind == "content_block_delta" and isinstance(delta, dict):
            self._take_delta(self._place(data), delta)
        elif kind == "content_block_stop":
            self._finish(self._place(data))
        elif kind == "message_delta":
            self._take_end(data)
        elif "error" in data:
            if not self.body:
                self._set(self.body, "type", kind, "", "", Effect.META)
            self._set(self.body, "error", data["error"], "", "", Effect.ERROR)
        elif isinstance(kind, str) and kind.endswith(("_start", "_delta")):
            self._set_odd(self.body, kind, own(data), "", "")

    def _take_message(self, message: Mapping[str, Json]) -> None:
        """`{"id": "msg_1", "role": "assistant", "content": [], "usage": {}}`"""
        is_another = "id" in self.body and message.get("id") != self.body["id"]
        for key, value in message.items():
            if key == "content":
                self._begin(value, is_another=is_another)
                continue
            effect = _TOP.get(key, Effect.META)
            if effect is Effect.FINISH and value is None:
                effect = Effect.META
            self._set(self.body, key, value, "", "/message", effect)

    def _begin(self, begun: Json, *, is_another: bool) -> None:
        """Blocks that a message begins with, usually none."""
        if not isinstance(begun, list):
            self._set_odd(self.body, "content", begun, "", "/message")
        elif not self.body.get("content"):
            self._set(self.body, "content", begun, "", "/message", Effect.META)
            self._slots = {number: number for number in range(len(begun))}
        elif is_another:
            content, self._slots = self._list(self.body, "content"), {}
            for number, block in enumerate(begun):
                self._slots[number] = len(content)
                content.append(own(block))
                here = f"/content/{self._slots[number]}"
                self._note(here, f"/message/content/{number}", Effect.META)

    def _take_end(self, data: dict[str, Json]) -> None:
        """`{"delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}`"""
        for key, value in data.items():
            if key == "delta" and isinstance(value, dict):
                for name, inner in value.items():
                    effect = _TOP.get(name, Effect.META)
                    self._set(self.body, name, inner, "", "/delta", effect)
            elif key == "usage":
                self._blend(self.body, key, value, "", "", Effect.USAGE)
            elif key not in ("type", "delta"):
                self._set(self.body, key, value, "", "", Effect.META)

    # --- Blocks -----------------------------------------------------------------------

    def _place(self, data: dict[str, Json]) -> int:
        """Place of the block that an event speaks of, made where there is none: the
        beginning of a stream may be missing. Without an index it is the last one."""
        number = data.get("index")
        if not isinstance(number, int) or isinstance(number, bool):
            number = self._last
        content = self._list(self.body, "content")
        slot = self._slots.get(number)
        if slot is None:
            slot = self._slots[number] = len(content)
            content.append({})
        if not isinstance(content[slot], dict):
            content[slot] = {}
        self._last = number
        return slot

    def _take_block(self, data: dict[str, Json], block: Json) -> None:
        if not isinstance(data.get("index"), int):
            self._last = max(self._slots, default=-1) + 1
        slot = self._place(data)
        holder, at = self.body["content"][slot], f"/content/{slot}"
        if not isinstance(block, dict):
            return
        for key, value in block.items():
            effect = _block_effect(block, key) if value else Effect.META
            self._set(holder, key, value, at, "/content_block", effect)

    def _take_delta(self, slot: int, delta: dict[str, Json]) -> None:
        block, at = self.body["content"][slot], f"/content/{slot}"
        for key, value in delta.items():
            if key == "type":
                self._name_block(block, value)
            elif key == "partial_json" and isinstance(value, str):
                self._take_piece(block, value, at)
            elif key in ("text", "thinking") and isinstance(value, str):
                effect = Effect.TEXT if key == "text" else Effect.THOUGHT
                if not value:
                    effect = Effect.META
                self._append(block, key, value, at, "/delta", effect)
            elif key == "signature" and _goes_on(block.get(key), value):
                self._append(block, key, value, at, "/delta", Effect.SIGNATURE)
            elif key == "signature":
                self._set(block, key, value, at, "/delta", Effect.SIGNATURE)
            elif key == "citation":
                cited = self._list(block, "citations")
                cited.append(own(value))
                here = f"{at}/citations/{len(cited) - 1}"
                self._note(here, "/delta/citation", Effect.META)
            elif value is not None:
                self._blend(block, key, value, at, "/delta", Effect.META)

    @staticmethod
    def _name_block(block: dict[str, Json], kind: Json) -> None:
        """What a block is whose beginning is missing."""
        if "type" not in block:
            block["type"] = _OF_DELTA.get(kind) if isinstance(kind, str) else None

    def _take_piece(self, block: dict[str, Json], piece: str, at: str) -> None:
        """What comes in pieces replaces what the block began with, usually `{}`."""
        if not isinstance(block.get(ARGUMENTS), str):
            if not piece:
                return
            block[ARGUMENTS] = ""
        before = block[ARGUMENTS]
        block[ARGUMENTS] = before + piece
        here = f"{at}/{ARGUMENTS}"
        self._note(here, "/delta/partial_json", Effect.CALL, appended=bool(before))

    def _finish(self, slot: int) -> None:
        block = self.body["content"][slot]
        pieces = block.get(ARGUMENTS)
        if isinstance(pieces, str):
            try:
                block[ARGUMENTS] = json.loads(pieces)
            except (ValueError, RecursionError):
                return


_OF_DELTA = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "thinking",
    "input_json_delta": "tool_use",
    "citations_delta": "text",
}


def _goes_on(before: Json, piece: Json) -> bool:
    """Whether a piece of a signature follows another."""
    if not isinstance(before, str) or not isinstance(piece, str) or before == piece:
        return False
    is_padding = bool(before) and not piece.strip("=")
    return is_padding or (is_whole(before) is False and not is_mask(before))


def _block_effect(block: dict[str, Json], key: str) -> Effect:
    kind = block.get("type")
    if key in _CALL_FIELDS and isinstance(kind, str) and kind.endswith("tool_use"):
        return Effect.CALL
    if key == "data" and kind == "redacted_thinking":
        return Effect.SIGNATURE
    found = {
        "text": Effect.TEXT,
        "thinking": Effect.THOUGHT,
        "signature": Effect.SIGNATURE,
    }
    return found.get(key, Effect.META)
