"""How OpenRouter words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import ONE, STREAM, TURN, TWO_HOSTS, built
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import MISSING, Wording, marks

_OPENROUTER = "OpenRouter"

_PATTERNS = (
    words(
        "ORT-1", "Gemini models require OpenRouter reasoning details to be preserved"
    ),
    words(
        "ORT-2",
        "Invalid input: expected {any}, received undefined",
        Place.PATH,
        needs="reasoning_details",
        source="the path comes as `param`: cline #8214, #8295 [issue report]",
    ),
    words(
        "ORT-2",
        "Invalid input: expected {any}, received undefined{near}{entry}",
        source="the path in a torn text: cline #8214, #8295 [issue report]",
    ),
    words(
        "ORT-2",
        "{entry}{near}Invalid input: expected {any}, received undefined",
        source="the path in a torn text: cline #8214, #8295 [issue report]",
    ),
    words("ORT-3", "Duplicate item found with id {id$}", Place.TWIN),
)
_ENTRIES = (
    built(
        "ORT-1",
        _OPENROUTER,
        "the assistant message with tool calls: its reasoning_details must be those"
        " that came",
        TURN,
    ),
    built(
        "ORT-2",
        _OPENROUTER,
        "the named entry of reasoning_details: its data, text or summary is gone",
        TURN,
    ),
    built("ORT-3", _OPENROUTER, "both entries with the named id", ONE),
    built(
        "ORT-4",
        _OPENROUTER,
        "the id of openai-responses-v1 entries: the service looks it up",
        TURN,
    ),
    built(
        "ORT-5",
        _OPENROUTER,
        "whether fragments of a stream were joined into one entry, unaltered",
        STREAM,
    ),
    built(
        "ORT-6",
        _OPENROUTER,
        "`provider` of the answer that issued it, and of the refusal: pin one",
        TWO_HOSTS,
    ),
    built("ORT-7", _OPENROUTER, "nothing is refused for it", TURN),
    built("ORT-8", _OPENROUTER, "the error inside the stream's last chunk", STREAM),
)
WORDING = Wording(
    name="openrouter",
    prefix="ORT-",
    marks=marks(r"OpenRouter reasoning details|openrouter\.ai/|provider_name"),
    behind={
        **dict.fromkeys(MISSING, "ORT-1"),
        "ANT-1": "ORT-5",
        "ANT-3": "ORT-5",
        "RSP-4": "ORT-4",
    },
    in_stream="ORT-8",
    patterns=_PATTERNS,
    entries=_ENTRIES,
    kin={
        "ORT-1": frozenset(MISSING),
        "ORT-4": frozenset({"RSP-4"}),
        "ORT-5": frozenset({"ANT-1", "ANT-2", "ANT-3", "ANT-4"}),
        "ORT-6": frozenset({"GEM-4", "GEM-5"}),
    },
    wants=frozenset({"ORT-1"}),
)
