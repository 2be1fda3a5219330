"""How a LiteLLM proxy words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import ONE, PAIR, STREAM, TURN, built
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import MISSING, Wording, marks

_LITELLM = "LiteLLM proxy"
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
_ENTRIES = (
    built(
        "LLM-1",
        _LITELLM,
        "where on the tool call the client puts the signature: only some places are"
        " read",
        TURN,
    ),
    built(
        "LLM-2",
        _LITELLM,
        "the version of the proxy, and whether the model's name tells it that this is"
        " Gemini 3",
        TURN,
    ),
    built(
        "LLM-3",
        _LITELLM,
        "the id of the call and the tool_call_id of its result, `__thought__` part"
        " included",
        ONE,
    ),
    built(
        "LLM-4",
        _LITELLM,
        "the named id: the signature in it makes it too long, or a client cleaned it",
        TURN,
    ),
    built("LLM-5", _LITELLM, "the named value, against the one received", TURN),
    built(
        "LLM-6",
        _LITELLM,
        "which model behind Bedrock is asked: it takes no signatures",
        ONE,
    ),
    built("LLM-7", _LITELLM, "the finish reason behind the empty answer", PAIR),
    built("LLM-8", _LITELLM, "thinking blocks of a rebuilt stream", STREAM),
)
WORDING = Wording(
    name="litellm",
    prefix="LLM-",
    marks=marks(r"\blitellm\.|LiteLLM: model group|Received Model Group="),
    behind=dict.fromkeys(MISSING, "LLM-2"),
    patterns=_PATTERNS,
    entries=_ENTRIES,
    kin={
        "LLM-2": frozenset(MISSING),
        "LLM-4": frozenset({"GEM-4", "GEM-6", "RSP-6"}),
        "LLM-5": frozenset({"GEM-6"}),
    },
    wants=frozenset({"LLM-2"}),
)
