"""Rules about GitHub Copilot's chat completions (docs/wire/copilot-chat.md)."""

from sigscope.rules.base import Rule
from sigscope.rules.copilot_chat import (
    cpc_1_signature_dropped,
    cpc_2_invalid_body,
    cpc_3_unsupported_argument,
    cpc_4_unsupported_api,
    cpc_5_wrong_blob,
    cpc_6_unpaired_call,
    cpc_7_answer_signature_left_out,
    cpc_8_several_envelopes,
    cpc_9_upstream_stopped,
)

RULES: tuple[Rule, ...] = (
    cpc_1_signature_dropped.RULE,
    cpc_2_invalid_body.RULE,
    cpc_3_unsupported_argument.RULE,
    cpc_4_unsupported_api.RULE,
    cpc_5_wrong_blob.RULE,
    cpc_6_unpaired_call.RULE,
    cpc_7_answer_signature_left_out.RULE,
    cpc_8_several_envelopes.RULE,
    cpc_9_upstream_stopped.RULE,
)
