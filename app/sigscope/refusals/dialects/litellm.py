"""How a LiteLLM proxy words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import ONE, PAIR, STREAM
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import MISSING, Wording, marks

_BLOCK = "messages.{i}.content.{j}"

_PATTERNS = (
    words(
        "LLM-3",
        "Missing corresponding tool call for tool response message<{~}tool_call_id: "
        "{id$}>",
        Place.RESULT,
    ),
    words(
        "LLM-4",
        "{result}: string too long",
        Place.PATH,
        source="agno #5382, vercel/ai #8132, autogen #6377 [issue report]",
    ),
    words(
        "LLM-4",
        _BLOCK + ".tool_use.id: String should match",
        Place.BLOCK,
        source="bifrost #5097, forgecode #1142 [issue report]",
    ),
    words(
        "LLM-4",
        _BLOCK + ".tool_result.tool_use_id: String should match",
        Place.BLOCK,
        source="bifrost #5097, forgecode #1142 [issue report]",
    ),
    words(
        "LLM-6",
        "support the reasoningContent.reasoningText.signature field",
        Place.SIGNATURE,
    ),
)
WORDING = Wording(
    name="litellm",
    api="LiteLLM proxy",
    prefix="LLM-",
    marks=marks(r"\blitellm\.|LiteLLM: model group|Received Model Group="),
    behind=dict.fromkeys(MISSING, "LLM-2"),
    patterns=_PATTERNS,
    looks={
        "LLM-1": "where on the tool call the client puts the signature: only some"
        " places are read",
        "LLM-2": "the version of the proxy, and whether the model's name tells it that"
        " this is Gemini 3",
        "LLM-3": "the id of the call and the tool_call_id of its result, `__thought__`"
        " part included",
        "LLM-4": "the named id: the signature in it makes it too long, or a client"
        " cleaned it",
        "LLM-5": "the named value, against the one received",
        "LLM-6": "which model behind Bedrock is asked: it takes no signatures",
        "LLM-7": "the finish reason behind the empty answer",
        "LLM-8": "thinking blocks of a rebuilt stream",
    },
    records={"LLM-3": ONE, "LLM-6": ONE, "LLM-7": PAIR, "LLM-8": STREAM},
    kin={
        "LLM-4": frozenset({"GEM-4", "GEM-6", "RSP-6"}),
        "LLM-5": frozenset({"GEM-4", "GEM-5", "GEM-6"}),
    },
    wants=frozenset({"LLM-2"}),
)
