"""Building the input of the Responses API."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sigscope.converse.memory import (
    Captured,
    Entry,
    RememberedReply,
    ReplyPiece,
    Results,
    Words,
)
from sigscope.converse.policy import Policy
from sigscope.converse.readers.responses import ANSWER_ID
from sigscope.converse.selection import spell
from sigscope.utf8 import to_bytes

FIXED_ID = "msg_123"
"""As VS Code names every message of the model
(microsoft/vscode-copilot-chat src/platform/endpoint/node/responsesApi.ts)."""

Members = dict[str, Any]
Chosen = Mapping[int, tuple[Captured, ...]]


class ResponsesWriter:
    """Writes what a policy sends of the history."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._items = policy.items

    def body(self, entries: Sequence[Entry], chosen: Chosen) -> Members:
        """`input`, and the answer it goes on from."""
        start, name = 0, ""
        if self._items.chain:
            for index, captured in chosen.items():
                found = [c.value for c in captured if _is_answer_id(c)]
                if found and index < len(entries):
                    start, name = index + 1, found[-1]
        items = [
            item
            for index in range(start, len(entries))
            for item in self._written(entries[index], chosen.get(index, ()))
        ]
        return {"input": items, **({"previous_response_id": name} if name else {})}

    def _written(self, entry: Entry, captured: Sequence[Captured]) -> Iterator[Members]:
        if isinstance(entry, Words):
            yield {"role": "user", "content": entry.text}
        elif isinstance(entry, Results):
            for result in entry.results:
                yield {
                    "type": "function_call_output",
                    "call_id": result.call_id,
                    "output": result.text,
                }
        else:
            yield from self._reply(entry, captured)

    def _reply(
        self, reply: RememberedReply, captured: Sequence[Captured]
    ) -> Iterator[Members]:
        thoughts = [c for c in captured if not _is_answer_id(c) and c.entry]
        for number, piece in enumerate(reply.pieces):
            here = [self._thought(c) for c in thoughts if c.piece == number]
            if self._items.order == "before":
                yield from filter(None, here)
            yield self._piece(piece)
            if self._items.order == "after":
                yield from filter(None, here)
        yield from filter(
            None, (self._thought(c) for c in thoughts if c.piece == len(reply.pieces))
        )

    def _thought(self, captured: Captured) -> Members | None:
        """A reasoning item as the policy sends it."""
        form = self._items.reasoning
        if form == "dropped" or captured.entry is None:
            return None
        item = dict(captured.entry)
        if form == "id":
            item.pop("encrypted_content", None)
        elif form == "sealed":
            item.pop("id", None)
        elif form == "renamed":
            item["id"] = f"rs_{captured.value[20:44]}"
        if text := item.get("encrypted_content"):
            item["encrypted_content"] = spell(
                text, self._policy.value, "encrypted_content"
            )
        return item

    def _piece(self, piece: ReplyPiece) -> Members:
        named = {"id": name} if (name := self._id(piece)) else {}
        if piece.kind == "call":
            return {
                "type": "function_call",
                **named,
                "call_id": piece.call_id,
                "name": piece.name,
                "arguments": piece.arguments,
            }
        text = {"type": "output_text", "text": piece.text, "annotations": []}
        return {"type": "message", **named, "role": "assistant", "content": [text]}

    def _id(self, piece: ReplyPiece) -> str:
        """The id of a text or call as the policy sends it; empty: none."""
        is_call = piece.kind == "call"
        if self._items.ids == "own":
            text = hashlib.sha256(to_bytes(piece.text)).hexdigest()
            return f"fc_{piece.call_id}" if is_call else f"msg_{text[:24]}"
        if self._items.ids == "fixed":
            return "" if is_call else FIXED_ID
        return piece.item_id if self._items.ids == "kept" else ""


def _is_answer_id(captured: Captured) -> bool:
    return captured.entry is not None and captured.entry.get("object") == ANSWER_ID
