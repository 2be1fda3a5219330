"""Reading the Responses API: items, as one of the events that bring them has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sigscope.converse.memory import Captured, Heard, ReplyPiece
from sigscope.converse.policy import Read

ANSWER_ID = "response"
"""What stands as `object` in the entry of a captured answer id."""
_ENDS = ("response.completed", "response.incomplete", "response.failed")


class ResponsesReader:
    """One reply of the Responses API, streamed or whole."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._items: dict[int, dict[str, Any]] = {}
        self._early: dict[int, dict[str, Any]] = {}
        self._answer: dict[str, Any] = {}
        self._is_error = False

    def feed(self, data: Any) -> None:
        """Take one event, or the whole answer."""
        if not isinstance(data, dict):
            return
        kind = data.get("type")
        if kind == "response.output_item.added":
            self._early[data["output_index"]] = data["item"]
        elif kind == "response.output_item.done":
            self._items[data["output_index"]] = data["item"]
        elif kind in _ENDS:
            self._whole(data["response"])
        elif kind == "error" or data.get("error") or "detail" in data:
            self._is_error = True
        elif data.get("object") == ANSWER_ID:
            self._whole(data)

    def _whole(self, answer: dict[str, Any]) -> None:
        self._answer = answer
        self._is_error = self._is_error or bool(answer.get("error"))
        if self._read.item == "completed" or not self._items:
            self._items = dict(enumerate(answer.get("output", ())))

    def heard(self) -> Heard:
        """Items in their order; reasoning is captured with what follows it."""
        pieces: list[ReplyPiece] = []
        captured: list[Captured] = []
        for index in sorted(self._items):
            item = self._items[index]
            if item.get("type") == "reasoning":
                entry = self._kept(index, item)
                value = entry.get("encrypted_content") or ""
                captured.append(Captured(value=value, entry=entry, piece=len(pieces)))
            else:
                pieces += _pieces(item)
        if self._read.answer_id and self._answer.get("id"):
            entry = {"object": ANSWER_ID}
            captured.append(Captured(value=self._answer["id"], entry=entry))
        return Heard(
            pieces=tuple(pieces),
            captured=tuple(captured),
            finish=str(self._answer.get("status", "")),
            is_error=self._is_error,
        )

    def _kept(self, index: int, item: Mapping[str, Any]) -> dict[str, Any]:
        """The item as the client keeps it."""
        early = self._early.get(index)
        if early is None or self._read.item != "added":
            return dict(item)
        keys = ("encrypted_content",) if "encrypted_content" in item else ()
        return {**item, **{key: early[key] for key in ("id", *keys) if key in early}}


def _pieces(item: Mapping[str, Any]) -> Iterator[ReplyPiece]:
    name = str(item.get("id", ""))
    if item.get("type") == "function_call":
        yield ReplyPiece(
            kind="call",
            call_id=item["call_id"],
            name=item["name"],
            arguments=item["arguments"],
            item_id=name,
        )
    elif item.get("type") == "message":
        text = "".join(part.get("text", "") for part in item["content"])
        yield ReplyPiece(kind="text", text=text, item_id=name)
