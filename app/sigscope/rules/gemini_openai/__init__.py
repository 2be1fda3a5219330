"""Rules about Gemini's OpenAI-compatible endpoint (docs/wire/gemini-openai.md)."""

from sigscope.rules.gemini_openai.goc_1_extra_content_dropped import RULE as GOC_1
from sigscope.rules.gemini_openai.goc_2_wrong_extra_content import RULE as GOC_2
from sigscope.rules.gemini_openai.goc_3_other_namespace import RULE as GOC_3
from sigscope.rules.gemini_openai.goc_4_calls_apart import RULE as GOC_4

RULES = (GOC_1, GOC_2, GOC_3, GOC_4)
