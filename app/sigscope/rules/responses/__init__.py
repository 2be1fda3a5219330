"""Rules about the Responses API (docs/wire/responses.md)."""

from sigscope.rules.responses.rsp_1_reasoning_unfollowed import RULE as RSP_1
from sigscope.rules.responses.rsp_2_reasoning_dropped import RULE as RSP_2
from sigscope.rules.responses.rsp_3_sealed_content_damaged import RULE as RSP_3
from sigscope.rules.responses.rsp_4_item_not_stored import RULE as RSP_4
from sigscope.rules.responses.rsp_5_item_renamed import RULE as RSP_5
from sigscope.rules.responses.rsp_6_id_too_long import RULE as RSP_6
from sigscope.rules.responses.rsp_7_other_connection import RULE as RSP_7
from sigscope.rules.responses.rsp_8_unknown_answer import RULE as RSP_8
from sigscope.rules.responses.rsp_9_azure_item_id import RULE as RSP_9
from sigscope.rules.responses.rsp_10_reasoning_left_out import RULE as RSP_10
from sigscope.rules.responses.rsp_11_item_without_id import RULE as RSP_11
from sigscope.rules.responses.rsp_12_issued_to_another import RULE as RSP_12
from sigscope.rules.responses.rsp_13_relabelled_refusal import RULE as RSP_13
from sigscope.rules.responses.rsp_14_unpaired_item import RULE as RSP_14

RULES = (
    RSP_1, RSP_2, RSP_3, RSP_4, RSP_5, RSP_6, RSP_7, RSP_8, RSP_9, RSP_10, RSP_11,
    RSP_12, RSP_13, RSP_14,
)  # fmt: skip
