"""The OpenAI chat completions shape, which many APIs speak with additions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sigscope.conversation import (
    Conversation,
    Json,
    Message,
    Part,
    PartKind,
    Reply,
    Role,
    Usage,
)
from sigscope.dialects.assembly import Assembler
from sigscope.dialects.base import Dialect, Match, Probe
from sigscope.dialects.chat_stream import ChatAssembler
from sigscope.dialects.histories import Histories
from sigscope.dialects.leaves import count_of, has_member, json_of, text_of
from sigscope.dialects.media import BLOCKS, media_block, told
from sigscope.dialects.services import surest

ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}


class ChatDialect(Dialect):
    """What all chat completions dialects share.

    One more is a subclass that fills in the record; it overrides a method only where it
    differs in more than names.
    """

    family = "chat"
    default_path = "/v1/chat/completions"
    signature_keys: tuple[str, ...] = ()
    """Members of a delta that hold one whole signature each."""
    marks: tuple[str, ...] = ()
    """Members of a message that only this API has, in both directions: paths as those
    of `has_member`."""
    request_marks: tuple[str, ...] = ()
    """The same of a request that only this API is sent."""
    answer_marks: tuple[str, ...] = ()
    """The same of an answer, or of an event of it."""
    own_path: re.Pattern[str] | None = None
    """Path that tells this API where no host was recorded."""
    thought_fields: tuple[str, ...] = ChatAssembler.thought_keys
    """Message fields with readable reasoning; the first present one is read, since
    several repeat the same text."""

    operation = re.compile(r"/chat/completions/?$")

    def has_shape(self, probe: Probe) -> bool:
        return has_chat_shape(probe)

    def fits(self, probe: Probe) -> bool:
        path = probe.path.rstrip("/")
        return path.endswith("/chat/completions") or (
            not path and has_chat_shape(probe)
        )

    def match(self, probe: Probe, beaten: Match = Match.NO) -> Match:
        if not self.could_be(probe):
            return Match.NO
        service, address = surest(self.services, probe)
        if service is not None:
            return address if service.speaks_at(probe.path) else Match.NO
        if self.is_at_own_path(probe):
            return Match.PATH
        if beaten >= Match.ANSWERED:
            return Match.NO
        if self.answers_so(probe):
            return Match.ANSWERED
        return Match.ASKED if self.asks_so(probe) else Match.NO

    def could_be(self, probe: Probe) -> bool:
        """Whether to look for signs at all."""
        return self.fits(probe)

    def is_at_own_path(self, probe: Probe) -> bool:
        """Whether the path tells, since no host was recorded."""
        own = self.own_path
        return own is not None and not probe.host and bool(own.search(probe.path))

    def answers_so(self, probe: Probe) -> bool:
        """Whether the answer has what only this service writes."""
        return any(
            has_member(answer, path)
            for path in self.answer_marks
            for answer in probe.answers
        ) or any(self.is_marked(entry) for entry in first_entries(probe))

    def asks_so(self, probe: Probe) -> bool:
        """Whether the request has what is meant for this API alone."""
        if any(has_member(probe.request, path) for path in self.request_marks):
            return True
        return any(probe.facts(request_messages(probe), self.is_marked_entry))

    def is_marked_entry(self, entry: Json) -> bool:
        """The same of whatever stands in the list of messages."""
        return isinstance(entry, dict) and self.is_marked(entry)

    def is_marked(self, entry: dict[str, Json]) -> bool:
        """Whether a message has what only this API has."""
        return any(has_member(entry, path) for path in self.marks)

    def assembler(self) -> Assembler:
        return ChatAssembler(self.signature_keys, self.thought_fields)

    def history(self, body: Json) -> tuple[str, list[Json]]:
        found = body.get("messages") if isinstance(body, dict) else None
        return "/messages", found if isinstance(found, list) else []

    def conversation(
        self, body: Json, url: str, histories: Histories | None = None
    ) -> Conversation:
        messages = self.messages(body, histories)
        body = body if isinstance(body, dict) else {}
        return Conversation(
            messages=messages,
            model=text_of(body.get("model")),
            tools=tuple(_tool_names(body.get("tools"))),
            streams=body.get("stream") is True,
        )

    def reply(self, body: Json) -> Reply:
        if isinstance(body, list) and len(body) == 1:  # Google's errors
            body = body[0]
        body = body if isinstance(body, dict) else {}
        choices = _first_answer(body)
        choice = choices[0][0] if choices else None
        has_error = bool(body.get("error")) or any(c.get("error") for c, _ in choices)
        messages = [
            self.message({"role": "assistant", **raw}, at)
            for raw, at in map(_said, choices)
            if raw
        ]
        return Reply(
            message=_joined(messages),
            others=tuple(message.pointer for message in messages[1:]),
            finish=text_of(choice.get("finish_reason")) or None if choice else None,
            model=text_of(body.get("model")),
            response_id=text_of(body.get("id")),
            provider=text_of(body.get("provider")),
            usage=read_usage(body.get("usage")),
            has_error=has_error,
        )

    def message(self, item: Json, at: str) -> Message:
        if not isinstance(item, dict):
            part = Part(kind=PartKind.OPAQUE, pointer=at, text=json_of(item))
            return Message(role=Role.OTHER, pointer=at, parts=(part,))
        role = ROLES.get(said_once(text_of(item.get("role")), ROLES), Role.OTHER)
        parts = [*self._thoughts(item, at)]
        if role is Role.TOOL:
            parts.append(_result(item, at))
        else:
            parts.extend(content_parts(item.get("content"), f"{at}/content"))
        parts.extend(_calls(item, at))
        return Message(role=role, pointer=at, parts=tuple(parts))

    def _thoughts(self, item: dict[str, Json], at: str) -> Iterator[Part]:
        for key in self.thought_fields:
            text = item.get(key)
            if isinstance(text, str) and text:
                yield Part(kind=PartKind.THOUGHT, pointer=f"{at}/{key}", text=text)
                return


def said_once(text: str, known: Iterable[str]) -> str:
    """The known word that a text repeats, else the text as it is.

    An accumulator that adds up every string of the deltas makes `assistantassistant` of
    a role sent with each of them (source: openai-python 3.52, `completions.stream()`).
    Services refuse it; which message it is stays clear.
    """
    for word in known:
        if text and text == word * (len(text) // len(word)):
            return word
    return text


def content_parts(content: Json, at: str) -> Iterator[Part]:
    """Parts of a `content` that is a string or a list of typed blocks."""
    if isinstance(content, str):
        if content:
            yield Part(kind=PartKind.TEXT, pointer=at, text=content)
    elif isinstance(content, list):
        for index, block in enumerate(content):
            yield from _block(block, f"{at}/{index}")
    elif content is not None:
        yield Part(kind=PartKind.OPAQUE, pointer=at, text=json_of(content))


def _block(block: Json, at: str) -> Iterator[Part]:
    if isinstance(block, str):
        yield Part(kind=PartKind.TEXT, pointer=at, text=block)
        return
    kind = text_of(block.get("type")) if isinstance(block, dict) else ""
    if kind in ("text", "input_text", "output_text") and isinstance(
        block.get("text"), str
    ):
        yield Part(kind=PartKind.TEXT, pointer=at, text=block["text"])
    elif kind == "thinking":
        yield Part(kind=PartKind.THOUGHT, pointer=at, text=_thinking_text(block))
    elif kind in BLOCKS:
        yield media_block(block, at)
    else:
        yield Part(kind=PartKind.OPAQUE, pointer=at, text=json_of(block))


def _thinking_text(block: dict[str, Json]) -> str:
    thinking = block.get("thinking")
    if isinstance(thinking, list):
        return "".join(
            text_of(piece.get("text")) for piece in thinking if isinstance(piece, dict)
        )
    return text_of(thinking)


def _result(item: dict[str, Json], at: str) -> Part:
    content = item.get("content")
    if isinstance(content, list):
        text = "".join(
            told(part) if part.kind is PartKind.MEDIA else part.text
            for part in content_parts(content, at)
        )
    else:
        text = content if isinstance(content, str) else json_of(content)
    return Part(
        kind=PartKind.RESULT,
        pointer=at,
        text=text,
        call_id=text_of(item.get("tool_call_id")) or None,
        name=text_of(item.get("name")) or None,
    )


def _calls(item: dict[str, Json], at: str) -> Iterator[Part]:
    calls = item.get("tool_calls")
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        if not isinstance(call, dict):
            continue
        function = call.get("function")
        function = function if isinstance(function, dict) else {}
        arguments = function.get("arguments")
        yield Part(
            kind=PartKind.CALL,
            pointer=f"{at}/tool_calls/{index}",
            call_id=text_of(call.get("id")) or None,
            name=text_of(function.get("name")) or None,
            arguments=arguments if isinstance(arguments, str) else json_of(arguments),
        )


def read_usage(usage: Json) -> Usage:
    """Token counts of the OpenAI shape; Copilot counts reasoning at the top."""
    if not isinstance(usage, dict):
        return Usage()
    details = usage.get("completion_tokens_details")
    details = details if isinstance(details, dict) else {}
    reasoning = details.get("reasoning_tokens", usage.get("reasoning_tokens"))
    read = usage.get("prompt_tokens_details")
    read = read if isinstance(read, dict) else {}
    return Usage(
        prompt=count_of(usage.get("prompt_tokens")),
        completion=count_of(usage.get("completion_tokens")),
        reasoning=count_of(reasoning),
        total=count_of(usage.get("total_tokens")),
        # DeepSeek counts them beside the prompt, OpenAI and OpenRouter inside.
        cached=count_of(
            read.get("cached_tokens", usage.get("prompt_cache_hit_tokens"))
        ),
        written=count_of(read.get("cache_write_tokens")),
    )


def _first_answer(body: dict[str, Json]) -> list[tuple[dict[str, Json], str]]:
    """The choices that make up the first answer, with their pointers.

    It is one choice, but Copilot's answers of Claude that were not streamed: their
    text and each of their calls come as choices of their own, all without an index
    (source: gptel #1284, nanobot #1555 [issue report]). Several answers have several.
    """
    choices = body.get("choices")
    return [
        (choice, f"/choices/{position}")
        for position, choice in enumerate(choices if isinstance(choices, list) else ())
        if isinstance(choice, dict) and choice.get("index", 0) in (0, None)
    ]


def _said(choice: tuple[dict[str, Json], str]) -> tuple[dict[str, Json], str]:
    """The message of a choice and its pointer; empty where it has none."""
    parts, at = choice
    key = "message" if "message" in parts else "delta"
    raw = parts.get(key)
    return raw if isinstance(raw, dict) else {}, f"{at}/{key}"


def _joined(messages: Sequence[Message]) -> Message | None:
    """One message with the parts of all; it stands where the first one does."""
    if len(messages) < 2:
        return messages[0] if messages else None
    parts = tuple(part for message in messages for part in message.parts)
    return replace(messages[0], parts=parts)


def _tool_names(tools: Json) -> Iterator[str]:
    for tool in tools if isinstance(tools, list) else ():
        function = tool.get("function") if isinstance(tool, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if isinstance(name, str):
            yield name


def has_chat_shape(probe: Probe) -> bool:
    """Whether a request or a response looks like chat completions at all."""
    request = probe.request
    if isinstance(request, dict) and isinstance(request.get("messages"), list):
        return "contents" not in request
    return any(isinstance(answer.get("choices"), list) for answer in probe.answers)


def first_entries(probe: Probe) -> Iterator[dict[str, Json]]:
    """The `message` or `delta` objects of the response, or of its first events."""
    for answer in probe.answers:
        choices = answer.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            for key in ("message", "delta"):
                entry = choice.get(key) if isinstance(choice, dict) else None
                if isinstance(entry, dict):
                    yield entry


def request_messages(probe: Probe) -> list[Json]:
    """What stands in the list of messages of the request."""
    request = probe.request
    messages = request.get("messages") if isinstance(request, dict) else None
    return messages if isinstance(messages, list) else []
