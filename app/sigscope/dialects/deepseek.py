"""DeepSeek chat completions (docs/wire/deepseek.md).

The reasoning is readable, and it is the state: what is followed is the text.
"""

from __future__ import annotations

import re

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
        """By how it counts its cache, which proxies pass on under other names."""
        usages = (answer.get("usage") for answer in probe.answers)
        return self.asks_so(probe) and any(
            isinstance(usage, dict) and "prompt_cache_hit_tokens" in usage
            for usage in usages
        )

    def asks_so(self, probe: Probe) -> bool:
        """By its models' names, where no host was recorded."""
        request = probe.request if isinstance(probe.request, dict) else {}
        model = request.get("model")
        is_named = isinstance(model, str) and _OWN_MODEL.fullmatch(model)
        return not probe.host and bool(is_named)
