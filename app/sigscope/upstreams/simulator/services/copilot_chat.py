"""GitHub Copilot chat completions; `/responses` beside it is another dialect's."""

from __future__ import annotations

from sigscope.upstreams.simulator.checks.copilot_chat import (
    CopilotChecks,
    speaks_responses,
    speaks_responses_only,
    wrap,
)
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.mint.seals import Seal
from sigscope.upstreams.simulator.models import read_model
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.speech.copilot_chat import CopilotResponder
from sigscope.upstreams.simulator.texts import copilot_chat as texts
from sigscope.upstreams.simulator.texts import rules_of

_RESPONSES = "/responses"


def _list_model(name: str) -> Json:
    """With the APIs that the model speaks (docs/wire/copilot-chat.md#endpoints)."""
    model = read_model(name)
    endpoints = []
    if model is None or not speaks_responses_only(model):
        endpoints.append("/chat/completions")
    if model and speaks_responses(model):
        endpoints.append(_RESPONSES)
    return {
        "id": name,
        "name": name,
        "object": "model",
        "vendor": model.vendor if model else "",
        "supported_endpoints": endpoints,
    }


SERVICE = ChatService(
    name="copilot-chat",
    paths=("/chat/completions",),
    models_path="/models",
    provider="copilot",
    no_key=wrap(texts.NO_KEY_COPILOT.refuse()),
    # A Copilot envelope is about 1.4 kB of base64 (zed#43024).
    seal=Seal(envelope=1074),
    # A missing envelope is refused with Google's texts behind it.
    rules=rules_of(texts) | {"CPC-1"},
    value_rules=frozenset({"CPC-5"}),
    argument_rules=frozenset({texts.UNSUPPORTED_ARGUMENT.rule}),
    checks=CopilotChecks(),
    responder=CopilotResponder(),
    list_model=_list_model,
)
