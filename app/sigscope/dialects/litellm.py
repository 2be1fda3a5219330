"""LiteLLM proxy, chat completions (docs/wire/litellm.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from sigscope import opaque
from sigscope.conversation import (
    Json,
    Message,
    PartKind,
    Role,
    Sighting,
    SignatureKind,
)
from sigscope.dialects.assembly import Assembler, Effect
from sigscope.dialects.base import Probe
from sigscope.dialects.carriers import Carrier, stray
from sigscope.dialects.chat import ChatDialect
from sigscope.dialects.chat_carriers import chat_carrier, chat_misplaced
from sigscope.dialects.homes import OnCall
from sigscope.dialects.leaves import text_of
from sigscope.dialects.openrouter import OpenRouterAssembler
from sigscope.dialects.services import Service, Variable

LITELLM = Service(
    name="litellm",
    title="LiteLLM proxy",
    answer_headers=("x-litellm-",),
    key_variable=Variable("LITELLM_API_KEY", "a key of your LiteLLM proxy"),
)
_FIELDS = "provider_specific_fields"
MESSAGE_LIST = "litellm.thought_signatures"
_EXCEPTION = re.compile(
    r"(?:^|[\s'\"])litellm\.(?:[a-z_.]+\.)?[A-Z]\w*(?:Error|Exception)\b"
)
IN_CALL_ID = "litellm.tool_call_id.thought"


_on_entry = partial(chat_carrier, roles=())


def _blocks(prefix: str) -> tuple[Carrier, ...]:
    return (
        _on_entry(
            "litellm.thinking_blocks.signature", f"{prefix}thinking_blocks/*/signature"
        ),
        _on_entry(
            "litellm.thinking_blocks.data",
            f"{prefix}thinking_blocks/*/data",
            SignatureKind.SEALED,
        ),
    )


def _of_other_services() -> Iterator[Carrier]:
    """Reasoning state of services behind the proxy that is not Google's.

    What a service puts on a message and LiteLLM does not know, it moves to
    `provider_specific_fields`; it sends back only what stands on the message itself
    (source code: `convert_dict_to_response.py` of 1.109.1; streams pass through). Items
    of OpenAI's Responses API come and go as `reasoning_items`.
    """
    yield _on_entry(
        "litellm.reasoning_items.encrypted_content",
        "reasoning_items/*/encrypted_content",
        SignatureKind.SEALED,
    )
    for field, kind in (
        ("data", SignatureKind.SEALED),
        ("signature", SignatureKind.SIGNATURE),
    ):
        entry = f"reasoning_details/*/{field}"
        yield _on_entry(
            f"litellm.reasoning_details.{field}",
            entry,
            kind,
            call_id_beside="id" if field == "data" else None,
            comes_in_pieces=True,
        )
        yield from _moved_aside(f"litellm.moved.reasoning_details.{field}", kind, entry)
    yield from _moved_aside(
        "litellm.moved.reasoning_opaque", SignatureKind.ENVELOPE, "reasoning_opaque"
    )


def _moved_aside(name: str, kind: SignatureKind, path: str) -> Iterator[Carrier]:
    """A field below `provider_specific_fields`: answers have it, requests in vain."""
    yield Carrier(
        name=name,
        kind=kind,
        response=(f"/choices/*/message/{_FIELDS}/{path}",),
        event=(f"/choices/*/delta/{_FIELDS}/{path}",),
    )
    yield stray(name, f"/messages/*/{_FIELDS}/{path}", kind=kind)


CARRIERS = (
    _on_entry("litellm.thought_signature", f"tool_calls/*/{_FIELDS}/thought_signature"),
    _on_entry(
        "litellm.function.thought_signature",
        f"tool_calls/*/function/{_FIELDS}/thought_signature",
    ),
    Carrier(
        name=IN_CALL_ID,
        kind=SignatureKind.ENVELOPE,
        request=("/messages/*/tool_calls/*/id", "/messages/*/tool_call_id"),
        response=("/choices/*/message/tool_calls/*/id",),
        event=("/choices/*/delta/tool_calls/*/id",),
        in_call_id=True,
    ),
    _on_entry(MESSAGE_LIST, f"{_FIELDS}/thought_signatures/*"),
    *_blocks(""),
    *_blocks(f"{_FIELDS}/"),
    _on_entry(
        "litellm.server_tool.thought_signature",
        f"{_FIELDS}/server_side_tool_invocations/*/thought_signature",
    ),
    _on_entry(
        "litellm.server_tool.response_thought_signature",
        f"{_FIELDS}/server_side_tool_invocations/*/response_thought_signature",
    ),
    *_of_other_services(),
    stray(  # singular at message level: ignored (docs/wire/litellm.md#placements)
        "litellm.misplaced.message.thought_signature",
        f"/messages/*/{_FIELDS}/thought_signature",
    ),
    *chat_misplaced(
        "litellm",
        call=(
            "thought_signature",
            "thoughtSignature",
            "extra_content/google/thought_signature",
        ),
        message=(
            "thought_signature",
            "thoughtSignature",
            "thought_signatures",
            "reasoning_opaque",
        ),
    ),
)


class LiteLLMAssembler(OpenRouterAssembler):
    """Chat chunks with `provider_specific_fields`, and what OpenRouter's hold.

    Lists of signatures are joined: an unstreamed call lists all part signatures of the
    response. (LiteLLM's own chunk builder keeps the last list only; LLM-8's kin.)
    """

    def _take_field(
        self, message: dict[str, Json], key: str, value: Json, at: str, source: str
    ) -> None:
        if key in (_FIELDS, "thinking_blocks", "reasoning_items"):
            self._blend(message, key, value, at, source, Effect.SIGNATURE)
        else:
            super()._take_field(message, key, value, at, source)


class LiteLLM(ChatDialect):
    """A LiteLLM proxy, at whatever host."""

    name = "litellm"
    title = "LiteLLM proxy chat completions"
    services = (LITELLM,)
    is_gateway = True
    carriers = CARRIERS
    thought_fields = ("reasoning_content",)
    thought_key = "reasoning_content"
    home = OnCall(
        path=f"{_FIELDS}/thought_signature",
        list_path=f"{_FIELDS}/thought_signatures",
    )
    """Where the proxy reads it (docs/wire/litellm.md#placements)."""
    joined_roles = frozenset({Role.ASSISTANT, Role.TOOL, Role.USER})
    marks = (_FIELDS, f"tool_calls/*/{_FIELDS}", f"tool_calls/*/function/{_FIELDS}")

    def could_be(self, probe: Probe) -> bool:
        """Its errors are known by themselves, where no path was recorded."""
        return super().could_be(probe) or (
            not probe.path.rstrip("/")
            and (bool(LITELLM.seen_in(probe)) or _is_answered(probe))
        )

    def answers_so(self, probe: Probe) -> bool:
        return _is_answered(probe) or super().answers_so(probe)

    def asks_so(self, probe: Probe) -> bool:
        """Fields, ids and model names that are meant for LiteLLM."""
        request = probe.request if isinstance(probe.request, dict) else {}
        model = request.get("model")
        if isinstance(model, str) and model.startswith("litellm_proxy/"):
            return True
        return super().asks_so(probe)

    def is_marked(self, entry: dict[str, Json]) -> bool:
        calls = entry.get("tool_calls")
        ids = (
            text_of(call.get("id"))
            for call in (calls if isinstance(calls, list) else ())
            if isinstance(call, dict)
        )
        return super().is_marked(entry) or any(
            opaque.THOUGHT_SEPARATOR in call_id for call_id in ids
        )

    def assembler(self) -> Assembler:
        return LiteLLMAssembler()

    def reads(self, sighting: Sighting, message: Message | None) -> bool:
        """The message-level list counts for string text without calls, and only its
        first element does (docs/wire/litellm.md#placements, executed against
        1.106.2)."""
        if sighting.carrier != MESSAGE_LIST or message is None:
            return sighting.is_read
        texts = [p for p in message.parts if p.kind is PartKind.TEXT]
        is_string = len(texts) == 1 and texts[0].pointer.endswith("/content")
        return is_string and not message.calls and sighting.pointer.endswith("/0")


def _is_answered(probe: Probe) -> bool:
    return any(map(_is_litellm_answer, probe.answers))


def _is_litellm_answer(answer: dict[str, Json]) -> bool:
    return _is_litellm_error(answer.get("error")) or (
        "vertex_ai_grounding_metadata" in answer
    )


def _is_litellm_error(error: Json) -> bool:
    """An error in the proxy's own words or form, whole or as an event of a stream.

    Its exceptions are named `litellm.BadRequestError`; what it makes of any other has
    the text "None" where there is no `param`, and the status as text in `code` (source
    code: `ProxyException.to_dict` in BerriAI/litellm, proxy/_types.py).
    """
    if isinstance(error, str):
        return _EXCEPTION.search(error) is not None
    if not isinstance(error, dict):
        return False
    message, code = error.get("message"), error.get("code")
    if isinstance(message, str) and _EXCEPTION.search(message):
        return True
    return error.get("param") == "None" and isinstance(code, str) and code.isdecimal()
