"""What a client may send to a LiteLLM proxy: placements of a signature, and shapes.

One cell is a placement, a model behind the proxy and a way to answer. What the real
proxy makes of each stands in `litellm-1.106.2.json`, which `tests/peers` measures.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Json = Any
Change = Callable[[list[Json]], object]

MEASURED = Path(__file__).with_name("litellm-1.106.2.json")
MODELS = ("gemini-3-pro-preview", "gemini-2.5-pro", "my-model")
"""Two generations, and a name that says nothing of either."""
FIRST = "EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq9SV"
SECOND = "EhkKFwHeWwZgyDYfm0aOaMhtoCQnDglJzhOc"
"""Made up: of the outer shape that Gemini's have."""
DUMMY = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
FIELDS = "provider_specific_fields"
CALL, RESULT = 2, 3
"""Where the message with the call stands, and the first result."""


def call(number: int = 1, name: str = "list_files", path: str = ".") -> Json:
    arguments = json.dumps({"path": path})
    function = {"name": name, "arguments": arguments}
    return {"id": f"call_{number}", "type": "function", "function": function}


def result(number: int = 1, text: str = "a.md") -> Json:
    return {"role": "tool", "tool_call_id": f"call_{number}", "content": text}


def history(*calls: Json, content: Json = None) -> list[Json]:
    """A question, calls, their results."""
    made = calls or (call(),)
    return [
        {"role": "system", "content": "You help."},
        {"role": "user", "content": "What is in a.md?"},
        {"role": "assistant", "content": content, "tool_calls": list(made)},
        *(result(number) for number in range(1, len(made) + 1)),
    ]


def signed(holder: Json, value: Json = FIRST) -> None:
    """The field that a proxy reads on a call and on its function."""
    holder[FIELDS] = {"thought_signature": value}


def _listed(*values: Json, content: Json = None) -> Change:
    def change(messages: list[Json]) -> None:
        messages[CALL] |= {"content": content, FIELDS: {"thought_signatures": values}}

    return change


def _on_call(value: Json) -> Change:
    return lambda messages: signed(messages[CALL]["tool_calls"][0], value)


def _beside(name: str, value: Json, *path: str) -> Change:
    """A field on the call, or on what is at a path in it."""

    def change(messages: list[Json]) -> None:
        holder = messages[CALL]["tool_calls"][0]
        for step in path:
            holder = holder[step]
        holder[name] = value

    return change


def _in_ids(*, calls: bool = True, results: bool = True) -> Change:
    def change(messages: list[Json]) -> None:
        suffix = f"__thought__{FIRST}"
        if calls:
            messages[CALL]["tool_calls"][0]["id"] += suffix
        if results:
            messages[RESULT]["tool_call_id"] += suffix

    return change


def _field(name: str, value: Json, content: Json = None) -> Change:
    def change(messages: list[Json]) -> None:
        messages[CALL] |= {"content": content, name: value}

    return change


def _answer(content: Json, *values: Json, singular: bool = False) -> Change:
    """A turn that ended with a text, and the next question."""

    def change(messages: list[Json]) -> None:
        fields: Json = {"thought_signatures": list(values)}
        if singular:
            fields = {"thought_signature": values[0]}
        answer = {"role": "assistant", "content": content, FIELDS: fields}
        messages += [answer, {"role": "user", "content": "And b.md?"}]

    return change


def _all(*changes: Change) -> Change:
    def change(messages: list[Json]) -> None:
        for each in changes:
            each(messages)

    return change


def _twins(first: Json = None, second: Json = None) -> Change:
    """Two parallel calls that ask the same."""

    def change(messages: list[Json]) -> None:
        messages[CALL:] = history(call(1), call(2))[CALL:]
        for made, value in zip(
            messages[CALL]["tool_calls"], (first, second), strict=True
        ):
            if value is not None:
                signed(made, value)

    return change


def _two(first: Json = None, second: Json = None) -> Change:
    """Two parallel calls that differ."""

    def change(messages: list[Json]) -> None:
        _twins(first, second)(messages)
        messages[CALL]["tool_calls"][1]["function"] |= {"name": "read_file"}

    return change


def _split(messages: list[Json]) -> None:
    """Text and calls of one reply as two messages."""
    text = {"role": "assistant", "content": "Let me look."}
    messages.insert(CALL, text)


def _results_first(messages: list[Json]) -> None:
    messages[CALL:] = [
        {"role": "assistant", "content": None, "tool_calls": [call(1)]},
        {"role": "tool", "tool_call_id": "call_1", "content": "a"},
        {"role": "assistant", "content": None, "tool_calls": [call(2)]},
        {"role": "tool", "tool_call_id": "call_2", "content": "b"},
    ]


def _remark(messages: list[Json]) -> None:
    messages.append({"role": "user", "content": "Go on."})


