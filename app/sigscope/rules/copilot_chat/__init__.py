"""Rules about GitHub Copilot's chat completions (docs/wire/copilot-chat.md)."""

from sigscope.rules.copilot_chat.cpc_1_signature_dropped import RULE as CPC_1
from sigscope.rules.copilot_chat.cpc_2_invalid_body import RULE as CPC_2
from sigscope.rules.copilot_chat.cpc_3_unsupported_argument import RULE as CPC_3
from sigscope.rules.copilot_chat.cpc_4_unsupported_api import RULE as CPC_4
from sigscope.rules.copilot_chat.cpc_5_wrong_blob import RULE as CPC_5
from sigscope.rules.copilot_chat.cpc_6_unpaired_call import RULE as CPC_6
from sigscope.rules.copilot_chat.cpc_7_answer_signature_left_out import RULE as CPC_7
from sigscope.rules.copilot_chat.cpc_8_several_envelopes import RULE as CPC_8
from sigscope.rules.copilot_chat.cpc_9_upstream_stopped import RULE as CPC_9

RULES = (
    CPC_1, CPC_2, CPC_3, CPC_4, CPC_5, CPC_6, CPC_7, CPC_8, CPC_9,
)  # fmt: skip
