"""How DeepSeek words its errors."""

from sigscope.refusals.entry import ONE
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import Wording

WORDING = Wording(
    name="deepseek",
    api="DeepSeek",
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
    looks={
        "DSK-1": "the named message; an empty reasoning has to be sent as an empty"
        " string",
        "DSK-2": "every assistant message with tool calls, those of earlier turns too",
        "DSK-3": "which model is asked",
        "DSK-4": "the order: all calls of a step, then all outputs",
    },
    records={"DSK-3": ONE, "DSK-4": ONE},
    apis={"DSK-4": "DeepSeek, Responses API"},
    wants=frozenset({"DSK-1", "DSK-2"}),
)
