"""Two messages of one reply become the message that Copilot wants."""

from __future__ import annotations

from tests.unit.rules.cases import bench, mended
from tests.unit.rules.copilot_chat_cases import (
    BAD,
    E1,
    HI,
    THOUGHT,
    a_call,
    ask,
    calls,
    result,
    stream,
)

from sigscope.conversation import Json
from sigscope.rules.kinds.split import content_fix, other_half


def after_all_fixes(case_id: str) -> list[Json]:
    (case,) = [case for case in BAD if case.id == case_id]
    findings = bench(case.exchanges).findings(2)
    edits = [edit for finding in findings for edit in finding.fix or ()]
    body = bench(mended(case.exchanges, 2, edits)).readings[1].request_json
    messages: list[Json] = body["messages"]
    return messages


def test_text_reasoning_and_envelope_join_the_calls() -> None:
    assert after_all_fixes("text and calls as two messages") == [
        HI,
        {
            "role": "assistant",
            "content": "Let me look.",
            "tool_calls": [a_call("read_file")],
            "reasoning_opaque": E1,
            "reasoning_text": THOUGHT,
        },
        result("read_file"),
    ]


def test_an_empty_list_gives_way_to_the_text_of_the_other_half() -> None:
    messages = after_all_fixes("text and calls as two messages, and an empty list")
    assert [message["role"] for message in messages] == ["user", "assistant", "tool"]
    assert messages[1]["content"] == "Let me look."


def two_messages(content: Json) -> list[Json]:
    half = {"role": "assistant", "content": "Let me look.", "reasoning_opaque": E1}
    return [HI, half, calls("read_file", content=content), result("read_file")]


def test_calls_with_a_text_of_their_own_are_not_joined() -> None:
    first = ask([HI], events=stream("read_file", text="Let me look."))
    found = bench([first, ask(two_messages("Another text"))])
    assert other_half(found.subject(2), 2) is None


def test_content_that_is_fine_is_left_alone() -> None:
    first = ask([HI], events=stream("read_file"))
    whole = calls("read_file", content="", reasoning_opaque=E1)
    found = bench([first, ask([HI, whole, result("read_file")])])
    assert content_fix(found.subject(2), 1) == ()
