"""Giving a signature back: to its home, and away from everywhere else."""

from __future__ import annotations

from tests.unit.rules import (
    copilot_chat_cases,
    gemini_cases,
    litellm_cases,
    openrouter_cases,
)
from tests.unit.rules.cases import Exchange, bench, mended

from sigscope.conversation import Json
from sigscope.rules.fixes import send_back


def message_after(
    exchanges: tuple[Exchange, ...], step: int, pointer: tuple[str, int]
) -> Json:
    """The message after every loss of the step was sent back."""
    subject = bench(exchanges).subject(step)
    edits = [edit for loss in subject.losses for edit in send_back(subject, loss) or ()]
    assert edits
    body = bench(mended(exchanges, step, edits)).readings[step - 1].request_json
    return body[pointer[0]][pointer[1]]


def test_a_gemini_part_gets_its_field_in_its_own_spelling() -> None:
    (case,) = [c for c in gemini_cases.BAD if c.id == "studio, snake case"]
    content = message_after(case.exchanges, 2, ("contents", 1))
    assert content["parts"][0]["thought_signature"] == gemini_cases.S1


def test_a_sibling_hands_the_signature_back() -> None:
    (case,) = [c for c in gemini_cases.BAD if c.id == "on the second of two calls"]
    content = message_after(case.exchanges, 2, ("contents", 1))
    first, second = content["parts"]
    assert first["thoughtSignature"] == gemini_cases.S1
    assert "thoughtSignature" not in second


def test_exchanged_signatures_are_exchanged_back() -> None:
    (case,) = [c for c in copilot_chat_cases.BAD if c.id.endswith("rounds exchanged")]
    for index, wanted in ((1, copilot_chat_cases.E1), (3, copilot_chat_cases.E2)):
        message = message_after(case.exchanges, 3, ("messages", index))
        assert message["reasoning_opaque"] == wanted


def test_an_attempt_becomes_the_final_fix_but_for_its_content() -> None:
    attempt = copilot_chat_cases.ATTEMPTS["attempt 2, inside the function"]
    exchanges = copilot_chat_cases.two_steps(attempt)
    assert message_after(exchanges, 2, ("messages", 2)) == {
        "role": "assistant",
        "content": [],
        "tool_calls": [copilot_chat_cases.a_call("read_file")],
        "reasoning_opaque": copilot_chat_cases.E1,
    }


def test_openrouter_gets_the_whole_list_and_loses_the_stray_field() -> None:
    exchanges = openrouter_cases.misplaced(thought_signature=openrouter_cases.S1)
    message = message_after(exchanges, 2, ("messages", 1))
    assert message["reasoning_details"] == openrouter_cases.OURS
    assert "thought_signature" not in message["tool_calls"][0]


def test_the_proxys_list_becomes_the_field_of_the_call() -> None:
    (case,) = [
        c for c in litellm_cases.BAD if c.id == "the message's list beside calls"
    ]
    message = message_after(case.exchanges, 2, ("messages", 1))
    assert "provider_specific_fields" not in message
    (call,) = message["tool_calls"]
    fields = call["provider_specific_fields"]
    assert fields == {"thought_signature": litellm_cases.S1}


def test_a_text_answer_gets_the_list() -> None:
    (case,) = [c for c in litellm_cases.BAD if c.id.startswith("a text answer without")]
    message = message_after(case.exchanges, 2, ("messages", 1))
    fields = message["provider_specific_fields"]
    assert fields == {"thought_signatures": [litellm_cases.S1]}


def test_a_value_comes_back_byte_for_byte() -> None:
    exchanges = gemini_cases.lost()
    subject = bench(exchanges).subject(2)
    (loss,) = subject.losses
    (edit,) = send_back(subject, loss) or ()
    assert edit.value == f'"{gemini_cases.S1}"'
    assert edit.label == f"restore thoughtSignature {loss.signature.id} from step 1"
