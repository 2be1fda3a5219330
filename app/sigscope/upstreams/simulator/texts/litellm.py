"""LiteLLM (docs/wire/litellm.md#rules)."""

from __future__ import annotations

from sigscope.upstreams.simulator.texts import ErrorText

MISSING_CALL = ErrorText(
    rule="LLM-3",
    text=(
        "Missing corresponding tool call for tool response message. Received - "
        "message={message}, last_message_with_tool_calls={last}"
    ),
    source=(
        "BerriAI/litellm#26965 [source code, executed; issue report: #26965]; "
        "docs/wire/litellm.md#llm-3"
    ),
    status=500,
)
BAD_ARGUMENTS = ErrorText(
    text=(
        "Unable to convert openai tool calls={message} to gemini tool calls. Received "
        "error={problem}"
    ),
    source="litellm 1.106.2 [executed]",
    status=500,
)
NO_KEY_LITELLM = ErrorText(
    text="Authentication Error, No api key passed in.",
    source="[source code]",
    status=401,
)
