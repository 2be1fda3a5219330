"""Rules about DeepSeek's reasoning_content (docs/wire/deepseek.md)."""

from sigscope.rules.deepseek.dsk_1_reasoning_missing_v3 import RULE as DSK_1
from sigscope.rules.deepseek.dsk_2_reasoning_missing import RULE as DSK_2
from sigscope.rules.deepseek.dsk_3_reasoning_not_taken import RULE as DSK_3
from sigscope.rules.deepseek.dsk_4_outputs_between_calls import RULE as DSK_4

RULES = (DSK_1, DSK_2, DSK_3, DSK_4)
