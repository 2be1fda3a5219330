"""Rules about LiteLLM's proxy, chat completions (docs/wire/litellm.md)."""

from sigscope.rules.litellm.llm_1_signature_not_read import RULE as LLM_1
from sigscope.rules.litellm.llm_2_no_bypass_added import RULE as LLM_2
from sigscope.rules.litellm.llm_3_result_without_call import RULE as LLM_3
from sigscope.rules.litellm.llm_4_id_with_signature import RULE as LLM_4
from sigscope.rules.litellm.llm_5_damaged_signature import RULE as LLM_5
from sigscope.rules.litellm.llm_6_signature_to_bedrock import RULE as LLM_6
from sigscope.rules.litellm.llm_7_empty_answer import RULE as LLM_7
from sigscope.rules.litellm.llm_8_lost_by_the_chunk_builder import RULE as LLM_8

RULES = (LLM_1, LLM_2, LLM_3, LLM_4, LLM_5, LLM_6, LLM_7, LLM_8)
