"""OpenRouter chat completions."""

from __future__ import annotations

from sigscope.upstreams.simulator.checks.openrouter import OpenRouterChecks
from sigscope.upstreams.simulator.checks.openrouter_wrap import wrap_own
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.mint.seals import Seal
from sigscope.upstreams.simulator.models import read_model
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.speech.openrouter import OpenRouterResponder
from sigscope.upstreams.simulator.texts import openrouter as texts
from sigscope.upstreams.simulator.texts import rules_of, vendors


def _list_model(name: str) -> Json:
    model = read_model(name)
    vendor = {"xai": "x-ai"}.get(model.vendor, model.vendor) if model else "other"
    return {"id": f"{vendor}/{name}", "name": name}


SERVICE = ChatService(
    name="openrouter",
    paths=("/api/v1/chat/completions",),
    models_path="/api/v1/models",
    no_key=wrap_own(texts.NO_KEY_OPENROUTER.refuse()),
    seal=Seal(through_vertex="bare"),
    # ORT-6 has the text of GEM-14.
    rules=rules_of(texts, vendors) | {"ORT-6"},
    value_rules=frozenset({"ORT-5", "ORT-6", "RSP-3"}),
    checks=OpenRouterChecks(),
    responder=OpenRouterResponder(),
    list_model=_list_model,
)
