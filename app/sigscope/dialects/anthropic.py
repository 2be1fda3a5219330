"""Anthropic Messages: Anthropic itself, Vertex, Bedrock's InvokeModel, and the gateways
that pass it on.

Source: https://docs.claude.com/en/api/messages and
https://docs.claude.com/en/docs/build-with-claude/extended-thinking (read 2026-11).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

from sigscope.conversation import (
    Conversation,
    Json,
    Message,
    Part,
    PartKind,
    Reply,
    Role,
    Sighting,
    SignatureKind,
    Usage,
)
from sigscope.dialects.anthropic_blocks import SECRETS
from sigscope.dialects.anthropic_stream import AnthropicAssembler
from sigscope.dialects.assembly import Assembler
from sigscope.dialects.base import Dialect, Match, Probe, part_at
from sigscope.dialects.carriers import STATE, Carrier, strays
from sigscope.dialects.deepseek import DEEPSEEK
from sigscope.dialects.histories import Histories
from sigscope.dialects.homes import Delivery, Home, HomeFinder
from sigscope.dialects.leaves import count_of, json_of, names_of, text_of
from sigscope.dialects.litellm import LITELLM
from sigscope.dialects.media import media_block, told
from sigscope.dialects.openrouter import OPENROUTER
from sigscope.dialects.operations import is_of_another
from sigscope.dialects.services import BEDROCK, COPILOT, VERTEX, Service, Variable
from sigscope.records import dataclass

ANTHROPIC = Service(
    name="anthropic",
    title="Anthropic",
    hosts=("api.anthropic.com", "*.api.anthropic.com"),
    # docs.claude.com/en/api/beta-headers
    deciding_headers=("anthropic-beta", "anthropic-version"),
    key_header="x-api-key",
    key_variable=Variable("ANTHROPIC_API_KEY", "your Anthropic key"),
)
_MESSAGES = re.compile(r"/v1/messages(?:/count_tokens)?/?$")
_VERTEX = re.compile(
    r"/publishers/(?P<vendor>[^/]+)/models/(?P<model>[^/:]+?)"
    r"(?::|%3[Aa])(?P<streams>streamR|r)awPredict/?$"
)
_BEDROCK = re.compile(
    r"/model/(?P<model>[^/]+)/invoke(?P<streams>-with-response-stream)?/?$"
)
_SOME_MESSAGES = re.compile(r"/messages(?:/count_tokens)?/?$")
_THREADS = re.compile(r"/threads/[^/]+/messages/?$")
"""OpenAI's Assistants have messages, too."""
_OTHER_METHOD = re.compile(
    r"/messages/batches\b|/v1/(?:models|files|skills|organizations)(?:/|$)"
)
"""Whose errors look the same."""

VERSION = "anthropic_version"
"""Member of the body that Vertex and Bedrock demand."""

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
_EVENTS = ("message_start", "content_block_start", "content_block_delta")
_OWN_BLOCKS = ("tool_use", "tool_result", "redacted_thinking")
"""Types of blocks that chat completions do not have."""
THINKING, REDACTED = "thinking", "redacted_thinking"
THINKING_SIGNATURE = "anthropic.thinking.signature"
REDACTED_DATA = "anthropic.redacted_thinking.data"


def _state(name: str, below: str, *holders: str) -> Carrier:
    """What is sealed in blocks that are no reasoning, and "must be round-tripped
    verbatim" (anthropics/anthropic-sdk-python:src/anthropic/types/beta).

    `below`: path from a block; `holders`: the `type` of the object that holds it.
    """
    return Carrier(
        name=f"{STATE}anthropic.{name}",
        kind=SignatureKind.SEALED,
        request=(f"/messages/*/content/*/{below}",),
        response=(f"/content/*/{below}",),
        event=(f"/content_block/{below}", f"/delta/{below}"),
        only_in=holders,
    )


CARRIERS = (
    Carrier(
        name=THINKING_SIGNATURE,
        kind=SignatureKind.SIGNATURE,
        request=("/messages/*/content/*/signature",),
        response=("/content/*/signature",),
        event=("/delta/signature", "/content_block/signature"),
        comes_in_pieces=True,
        only_roles=("assistant",),
    ),
    Carrier(
        name=REDACTED_DATA,
        kind=SignatureKind.SEALED,
        request=("/messages/*/content/*/data",),
        response=("/content/*/data",),
        event=("/content_block/data",),
        comes_in_pieces=True,
        only_roles=("assistant",),
    ),
    _state("compaction", "encrypted_content", "compaction", "compaction_delta"),
    _state("advisor", "content/encrypted_content", "advisor_redacted_result"),
    _state(
        "code_execution", "content/encrypted_stdout", "encrypted_code_execution_result"
    ),
    _state("web_search", "content/*/encrypted_content", "web_search_result"),
    *strays(
        "anthropic.misplaced.message",
        "/messages/*",
        "signature",
        "thinking_signature",
        "reasoning_opaque",
        "reasoning_details/*/signature",
        "thinking_blocks/*/signature",
        "thought_signatures/*",
    ),
    *strays(
        "anthropic.misplaced.block",
        "/messages/*/content/*",
        "thought_signature",
        "thoughtSignature",
        "thinking_signature",
        "extra_content/google/thought_signature",
    ),
)


