"""GitHub Copilot chat completions, and `/responses` beside it."""

from __future__ import annotations

from dataclasses import dataclass

from sigscope.upstreams.simulator.checks.case import Case
from sigscope.upstreams.simulator.checks.copilot_chat import (
    CopilotChecks,
    CopilotResponsesChecks,
    speaks_responses,
    speaks_responses_only,
    wrap,
)
from sigscope.upstreams.simulator.families.base import Inquiry, Route
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.mint.seals import Seal
from sigscope.upstreams.simulator.models import read_model
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.speech.copilot_chat import CopilotResponder
from sigscope.upstreams.simulator.texts import copilot_chat as texts
from sigscope.upstreams.simulator.texts import rules_of

_RESPONSES = "/responses"
_BESIDE = CopilotResponsesChecks()


@dataclass(frozen=True, slots=True, kw_only=True)
class CopilotService(ChatService):
    """Chat completions; of its Responses API it knows only who speaks it."""

    def find(self, path: str, *, is_pinned: bool) -> Route | None:
        if path == _RESPONSES or (is_pinned and path.endswith(_RESPONSES)):
            return Route(service=self, call=_RESPONSES)
        return ChatService.find(self, path, is_pinned=is_pinned)

    def examine(self, inquiry: Inquiry) -> Case:
        if inquiry.route.call != _RESPONSES:
            return ChatService.examine(self, inquiry)
        return _BESIDE.examine(inquiry)


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


SERVICE = CopilotService(
    name="copilot-chat",
    paths=("/chat/completions", _RESPONSES),
    models_path="/models",
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
