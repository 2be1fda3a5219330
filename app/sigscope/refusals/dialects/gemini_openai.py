"""How Gemini's OpenAI-compatible endpoint words its errors: in Gemini's words."""

from __future__ import annotations

from sigscope.refusals.entry import TURN, TWO_HOSTS, built
from sigscope.refusals.words import MISSING, Wording, marks

_API = "Gemini's OpenAI-compatible endpoint"
_DAMAGED = ("GEM-4", "GEM-5", "GEM-6")

WORDING = Wording(
    name="gemini-openai",
    prefix="GOC-",
    marks=marks(r"/v1beta/openai/|/endpoints/openapi/"),
    behind={**dict.fromkeys(MISSING, "GOC-1"), **dict.fromkeys(_DAMAGED, "GOC-2")},
    entries=(
        built(
            "GOC-1",
            _API,
            "whether the client's SDK drops extra_content, which is no field of"
            " OpenAI's",
            TURN,
        ),
        built(
            "GOC-2",
            _API,
            "whether the value is byte for byte the one received, from this service",
            TWO_HOSTS,
        ),
        built("GOC-3", _API, "the member's name in the answer and the request", TURN),
        built(
            "GOC-4",
            _API,
            "whether parallel calls of one answer became messages of their own",
            TURN,
        ),
    ),
    kin={
        "GOC-1": frozenset(MISSING),
        "GOC-2": frozenset(_DAMAGED),
        "GOC-4": frozenset(MISSING),
    },
    wants=frozenset({"GOC-1"}),
)
