"""One answer that comes as several choices."""

from __future__ import annotations

from typing import Any

from sigscope.dialects.registry import named
from sigscope.dialects.sightings import sight_whole_response

ENVELOPE = "lQx0b3A+c2VjcmV0/Q=="


def call(number: int) -> dict[str, Any]:
    return {
        "id": f"call_{number}",
        "type": "function",
        "function": {"name": "read_file", "arguments": f'{{"line":{number}}}'},
    }


def choice(**message: Any) -> dict[str, Any]:
    return {
        "finish_reason": "tool_calls",
        "message": {"role": "assistant", **message},
    }


def copilot() -> Any:
    return named("copilot-chat")


def test_choices_without_an_index_are_one_answer() -> None:
    body = {
        "choices": [
            choice(content="I read both."),
            choice(content=None, tool_calls=[call(1)]),
            choice(content=None, tool_calls=[call(2)], reasoning_opaque=ENVELOPE),
        ]
    }
    reply = copilot().reply(body)
    assert reply.message.text == "I read both."
    assert reply.call_ids == ("call_1", "call_2")
    assert reply.message.pointer == "/choices/0/message"
    assert reply.others == ("/choices/1/message", "/choices/2/message")
    assert reply.finish == "tool_calls"
    (sighting,) = sight_whole_response(copilot(), body, reply)
    assert sighting.pointer == "/choices/2/message/reasoning_opaque"
    assert sighting.anchor.message == 0


def test_choices_with_numbers_are_several_answers() -> None:
    body = {
        "choices": [
            {"index": 1, **choice(content="The other.", reasoning_opaque=ENVELOPE)},
            {"index": 0, **choice(content="The first.")},
        ]
    }
    reply = copilot().reply(body)
    assert reply.message.text == "The first."
    assert reply.others == ()
    (sighting,) = sight_whole_response(copilot(), body, reply)
    assert sighting.anchor.message == -1


def test_an_error_in_a_later_piece_is_an_error_of_the_answer() -> None:
    body = {"choices": [choice(content="Half"), {"error": {"code": 502}}]}
    reply = copilot().reply(body)
    assert reply.has_error
    assert reply.message.text == "Half"


def test_choices_without_a_message_are_no_answer() -> None:
    assert copilot().reply({"choices": [{}, {"message": None}]}).message is None
