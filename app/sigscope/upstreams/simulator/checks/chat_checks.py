"""What all speakers of chat completions check."""

from __future__ import annotations

from sigscope.upstreams.simulator import texts
from sigscope.upstreams.simulator.checks.case import Docket, Wrap
from sigscope.upstreams.simulator.checks.chat import system_text, translate
from sigscope.upstreams.simulator.checks.chat_order import refuse_order
from sigscope.upstreams.simulator.checks.frame import BodyChecks
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.records import Json, Refusal, as_list
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
