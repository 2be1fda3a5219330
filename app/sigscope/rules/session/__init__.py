"""Rules about what one step shows only beside the others, whatever the API."""

from sigscope.rules.session.ses_1_reasoning_fades import RULE as SES_1
from sigscope.rules.session.ses_2_spread_calls import RULE as SES_2
from sigscope.rules.session.ses_3_call_changed import RULE as SES_3
from sigscope.rules.session.ses_4_reasoning_text_changed import RULE as SES_4
from sigscope.rules.session.ses_5_signature_astray import RULE as SES_5
from sigscope.rules.session.ses_6_doubled_result import RULE as SES_6
from sigscope.rules.session.ses_7_unanswered_call import RULE as SES_7
from sigscope.rules.session.ses_8_orphaned_result import RULE as SES_8
from sigscope.rules.session.ses_9_merged_twins import RULE as SES_9
from sigscope.rules.session.ses_10_reasoning_as_text import RULE as SES_10

RULES = (
    SES_1, SES_2, SES_3, SES_4, SES_5, SES_6, SES_7, SES_8, SES_9, SES_10,
)  # fmt: skip
