"""DeepSeek: wants the readable reasoning of every call back (docs/wire/deepseek.md)."""

from __future__ import annotations

from sigscope.upstreams.simulator.checks.chat_checks import wrap
from sigscope.upstreams.simulator.checks.chat_thoughts import (
    ThoughtChecks,
    ThoughtResponder,
)
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import Json, as_dict
from sigscope.upstreams.simulator.texts import ErrorText, InvalidRequest

GUIDE = "https://api-docs.deepseek.com/guides/thinking_mode#tool-calls"
MISSING_V3 = InvalidRequest(
    rule="DSK-1",
    text=(
        "Missing `reasoning_content` field in the assistant message at message index "
        f"{{position}}. For more information, please refer to {GUIDE}"
    ),
    source="anomalyco/opencode#9397 [issue report]; docs/wire/deepseek.md#dsk-1",
)
MISSING = InvalidRequest(
    rule="DSK-2",
    text="The `reasoning_content` in the thinking mode must be passed back to the API.",
    source="anomalyco/opencode#24722 [issue report]; docs/wire/deepseek.md#dsk-2",
)
FORCED = InvalidRequest(
    text="Thinking mode does not support this tool_choice",
    source="recordings of 0xPlaygrounds/rig [real traffic]",
)
NO_KEY = InvalidRequest(
    text="Authentication Fails (no such user)", source="[issue report]", status=401
)


class DeepSeekChecks(ThoughtChecks):
    forced = FORCED

    def model_of(self, asked: str, config: SimConfig) -> Model:
        return Model(name=asked or "deepseek-v4-flash", vendor="other")

    def thinks(self, body: dict[str, Json]) -> bool:
        """As asked for; by itself every model but `deepseek-chat` does."""
        asked = as_dict(body.get("thinking")).get("type")
        return asked == "enabled" or (
            not asked and body.get("model") != "deepseek-chat"
        )

    def missing(self, model: Model) -> ErrorText:
        return MISSING_V3 if "-v3" in model.name else MISSING


CHECKS = DeepSeekChecks()
SERVICE = ChatService(
    name="deepseek",
    paths=("/chat/completions",),
    models_path="/models",
    no_key=wrap(NO_KEY.refuse()),
    rules=frozenset({MISSING_V3.rule, MISSING.rule}),
    checks=CHECKS,
    responder=ThoughtResponder(CHECKS),
    offered=("deepseek-v4-flash", "deepseek-v3.2", "deepseek-chat"),
)
