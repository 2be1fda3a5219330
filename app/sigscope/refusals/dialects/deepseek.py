"""How DeepSeek words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import ONE, TURN, built
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import Wording

_API = "DeepSeek"

WORDING = Wording(
    name="deepseek",
    prefix="DSK-",
    patterns=(
        words(
            "DSK-1",
            "Missing reasoning_content field in the assistant message"
            "< at message index {i}<. For more>>",
            Place.MESSAGE,
        ),
        words("DSK-2", "reasoning_content in the thinking mode must be passed back"),
        words("DSK-2", "content[].thinking in the thinking mode must be passed back"),
        words("DSK-3", "reasoning_content is an intermediate result for display"),
        words("DSK-4", "No tool output found for tool call {id$}", Place.ID),
    ),
    entries=(
        built(
            "DSK-1",
            _API,
            "the named message; an empty reasoning has to be sent as an empty string",
            TURN,
        ),
        built(
            "DSK-2",
            _API,
            "every assistant message with tool calls, those of earlier turns too",
            TURN,
        ),
        built("DSK-3", _API, "which model is asked", ONE),
        built(
            "DSK-4",
            "DeepSeek, Responses API",
            "the order: all calls of a step, then all outputs",
            ONE,
        ),
    ),
    wants=frozenset({"DSK-1", "DSK-2"}),
)
