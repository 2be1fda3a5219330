"""Every rule, in the order of dialects.md; those that speak last come last."""

from __future__ import annotations

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
from sigscope.rules.gemini import (
    gem_1_unsigned_call_on_ai_studio,
    gem_2_unsigned_call_on_vertex,
    gem_3_unsigned_call,
    gem_4_corrupted_signature_on_ai_studio,
    gem_5_invalid_signature_on_vertex,
    gem_6_not_base64,
    gem_7_interleaved_results,
    gem_8_split_calls,
    gem_9_unsigned_call_in_closed_turn,
    gem_10_optional_signature_left_out,
    gem_11_signature_on_a_sibling,
    gem_12_copied_signature,
    gem_13_signature_inside_the_call,
    gem_14_foreign_signature,
    gem_15_image_signature_left_out,
    gem_16_signed_thought_altered,
    gem_17_finished_for_missing_signature,
    gem_18_results_unlike_calls,
)
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
from sigscope.rules.openrouter import (
    ort_1_details_missing,
    ort_2_entry_without_payload,
    ort_3_duplicate_entry,
    ort_4_stored_item_id,
    ort_5_claude_entries_changed,
    ort_6_other_surface,
    ort_7_details_left_out,
    ort_8_error_in_stream,
)
from sigscope.rules.refusal import (
    ref_1_unexplained_refusal,
    ref_2_access_refused,
    ref_3_limit_reached,
    ref_4_service_failed,
)
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
    gem_1_unsigned_call_on_ai_studio.RULE,
    gem_2_unsigned_call_on_vertex.RULE,
    gem_3_unsigned_call.RULE,
    gem_4_corrupted_signature_on_ai_studio.RULE,
    gem_5_invalid_signature_on_vertex.RULE,
    gem_6_not_base64.RULE,
    gem_7_interleaved_results.RULE,
    gem_8_split_calls.RULE,
    gem_9_unsigned_call_in_closed_turn.RULE,
    gem_10_optional_signature_left_out.RULE,
    gem_11_signature_on_a_sibling.RULE,
    gem_12_copied_signature.RULE,
    gem_13_signature_inside_the_call.RULE,
    gem_14_foreign_signature.RULE,
    gem_15_image_signature_left_out.RULE,
    gem_16_signed_thought_altered.RULE,
    gem_17_finished_for_missing_signature.RULE,
    gem_18_results_unlike_calls.RULE,
    ort_1_details_missing.RULE,
    ort_2_entry_without_payload.RULE,
    ort_3_duplicate_entry.RULE,
    ort_4_stored_item_id.RULE,
    ort_5_claude_entries_changed.RULE,
    ort_6_other_surface.RULE,
    ort_7_details_left_out.RULE,
    ort_8_error_in_stream.RULE,
    cpc_1_signature_dropped.RULE,
    cpc_2_invalid_body.RULE,
    cpc_3_unsupported_argument.RULE,
    cpc_4_unsupported_api.RULE,
    cpc_5_wrong_blob.RULE,
    cpc_6_unpaired_call.RULE,
    cpc_7_answer_signature_left_out.RULE,
    cpc_8_several_envelopes.RULE,
    cpc_9_upstream_stopped.RULE,
    llm_1_signature_not_read.RULE,
    llm_2_no_stand_in_added.RULE,
    llm_3_result_without_call.RULE,
    llm_4_id_with_signature.RULE,
    llm_5_damaged_signature.RULE,
    llm_6_signature_to_bedrock.RULE,
    llm_7_empty_answer.RULE,
    llm_8_lost_by_the_chunk_builder.RULE,
    ses_1_reasoning_fades.RULE,
    ses_2_spread_calls.RULE,
    ses_3_call_changed.RULE,
    ses_4_reasoning_text_changed.RULE,
    ses_5_signature_astray.RULE,
    ses_6_doubled_result.RULE,
    ses_7_unanswered_call.RULE,
    ses_8_orphaned_result.RULE,
    ses_9_merged_twins.RULE,
    ref_1_unexplained_refusal.RULE,
    ref_2_access_refused.RULE,
    ref_3_limit_reached.RULE,
    ref_4_service_failed.RULE,
)


def rule_named(code: str) -> Rule | None:
    """The rule with this code, whatever the case; None if there is none."""
    return _BY_CODE.get(code.upper())


_BY_CODE = {rule.code: rule for rule in RULES}
