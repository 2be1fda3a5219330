"""What a LiteLLM proxy makes of chat messages for Gemini
(docs/wire/litellm.md#placements).

1.106.2 is measured: `tests/peers/test_peer_litellm_cells.py` runs the real proxy and
compares cell by cell. Other behaviour, older above all, is chosen by version where
docs/wire tells of it. Placements that are not known are ignored, which is what the
proxy does with fields it does not know.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import field
from typing import Any, cast

from sigscope.records import dataclass
from sigscope.upstreams.simulator.checks.chat import (
    assistant_content,
    message_parts,
    result_part,
)
from sigscope.upstreams.simulator.checks.strays import SUFFIX
from sigscope.upstreams.simulator.contents import Content, ContentPart
from sigscope.upstreams.simulator.mint.shapes import BYPASS_B64
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import (
    Json,
    Refusal,
    as_dict,
    as_list,
    as_text,
)
from sigscope.upstreams.simulator.texts import litellm as texts

FIRST_DUMMY = (1, 80, 5)
"""The dummy came with PR #16895."""
NEWER = (1, 106)
"""First executed version with one dummy a step, aliases included, and blocks
ignored; 1.90 and before differ."""
BARE_RESULT_IDS = (1, 109)
"""From here a suffix on the call alone no longer raises."""


@dataclass(slots=True, kw_only=True)
class Translation:
    """Messages as the proxy would send them, or why it cannot."""

    contents: list[Content] = field(default_factory=list)
    failure: Refusal | None = None
    """An exception inside the proxy (LLM-3); the first one."""
    dummies: int = 0
    """How many calls the proxy stamped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """One version of the proxy, with one target model behind it."""

    version: tuple[int, ...]
    target: Model
    is_alias: bool
    """Whether the request names the model by a word that says nothing of Gemini."""

    def translate(self, messages: Json) -> Translation:
        """Translate a whole history."""
        made = Translation()
        names: dict[str, str] = {}
        spoken = ("system", "developer") if self._keeps_system else ()
        last: Json = None
        for index, entry in enumerate(as_list(messages)):
            message = as_dict(entry)
            pointer = f"/messages/{index}"
            role = message.get("role")
            if role == "assistant":
                content = self._assistant(message, pointer, made)
                if message.get("tool_calls"):
                    last = message
                    names |= self._names(message)
                _append(made.contents, content)
            elif role in ("tool", "function"):
                part = self._result(message, pointer, names)
                if part is None:
                    made.failure = made.failure or texts.MISSING_CALL.refuse(
                        pointer=f"{pointer}/tool_call_id",
                        message=printed(message),
                        last=printed(last or {}) or None,
                    )
                    continue
                _append(
                    made.contents, Content(role="user", pointer=pointer, parts=[part])
                )
            elif role not in spoken:
                parts = message_parts(message, pointer)
                _append(
                    made.contents, Content(role="user", pointer=pointer, parts=parts)
                )
        for part in (part for content in made.contents for part in content.parts):
            if not self._sends_ids:
                part.call_id = ""
        return made

    @property
    def _sends_ids(self) -> bool:
        """Gemini 3 and newer get the ids of calls and results, as does a model that
        the proxy does not know; older ones get none [executed]."""
        return self.version >= NEWER and self.target.demands

    @property
    def _keeps_system(self) -> bool:
        """For a model that it does not know, the proxy puts the system message into
        the first user message [executed]."""
        return not self.is_alias or self.version < NEWER

    @property
    def _reads_ids(self) -> bool:
        """Ids lose their suffix unread on the way to models that are not known as
        Gemini's [executed]."""
        return not self.is_alias or self.version < NEWER

    def _assistant(
        self, message: dict[str, Any], pointer: str, made: Translation
    ) -> Content:
        content = assistant_content(message, pointer)
        calls = content.calls
        for part, entry in zip(calls, as_list(message.get("tool_calls")), strict=True):
            call = as_dict(entry)
            text = as_dict(call.get("function")).get("arguments")
            made.failure = made.failure or _unreadable(text, part.pointer, message)
            if isinstance(text, str) and not text.strip():
                part.arguments = {"type": "object"}
            _sign_call(part, call, self._reads_ids)
        if not self._sends_ids:
            content.parts = _without_twins(content.parts)
        self._sign_text(message, pointer, content)
        content.parts[:0] = self._reasoning(message, pointer)
        made.dummies += self._stamp(content.calls)
        return content

    def _sign_text(
        self, message: dict[str, Any], pointer: str, content: Content
    ) -> None:
        """The message-level list signs a plain string, with its first element."""
        fields = as_dict(message.get("provider_specific_fields"))
        listed = as_list(fields.get("thought_signatures"))
        text = message.get("content")
        if not listed or not listed[0] or not isinstance(text, str):
            return
        twice = any(part.signature == listed[0] for part in content.calls)
        if twice and self.version >= NEWER:
            return
        if not text:
            part = ContentPart(kind="text", pointer=f"{pointer}/content")
            content.parts.insert(0, part)
        place = f"{pointer}/provider_specific_fields/thought_signatures/0"
        _sign(content.parts[0], listed[0], place)

    def _reasoning(self, message: dict[str, Any], pointer: str) -> list[ContentPart]:
        parts = []
        if text := as_text(message.get("reasoning_content")):
            place = f"{pointer}/reasoning_content"
            parts.append(ContentPart(kind="thought", pointer=place, text=text))
        if self.version < NEWER:
            for number, block in enumerate(as_list(message.get("thinking_blocks"))):
                place = f"{pointer}/thinking_blocks/{number}"
                parts.append(
                    ContentPart(
                        kind="text",
                        pointer=place,
                        text=as_text(as_dict(block).get("thinking")),
                        signature=as_text(as_dict(block).get("signature")),
                        signature_pointer=f"{place}/signature",
                    )
                )
        return parts

    def _stamp(self, calls: list[ContentPart]) -> int:
        """Put the dummy on calls that have no signature; how many got it."""
        if self.version < FIRST_DUMMY or not self._stamps_model():
            return 0
        stampable = calls[:1] if self.version >= NEWER else calls
        unsigned = [p for p in stampable if not p.signature and p.mistyped is None]
        for part in unsigned:
            part.signature, part.stamped = BYPASS_B64, True
        return len(unsigned)

    def _stamps_model(self) -> bool:
        if self.is_alias:
            return self.version >= NEWER
        return self.target.demands

    def _names(self, message: dict[str, Any]) -> dict[str, str]:
        names = {}
        for entry in map(as_dict, as_list(message.get("tool_calls"))):
            name = as_text(as_dict(entry.get("function")).get("name"))
            call_id = as_text(entry.get("id"))
            names[call_id] = name
            if self.version >= BARE_RESULT_IDS or not self._reads_ids:
                names[call_id.split(SUFFIX)[0]] = name
        return names

    def _result(
        self, message: dict[str, Any], pointer: str, names: dict[str, str]
    ) -> ContentPart | None:
        call_id = as_text(message.get("tool_call_id"))
        if not self._reads_ids:
            call_id = call_id.split(SUFFIX)[0]
        if call_id not in names:
            return None
        part = result_part({**message, "tool_call_id": call_id}, pointer, names)
        part.call_id = part.call_id.split(SUFFIX)[0]
        return part


