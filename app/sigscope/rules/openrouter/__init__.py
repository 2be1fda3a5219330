"""Rules about OpenRouter's chat completions (docs/wire/openrouter.md)."""

from sigscope.rules.openrouter.ort_1_details_missing import RULE as ORT_1
from sigscope.rules.openrouter.ort_2_entry_without_payload import RULE as ORT_2
from sigscope.rules.openrouter.ort_3_duplicate_entry import RULE as ORT_3
from sigscope.rules.openrouter.ort_4_stored_item_id import RULE as ORT_4
from sigscope.rules.openrouter.ort_5_claude_entries_changed import RULE as ORT_5
from sigscope.rules.openrouter.ort_6_other_surface import RULE as ORT_6
from sigscope.rules.openrouter.ort_7_details_left_out import RULE as ORT_7
from sigscope.rules.openrouter.ort_8_error_in_stream import RULE as ORT_8

RULES = (ORT_1, ORT_2, ORT_3, ORT_4, ORT_5, ORT_6, ORT_7, ORT_8)
