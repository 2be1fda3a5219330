"""Rules about OpenRouter's chat completions (docs/wire/openrouter.md)."""

from sigscope.rules.base import Rule
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

RULES: tuple[Rule, ...] = (
    ort_1_details_missing.RULE,
    ort_2_entry_without_payload.RULE,
    ort_3_duplicate_entry.RULE,
    ort_4_stored_item_id.RULE,
    ort_5_claude_entries_changed.RULE,
    ort_6_other_surface.RULE,
    ort_7_details_left_out.RULE,
    ort_8_error_in_stream.RULE,
)
