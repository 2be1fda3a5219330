"""Summaries that fade are measured, and nothing else is taken for it."""

from __future__ import annotations

from tests.unit.rules.cases import Exchange, bench
from tests.unit.rules.litellm_cases import a_call, answer, ask, calls, result, user
from tests.unit.rules.litellm_cases import fading as a_fading_session

from sigscope.rules.litellm.fading import fading


def chat(*replies: tuple[int, int]) -> list[Exchange]:
    """Turns whose answers have so many characters of summary and of text."""
    history: list[object] = []
    found = []
    for turn, (summary, text) in enumerate(replies):
        history = [*history, user(f"Question number {turn}, please")]
        said = {
            "role": "assistant",
            "content": f"{turn}" * text,
            "reasoning_content": "s" * summary,
        }
        found.append(ask(history, answer(said)))
        history = [*history, {"role": "assistant", "content": said["content"]}]
    return found


def course(*replies: tuple[int, int]) -> str | None:
    found = bench(chat(*replies))
    return fading(found.subject(len(replies)))


def test_a_falling_share_under_growing_text_fades() -> None:
    assert course((90, 60), (40, 200), (0, 900)) == (
        "readable reasoning fell from 60% of what step 1 said to 0% in step 3, while"
        " visible text grew from 60 to 900 characters"
    )


def test_two_answers_make_no_course() -> None:
    assert course((90, 60), (0, 900)) is None


def test_a_share_that_holds_does_not_fade() -> None:
    assert course((90, 60), (80, 70), (95, 80)) is None


def test_an_answer_that_shrinks_as_well_does_not_fade() -> None:
    assert course((90, 60), (40, 50), (0, 40)) is None


def test_a_model_that_never_summed_up_does_not_fade() -> None:
    assert course((0, 60), (0, 200), (0, 900)) is None


def test_an_answer_after_silent_tool_steps_does_not_fade() -> None:
    history: list[object] = [user("Please look")]
    found = []
    for step in range(3):
        said = calls(a_call("ls", None, f"call_{step}"), reasoning_content="s" * 90)
        found.append(ask(list(history), answer(said)))
        history += [calls(a_call("ls", None, f"call_{step}")), result(f"call_{step}")]
    final = {"role": "assistant", "content": "x" * 900, "reasoning_content": "s" * 20}
    found.append(ask(list(history), answer(final)))
    assert fading(bench(found).subject(4)) is None


def test_tool_steps_are_not_held_against_answers() -> None:
    found = bench(a_fading_session())
    assert fading(found.subject(4)) is None
    told = fading(found.subject(8))
    assert told is not None
    assert "step 2" in told
    assert "step 8" in told