def _sign_call(part: ContentPart, call: dict[str, Any], reads_id: bool) -> None:
    """A call's own field, the function's, or the suffix of its id, in that order."""
    function = as_dict(call.get("function"))
    name, suffix, embedded = part.call_id.partition(SUFFIX)
    place = "provider_specific_fields/thought_signature"
    candidates = (
        (_own(call), f"{part.pointer}/{place}"),
        (_own(function), f"{part.pointer}/function/{place}"),
        (embedded if suffix and reads_id else "", f"{part.pointer}/id"),
    )
    part.call_id = name
    for value, pointer in candidates:
        if value:
            _sign(part, value, pointer)
            break


def _own(holder: dict[str, Any]) -> Json:
    return as_dict(holder.get("provider_specific_fields")).get("thought_signature")


def _sign(part: ContentPart, value: Json, pointer: str) -> None:
    """The proxy hands on whatever is true, of any type [executed]."""
    if isinstance(value, str):
        part.signature = value
    else:
        part.mistyped = value
    part.signature_pointer = pointer


def _unreadable(text: Json, pointer: str, message: dict[str, Any]) -> Refusal | None:
    """Arguments that are no JSON break the translation [executed]."""
    try:
        if isinstance(text, str) and text.strip():
            json.loads(text)
    except (ValueError, RecursionError) as error:
        return texts.BAD_ARGUMENTS.refuse(
            pointer=f"{pointer}/function/arguments",
            message=printed(message),
            problem=error,
        )
    return None


def printed(message: dict[str, Any]) -> dict[str, Any]:
    """A message as the proxy's exceptions print it: without what is null."""
    return {key: value for key, value in message.items() if value is not None}


def _without_twins(parts: list[ContentPart]) -> list[ContentPart]:
    """Where no ids go upstream, a call that equals an earlier one of the same message
    is dropped, with its signature if it has one [executed]."""
    kept: dict[Hashable, ContentPart] = {}
    for number, part in enumerate(parts):
        kept.setdefault(_sameness(part) if part.kind == "call" else number, part)
    return list(kept.values())


def _sameness(call: ContentPart) -> Hashable:
    """What equal calls have in common, and no others."""
    try:
        return call.name, _hashable(call.arguments)
    except RecursionError:
        return call.name, json.dumps(call.arguments, sort_keys=True)


def _hashable(value: Json) -> Hashable:
    """Equal where the values are."""
    if isinstance(value, dict):
        return frozenset([(key, _hashable(inner)) for key, inner in value.items()])
    if isinstance(value, list):
        return tuple([_hashable(inner) for inner in value])
    return cast(Hashable, value)


def _append(contents: list[Content], content: Content) -> None:
    """Neighbours of one kind become one content: assistants, users, results."""
    before = contents[-1] if contents else None
    # Results stand with results alone: the last one tells of all.
    if (
        before
        and before.role == content.role
        and (before.parts[-1].kind == "result") == content.has("result")
    ):
        before.parts += content.parts
    elif content.parts:
        contents.append(content)
