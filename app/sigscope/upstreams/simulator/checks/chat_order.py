"""The order that chat completions demand of calls and their results."""

from __future__ import annotations

from sigscope.upstreams.simulator import texts
from sigscope.upstreams.simulator.records import (
    Json,
    Refusal,
    as_dict,
    as_list,
    as_text,
)


def refuse_order(messages: Json) -> Refusal | None:
    """The first message that stands wrong: each call is answered before anyone else
    speaks, and only what was called is answered."""
    owed: dict[str, str] = {}
    for index, message in enumerate(map(as_dict, as_list(messages))):
        pointer = f"/messages/{index}"
        if message.get("role") == "tool":
            if owed.pop(as_text(message.get("tool_call_id")), None) is None:
                return texts.RESULT_WITHOUT_CALL.refuse(pointer=pointer)
            continue
        if owed:
            break
        for number, call in enumerate(as_list(message.get("tool_calls"))):
            owed[as_text(as_dict(call).get("id"))] = f"{pointer}/tool_calls/{number}"
    if owed:
        return texts.CALL_WITHOUT_RESULT.refuse(pointer=next(iter(owed.values())))
    return None
