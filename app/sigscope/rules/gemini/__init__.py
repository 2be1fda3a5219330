"""Rules about Gemini's own API on AI Studio and Vertex (docs/wire/gemini.md)."""

from sigscope.rules.gemini.gem_1_unsigned_call_on_ai_studio import RULE as GEM_1
from sigscope.rules.gemini.gem_2_unsigned_call_on_vertex import RULE as GEM_2
from sigscope.rules.gemini.gem_3_unsigned_call import RULE as GEM_3
from sigscope.rules.gemini.gem_4_corrupted_signature_on_ai_studio import RULE as GEM_4
from sigscope.rules.gemini.gem_5_invalid_signature_on_vertex import RULE as GEM_5
from sigscope.rules.gemini.gem_6_not_base64 import RULE as GEM_6
from sigscope.rules.gemini.gem_7_interleaved_results import RULE as GEM_7
from sigscope.rules.gemini.gem_8_split_calls import RULE as GEM_8
from sigscope.rules.gemini.gem_9_unsigned_call_in_closed_turn import RULE as GEM_9
from sigscope.rules.gemini.gem_10_optional_signature_left_out import RULE as GEM_10
from sigscope.rules.gemini.gem_11_signature_on_a_sibling import RULE as GEM_11
from sigscope.rules.gemini.gem_12_copied_signature import RULE as GEM_12
from sigscope.rules.gemini.gem_13_signature_inside_the_call import RULE as GEM_13
from sigscope.rules.gemini.gem_14_foreign_signature import RULE as GEM_14
from sigscope.rules.gemini.gem_15_image_signature_left_out import RULE as GEM_15
from sigscope.rules.gemini.gem_16_signed_thought_altered import RULE as GEM_16
from sigscope.rules.gemini.gem_17_finished_for_missing_signature import RULE as GEM_17
from sigscope.rules.gemini.gem_18_results_unlike_calls import RULE as GEM_18

RULES = (
    GEM_1, GEM_2, GEM_3, GEM_4, GEM_5, GEM_6, GEM_7, GEM_8, GEM_9, GEM_10, GEM_11,
    GEM_12, GEM_13, GEM_14, GEM_15, GEM_16, GEM_17, GEM_18,
)  # fmt: skip
