"""How OpenRouter words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import ONE, STREAM, TWO_HOSTS
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import MISSING, Wording, marks

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
WORDING = Wording(
    name="openrouter",
    api="OpenRouter",
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
    looks={
        "ORT-1": "the assistant message with tool calls: its reasoning_details must be"
        " those that came",
        "ORT-2": "the named entry of reasoning_details: its data, text or summary is"
        " gone",
        "ORT-3": "both entries with the named id",
        "ORT-4": "the id of openai-responses-v1 entries: the service looks it up",
        "ORT-5": "whether fragments of a stream were joined into one entry, unaltered",
        "ORT-6": "`provider` of the answer that issued it, and of the refusal: pin one",
        "ORT-7": "nothing is refused for it",
        "ORT-8": "the error inside the stream's last chunk",
    },
    records={"ORT-3": ONE, "ORT-5": STREAM, "ORT-6": TWO_HOSTS, "ORT-8": STREAM},
    kin={
        "ORT-5": frozenset({"ANT-2", "ANT-4"}),
        "ORT-6": frozenset({"GEM-4", "GEM-5"}),
    },
    wants=frozenset({"ORT-1"}),
)
