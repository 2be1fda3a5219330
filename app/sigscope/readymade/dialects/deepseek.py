"""DeepSeek: the wrong placements of docs/wire/deepseek.md, and the filler."""

from sigscope.dialects.deepseek import FIELD
from sigscope.readymade.thoughts import thought_repertoire

_PAGE = "docs/wire/deepseek.md"
REPERTOIRE = thought_repertoire(
    "deepseek",
    FIELD,
    wrong=f"anomalyco/opencode#24083, Zoo-Code-Org/Zoo-Code#201; {_PAGE}#wr-1",
    emptied=f"pydantic/pydantic-ai; {_PAGE}#by-1",
    right=f"api-docs.deepseek.com/guides/thinking_mode; {_PAGE}#po-1",
    filled=f"pydantic/pydantic-ai; {_PAGE}#po-2",
)
