"""Anthropic's own words (docs/wire/anthropic.md#rules)."""

from __future__ import annotations

from sigscope.upstreams.simulator.texts import ErrorText, InvalidRequest
from sigscope.upstreams.simulator.texts.vendors import CLAUDE_SIGNATURE

INVALID = "invalid_request_error"
GUIDE = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"

SIGNATURE = CLAUDE_SIGNATURE
SEALED = InvalidRequest(
    rule="ANT-1",
    text="messages.{position}.content.{part}: Invalid `data` in `redacted_thinking` "
    "block",
    source="microsoft/vscode#320196 [issue report]",
)
UNTHOUGHT = InvalidRequest(
    rule="ANT-2",
    text=(
        "messages.{position}.content.0.type: Expected `thinking` or "
        "`redacted_thinking`, but found `{found}`. When `thinking` is enabled, a final "
        "`assistant` message must start with a thinking block (preceeding the lastmost "
        "set of `tool_use` and `tool_result` blocks). We recommend you include "
        "thinking blocks from previous turns. To avoid this requirement, disable "
        f"`thinking`. Please consult our documentation at {GUIDE}"
    ),
    source="anomalyco/opencode#3077, Kilo-Org/kilocode#5219 [issue report]",
)
MODIFIED = InvalidRequest(
    rule="ANT-3",
    text=(
        "messages.{position}.content.{part}: `thinking` or `redacted_thinking` blocks "
        "in the latest assistant message cannot be modified. These blocks must remain "
        "as they were in the original response."
    ),
    source="anthropics/claude-code#63404, #19539 [issue report]",
)
UNSIGNED = InvalidRequest(
    rule="ANT-4",
    text="messages.{position}.content.{part}.{kind}.{field}: Field required",
    source="diegosouzapw/OmniRoute#2191, dirge#823 [issue report]",
)
TEXTLESS = InvalidRequest(
    rule="ANT-5",
    text="each thinking block must contain thinking",
    source="eclipse-theia/theia#18044 [issue report]",
)
BOUND = InvalidRequest(
    rule="ANT-6",
    text=(
        "messages.{position}.content.{part}: Invalid `signature` in `thinking` block. "
        "The block is bound to a different conversation. Remove the block, or set "
        '`thinking.block_binding.prefix_mismatch_behavior` to "drop_block". That '
        "setting requires the `thinking-binding-controls-2026-08-01` value in the "
        "`anthropic-beta` header.{found}"
    ),
    source="anomalyco/opencode#48637 [issue report], [docs]",
)
BOUND_TO_SYSTEM = (
    " The `system` prompt differs from the one this block was created with."
)
"""What follows where that is what changed (anomalyco/opencode#48637). What is said of
tools and messages nobody has shown."""
UNPAIRED = InvalidRequest(
    rule="ANT-9",
    text=(
        "messages.{position}: `tool_use` ids were found without `tool_result` blocks "
        "immediately after: {ids}. Each `tool_use` block must have a corresponding "
        "`tool_result` block in the next message."
    ),
    source="anomalyco/opencode packages/llm, a recorded answer [real traffic]",
)
UNCALLED = InvalidRequest(
    rule="ANT-9",
    text=(
        "messages.{position}.content.{part}: unexpected `tool_use_id` found in "
        "`tool_result` blocks: {ids}. Each `tool_result` block must have a "
        "corresponding `tool_use` block in the previous message."
    ),
    source="anthropics/claude-code#13460 [issue report]",
)
THOUGHT_OFF = InvalidRequest(
    rule="ANT-11",
    text=(
        "messages.{position}.content.{part}: When thinking is disabled, an `assistant` "
        "message in the final position cannot contain `thinking`. To use thinking "
        "blocks, enable `thinking` in your request."
    ),
    source="tailcallhq/forgecode#1853 [issue report]",
)

# Manners that have no id

CACHED = InvalidRequest(
    text="A maximum of 4 blocks with cache_control may be provided. Found {found}.",
    source="tghamm/Anthropic.SDK#50 [issue report]",
)
FORCED = InvalidRequest(
    text="Thinking may not be enabled when tool_choice forces tool use.",
    source="run-llama/llama_index#19641 [issue report], [docs]",
)
SMALL_BUDGET = InvalidRequest(
    text="thinking.enabled.budget_tokens: Input should be greater than or equal to "
    "1024",
    source="themaximalist/llm.js#30 [issue report], [docs]",
)
EMPTY_TEXT = InvalidRequest(
    text="messages: text content blocks must be non-empty",
    source="anthropics/claude-code#59812 [issue report]",
)
EMPTY_MESSAGE = InvalidRequest(
    text="messages.{position}: all messages must have non-empty content except for the "
    "optional final assistant message",
    source="anthropics/claude-code#6774 [issue report]",
)
EXTRA = InvalidRequest(
    text="messages.{position}{place}.{field}: Extra inputs are not permitted",
    source="anthropics/claude-code#4378 [issue report]",
)
MISSING = InvalidRequest(text="{field}: Field required", source="[docs]")
SYSTEM_ROLE = InvalidRequest(
    text=(
        'messages: Unexpected role "system". The Messages API accepts a top-level '
        '`system` parameter, not "system" as an input message role.'
    ),
    source="[docs]",
)
BAD_BODY = InvalidRequest(
    text="The request body is not valid JSON: {problem}",
    source="[inferred]",
)
NO_KEY = ErrorText(
    text="invalid x-api-key",
    source="[docs]",
    status=401,
    code="authentication_error",
)
