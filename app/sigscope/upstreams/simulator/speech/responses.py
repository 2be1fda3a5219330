"""A reply as the Responses API gives it: items, and the named events they come in
(docs/wire/responses.md#carriers)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sigscope.upstreams.simulator.checks.responses import EARLY, own_items, stores
from sigscope.upstreams.simulator.config import Anchor
from sigscope.upstreams.simulator.mint.draws import HEX
from sigscope.upstreams.simulator.records import Json, as_dict, as_list, as_text
from sigscope.upstreams.simulator.speech.builtin_tools import BUILT_IN, KINDS
from sigscope.upstreams.simulator.speech.callids import openai_id
from sigscope.upstreams.simulator.speech.prose import pieces
from sigscope.upstreams.simulator.speech.voice import (
    SimAnswer,
    Voice,
    compact,
    document,
)

_INCLUDE = "reasoning.encrypted_content"
_SEALING = ("openai", "xai", "meta")
"""Makers whose models seal their reasoning."""
_SEARCH = re.compile(r"(?i)\b(search|web|online|news|calculate)\b")
"""What has the model use what the service itself offers."""
_LONG = 300
"""Bytes of an id at Copilot, which is sealed itself."""
_EARLY = 240
"""Bytes of the value that an unfinished item has."""


class ResponsesResponder:
    """How a service of the Responses API says a reply. One for each reply."""

    piece = 48
    """Characters of text in one delta, about."""

    def __init__(self, voice: Voice, service: str) -> None:
        self._voice = voice
        self._service = service
        self._body = as_dict(voice.case.request)
        self._id = self._name("resp")
        self._items = list(self._output())

    def speak(self) -> SimAnswer:
        """The whole answer, or its stream; kept on the shelf where it is stored."""
        voice = self._voice
        whole = self._whole("completed", self._items)
        if stores(self._body, self._service):
            before = voice.shelf.history(
                as_text(self._body.get("previous_response_id"))
            )
            sent = [item.data for item in own_items(self._body)]
            voice.shelf.put(self._id, [*(before or ()), *sent], self._items, whole)
            if self._body.get("background") is True:
                return self._queued()
        if not voice.case.judgement.streams:
            typed = ("content-type", "application/json")
            return SimAnswer(status=200, headers=(typed,), pieces=(document(whole),))
        typed = ("content-type", "text/event-stream; charset=utf-8")
        events = tuple(
            _event({**event, "sequence_number": number})
            for number, event in enumerate(self._events(whole))
        )
        return SimAnswer(status=200, headers=(typed,), pieces=events)

    def _queued(self) -> SimAnswer:
        """What is made in the background is asked for later, by its id."""
        waiting = self._whole("queued", [])
        typed = ("content-type", "application/json")
        return SimAnswer(status=200, headers=(typed,), pieces=(document(waiting),))

    # --- Items ------------------------------------------------------------------------

    def _output(self) -> Iterator[dict[str, Any]]:
        reply = self._voice.reply
        if reply.signed and self._reasons:
            yield self._reasoning()
        if not reply.calls:
            yield from self._built_in()
        if reply.text:
            yield {
                "id": self._name("msg"),
                "type": "message",
                "status": "completed",
                "content": [
                    {
                        "type": "output_text",
                        "annotations": [],
                        "logprobs": [],
                        "text": reply.text,
                    }
                ],
                "role": "assistant",
            }
        ids = self._voice.call_ids(openai_id)
        for number, call in enumerate(reply.calls):
            yield {
                "id": self._name("fc", str(number)),
                "type": "function_call",
                "status": "completed",
                "arguments": self._voice.arguments(number),
                "call_id": ids[number],
                "name": call.name,
            }

    def _built_in(self) -> Iterator[dict[str, Any]]:
        """What the service does by itself, where the user asks for a search, or a
        choice of tools demands it: one call of the first tool that it offers."""
        talk = self._voice.case.talk
        kinds = [
            as_text(as_dict(t).get("type")) for t in as_list(self._body.get("tools"))
        ]
        offered = [BUILT_IN[kind] for kind in kinds if kind in BUILT_IN]
        choice = self._body.get("tool_choice")
        wished = as_text(as_dict(choice).get("type")) or as_text(choice)
        if talk is None or not offered or wished == "none":
            return
        if wished in ("required", *BUILT_IN) or _SEARCH.search(talk.question):
            tool = BUILT_IN.get(wished, offered[0])
            yield {
                "id": self._name(tool.prefix),
                "type": tool.kind,
                "status": "completed",
                **tool.members(talk.question),
            }

    @property
    def _reasons(self) -> bool:
        """GPT-4 does not; the others do."""
        return not self._voice.model.name.startswith("gpt-4")

    @property
    def _seals(self) -> bool:
        """Whether sealed reasoning is given out: where it was asked for."""
        include = as_list(self._body.get("include"))
        return self._voice.model.vendor in _SEALING and _INCLUDE in include

    def _reasoning(self) -> dict[str, Any]:
        voice, name = self._voice, self._name("rs")
        item: dict[str, Any] = {"id": name, "type": "reasoning"}
        if self._seals:
            item["encrypted_content"] = self._seal(name)
        asked = as_dict(self._body.get("reasoning")).get("summary")
        said = voice.reply.thoughts if asked else ()
        if voice.model.vendor in _SEALING:
            item["summary"] = [{"type": "summary_text", "text": t} for t in said]
        else:
            item["summary"] = []
            item["content"] = [
                {"type": "reasoning_text", "text": "".join(voice.reply.thoughts)}
            ]
        return item

    def _seal(self, name: str) -> str:
        return self._voice.sign(Anchor(kind="thought", call_id=name))

    def _early(self, name: str) -> str:
        """The value of the unfinished item: another, and shorter."""
        voice = self._voice
        draws = voice.draws.child("early")
        anchor = Anchor(kind="thought", name=EARLY, call_id=name)
        form, _ = voice.seal.choose(voice.model, "", draws)
        return voice.keyring.mint(
            form, voice.origin, anchor, draws, size=_EARLY, unix=voice.created
        )

    def _name(self, prefix: str, more: str = "") -> str:
        """An id; Copilot's are sealed themselves, and long."""
        draws = self._voice.draws.child(f"{prefix} {more}")
        if self._service == "copilot" and prefix != "resp":
            return self._voice.keyring.mint(
                "padded", self._voice.origin, Anchor(), draws, size=_LONG
            )
        return f"{prefix}_{draws.word(48, HEX)}"

    # --- The whole --------------------------------------------------------------------

    def _whole(self, status: str, output: list[dict[str, Any]]) -> dict[str, Any]:
        body, voice = self._body, self._voice
        is_done = status == "completed"
        prompt, visible, thought = voice.usage()
        usage = {
            "input_tokens": prompt,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": visible + thought,
            "output_tokens_details": {"reasoning_tokens": thought},
            "total_tokens": prompt + visible + thought,
        }
        reasoning = as_dict(body.get("reasoning"))
        return {
            "id": self._id,
            "object": "response",
            "created_at": voice.created,
            "status": status,
            "background": body.get("background") is True,
            "error": None,
            "incomplete_details": None,
            "instructions": body.get("instructions"),
            "max_output_tokens": body.get("max_output_tokens"),
            "model": voice.model.name,
            "output": output,
            "parallel_tool_calls": body.get("parallel_tool_calls", True),
            "previous_response_id": body.get("previous_response_id"),
            "reasoning": {
                "effort": reasoning.get("effort", "medium"),
                "summary": reasoning.get("summary"),
            },
            "service_tier": "default",
            "store": stores(body, self._service),
            "text": body.get("text", {"format": {"type": "text"}}),
            "tool_choice": body.get("tool_choice", "auto"),
            "tools": as_list(body.get("tools")),
            "truncation": "disabled",
            "usage": usage if is_done else None,
            "user": None,
            "metadata": {},
        }

    # --- Events -----------------------------------------------------------------------

    def _events(self, whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
        begun = self._whole("in_progress", [])
        yield {"type": "response.created", "response": begun}
        yield {"type": "response.in_progress", "response": begun}
        for index, item in enumerate(self._items):
            kind = item["type"]
            if kind == "reasoning":
                yield from self._reasoning_events(index, item)
            elif kind == "message":
                yield from self._message_events(index, item)
            elif kind in KINDS:
                yield from self._built_in_events(index, item)
            else:
                yield from self._call_events(index, item)
        yield {"type": "response.completed", "response": whole}

    def _at(self, index: int, item: dict[str, Any], kind: str, **more: Json) -> Json:
        """An event about an item. Copilot names it otherwise in each."""
        name = item["id"]
        if self._service == "copilot":
            name = self._name("event", f"{kind} {index} {sorted(more)}")
        return {"type": kind, "item_id": name, "output_index": index, **more}

    @staticmethod
    def _item(index: int, item: Json, verb: str) -> Json:
        kind = f"response.output_item.{verb}"
        return {"type": kind, "output_index": index, "item": item}

    def _reasoning_events(self, index: int, item: dict[str, Any]) -> Iterator[Json]:
        early = {**item, "summary": []}
        if "encrypted_content" in item:
            early["encrypted_content"] = self._early(item["id"])
        if "content" in item:
            early["content"] = []
        if self._service == "copilot":
            early["id"] = self._name("rs", "early")
        yield self._item(index, early, "added")
        for number, part in enumerate(item["summary"]):
            yield self._at(
                index, item, "response.reasoning_summary_part.added",
                summary_index=number, part={**part, "text": ""},
            )  # fmt: skip
            for piece in pieces(part["text"], self.piece):
                yield self._at(
                    index, item, "response.reasoning_summary_text.delta",
                    summary_index=number, delta=piece,
                )  # fmt: skip
            yield self._at(
                index, item, "response.reasoning_summary_text.done",
                summary_index=number, text=part["text"],
            )  # fmt: skip
            yield self._at(
                index, item, "response.reasoning_summary_part.done",
                summary_index=number, part=part,
            )  # fmt: skip
        for part in item.get("content", ()):
            for piece in pieces(part["text"], self.piece):
                yield self._at(
                    index, item, "response.reasoning_text.delta",
                    content_index=0, delta=piece,
                )  # fmt: skip
            yield self._at(
                index, item, "response.reasoning_text.done",
                content_index=0, text=part["text"],
            )  # fmt: skip
        yield self._item(index, item, "done")

    def _message_events(self, index: int, item: dict[str, Any]) -> Iterator[Json]:
        (part,) = item["content"]
        early = {**item, "status": "in_progress", "content": []}
        yield self._item(index, early, "added")
        yield self._at(
            index, item, "response.content_part.added",
            content_index=0, part={**part, "text": ""},
        )  # fmt: skip
        for piece in pieces(part["text"], self.piece):
            yield self._at(
                index, item, "response.output_text.delta",
                content_index=0, delta=piece, logprobs=[],
            )  # fmt: skip
        yield self._at(
            index, item, "response.output_text.done",
            content_index=0, text=part["text"], logprobs=[],
        )  # fmt: skip
        yield self._at(
            index, item, "response.content_part.done", content_index=0, part=part
        )
        yield self._item(index, item, "done")

    def _call_events(self, index: int, item: dict[str, Any]) -> Iterator[Json]:
        early = {**item, "status": "in_progress", "arguments": ""}
        yield self._item(index, early, "added")
        kind = "response.function_call_arguments"
        for piece in pieces(item["arguments"], self.piece):
            yield self._at(index, item, f"{kind}.delta", delta=piece)
        yield self._at(index, item, f"{kind}.done", arguments=item["arguments"])
        yield self._item(index, item, "done")

    def _built_in_events(self, index: int, item: dict[str, Any]) -> Iterator[Json]:
        early = {"id": item["id"], "type": item["type"], "status": "in_progress"}
        yield self._item(index, early, "added")
        for state in KINDS[item["type"]].states:
            yield self._at(index, item, f"response.{item['type']}.{state}")
        yield self._item(index, item, "done")


def _event(data: dict[str, Any]) -> bytes:
    """A named event."""
    text = f"event: {data['type']}\ndata: {compact(data)}\n\n"
    return text.encode(errors="backslashreplace")


def compacted(voice: Voice) -> SimAnswer:
    """The answer of `/responses/compact`: what users said, and one sealed item."""
    body = as_dict(voice.case.request)
    draws = voice.draws.child("compaction")
    name = f"cmp_{draws.word(48, HEX)}"
    prompt, _, thought = voice.usage()
    users = [
        {
            "id": f"msg_{draws.word(48, HEX)}",
            "type": "message",
            "status": "completed",
            "content": item.data.get("content"),
            "role": "user",
        }
        for item in own_items(body)
        if item.data.get("role") == "user"
    ]
    sealed = voice.sign(Anchor(kind="thought", call_id=name))
    whole = {
        "id": f"resp_{draws.word(48, HEX)}",
        "object": "response.compaction",
        "created_at": voice.created,
        "output": [
            *users,
            {"id": name, "type": "compaction", "encrypted_content": sealed},
        ],
        "usage": {
            "input_tokens": prompt,
            "output_tokens": thought,
            "total_tokens": prompt + thought,
        },
    }
    typed = ("content-type", "application/json")
    return SimAnswer(status=200, headers=(typed,), pieces=(document(whole),))
