"""How Gemini's OpenAI-compatible endpoint words its errors: in Gemini's words."""

from sigscope.refusals.entry import TWO_HOSTS
from sigscope.refusals.words import MISSING, Wording, marks

WORDING = Wording(
    name="gemini-openai",
    api="Gemini's OpenAI-compatible endpoint",
    prefix="GOC-",
    marks=marks(r"/v1beta/openai/|/endpoints/openapi/"),
    behind={
        **dict.fromkeys(MISSING, "GOC-1"),
        **dict.fromkeys(("GEM-4", "GEM-5", "GEM-6"), "GOC-2"),
    },
    looks={
        "GOC-1": "whether the client's SDK drops extra_content, which is no field of"
        " OpenAI's",
        "GOC-2": "whether the value is byte for byte the one received, from this"
        " service",
        "GOC-3": "the member's name in the answer and the request",
        "GOC-4": "whether parallel calls of one answer became messages of their own",
    },
    records={"GOC-2": TWO_HOSTS},
    kin={"GOC-4": frozenset(MISSING)},
    wants=frozenset({"GOC-1"}),
)
