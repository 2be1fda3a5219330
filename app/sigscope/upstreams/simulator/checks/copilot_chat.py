"""GitHub Copilot chat completions: what it refuses (docs/wire/copilot-chat.md#rules).

Copilot seals Google's signature, and Claude's, in an envelope of its own. It opens
what comes back itself and hands the content on, so Google sees a signature or none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sigscope.upstreams.simulator.arrival import BadJsonError
from sigscope.upstreams.simulator.checks.case import Docket, Wrap, under
from sigscope.upstreams.simulator.checks.chat import translate
from sigscope.upstreams.simulator.checks.chat_checks import ChatChecks
from sigscope.upstreams.simulator.checks.google import Google, describe
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.contents import (
    Content,
    ContentPart,
    call_ids,
    current_turn,
)
from sigscope.upstreams.simulator.mint.keyring import Recognition, SealOwner
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import (
    Json,
    Refusal,
    SignatureJudgement,
    Standing,
    as_dict,
    as_list,
    as_text,
)
from sigscope.upstreams.simulator.texts import copilot_chat as texts
from sigscope.upstreams.simulator.texts import google as google_texts

_GPT = re.compile(r"gpt-(\d+(?:\.\d+)?)")
_CALL_KEYS = frozenset({"id", "type", "index", "function", "reasoningOpaque"})
"""The last is opencode's: with each call of a signed reply it sends a copy of the
envelope, beside the one on the message (anomalyco/opencode packages/opencode/src/
provider/sdk/copilot/chat/convert-to-openai-compatible-chat-messages.ts). That Copilot
takes it is inferred: it is sent with every tool loop."""
_FUNCTION_KEYS = frozenset({"name", "arguments"})
_CARRIERS = ("reasoning_opaque", "cot_id", "signature")
"""Where an envelope may stand on a message: Copilot's own name, and the Azure and
Anthropic flavours of it (docs/wire/copilot-chat.md#carriers)."""
_TEXTS = (*_CARRIERS, "reasoning_text")
"""Members of a message that are strings where they are there."""


def wrap(refusal: Refusal) -> Json:
    """{"error": {"message": ..., "code": ...}}: upstream texts come inside it too.

    That Google's texts come with this code is inferred from CPC-5, which does.
    """
    code = refusal.code
    if not code or code.isupper():
        code = texts.INVALID_BODY.code
    return {"error": {"message": refusal.message, "code": code}}


class CopilotChecks(ChatChecks):
    """What Copilot refuses, and what the vendors behind it do."""

    is_gateway = True

    def wrapper(self, docket: Docket) -> Wrap:
        return wrap

    def refuse_json(self, error: BadJsonError) -> Refusal:
        return texts.INVALID_BODY.refuse()

    def origin_of(self, model: Model, surface: str, config: SimConfig) -> SealOwner:
        return SealOwner(service="github", family=model.family, account=config.account)

    def turn_away(self, docket: Docket, body: dict[str, Json]) -> Refusal | None:
        return None

    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        config = docket.config
        refusal = _not_on_chat(docket.model) or _wrong_shape(body, config.strict)
        refusal = refusal or _wrong_argument(body, config.refused_arguments)
        envelopes = _Envelopes(docket)
        contents = translate(body.get("messages"), envelopes.sign)
        if not docket.is_verdict:
            docket.signatures = envelopes.judge(contents)
        if docket.model.vendor == "google":
            docket.contents = contents
        return contents, refusal or envelopes.refuse(contents)


def speaks_responses_only(model: Model) -> bool:
    """Copilot's codex models, and its GPT from 5.4 on, have no chat completions
    (CPC-4; issue reports: caozhiyuan/copilot-api #102, #113)."""
    if model.vendor != "openai":
        return False
    found = _GPT.match(model.name)
    version = tuple(map(int, found[1].split("."))) if found else ()
    return "codex" in model.name or version >= (5, 4)


def speaks_responses(model: Model) -> bool:
    """Copilot's GPT from 5 on do; Gemini, Claude and GPT-4 do not (CPC-4; for the
    last: ericc-ch/copilot-api #219)."""
    return model.vendor == "openai" and not model.name.startswith("gpt-4")


def _not_on_chat(model: Model) -> Refusal | None:
    if not speaks_responses_only(model):
        return None
    return texts.NOT_ON_CHAT.refuse(pointer="/model", name=model.name)


def _wrong_argument(body: dict[str, Json], names: Sequence[str]) -> Refusal | None:
    for name in names:
        if name in body:
            return texts.UNSUPPORTED_ARGUMENT.refuse(pointer=f"/{name}", name=name)
    return None


def _wrong_shape(body: dict[str, Json], strict: bool) -> Refusal | None:
    """CPC-2: the first node whose shape is refused.

    Zed mended `content: []` and the field inside `function` in one go, so which
    of them was refused is not proven; strict refuses both, lenient only the first.
    """
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return texts.INVALID_BODY.refuse(pointer="/messages")
    for index, message in enumerate(messages):
        for pointer in _bad_nodes(message, strict):
            return texts.INVALID_BODY.refuse(pointer=f"/messages/{index}{pointer}")
    return None


def _bad_nodes(message: Json, strict: bool) -> Iterator[str]:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        yield ""
        return
    content = message.get("content")
    if content == [] or not isinstance(content, str | list | None):
        yield "/content"
    for number, item in enumerate(as_list(content)):
        if not isinstance(item, dict) or not isinstance(item.get("type"), str):
            yield f"/content/{number}"
    if content is None and message["role"] in ("user", "system", "tool"):
        yield "/content"
    calls = message.get("tool_calls")
    if not isinstance(calls, list | None):
        yield "/tool_calls"
    for number, call in enumerate(as_list(calls)):
        place = f"/tool_calls/{number}"
        function = as_dict(as_dict(call).get("function"))
        name, arguments = function.get("name"), function.get("arguments")
        if not (isinstance(name, str) and isinstance(arguments, str)):
            yield f"{place}/function"
        if strict:
            unknown = [f"{place}/{key}" for key in call if key not in _CALL_KEYS]
            yield from unknown
            yield from (
                f"{place}/function/{key}"
                for key in function
                if key not in _FUNCTION_KEYS
            )
    for name in _TEXTS:
        value = message.get(name)
        if value is not None and not isinstance(value, str):
            yield f"/{name}"


class _Envelopes:
    """Opens the envelopes of one request, and says what they hold."""

    def __init__(self, docket: Docket) -> None:
        self._docket = docket
        self._sealed: list[tuple[ContentPart, str]] = []
        """Carrying part, and reasoning text beside it, per envelope."""

    def sign(self, message: dict[str, Any], pointer: str, content: Content) -> None:
        """An envelope belongs to the message; upstream it signs the first call."""
        name = next((key for key in _CARRIERS if message.get(key)), None)
        if name is None:
            return
        if not content.parts:
            text = as_text(message.get("content"))
            content.parts.append(ContentPart(kind="text", pointer=pointer, text=text))
        part = (content.calls or content.parts[-1:])[0]
        part.signature = as_text(message.get(name))
        part.signature_pointer = f"{pointer}/{name}"
        text = as_text(message.get("reasoning_text", message.get("cot_summary")))
        self._sealed.append((part, text))

    def judge(self, contents: Sequence[Content]) -> list[SignatureJudgement]:
        ids = call_ids(contents)
        return [describe(part, self._recognise(part, ids)) for part, _ in self._sealed]

    def _recognise(self, part: ContentPart, ids: frozenset[str]) -> Recognition:
        assert self._docket.origin is not None
        return self._docket.keyring.recognise(
            part.signature, self._docket.origin, part.anchor, ids
        )

    def refuse(self, contents: list[Content]) -> Refusal | None:
        """What Copilot, or the model's vendor behind it, refuses."""
        model, strict = self._docket.model, self._docket.config.strict
        if model.vendor == "anthropic":
            return self._claude(contents)
        if model.vendor != "google":
            return None
        ids = call_ids(contents)
        for part, _ in self._sealed if strict else ():
            seen = self._recognise(part, ids)
            if seen.standing is Standing.MISPLACED and part.kind == "call":
                return google_texts.INVALID_VERTEX.refuse(
                    pointer=part.signature_pointer
                )
            if seen.standing not in (Standing.GENUINE, Standing.MISPLACED):
                return texts.INVALID_BODY.refuse(pointer=part.signature_pointer)
        for part, _ in self._sealed:
            part.vouched = True
        origin = self._docket.origin
        assert origin is not None
        google = Google(
            model=model,
            surface=self._docket.surface,
            origin=origin,
            keyring=self._docket.keyring,
            strict=strict,
            demands=strict,
        )
        refusal = google.refuse(contents)
        if refusal and refusal.rule in ("GEM-1", "GEM-2"):
            return under(refusal, "CPC-1")
        return under(refusal, refusal.rule or "CPC-6") if refusal else None

    def _claude(self, contents: Sequence[Content]) -> Refusal | None:
        """CPC-5: a blob that is not the one this thinking came with."""
        ids = call_ids(contents)
        turn = current_turn(contents)
        for part, _ in self._sealed:
            seen = self._recognise(part, ids)
            index = next(i for i, c in enumerate(contents) if part in c.parts)
            if seen.standing is Standing.GENUINE:
                continue
            if self._docket.config.strict or index >= turn:
                return texts.CLAUDE_BLOB.refuse(
                    pointer=part.signature_pointer, position=index
                )
        return None
