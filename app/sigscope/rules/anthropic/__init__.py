"""Rules about Anthropic Messages (docs/wire/anthropic.md)."""

from sigscope.rules.anthropic import (
    ant_1_invalid_signature,
    ant_2_thinking_missing,
    ant_3_latest_thinking_changed,
    ant_4_unsigned_thinking,
    ant_5_thinking_without_text,
    ant_6_other_conversation,
    ant_7_other_model,
    ant_8_other_account,
    ant_9_unpaired_tool_use,
    ant_10_refused_count,
    ant_11_thinking_off,
)
from sigscope.rules.base import Rule

RULES: tuple[Rule, ...] = (
    ant_1_invalid_signature.RULE,
    ant_2_thinking_missing.RULE,
    ant_3_latest_thinking_changed.RULE,
    ant_4_unsigned_thinking.RULE,
    ant_5_thinking_without_text.RULE,
    ant_6_other_conversation.RULE,
    ant_7_other_model.RULE,
    ant_8_other_account.RULE,
    ant_9_unpaired_tool_use.RULE,
    ant_10_refused_count.RULE,
    ant_11_thinking_off.RULE,
)
