"""Rules about DeepSeek's reasoning_content (docs/wire/deepseek.md)."""

from sigscope.rules.base import Rule
from sigscope.rules.deepseek import (
    dsk_1_reasoning_missing_v3,
    dsk_2_reasoning_missing,
    dsk_3_reasoning_not_taken,
    dsk_4_outputs_between_calls,
)

RULES: tuple[Rule, ...] = (
    dsk_1_reasoning_missing_v3.RULE,
    dsk_2_reasoning_missing.RULE,
    dsk_3_reasoning_not_taken.RULE,
    dsk_4_outputs_between_calls.RULE,
)
