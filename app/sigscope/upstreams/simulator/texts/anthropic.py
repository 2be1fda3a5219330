"""Anthropic's own words (docs/wire/anthropic.md#rules)."""

from __future__ import annotations

from sigscope.upstreams.simulator.texts import ErrorText
from sigscope.upstreams.simulator.texts.vendors import CLAUDE_SIGNATURE

INVALID = "invalid_request_error"
GUIDE = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"

SIGNATURE = CLAUDE_SIGNATURE
SEALED = ErrorText(
    rule="ANT-1",
    text="messages.{position}.content.{part}: Invalid `data` in `redacted_thinking` "
    "block",
    source="microsoft/vscode#320196 [issue report]",
    code=INVALID,
)
UNTHOUGHT = ErrorText(
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
    code=INVALID,
)
MODIFIED = ErrorText(
    rule="ANT-3",
    text=(
        "messages.{position}.content.{part}: `thinking` or `redacted_thinking` blocks "
        "in the latest assistant message cannot be modified. These blocks must remain "
        "as they were in the original response."
    ),
    source="anthropics/claude-code#63404, #19539 [issue report]",
    code=INVALID,
)
UNSIGNED = ErrorText(
    rule="ANT-4",
    text="messages.{position}.content.{part}.{kind}.{field}: Field required",
    source="diegosouzapw/OmniRoute#2191, dirge#823 [issue report]",
    code=INVALID,
)
TEXTLESS = ErrorText(
    rule="ANT-5",
    text="each thinking block must contain thinking",
    source="eclipse-theia/theia#18044 [issue report]",
    code=INVALID,
)
BOUND = ErrorText(
    rule="ANT-6",
    text=(
        "messages.{position}.content.{part}: Invalid `signature` in `thinking` block. "
        "The block is bound to a different conversation. Remove the block, or set "
        '`thinking.block_binding.prefix_mismatch_behavior` to "drop_block". That '
        "setting requires the `thinking-binding-controls-2026-08-01` value in the "
        "`anthropic-beta` header.{found}"
    ),
    source="anomalyco/opencode#48637 [issue report], [docs]",
    code=INVALID,
)
BOUND_TO_SYSTEM = (
    " The `system` prompt differs from the one this block was created with."
)
"""What follows where that is what changed (anomalyco/opencode#48637). What is said of
tools and messages nobody has shown."""
UNPAIRED = ErrorText(
    rule="ANT-9",
    text=(
        "messages.{position}: `tool_use` ids were found without `tool_result` blocks "
        "immediately after: {ids}. Each `tool_use` block must have a corresponding "
        "`tool_result` block in the next message."
    ),
    source="anomalyco/opencode packages/llm, a recorded answer [real traffic]",
    code=INVALID,
)
UNCALLED = ErrorText(
    rule="ANT-9",
    text=(
        "messages.{position}.content.{part}: unexpected `tool_use_id` found in "
        "`tool_result` blocks: {ids}. Each `tool_result` block must have a "
        "corresponding `tool_use` block in the previous message."
    ),
    source="anthropics/claude-code#13460 [issue report]",
    code=INVALID,
)
THOUGHT_OFF = ErrorText(
    rule="ANT-11",
    text=(
        "messages.{position}.content.{part}: When thinking is disabled, an `assistant` "
        "message in the final position cannot contain `thinking`. To use thinking "
        "blocks, enable `thinking` in your request."
    ),
    source="tailcallhq/forgecode#1853 [issue report]",
    code=INVALID,
)

# Manners that have no id

CACHED = ErrorText(
    rule="",
    text="A maximum of 4 blocks with cache_control may be provided. Found {found}.",
    source="tghamm/Anthropic.SDK#50 [issue report]",
    code=INVALID,
)
FORCED = ErrorText(
    rule="",
    text="Thinking may not be enabled when tool_choice forces tool use.",
    source="run-llama/llama_index#19641 [issue report], [docs]",
    code=INVALID,
)
SMALL_BUDGET = ErrorText(
    rule="",
    text="thinking.enabled.budget_tokens: Input should be greater than or equal to "
    "1024",
    source="themaximalist/llm.js#30 [issue report], [docs]",
    code=INVALID,
)
EMPTY_TEXT = ErrorText(
    rule="",
    text="messages: text content blocks must be non-empty",
    source="anthropics/claude-code#59812 [issue report]",
    code=INVALID,
)
EMPTY_MESSAGE = ErrorText(
    rule="",
    text="messages.{position}: all messages must have non-empty content except for the "
    "optional final assistant message",
    source="anthropics/claude-code#6774 [issue report]",
    code=INVALID,
)
EXTRA = ErrorText(
    rule="",
    text="messages.{position}{place}.{field}: Extra inputs are not permitted",
    source="anthropics/claude-code#4378 [issue report]",
    code=INVALID,
)
MISSING = ErrorText(
    rule="", text="{field}: Field required", source="[docs]", code=INVALID
)
SYSTEM_ROLE = ErrorText(
    rule="",
    text=(
        'messages: Unexpected role "system". The Messages API accepts a top-level '
        '`system` parameter, not "system" as an input message role.'
    ),
    source="[docs]",
    code=INVALID,
)
BAD_BODY = ErrorText(
    rule="",
    text="The request body is not valid JSON: {problem}",
    source="[inferred]",
    code=INVALID,
)
NO_KEY = ErrorText(
    rule="",
    text="invalid x-api-key",
    source="[docs]",
    status=401,
    code="authentication_error",
)
