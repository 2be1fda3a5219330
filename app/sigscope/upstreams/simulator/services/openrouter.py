"""OpenRouter chat completions."""

from __future__ import annotations

from sigscope.upstreams.simulator import texts
from sigscope.upstreams.simulator.checks.openrouter import OpenRouterChecks
from sigscope.upstreams.simulator.checks.openrouter_wrap import wrap_own
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.mint.seals import Seal
from sigscope.upstreams.simulator.models import read_model
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.speech.openrouter_wire import OpenRouterSpeech


def _list_model(name: str) -> Json:
    model = read_model(name)
    vendor = {"xai": "x-ai"}.get(model.vendor, model.vendor) if model else "other"
    return {"id": f"{vendor}/{name}", "name": name}


SERVICE = ChatService(
    name="openrouter",
    paths=("/api/v1/chat/completions",),
    models_path="/api/v1/models",
    default_path="/api/v1/chat/completions",
    no_key=wrap_own(texts.NO_KEY_OPENROUTER.refuse()),
    seal=Seal(through_vertex="bare"),
    checks=OpenRouterChecks(),
    speech=OpenRouterSpeech(),
    list_model=_list_model,
)
