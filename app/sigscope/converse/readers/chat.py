"""Reading chat completions: Copilot, OpenRouter, LiteLLM."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sigscope.converse.memory import Captured, Heard, ReplyPiece
from sigscope.converse.policy import Read
from sigscope.converse.readers.entries import Entries
from sigscope.records import dataclass


@dataclass(slots=True)
class _Call:
    call_id: str = ""
    name: str = ""
    arguments: str = ""
    signature: str = ""


class ChatReader:
    """One reply of a chat completions API, streamed or whole."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._text = ""
        self._thoughts = ""
        self._calls: dict[int, _Call] = {}
        self._kept: list[str] = []
        self._entries = Entries(read.merge_entries)
        self._finish = ""
        self._is_error = False

    def feed(self, data: Any) -> None:
        """Take one chunk, or the whole answer."""
        if not isinstance(data, dict):
            return
        self._is_error = self._is_error or bool(data.get("error"))
        choices = data.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        self._finish = choice.get("finish_reason") or self._finish
        delta = choice.get("delta", choice.get("message"))
        if isinstance(delta, dict):
            self._take(delta)

    def heard(self) -> Heard:
        """Thoughts, then text, then calls by slot; and what was captured."""
        pieces = []
        if self._thoughts:
            pieces.append(ReplyPiece(kind="thought", text=self._thoughts))
        if self._text:
            pieces.append(ReplyPiece(kind="text", text=self._text))
        first = len(pieces)
        calls = [self._calls[slot] for slot in sorted(self._calls)]
        pieces += [
            ReplyPiece(
                kind="call",
                call_id=call.call_id,
                name=call.name,
                arguments=call.arguments,
            )
            for call in calls
        ]
        captured = tuple(self._captured(calls, first))
        if self._read.only_with_calls and not calls:
            captured = ()
        return Heard(
            pieces=tuple(pieces),
            captured=captured,
            finish=self._finish,
            is_error=self._is_error or self._finish == "error",
        )

    def _take(self, delta: dict[str, Any]) -> None:
        for name in self._read.thoughts:
            if isinstance(text := delta.get(name), str) and text:
                self._thoughts += text
                break
        if isinstance(content := delta.get("content"), str):
            self._text += content
        self._take_signatures(delta)
        calls = delta.get("tool_calls")
        for position, call in enumerate(calls if isinstance(calls, list) else ()):
            if isinstance(call, dict):
                self._take_call(call, position)

    def _take_signatures(self, delta: dict[str, Any]) -> None:
        found: list[str] = []
        for path in self._read.signatures:
            value = dig(delta, path)
            items = value if isinstance(value, list) else [value]
            found += [item for item in items if isinstance(item, str) and item]
            if isinstance(value, list):
                self._entries.take(value)
        if self._read.keep == "overwrite":
            self._kept = found
        else:
            self._kept += found

    def _take_call(self, piece: dict[str, Any], position: int) -> None:
        call = self._calls.setdefault(self._slot(piece, position), _Call())
        function = piece.get("function")
        function = function if isinstance(function, dict) else {}
        call.call_id = call.call_id or _text(piece.get("id"))
        call.name = call.name or _text(function.get("name"))
        call.arguments += _text(function.get("arguments"))
        for path in self._read.call_signatures:
            if isinstance(value := dig(piece, path), str) and value:
                call.signature = value

    def _slot(self, piece: dict[str, Any], position: int) -> int:
        """Which call a piece belongs to.

        Without an index the place in the array is taken for one, which makes one call
        of two that come in separate chunks (docs/wire/gemini-openai.md#carriers,
        dayu-agent #45).
        """
        index, call_id = piece.get("index"), _text(piece.get("id"))
        if self._read.merge_calls == "index":
            return index if isinstance(index, int) else position
        if self._read.merge_calls == "position":
            return position
        known = {call.call_id: slot for slot, call in self._calls.items()}
        if call_id and call_id not in known:
            return len(self._calls)
        return known.get(call_id, max(len(self._calls) - 1, 0))

    def _captured(self, calls: list[_Call], first: int) -> Iterator[Captured]:
        """Of the message, of its entries, of its calls."""
        kept = self._kept
        if self._read.keep == "first":
            kept = kept[:1]
        elif self._read.keep == "last":
            kept = kept[-1:]
        yield from (Captured(value=value) for value in kept)
        places = {call.call_id: first + n for n, call in enumerate(calls)}
        for entry in self._entries.finished(
            drop_unsigned=self._read.drop_unsigned, strip=self._read.strip_keys
        ):
            value = _text(entry.get("data")) or _text(entry.get("signature"))
            place = places.get(_text(entry.get("id")))
            yield Captured(value=value, entry=entry, piece=place)
        for number, call in enumerate(calls):
            if call.signature:
                yield Captured(value=call.signature, piece=first + number)


def dig(value: Any, path: str) -> Any:
    """The member at a path of keys, or None."""
    for key in path.split("/"):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
