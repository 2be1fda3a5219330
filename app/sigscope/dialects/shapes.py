"""Opaque values by name and shape, in bodies of whatever API.

    for found in opaque_in_answer(events): found.name, found.value, found.pointer

What such a field means, whether it must be sent back and where it is read, only a
dialect knows. `SHAPES` is the table of names. Sources: the public references of
OpenAI's Responses API, Anthropic's Messages API, Amazon Bedrock Converse, Google's
Gemini and Interactions APIs, OpenRouter's reasoning tokens guide, and vercel/ai.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from sigscope import opaque
from sigscope.conversation import Json
from sigscope.dialects.histories import Histories
from sigscope.dialects.registry import SERVICE_NAMES
from sigscope.pointer import escape
from sigscope.records import dataclass

SHORTEST = 16
"""Characters from which a string may be an opaque value; shorter ones are words."""
DEEPEST = 48
"""Members below one another that are looked into."""
_UNBROKEN = re.compile(r"[^\s\"'<>(){}]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpaqueName:
    """A name that services give an opaque value."""

    key: str
    """Name of the member that holds it, as a string or a list of strings."""
    only_in: tuple[str, ...] = ()
    """What the `type` of the object begins with that holds it; empty for any."""
    after: str = ""
    """The value is what follows this in the string."""
    is_reference: bool = False
    """It names what the service keeps: the `id` of an earlier answer."""
    is_common: bool = False
    """What is no reasoning state has the name, too: a commit has a `signature`."""

    def value(self, holder: Mapping[str, Json], text: Json) -> str:
        """The opaque value in a string that stands under this name; empty if it is
        none."""
        if not isinstance(text, str):
            return ""
        if self.after:
            text = text.partition(self.after)[2]
        kind = holder.get("type")
        if self.only_in and not (
            isinstance(kind, str) and kind.startswith(self.only_in)
        ):
            return ""
        return text if self.is_reference or is_opaque(text) else ""


SHAPES = (
    OpaqueName(key="encrypted_content"),  # Responses: reasoning, compaction
    # Messages, Bedrock, Interactions, reasoning_details
    OpaqueName(key="signature", is_common=True),
    OpaqueName(key="thoughtSignature"),  # Gemini
    OpaqueName(key="thought_signature"),
    OpaqueName(key="thought_signatures"),  # LiteLLM, a list
    OpaqueName(key="reasoning_opaque"),  # GitHub Copilot
    OpaqueName(key="cot_id"),
    OpaqueName(key="data", only_in=("redacted", "reasoning.")),  # Messages, OpenRouter
    OpaqueName(key="redactedContent"),  # Bedrock
    OpaqueName(key="redacted_content"),
    OpaqueName(key="reasoningEncryptedContent"),  # Vercel's AI SDK: provider metadata
    OpaqueName(key="redactedData"),
    OpaqueName(key="encryptedContent"),  # SDKs in camel case; Copilot CLI
    OpaqueName(key="reasoningOpaque"),  # Copilot CLI
    OpaqueName(key="redactedThinking"),  # Continue
    OpaqueName(key="thinkingSignature"),  # pi
    OpaqueName(key="textSignature"),
    OpaqueName(key="encrypted_stdout"),  # Messages: code that runs at the service
    OpaqueName(key="id", after=opaque.THOUGHT_SEPARATOR),  # LiteLLM's ids
    OpaqueName(key="tool_call_id", after=opaque.THOUGHT_SEPARATOR),
    OpaqueName(key="previous_response_id", is_reference=True),  # Responses
    OpaqueName(key="previous_interaction_id", is_reference=True),  # Interactions
)
BY_KEY = {shape.key: shape for shape in SHAPES}
_ARGUMENTS = frozenset(
    {
        "tools",
        "toolConfig",
        "parameters",
        "input_schema",
        "response_format",
        "arguments",
        "partial_json",
        "args",
        "input",
        "metadata",
    }
)
"""Members that hold what users and tools say, where any name may stand; a list under
`input` is the history of the Responses API."""
_IN_METADATA = SERVICE_NAMES | {"thoughtSignature"}
"""Of a part's `metadata`: the names of services, under which OpenCode keeps what the
AI SDK told, and what Goose keeps of a call."""
_NOT_YET = ("response.output_item.added",)
"""Events whose values are not the last word: the finished item brings another."""


@dataclass(frozen=True, slots=True)
class OpaqueString:
    """A string that may be an opaque value, where it stands."""

    name: str
    value: str
    pointer: str
    lane: str = ""
    """What tells pieces of one value from those of another."""
    event: int | None = None
    """Of a stream; None for a whole body."""

    @property
    def is_reference(self) -> bool:
        """Whether it names what the service keeps."""
        return BY_KEY[self.name].is_reference


Numbered = tuple[int | None, Json]
"""The JSON of an event with its number, or of a whole body."""


def opaque_in_answer(events: Iterable[Numbered]) -> Iterator[OpaqueString]:
    """What a response brings. Costs one walk."""
    for number, data in _last_words(events):
        for found in _walk(data, ""):
            if not found.is_reference:
                yield replace(found, event=number)


def opaque_in_request(body: Json, histories: Histories) -> Iterator[OpaqueString]:
    """What a request holds. Entries that requests have in common are walked once."""
    if not isinstance(body, dict):
        yield from _walk(body, "")
        return
    for key, value in body.items():
        at = f"/{escape(key)}"
        if key == "input" and isinstance(value, dict):  # DashScope's own API
            value, at = value.get("messages"), f"{at}/messages"
        if isinstance(value, list) and key not in ("tools", "toolConfig"):
            for place, found in enumerate(histories.facts(value, _in_entry)):
                for each in found:
                    yield replace(each, pointer=f"{at}/{place}{each.pointer}")
        else:
            yield from _member(body, key, value, at)


def answer_ids(events: Iterable[Numbered]) -> Iterator[tuple[int | None, str, str]]:
    """Event, pointer and value of the ids under which a service keeps its answer."""
    for number, body in events:
        if not isinstance(body, dict):
            continue
        for key in ("", "response", "interaction"):
            inside = body.get(key) if key else body
            name = inside.get("id") if isinstance(inside, dict) else None
            if isinstance(name, str) and name:
                yield number, f"/{key}/id" if key else "/id", name


def _last_words(events: Iterable[Numbered]) -> Iterator[Numbered]:
    for number, data in events:
        if number is not None and isinstance(data, dict):
            data = _unwrapped(data)
            if data.get("type") in _NOT_YET:
                continue
        yield number, data


def _unwrapped(data: dict[str, Json]) -> dict[str, Json]:
    """Bedrock's InvokeModelWithResponseStream puts each event's JSON into `bytes`."""
    inside = data.get("bytes")
    if not isinstance(inside, str):
        return data
    try:
        parsed = json.loads(base64.b64decode(inside))
    except (binascii.Error, ValueError, RecursionError):
        return data
    return parsed if isinstance(parsed, dict) else data


def _in_entry(entry: Json) -> tuple[OpaqueString, ...]:
    return tuple(_walk(entry, ""))


def _walk(value: Json, at: str, lane: str = "") -> Iterator[OpaqueString]:
    """Every opaque field below a value, in order, as deep as bodies of services go."""
    if at.count("/") > DEEPEST:
        return
    if isinstance(value, list):
        for place, item in enumerate(value):
            if isinstance(item, dict | list):
                yield from _walk(item, f"{at}/{place}", f"{lane}/{place}")
    elif isinstance(value, dict):
        index = value.get(
            "index", value.get("output_index", value.get("contentBlockIndex"))
        )
        lane = f"{lane}:{index}" if isinstance(index, int) else lane
        for key, member in value.items():
            yield from _member(value, key, member, f"{at}/{escape(key)}", lane)


def _member(
    holder: Mapping[str, Json], key: str, value: Json, at: str, lane: str = ""
) -> Iterator[OpaqueString]:
    shape = BY_KEY.get(key)
    if shape is not None:
        texts: Iterable[tuple[str, Json]] = ((at, value),)
        if isinstance(value, list):
            texts = ((f"{at}/{n}", item) for n, item in enumerate(value))
        for pointer, text in texts:
            found = shape.value(holder, text)
            if found:
                yield OpaqueString(key, found, pointer, f"{lane}/{key}")
    if key == "metadata" and isinstance(value, dict):
        value = {name: value[name] for name in value if name in _IN_METADATA}
        yield from _walk(value, at, f"{lane}/{key}")
    elif isinstance(value, dict | list) and not (
        key in _ARGUMENTS and (isinstance(value, dict) or key != "input")
    ):
        yield from _walk(value, at, f"{lane}/{key}")


def is_opaque(text: str) -> bool:
    """Whether a string may be an opaque value, by its shape: long, and in one piece."""
    return len(text) >= SHORTEST and _UNBROKEN.fullmatch(text) is not None
