"""Anthropic Messages, also as Vertex and Bedrock serve them."""

from __future__ import annotations

from sigscope.upstreams.simulator.checks.anthropic import wrap
from sigscope.upstreams.simulator.families.messages import MessagesService
from sigscope.upstreams.simulator.texts import anthropic as texts
from sigscope.upstreams.simulator.texts import rules_of

SERVICE = MessagesService(
    name="anthropic",
    paths=(
        "/v1/messages",
        "/v1/projects/P/locations/L/publishers/anthropic/models/MODEL:rawPredict",
        "/model/MODEL/invoke",
    ),
    models_path="/anthropic/v1/models",
    # The same checks stand before the counting of tokens.
    rules=rules_of(texts) | {"ANT-10"},
    value_rules=frozenset({"ANT-1", "ANT-3"}),
    binding_rules=frozenset({"ANT-6"}),
    offered=("claude-sonnet-4-5", "claude-opus-4-7", "claude-haiku-4-5"),
    no_key=wrap(texts.NO_KEY.refuse()),
)
