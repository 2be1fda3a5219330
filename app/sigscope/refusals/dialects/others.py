"""How services word their errors whose APIs no dialect reads."""

from __future__ import annotations

from sigscope.refusals.words import MISSING, Wording, marks

GEMINI_OPENAI = Wording(
    name="gemini-openai",
    prefix="GOC-",
    marks=marks(r"/v1beta/openai/|/endpoints/openapi/"),
    behind={
        **dict.fromkeys(MISSING, "GOC-1"),
        **dict.fromkeys(("GEM-4", "GEM-5", "GEM-6"), "GOC-2"),
    },
)
BEDROCK = Wording(
    name="bedrock",
    prefix="BED-",
    marks=marks(r"ValidationException|BedrockException|returned the following errors:"),
    behind={
        **dict.fromkeys(("ANT-1", "ANT-2", "ANT-3", "ANT-4"), "BED-1"),
        "LLM-6": "BED-2",
    },
)
AZURE = Wording(
    name="azure",
    prefix="RSP-",
    marks=marks(r"openai\.azure\.com"),
    behind={"RSP-4": "RSP-9"},
)
