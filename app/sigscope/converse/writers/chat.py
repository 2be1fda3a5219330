"""Building the messages of chat completions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from sigscope.converse.memory import (
    Captured,
    Entry,
    RememberedReply,
    ReplyPiece,
    Results,
    Words,
)
from sigscope.converse.policy import Policy, SignatureWrite
from sigscope.converse.selection import STAMPS, in_scope, spell, spell_entry
from sigscope.converse.writers.places import Members, has, put
from sigscope.opaque import THOUGHT_SEPARATOR
from sigscope.records import dataclass

_CONTENT: Mapping[str, Any] = {"null": None, "empty-list": [], "empty-string": ""}


@dataclass(slots=True)
class _Built:
    """A reply on its way to the wire: its messages, and the calls in them."""

    messages: list[Members]
    calls: dict[int, Members] = field(default_factory=dict)
    """By index of the piece."""
    answered_by: list[Members] = field(default_factory=list)
    """The tool messages that follow."""


class ChatWriter:
    """Messages of one client, rebuilt for every request as clients do."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def messages(
        self, entries: Sequence[Entry], chosen: Mapping[int, tuple[Captured, ...]]
    ) -> list[Members]:
        """The history, system message first."""
        system = {"role": "system", "content": self._policy.client.system}
        built = {
            index: self._build(entry)
            for index, entry in enumerate(entries)
            if isinstance(entry, RememberedReply)
        }
        for index, entry in enumerate(entries):
            if isinstance(entry, Results) and index - 1 in built:
                built[index - 1].answered_by = self._results(entry)
        for index in built:
            self._write(index, built, chosen.get(index, ()))
        self._stamp(entries, built)
        messages = [system]
        for index, entry in enumerate(entries):
            if isinstance(entry, Words):
                messages.append({"role": "user", "content": entry.text})
            elif isinstance(entry, RememberedReply):
                messages += self._in_order(built[index])
            elif index - 1 not in built:
                messages += self._results(entry)
        return messages

    # --- Shape -----------------------------------------------------------------------

    def _build(self, reply: RememberedReply) -> _Built:
        calls = {
            index: self._call(piece)
            for index, piece in enumerate(reply.pieces)
            if piece.kind == "call"
        }
        text = "".join(p.text for p in reply.pieces if p.kind == "text")
        thoughts = "".join(p.text for p in reply.pieces if p.kind == "thought")
        listed = list(calls.values())
        shape = self._policy.shape
        if shape.stored == "split" and listed and (text or thoughts):
            parted = [
                self._message(text, thoughts, [], always_text=True),
                self._message("", "", listed),
            ]
            messages = _merged(parted) if shape.merged else parted
        elif shape.parallel != "together" and len(listed) > 1:
            messages = [self._message(text, thoughts, listed[:1])]
            messages += [self._message("", "", [call]) for call in listed[1:]]
        else:
            messages = [self._message(text, thoughts, listed)]
        return _Built(messages, calls)

    def _message(
        self,
        text: str,
        thoughts: str,
        calls: list[Members],
        *,
        always_text: bool = False,
    ) -> Members:
        shape = self._policy.shape
        message: Members = {"role": "assistant"}
        if text or always_text or not calls:
            message["content"] = text
        elif shape.content_without_text != "absent":
            empty = _CONTENT[shape.content_without_text]
            message["content"] = list(empty) if isinstance(empty, list) else empty
        if calls:
            message["tool_calls"] = calls
        if shape.thoughts and thoughts:
            put(message, shape.thoughts, thoughts)
        return message

    def _call(self, piece: ReplyPiece) -> Members:
        return {
            "id": self._call_id(piece.call_id, in_result=False),
            "type": "function",
            "function": {"name": piece.name, "arguments": piece.arguments},
        }

    def _results(self, results: Results) -> list[Members]:
        return [
            {
                "role": "tool",
                "tool_call_id": self._call_id(result.call_id, in_result=True),
                "content": result.text,
            }
            for result in results.results
        ]

    def _call_id(self, call_id: str, *, in_result: bool) -> str:
        way = self._policy.shape.call_ids
        if way == "plain" or (way == "plain-in-results" and in_result):
            return call_id.split(THOUGHT_SEPARATOR)[0]
        return call_id

    def _in_order(self, built: _Built) -> Iterator[Members]:
        """Messages and results: all after all, or each result after its call."""
        waiting = list(built.answered_by)
        for message in built.messages:
            yield message
            if self._policy.shape.parallel == "interleaved":
                for _ in message.get("tool_calls", ()):
                    if waiting:
                        yield waiting.pop(0)
        yield from waiting

    # --- Signatures ------------------------------------------------------------------

    def _write(
        self, index: int, built: Mapping[int, _Built], captured: Sequence[Captured]
    ) -> None:
        if not captured:
            return
        here = built[index]
        for write in self._policy.write:
            wanted = "calls" if here.calls else "answer"
            if write.when not in ("always", wanted):
                continue
            if write.on == "same":
                for one in captured:
                    if one.piece in here.calls:
                        self._put(here.calls[one.piece], write, [one])
            elif write.on == "id":
                self._put_in_id(here, captured)
            else:
                for target in self._targets(write, index, built):
                    self._put(target, write, captured)

    def _targets(
        self, write: SignatureWrite, index: int, built: Mapping[int, _Built]
    ) -> list[Members]:
        here = built[index]
        if write.on == "message":
            return here.messages[:1]
        if write.on == "results":
            return here.answered_by
        if write.on == "next-message":
            later = [i for i in built if i > index]
            return built[later[0]].messages[:1] if later else []
        calls = list(here.calls.values())
        return calls[:1] if write.on == "first-call" else calls

    def _put(
        self, target: Members, write: SignatureWrite, captured: Sequence[Captured]
    ) -> None:
        value = self._policy.value
        if write.form == "entries":
            entries = [spell_entry(c, value) for c in captured if c.entry is not None]
            if entries:
                put(target, write.path, entries)
            return
        texts = [spell(c.value, value, write.path) for c in captured if c.value]
        if texts:
            put(target, write.path, texts if write.form == "list" else texts[0])

    def _put_in_id(self, here: _Built, captured: Sequence[Captured]) -> None:
        """Behind the id of the call it came on, else of the first, and in its result's
        reference to it."""
        first = next(iter(here.calls.values()), None)
        for one in captured:
            own = None if one.piece is None else here.calls.get(one.piece)
            call = own or first
            if call is None or not one.value:
                continue
            plain = call["id"].split(THOUGHT_SEPARATOR)[0]
            value = spell(one.value, self._policy.value, "id")
            marked = f"{plain}{THOUGHT_SEPARATOR}{value}"
            for result in here.answered_by:
                if result["tool_call_id"] in (plain, call["id"]):
                    result["tool_call_id"] = marked
            call["id"] = marked

    def _stamp(self, entries: Sequence[Entry], built: Mapping[int, _Built]) -> None:
        """Bypasses, where the policy wants them."""
        stamping = self._policy.bypass
        if stamping.calls == "never":
            return
        text = STAMPS[stamping.value]
        for index in in_scope(entries, stamping.scope):
            here = built.get(index)
            if here is None or not here.calls:
                continue
            calls = list(here.calls.values())
            if stamping.form == "entries":
                message = here.messages[0]
                if stamping.calls == "all" or not has(message, stamping.path):
                    entry = _bypass_entry(text, calls[0]["id"])
                    put(message, stamping.path, [entry])
                continue
            for call in calls[:1] if stamping.calls == "first-unsigned" else calls:
                if stamping.calls == "all" or not has(call, stamping.path):
                    listed = stamping.form == "list"
                    put(call, stamping.path, [text] if listed else text)


def _bypass_entry(text: str, call_id: str) -> Members:
    """One entry a message, for its first call (docs/wire/openrouter.md#bypass)."""
    return {
        "type": "reasoning.encrypted",
        "data": text,
        "id": call_id,
        "format": "google-gemini-v1",
        "index": 0,
    }


def _merged(messages: Sequence[Members]) -> list[Members]:
    """Calls of a message without text join the assistant message before it
    (docs/wire/copilot-chat.md#merging)."""
    joined: list[Members] = []
    for message in messages:
        if joined and "tool_calls" in message and not message.get("content"):
            before = joined[-1]
            before["tool_calls"] = message["tool_calls"]
        else:
            joined.append(message)
    return joined
