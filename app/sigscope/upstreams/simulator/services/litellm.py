"""A LiteLLM proxy."""

from __future__ import annotations

import re
from dataclasses import replace

from sigscope.records import dataclass
from sigscope.upstreams.simulator.checks.litellm import LiteLLMChecks
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.speech.litellm import LiteLLMResponder
from sigscope.upstreams.simulator.speech.voice import Headers
from sigscope.upstreams.simulator.texts import litellm as texts
from sigscope.upstreams.simulator.texts import rules_of, vendors

_TELLS = "x-litellm-version"
_VERSION = re.compile(r"\d+(?:\.\d+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteLLMService(ChatService):
    """A proxy of one version."""

    def tuned(self, config: SimConfig, answered: Headers) -> SimConfig:
        """A recorded proxy tells its version."""
        told = [value for name, value in answered if name.lower() == _TELLS]
        found = _VERSION.match(told[0]) if told else None
        return replace(config, litellm_version=found[0]) if found else config


SERVICE = LiteLLMService(
    name="litellm",
    paths=("/v1/chat/completions",),
    models_path="/v1/models",
    no_key={
        "error": {
            "message": texts.NO_KEY_LITELLM.text,
            "type": "auth_error",
            "param": "None",
            "code": "401",
        }
    },
    # LLM-2 has Google's text.
    rules=rules_of(texts, vendors) | {"LLM-2"},
    value_rules=frozenset({"ANT-1", "LLM-5"}),
    checks=LiteLLMChecks(),
    responder=LiteLLMResponder(),
)
