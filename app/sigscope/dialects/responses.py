"""OpenAI's Responses API, and what speaks like it.

OpenAI, Azure, the ChatGPT backend of Codex, GitHub Copilot, xAI, DeepSeek, Bedrock.
Sources: OpenAI's API reference "Responses" and "Streaming events"; its guides
"Reasoning models" and "Conversation state".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from sigscope.conversation import (
    Conversation,
    Json,
    Message,
    Part,
    PartKind,
    Reply,
    Role,
    SignatureKind,
    Usage,
)
from sigscope.dialects.assembly import Assembler
from sigscope.dialects.base import Dialect, Match, Probe
from sigscope.dialects.carriers import STATE, Carrier, strays
from sigscope.dialects.chat import ROLES, content_parts
from sigscope.dialects.deepseek import DEEPSEEK
from sigscope.dialects.histories import Histories
from sigscope.dialects.homes import Delivery, Home, HomeFinder
from sigscope.dialects.leaves import count_of, json_of, names_of, text_of
from sigscope.dialects.litellm import LITELLM
from sigscope.dialects.media import told
from sigscope.dialects.openrouter import OPENROUTER
from sigscope.dialects.responses_stream import ResponsesAssembler
from sigscope.dialects.services import (
    AZURE,
    BEDROCK,
    CODEX,
    COPILOT,
    COPILOT_COUNTS,
    OPENAI,
    XAI,
)
from sigscope.records import dataclass

_PATH = re.compile(r"/responses(?:/compact)?/?$")
_ANSWER_PATH = re.compile(r"/responses/(?P<name>[^/]+)(?:/cancel)?/?$")
"""Of one answer, which is asked for again: `GET /responses/resp_...`."""
_OTHER_API = re.compile(
    r"/(?:chat/completions|messages|embeddings|moderations|interactions|completions"
    r"|input_tokens|batches|files)(?:/|$)|:\w+/?$"
)
"""Paths of other methods, some of whose bodies hold an `input` too."""
WRONG_API = "unsupported_api_for_model"
"""The code of an error that no other service is known to give (CPC-4)."""
SEALED_ITEMS = ("reasoning", "compaction", "compaction_summary", "context_compaction")
"""Items that hold sealed state in `encrypted_content`."""
_FINAL = (
    "response.output_item.done",
    "response.completed",
    "response.incomplete",
    "response.failed",
    "response.compaction",
)

CARRIERS = (
    Carrier(
        name="responses.encrypted_content",
        kind=SignatureKind.SEALED,
        request=("/input/*/encrypted_content",),
        response=("/output/*/encrypted_content",),
        event=("/item/encrypted_content", "/response/output/*/encrypted_content"),
        only_events=_FINAL,
        only_in=SEALED_ITEMS,
    ),
    Carrier(  # another, shorter value than that of the finished item
        name="responses.encrypted_content.early",
        kind=SignatureKind.SEALED,
        event=("/item/encrypted_content",),
        only_events=("response.output_item.added",),
        only_in=SEALED_ITEMS,
        is_provisional=True,
    ),
    Carrier(  # what other agents say, and results, that only the service reads
        name=f"{STATE}responses.content",
        kind=SignatureKind.SEALED,
        request=(
            "/input/*/content/*/encrypted_content",
            "/input/*/output/*/encrypted_content",
        ),
        response=("/output/*/content/*/encrypted_content",),
        event=(
            "/item/content/*/encrypted_content",
            "/response/output/*/content/*/encrypted_content",
        ),
        only_events=_FINAL,
        only_in=("encrypted_content",),
    ),
    Carrier(
        name="responses.misplaced.message",
        kind=SignatureKind.SEALED,
        request=("/input/*/encrypted_content",),
        only_in=(
            "",
            "message",
            "function_call",
            "function_call_output",
            "custom_tool_call",
            "custom_tool_call_output",
        ),
        is_read=False,
    ),
    *strays(
        "responses.misplaced",
        "/input/*",
        "reasoning_opaque",
        "thought_signature",
        "signature",
    ),
)
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
"""Calls that the client carries out, and where their arguments stand."""
_SEALED = "sealed reasoning"
_RESULTS = ("function_call_output", "custom_tool_call_output")


@dataclass(frozen=True, slots=True, kw_only=True)
class InItem(HomeFinder):
    """In the reasoning item that it came in. Where that is not there, the whole item
    has to go back: its id and its value belong together."""

    signs = "part"

    def of(self, delivery: Delivery) -> Home | None:
        part = delivery.part
        holder = delivery.holder
        if part is None or not isinstance(holder, dict):
            return None
        if holder.get("type") not in SEALED_ITEMS:
            return None
        return Home(at=part.pointer, path="encrypted_content", value=delivery.value)


class Responses(Dialect):
    """`/responses` and `/responses/compact`."""

    name = "responses"
    title = "OpenAI Responses"
    family = "responses"
    services = (
        OPENAI,
        AZURE,
        CODEX,
        COPILOT,
        XAI,
        DEEPSEEK,
        BEDROCK,
        OPENROUTER,
        LITELLM,
    )
    default_path = "/v1/responses"
    default_model = "gpt-5"
    home = InItem()
    carriers = CARRIERS
    operation = _PATH

    def match(self, probe: Probe, beaten: Match = Match.NO) -> Match:
        path = unquote(probe.path)
        if _PATH.search(path):
            return Match.PATH
        if _ANSWER_PATH.search(path) and any(map(_is_answer, probe.answers)):
            return Match.PATH
        if beaten >= Match.ANSWERED or _OTHER_API.search(path):
            return Match.NO
        is_gateway = path not in ("", "/")  # has a path of its own
        asks = _asks(probe.request)
        if (asks or not is_gateway) and any(map(_is_answer, probe.answers)):
            return Match.ANSWERED
        return Match.ASKED if asks and not is_gateway else Match.NO

    def service(self, probe: Probe) -> str | None:
        """Behind another host Copilot is known by what it counts, and by its word for a
        model that does not speak this API (CPC-4); xAI by its model's name, where no
        host was recorded."""
        found = super().service(probe)
        if found is not None:
            return found
        if any(COPILOT_COUNTS in answer for answer in probe.answers):
            return COPILOT.name
        asked = probe.request if isinstance(probe.request, dict) else {}
        if not probe.host and text_of(asked.get("model")).startswith("grok-"):
            return XAI.name
        errors = (answer.get("error") for answer in probe.answers)
        codes = (error.get("code") for error in errors if isinstance(error, dict))
        return COPILOT.name if WRONG_API in codes else None

    def has_shape(self, probe: Probe) -> bool:
        return _asks(probe.request) or any(map(_is_answer, probe.answers))

    def assembler(self) -> Assembler:
        return ResponsesAssembler()

    def history(self, body: Json) -> tuple[str, list[Json]]:
        found = body.get("input") if isinstance(body, dict) else None
        if isinstance(found, str):
            return "/input", [found]
        return "/input", found if isinstance(found, list) else []

    def messages(self, body: Json, histories: Histories | None) -> tuple[Message, ...]:
        found = body.get("input") if isinstance(body, dict) else None
        if isinstance(found, str):
            return (self.message(found, "/input"),)
        return super().messages(body, histories)

    def message(self, item: Json, at: str) -> Message:
        if isinstance(item, str):
            part = Part(kind=PartKind.TEXT, pointer=at, text=item)
            return Message(role=Role.USER, pointer=at, parts=(part,))
        if not isinstance(item, dict):
            part = Part(kind=PartKind.OPAQUE, pointer=at, text=json_of(item))
            return Message(role=Role.OTHER, pointer=at, parts=(part,))
        name = text_of(item.get("id")) or None
        return Message(
            role=_role(item),
            pointer=at,
            parts=tuple([replace(part, item_id=name) for part in _parts(item, at)]),
            bears_reasoning=item.get("type") in SEALED_ITEMS,
        )

    def conversation(
        self, body: Json, url: str, histories: Histories | None = None
    ) -> Conversation:
        messages = self.messages(body, histories)
        named = None if messages else _ANSWER_PATH.search(urlsplit(url).path)
        body = body if isinstance(body, dict) else {}
        return Conversation(
            messages=messages,
            retrieves=named["name"] if named else "",
            model=text_of(body.get("model")),
            tools=tuple(names_of(body.get("tools"))),
            streams=body.get("stream") is True,
            continues=text_of(body.get("previous_response_id")),
            kept_in=_conversation_id(body.get("conversation")),
        )

    def reply(self, body: Json) -> Reply:
        body = body if isinstance(body, dict) else {}
        output = body.get("output")
        parts: list[Part] = []
        for index, item in enumerate(output if isinstance(output, list) else ()):
            message = self.message(item, f"/output/{index}")
            if message.role is Role.ASSISTANT:
                parts += message.parts
        status = text_of(body.get("status"))
        stored = body.get("store")
        details = body.get("incomplete_details")
        reason = text_of(details.get("reason")) if isinstance(details, dict) else ""
        return Reply(
            message=Message(
                role=Role.ASSISTANT,
                pointer="/output",
                parts=tuple(parts),
            )
            if parts
            else None,
            finish=reason or status or None,
            model=text_of(body.get("model")),
            response_id=text_of(body.get("id")),
            usage=_usage(body.get("usage")),
            has_error=bool(body.get("error")) or status == "failed",
            is_stored=stored if isinstance(stored, bool) else None,
        )


# --- Items ----------------------------------------------------------------------------


def _role(item: dict[str, Json]) -> Role:
    kind = text_of(item.get("type"))
    if kind in ("", "message"):
        return ROLES.get(text_of(item.get("role")), Role.OTHER)
    if kind.endswith(("_output", "_response")):
        return Role.TOOL
    return Role.ASSISTANT


def _parts(item: dict[str, Json], at: str) -> Iterator[Part]:
    kind = text_of(item.get("type"))
    if kind in ("", "message"):
        yield from _content(item.get("content"), f"{at}/content")
    elif kind in _CALLS:
        arguments = item.get(_CALLS[kind])
        yield Part(
            kind=PartKind.CALL,
            pointer=at,
            call_id=text_of(item.get("call_id")) or None,
            name=text_of(item.get("name")) or None,
            arguments=arguments if isinstance(arguments, str) else json_of(arguments),
        )
    elif kind in _RESULTS:
        yield Part(
            kind=PartKind.RESULT,
            pointer=at,
            call_id=text_of(item.get("call_id")) or None,
            text=_result_text(item.get("output"), at),
        )
    elif kind in SEALED_ITEMS:
        text = reasoning_text(item)
        part = Part(kind=PartKind.THOUGHT, pointer=at, text=text)
        yield part if text else Part(kind=PartKind.OPAQUE, pointer=at, text=_SEALED)
    elif kind == "image_generation_call" and isinstance(item.get("result"), str):
        size = len(item["result"]) * 3 // 4
        yield Part(kind=PartKind.MEDIA, pointer=at, text="image", size=size)
    else:
        yield Part(kind=PartKind.OPAQUE, pointer=at, text=json_of(item))


def reasoning_text(item: dict[str, Json]) -> str:
    """What can be read of a reasoning item: its summary, else the reasoning itself."""
    for key in ("summary", "content"):
        pieces = item.get(key)
        texts = [
            text_of(piece.get("text"))
            for piece in (pieces if isinstance(pieces, list) else ())
            if isinstance(piece, dict)
        ]
        if any(texts):
            return "\n\n".join(texts)
    return ""


def _content(content: Json, at: str) -> Iterator[Part]:
    """A refusal is what the model says in place of an answer."""
    for part in content_parts(content, at):
        block = _at(content, part.pointer[len(at) + 1 :])
        if isinstance(block, dict) and block.get("type") == "refusal":
            text = text_of(block.get("refusal"))
            yield Part(kind=PartKind.TEXT, pointer=part.pointer, text=text)
        elif isinstance(block, dict) and block.get("type") == "input_file":
            named = text_of(block.get("filename")) or text_of(block.get("file_id"))
            yield Part(
                kind=PartKind.MEDIA,
                pointer=part.pointer,
                text=named or "file",
                size=len(text_of(block.get("file_data"))) * 3 // 4,
            )
        else:
            yield part


def _at(content: Json, place: str) -> Json:
    is_inside = isinstance(content, list) and place.isdigit()
    return content[int(place)] if is_inside else None


def _result_text(output: Json, at: str) -> str:
    if isinstance(output, list):
        return "".join(
            told(part) if part.kind is PartKind.MEDIA else part.text
            for part in content_parts(output, at)
        )
    return output if isinstance(output, str) else json_of(output)


# --- Marks ----------------------------------------------------------------------------


def _asks(request: Json) -> bool:
    """Whether a request could only be one of this API: `input` alone is also how
    embeddings and other APIs are asked."""
    if not isinstance(request, dict) or "messages" in request or "contents" in request:
        return False
    given = request.get("input")
    if isinstance(request.get("previous_response_id"), str):
        return True
    include = request.get("include")
    if isinstance(include, list) and "reasoning.encrypted_content" in include:
        return True
    items = given if isinstance(given, list) else ()
    return any(
        isinstance(item, dict) and ("role" in item or item.get("type") in _ITEMS)
        for item in items
    )


_ITEMS = (*SEALED_ITEMS, *_CALLS, *_RESULTS, "item_reference")


def _is_answer(answer: dict[str, Json]) -> bool:
    if answer.get("object") in ("response", "response.compaction"):
        return isinstance(answer.get("output"), list)
    kind = text_of(answer.get("type"))
    return kind.startswith("response.") and (
        isinstance(answer.get("response"), dict) or "output_index" in answer
    )


# --- Values ---------------------------------------------------------------------------


def _conversation_id(value: Json) -> str:
    """`"conv_1"`, or `{"id": "conv_1"}`: the service puts what it keeps there before
    the items of the request, and adds both sides of the step to it (OpenAI's API
    reference, "Create a model response", `conversation`)."""
    return text_of(value.get("id") if isinstance(value, dict) else value)


def _usage(usage: Json) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    details = usage.get("output_tokens_details")
    reasoning = details.get("reasoning_tokens") if isinstance(details, dict) else None
    read = usage.get("input_tokens_details")
    cached = read.get("cached_tokens") if isinstance(read, dict) else None
    return Usage(
        prompt=count_of(usage.get("input_tokens")),
        completion=count_of(usage.get("output_tokens")),
        reasoning=count_of(reasoning),
        total=count_of(usage.get("total_tokens")),
        cached=count_of(cached),
    )
