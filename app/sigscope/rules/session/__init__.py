"""Rules about what one step shows only beside the others, whatever the API."""

from sigscope.rules.base import Rule
from sigscope.rules.session import (
    ses_1_reasoning_fades,
    ses_2_spread_calls,
    ses_3_call_changed,
    ses_4_reasoning_text_changed,
    ses_5_signature_astray,
    ses_6_doubled_result,
    ses_7_unanswered_call,
    ses_8_orphaned_result,
    ses_9_merged_twins,
)

RULES: tuple[Rule, ...] = (
    ses_1_reasoning_fades.RULE,
    ses_2_spread_calls.RULE,
    ses_3_call_changed.RULE,
    ses_4_reasoning_text_changed.RULE,
    ses_5_signature_astray.RULE,
    ses_6_doubled_result.RULE,
    ses_7_unanswered_call.RULE,
    ses_8_orphaned_result.RULE,
    ses_9_merged_twins.RULE,
)
