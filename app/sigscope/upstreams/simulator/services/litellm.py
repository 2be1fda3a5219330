"""A LiteLLM proxy."""

from __future__ import annotations

from sigscope.upstreams.simulator import texts
from sigscope.upstreams.simulator.checks.litellm import LiteLLMChecks
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.speech.litellm_wire import LiteLLMSpeech

SERVICE = ChatService(
    name="litellm",
    paths=("/v1/chat/completions",),
    models_path="/v1/models",
    default_path="/v1/chat/completions",
    no_key={
        "error": {
            "message": texts.NO_KEY_LITELLM.text,
            "type": "auth_error",
            "param": "None",
            "code": "401",
        }
    },
    checks=LiteLLMChecks(),
    speech=LiteLLMSpeech(),
)
