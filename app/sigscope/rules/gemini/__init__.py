"""Rules about Gemini's own API on AI Studio and Vertex (docs/wire/gemini.md)."""

from sigscope.rules.base import Rule
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
)
