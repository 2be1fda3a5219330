"""Rules about the Responses API (docs/wire/responses.md)."""

from sigscope.rules.base import Rule
from sigscope.rules.responses import (
    rsp_1_reasoning_unfollowed,
    rsp_2_reasoning_dropped,
    rsp_3_sealed_content_damaged,
    rsp_4_item_not_stored,
    rsp_5_item_renamed,
    rsp_6_id_too_long,
    rsp_7_other_connection,
    rsp_8_unknown_answer,
    rsp_9_azure_item_id,
    rsp_10_reasoning_left_out,
    rsp_11_item_without_id,
    rsp_12_issued_to_another,
    rsp_13_relabelled_refusal,
    rsp_14_unpaired_item,
)

RULES: tuple[Rule, ...] = (
    rsp_1_reasoning_unfollowed.RULE,
    rsp_2_reasoning_dropped.RULE,
    rsp_3_sealed_content_damaged.RULE,
    rsp_4_item_not_stored.RULE,
    rsp_5_item_renamed.RULE,
    rsp_6_id_too_long.RULE,
    rsp_7_other_connection.RULE,
    rsp_8_unknown_answer.RULE,
    rsp_9_azure_item_id.RULE,
    rsp_10_reasoning_left_out.RULE,
    rsp_11_item_without_id.RULE,
    rsp_12_issued_to_another.RULE,
    rsp_13_relabelled_refusal.RULE,
    rsp_14_unpaired_item.RULE,
)
