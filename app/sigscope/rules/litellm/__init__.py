"""Rules about LiteLLM's proxy, chat completions (docs/wire/litellm.md)."""

from sigscope.rules.base import Rule
from sigscope.rules.litellm import (
    llm_1_signature_not_read,
    llm_2_no_stand_in_added,
    llm_3_result_without_call,
    llm_4_id_with_signature,
    llm_5_damaged_signature,
    llm_6_signature_to_bedrock,
    llm_7_empty_answer,
    llm_8_lost_by_the_chunk_builder,
)

RULES: tuple[Rule, ...] = (
    llm_1_signature_not_read.RULE,
    llm_2_no_stand_in_added.RULE,
    llm_3_result_without_call.RULE,
    llm_4_id_with_signature.RULE,
    llm_5_damaged_signature.RULE,
    llm_6_signature_to_bedrock.RULE,
    llm_7_empty_answer.RULE,
    llm_8_lost_by_the_chunk_builder.RULE,
)
