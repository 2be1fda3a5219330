"""What all speakers of chat completions check."""

from __future__ import annotations

from sigscope.upstreams.simulator import texts
from sigscope.upstreams.simulator.checks.case import Docket, Wrap
from sigscope.upstreams.simulator.checks.chat import system_text, translate
from sigscope.upstreams.simulator.checks.frame import BodyChecks
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.records import (
    Json,
    Refusal,
    as_dict,
    as_list,
    as_text,
)
from sigscope.upstreams.simulator.talk import HeardTalk, hear, openai_tools


class ChatChecks(BodyChecks):
    """What a speaker of chat completions refuses.

    As it stands here: one that reads no signatures, looks at the order of calls and
    results alone, and wraps errors as OpenAI does. A service overrides what it does
    otherwise.
    """

    history = "messages"

    def wrapper(self, docket: Docket) -> Wrap:
        return wrap

    def turn_away(self, docket: Docket, body: dict[str, Json]) -> Refusal | None:
        if not as_list(body.get("messages")):
            return texts.NO_MESSAGES.refuse(pointer="/messages")
        return None

    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        messages = body.get("messages")
        return translate(messages, leave_unsigned), refuse_order(messages)

    def listen(self, contents: list[Content], body: dict[str, Json]) -> HeardTalk:
        tools, choice = openai_tools(body)
        system = system_text(body.get("messages"))
        return hear(contents, system=system, tools=tools, choice=choice)


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


def wrap(refusal: Refusal) -> Json:
    """{"error": {"message", "type", "param", "code"}}, as OpenAI has it."""
    return {
        "error": {
            "message": refusal.message,
            "type": "invalid_request_error",
            "param": None,
            "code": refusal.code or None,
        }
    }


def leave_unsigned(message: dict[str, Json], pointer: str, content: Content) -> None:
    """For `translate`: the parts of this message carry no signatures."""
