"""Rules about Anthropic Messages (docs/wire/anthropic.md)."""

from sigscope.rules.anthropic.ant_1_invalid_signature import RULE as ANT_1
from sigscope.rules.anthropic.ant_2_thinking_missing import RULE as ANT_2
from sigscope.rules.anthropic.ant_3_latest_thinking_changed import RULE as ANT_3
from sigscope.rules.anthropic.ant_4_unsigned_thinking import RULE as ANT_4
from sigscope.rules.anthropic.ant_5_thinking_without_text import RULE as ANT_5
from sigscope.rules.anthropic.ant_6_other_conversation import RULE as ANT_6
from sigscope.rules.anthropic.ant_7_other_model import RULE as ANT_7
from sigscope.rules.anthropic.ant_8_other_account import RULE as ANT_8
from sigscope.rules.anthropic.ant_9_unpaired_tool_use import RULE as ANT_9
from sigscope.rules.anthropic.ant_10_refused_count import RULE as ANT_10
from sigscope.rules.anthropic.ant_11_thinking_off import RULE as ANT_11

RULES = (
    ANT_1, ANT_2, ANT_3, ANT_4, ANT_5, ANT_6, ANT_7, ANT_8, ANT_9, ANT_10, ANT_11,
)  # fmt: skip