@dataclass(frozen=True, slots=True)
class OnBlock(HomeFinder):
    """On the thinking block that it covers. A block that is not sent has no home: it
    has to come back whole, with its text."""

    signs = "part"

    def of(self, delivery: Delivery) -> Home | None:
        part, block = delivery.part, delivery.holder
        if part is None or not isinstance(block, dict):
            return None
        key = SECRETS.get(text_of(block.get("type")))
        if key is None:
            return None
        return Home(at=part.pointer, path=key, value=delivery.value)


class Anthropic(Dialect):
    """`/v1/messages`, and the same bodies on Vertex and Bedrock."""

    name = "anthropic"
    title = "Anthropic Messages"
    family = "messages"
    services = (
        ANTHROPIC,
        # Signatures are good on all of its platforms (docs.claude.com/en/docs
        # /build-with-claude/extended-thinking, "Compatibility across platforms").
        replace(VERTEX, keeps_to_itself=False),
        BEDROCK,
        COPILOT,
        OPENROUTER,
        LITELLM,
        DEEPSEEK,
    )
    default_path = "/v1/messages"
    default_model = "claude-sonnet-4-5"
    default_key_header = "x-api-key"
    joined_roles = None
    home = OnBlock()
    carriers = CARRIERS
    operation = re.compile(
        r"/messages(?:/count_tokens)?/?$|/model/[^/]+/invoke(?:-with-response-stream)?/?$"
        r"|/models/[^/]*(?::|%3[Aa])(?:streamR|r)awPredict/?$"
    )

    def has_shape(self, probe: Probe) -> bool:
        return _asks(probe) or _answers(probe)

    def match(self, probe: Probe, beaten: Match = Match.NO) -> Match:
        path = probe.path.rstrip("/")
        if _OTHER_METHOD.search(path) or _THREADS.search(path):
            return Match.NO
        if path and is_of_another(path, self):
            return Match.NO
        is_own = not path or _SOME_MESSAGES.search(path) is not None
        if is_own and probe.request_header("anthropic-version"):
            return Match.HEADER
        if _MESSAGES.search(path) or _serves_claude(path, probe):
            return Match.PATH
        if beaten >= Match.ANSWERED:
            return Match.NO
        if _answers(probe):
            return Match.ANSWERED
        return Match.ASKED if _asks(probe) else Match.NO

    def assembler(self) -> Assembler:
        return AnthropicAssembler()

    def history(self, body: Json) -> tuple[str, list[Json]]:
        found = body.get("messages") if isinstance(body, dict) else None
        return "/messages", found if isinstance(found, list) else []

    def message(self, item: Json, at: str) -> Message:
        return _message(item, at)

    def conversation(
        self, body: Json, url: str, histories: Histories | None = None
    ) -> Conversation:
        messages = self.messages(body, histories)
        body = body if isinstance(body, dict) else {}
        path = url.partition("?")[0]
        named = _VERTEX.search(path) or _BEDROCK.search(path)
        return Conversation(
            messages=messages,
            model=text_of(body.get("model"))
            or (unquote(named["model"]) if named else ""),
            tools=tuple(names_of(body.get("tools"))),
            streams=body.get("stream") is True
            or bool(named and named["streams"] not in (None, "r")),
        )

    def reply(self, body: Json) -> Reply:
        body = body if isinstance(body, dict) else {}
        content, finish = body.get("content"), body.get("stop_reason")
        has_message = isinstance(content, list) and body.get("type") != "error"
        return Reply(
            message=_message({"role": "assistant", **body}, "")
            if has_message
            else None,
            finish=finish if isinstance(finish, str) else None,
            model=text_of(body.get("model")),
            response_id=text_of(body.get("id")),
            usage=_usage(body.get("usage")),
            has_error=bool(body.get("error")) or body.get("type") == "error",
        )

    def reads(self, sighting: Sighting, message: Message | None) -> bool:
        """Only thinking blocks bear signatures, but for what is no reasoning."""
        if sighting.carrier.startswith(STATE):
            return sighting.is_read
        part = part_at(message, sighting.pointer) if message else None
        bears = part is not None and part.kind in (PartKind.THOUGHT, PartKind.OPAQUE)
        return sighting.is_read and bears


# --- Recognising ----------------------------------------------------------------------


def _serves_claude(path: str, probe: Probe) -> bool:
    """Vertex and Bedrock have models of others under paths of the same form."""
    vertex, bedrock = _VERTEX.search(path), _BEDROCK.search(path)
    if vertex and vertex["vendor"] == "anthropic":
        return True
    if bedrock and ("anthropic." in bedrock["model"] or "claude" in bedrock["model"]):
        return True
    return bool(vertex or bedrock) and _has_version(probe)


def _has_version(probe: Probe) -> bool:
    return isinstance(probe.request, dict) and VERSION in probe.request


