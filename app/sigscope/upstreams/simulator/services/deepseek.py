"""DeepSeek: wants the readable reasoning of every call back (docs/wire/deepseek.md)."""

from __future__ import annotations

from dataclasses import replace

from sigscope.upstreams.simulator.checks.case import Docket
from sigscope.upstreams.simulator.checks.chat_checks import ChatChecks, wrap
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import Json, Refusal, as_dict, as_list
from sigscope.upstreams.simulator.speech.chat import ChatResponder
from sigscope.upstreams.simulator.speech.voice import Answer, Voice
from sigscope.upstreams.simulator.texts import ErrorText

GUIDE = "https://api-docs.deepseek.com/guides/thinking_mode#tool-calls"
MISSING_V3 = ErrorText(
    rule="DSK-1",
    text=(
        "Missing `reasoning_content` field in the assistant message at message index "
        f"{{position}}. For more information, please refer to {GUIDE}"
    ),
    source="anomalyco/opencode#9397 [issue report]; docs/wire/deepseek.md#dsk-1",
    code="invalid_request_error",
)
MISSING = ErrorText(
    rule="DSK-2",
    text="The `reasoning_content` in the thinking mode must be passed back to the API.",
    source="anomalyco/opencode#24722 [issue report]; docs/wire/deepseek.md#dsk-2",
    code="invalid_request_error",
)
FORCED = ErrorText(
    rule="",
    text="Thinking mode does not support this tool_choice",
    source="recordings of 0xPlaygrounds/rig [real traffic]",
    code="invalid_request_error",
)
NO_KEY = ErrorText(
    rule="",
    text="Authentication Fails (no such user)",
    source="[issue report]",
    status=401,
    code="invalid_request_error",
)


def _thinks(body: dict[str, Json]) -> bool:
    """As asked for; by itself every model but `deepseek-chat` does."""
    asked = as_dict(body.get("thinking")).get("type")
    return asked == "enabled" or (not asked and body.get("model") != "deepseek-chat")


class DeepSeekChecks(ChatChecks):
    """The field, an empty one too, on each message with calls, of whatever turn."""

    def model_of(self, asked: str, config: SimConfig) -> Model:
        return Model(name=asked or "deepseek-v4-flash", vendor="other")

    def turn_away(self, docket: Docket, body: dict[str, Json]) -> Refusal | None:
        if _thinks(body) and body.get("tool_choice") not in (None, "auto", "none"):
            return FORCED.refuse(pointer="/tool_choice")
        return super().turn_away(docket, body)

    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        contents, refusal = super().weigh(docket, body)
        text = MISSING_V3 if "-v3" in docket.model.name else MISSING
        messages = as_list(body["messages"]) if _thinks(body) else []
        for index, message in enumerate(map(as_dict, messages)):
            is_there = isinstance(message.get("reasoning_content"), str)
            if message.get("tool_calls") and not is_there:
                missing = text.refuse(pointer=f"/messages/{index}", position=index)
                return contents, refusal or missing
        return contents, refusal


class DeepSeekResponder(ChatResponder):
    """Thoughts where the request has the model think."""

    def speak(self, voice: Voice) -> Answer:
        if not _thinks(as_dict(voice.case.request)):
            voice = replace(voice, reply=replace(voice.reply, thoughts=()))
        return super().speak(voice)


SERVICE = ChatService(
    name="deepseek",
    paths=("/chat/completions",),
    models_path="/models",
    no_key=wrap(NO_KEY.refuse()),
    rules=frozenset({MISSING_V3.rule, MISSING.rule}),
    checks=DeepSeekChecks(),
    responder=DeepSeekResponder(),
    offered=("deepseek-v4-flash", "deepseek-v3.2", "deepseek-chat"),
)