def _result_as_parts(messages: list[Json]) -> None:
    messages[RESULT]["content"] = [{"type": "text", "text": "a.md"}]


def _result_elsewhere(messages: list[Json]) -> None:
    messages[RESULT]["tool_call_id"] = "call_gone"


def _doubled_result(messages: list[Json]) -> None:
    messages.append(copy.deepcopy(messages[RESULT]))


def _without_result(messages: list[Json]) -> None:
    del messages[RESULT]


def _arguments(text: str) -> Change:
    return _beside("arguments", text, "function")


def _thinking(messages: list[Json]) -> None:
    messages[CALL]["thinking_blocks"] = [
        {"type": "thinking", "thinking": "I look.", "signature": FIRST}
    ]


def _without_id(messages: list[Json]) -> None:
    del messages[CALL]["tool_calls"][0]["id"]


def _answer_before_calls(messages: list[Json]) -> None:
    """A signed text, a question, then calls."""
    answer = {"role": "assistant", "content": "All done."}
    answer[FIELDS] = {"thought_signatures": [FIRST]}
    messages[CALL:CALL] = [answer, {"role": "user", "content": "And b.md?"}]


def _nothing(messages: list[Json]) -> None:
    """As it is."""


LOOK = "Let me look."
EXTRA = {"google": {"thought_signature": FIRST}}
CELLS: dict[str, Change] = {
    "nothing": _nothing,
    "nothing, two calls": _two(),
    "call": _on_call(FIRST),
    "call, bypass": _on_call(DUMMY),
    "call, raw bypass": _on_call("skip_thought_signature_validator"),
    "call, not base64": _on_call(FIRST[:13]),
    "call, number": _on_call(7),
    "call, list": _on_call([FIRST]),
    "call, object": _on_call({"value": FIRST}),
    "call, true": _on_call(True),
    "call, null": _on_call(None),
    "call, empty": _on_call(""),
    "function": _beside(FIELDS, {"thought_signature": FIRST}, "function"),
    "call and function differ": _all(
        _on_call(FIRST),
        _beside(FIELDS, {"thought_signature": SECOND}, "function"),
    ),
    "id suffix": _in_ids(),
    "id suffix, call only": _in_ids(results=False),
    "id suffix, result only": _in_ids(calls=False),
    "call and id suffix differ": _all(_in_ids(), _on_call(SECOND)),
    "attempt 1": _beside("thought_signature", FIRST),
    "attempt 2": _beside("thought_signature", FIRST, "function"),
    "attempt 3": _beside("thoughtSignature", FIRST),
    "extra_content": _beside("extra_content", EXTRA),
    "list, content null": _listed(FIRST),
    "list, content empty": _listed(FIRST, content=""),
    "list, content text": _listed(FIRST, content=LOOK),
    "list, content parts": _listed(FIRST, content=[{"type": "text", "text": LOOK}]),
    "list, number": _listed(7, content=LOOK),
    "singular on message": _field(FIELDS, {"thought_signature": FIRST}),
    "both levels": _all(_listed(FIRST, content=LOOK), _on_call(FIRST)),
    "both levels differ": _all(_listed(FIRST, content=LOOK), _on_call(SECOND)),
    "text answer, list": _answer("All done.", FIRST),
    "text answer, list of two": _answer("All done.", FIRST, SECOND),
    "text answer, singular": _answer("All done.", FIRST, singular=True),
    "text answer, parts": _answer([{"type": "text", "text": "All done."}], FIRST),
    "text answer, empty": _answer("", FIRST),
    "reasoning_content": _field("reasoning_content", "I look."),
    "thinking_blocks": _thinking,
    "first of two": _two(FIRST),
    "second of two": _two(None, SECOND),
    "both of two": _two(FIRST, SECOND),
    "twins": _twins(),
    "twins, first signed": _twins(FIRST),
    "twins, second signed": _twins(None, SECOND),
    "twins, both signed": _twins(FIRST, SECOND),
    "text and calls apart": _split,
    "two rounds": _results_first,
    "remark after the result": _remark,
    "result as parts": _result_as_parts,
    "result of no call": _result_elsewhere,
    "result twice": _doubled_result,
    "no result": _without_result,
    "content []": _field("content", [], content=[]),
    "content text": _field("content", LOOK, content=LOOK),
    "arguments empty": _arguments(""),
    "arguments {}": _arguments("{}"),
    "arguments broken": _arguments('{"path": '),
    "arguments no object": _arguments("[1]"),
    "call without id": _without_id,
    "text answer, then calls": _answer_before_calls,
}


def messages_of(name: str) -> list[Json]:
    """The history of a cell."""
    made = history()
    CELLS[name](made)
    return json.loads(json.dumps(made))  # type: ignore[no-any-return]


def body_of(name: str, model: str, *, stream: bool) -> Json:
    """The request of a cell."""
    return {"model": model, "stream": stream, "messages": messages_of(name)}
