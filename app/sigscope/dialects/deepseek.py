"""DeepSeek chat completions (docs/wire/deepseek.md).

The reasoning is readable, and it is the state: what is followed is the text.
"""

from __future__ import annotations

import re
from typing import Any

from sigscope.conversation import SignatureKind
from sigscope.dialects.base import Probe
from sigscope.dialects.carriers import strays
from sigscope.dialects.chat import ChatDialect
from sigscope.dialects.chat_carriers import chat_carrier
from sigscope.dialects.homes import OnMessage
from sigscope.dialects.services import Service, Variable

DEEPSEEK = Service(
    name="deepseek",
    title="DeepSeek",
    hosts=("api.deepseek.com",),
    key_variable=Variable("DEEPSEEK_API_KEY", "your DeepSeek key"),
)
FIELD = "reasoning_content"
OTHERS = ("reasoning", "reasoning_text", "thinking")
"""What others call it."""
_OWN_MODEL = re.compile(r"deepseek-(?:chat|reasoner|v\d[\w.-]*)", re.IGNORECASE)
"""As DeepSeek itself calls them: gateways put a vendor before, others a size behind."""
_FINGERPRINT = re.compile(r"fp_[0-9a-f]{8,}_prod\d{4}")
"""As `fp_feb633d1f5_prod0820_fp8_kvcache` (docs/wire/deepseek.md#ep-3)."""

CARRIERS = (
    chat_carrier(f"deepseek.{FIELD}", FIELD, SignatureKind.TEXT, comes_in_pieces=True),
    *strays("deepseek.misplaced", "/messages/*", *OTHERS, kind=SignatureKind.TEXT),
)


class DeepSeek(ChatDialect):
    """`/chat/completions` on api.deepseek.com."""

    name = "deepseek"
    title = "DeepSeek chat completions"
    services = (DEEPSEEK,)
    carriers = CARRIERS
    default_path = "/chat/completions"
    default_model = "deepseek-v4-flash"
    thought_fields = (FIELD, *OTHERS)
    thought_key = FIELD
    home = OnMessage(key=FIELD, keys={})
    joined_roles = None

    def answers_so(self, probe: Probe) -> bool:
        """By how it counts its cache. Behind a host that nobody knows the answer has to
        be as DeepSeek writes it: gateways that translate leave out what is null."""
        usages = (answer.get("usage") for answer in probe.answers)
        return (
            _is_of_own_model(probe)
            and any(
                isinstance(u, dict) and "prompt_cache_hit_tokens" in u for u in usages
            )
            and (not probe.host or any(map(_is_untranslated, probe.answers)))
        )

    def asks_so(self, probe: Probe) -> bool:
        """By its models' names, where no host was recorded."""
        is_asked = not probe.host and probe.request is not None
        return is_asked and _is_of_own_model(probe)


def _is_of_own_model(probe: Probe) -> bool:
    """As the request asks; as the answer says where no request was recorded."""
    asked = probe.request
    told = probe.answers if asked is None else [asked]
    models = [body.get("model") for body in told if isinstance(body, dict)]
    return any(isinstance(m, str) and bool(_OWN_MODEL.fullmatch(m)) for m in models)


def _is_untranslated(answer: dict[str, Any]) -> bool:
    """Whether a choice says `"logprobs": null` beside DeepSeek's own fingerprint."""
    choices, mark = answer.get("choices"), answer.get("system_fingerprint")
    choice = choices[0] if isinstance(choices, list) and choices else None
    return (
        isinstance(choice, dict)
        and choice.get("logprobs", choices) is None
        and isinstance(mark, str)
        and _FINGERPRINT.match(mark) is not None
    )