def _asks(probe: Probe) -> bool:
    """What no chat completion has: `anthropic_version`, a `system` beside the messages,
    tools with an `input_schema`, blocks of calls and results. Bedrock's Converse has a
    `system` too, but its blocks name no type."""
    request = probe.request
    messages = request.get("messages") if isinstance(request, dict) else None
    if not isinstance(request, dict) or not isinstance(messages, list):
        return False
    if VERSION in request or any(map(_has_own_block, messages)):
        return True
    tools = request.get("tools")
    if isinstance(tools, list) and any(
        isinstance(tool, dict) and "input_schema" in tool for tool in tools
    ):
        return True
    is_told = isinstance(request.get("system"), str | list)
    return is_told and "max_tokens" in request and not any(map(_is_untyped, messages))


def _blocks(message: Json) -> list[Json]:
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, list) else []


def _has_own_block(message: Json) -> bool:
    return any(
        isinstance(block, dict) and block.get("type") in _OWN_BLOCKS
        for block in _blocks(message)
    )


def _is_untyped(message: Json) -> bool:
    blocks = _blocks(message)
    return any(isinstance(block, dict) and "type" not in block for block in blocks)


def _answers(probe: Probe) -> bool:
    return any(map(_is_answer, probe.answers))


def _is_answer(answer: dict[str, Json]) -> bool:
    kind = answer.get("type")
    if kind == "message":
        return isinstance(answer.get("content"), list) and "role" in answer
    if kind == "error":
        error = answer.get("error")
        is_told = isinstance(error, dict) and isinstance(error.get("type"), str)
        return is_told and "sequence_number" not in answer
    return kind in _EVENTS


# --- Reading --------------------------------------------------------------------------


def _message(item: Json, at: str) -> Message:
    if not isinstance(item, dict):
        part = Part(kind=PartKind.OPAQUE, pointer=at, text=json_of(item))
        return Message(role=Role.OTHER, pointer=at, parts=(part,))
    parts = tuple(_parts(item.get("content"), f"{at}/content"))
    role = ROLES.get(text_of(item.get("role")), Role.OTHER)
    if role is Role.USER and parts and all(p.kind is PartKind.RESULT for p in parts):
        role = Role.TOOL
    return Message(role=role, pointer=at, parts=parts)


def _parts(content: Json, at: str) -> Iterator[Part]:
    """Parts of a `content` that is a string or a list of blocks."""
    if isinstance(content, str):
        if content:
            yield Part(kind=PartKind.TEXT, pointer=at, text=content)
    elif isinstance(content, list):
        for index, block in enumerate(content):
            yield _part(block, f"{at}/{index}")
    elif content is not None:
        yield Part(kind=PartKind.OPAQUE, pointer=at, text=json_of(content))


def _part(block: Json, at: str) -> Part:
    if isinstance(block, str):
        return Part(kind=PartKind.TEXT, pointer=at, text=block)
    if not isinstance(block, dict):
        return Part(kind=PartKind.OPAQUE, pointer=at, text=json_of(block))
    kind = block.get("type")
    if kind == "text":
        return Part(kind=PartKind.TEXT, pointer=at, text=text_of(block.get("text")))
    if kind == THINKING:
        return Part(kind=PartKind.THOUGHT, pointer=at, text=text_of(block.get(kind)))
    if kind == "tool_use":
        return Part(
            kind=PartKind.CALL,
            pointer=at,
            call_id=text_of(block.get("id")) or None,
            name=text_of(block.get("name")) or None,
            arguments=_arguments(block.get("input")),
        )
    if kind == "tool_result":
        return Part(
            kind=PartKind.RESULT,
            pointer=at,
            call_id=text_of(block.get("tool_use_id")) or None,
            text=_said(block.get("content"), at),
        )
    if kind in ("image", "document"):
        return media_block(block, at)
    return Part(kind=PartKind.OPAQUE, pointer=at, text=_told(block))


def _told(block: dict[str, Json]) -> str:
    """A block of another kind in one line: sealed reasoning, or a call of a tool that
    runs at the service, which no client has to answer."""
    kind = text_of(block.get("type"))
    if kind == REDACTED:
        return "redacted thinking"
    if kind.endswith("tool_use"):
        return f"{text_of(block.get('name'))} {_arguments(block.get('input'))}"
    return json_of(block)


def _said(content: Json, at: str) -> str:
    """What a tool answers, as text."""
    return "".join(
        told(part) if part.kind is PartKind.MEDIA else part.text
        for part in _parts(content, at)
    )


def _arguments(value: Json) -> str:
    return value if isinstance(value, str) else json_of(value)


def _usage(usage: Json) -> Usage:
    """`input_tokens` excludes what was read from or written to the cache."""
    if not isinstance(usage, dict):
        return Usage()
    counts = [
        count_of(usage.get(key))
        for key in (
            "input_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
        )
    ]
    known = [count for count in counts if count is not None]
    details = usage.get("output_tokens_details")
    details = details if isinstance(details, dict) else {}
    return Usage(
        prompt=sum(known) if known else None,
        completion=count_of(usage.get("output_tokens")),
        reasoning=count_of(details.get("thinking_tokens")),
        cached=counts[1],
        written=counts[2],
    )
