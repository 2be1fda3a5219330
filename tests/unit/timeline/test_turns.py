"""Figures over the turns of a conversation."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import builders as b

from sigscope.engine.engine import Engine
from sigscope.ledger import build_ledger
from sigscope.timeline.turns import Figures, figures_of, turns_of

SESSIONS = Path(__file__).parents[3] / "sessions"


def turns(name: str) -> tuple[Figures, ...]:
    document = Engine().open(str(SESSIONS / f"{name}.session.jsonl"))
    return turns_of(figures_of(document.readings, document.ledger))


def test_a_stand_in_makes_reasoning_fade_and_answers_swell() -> None:
    found = turns("zoo-litellm-dummy")
    assert [f.turn for f in found] == list(range(1, 9))
    thoughts = [f.thought_chars for f in found]
    texts = [f.text_chars for f in found]
    assert thoughts == sorted(thoughts, reverse=True)
    assert texts == sorted(texts)
    assert (thoughts[0], thoughts[-1], texts[0], texts[-1]) == (584, 0, 40, 1769)
    assert [f.bypass for f in found] == list(range(1, 9))
    assert {f.genuine for f in found} == {0}
    assert all(f.received for f in found)


def test_with_genuine_signatures_nothing_fades() -> None:
    found = turns("zoo-litellm-per-call-echo")
    assert min(f.thought_chars for f in found) > 500
    assert {f.bypass for f in found} == {0}
    assert [f.genuine for f in found] == [2 * n - 1 for n in range(1, 9)]


def test_a_refused_question_asked_again_is_the_same_turn() -> None:
    found = turns("copilot-missing-signature")
    assert [f.steps for f in found] == [(1, 2, 3), (4,)]
    assert [f.refused for f in found] == [1, 0]


def test_tokens_of_a_turn_are_together_and_prompts_count_once() -> None:
    one = Figures(turn=1, thread=1, steps=(1,), prompt_tokens=10, completion_tokens=3)
    two = Figures(turn=1, thread=1, steps=(2,), prompt_tokens=25, reasoning_tokens=2)
    (found,) = turns_of([one, two])
    assert (found.prompt_tokens, found.completion_tokens, found.reasoning_tokens) == (
        25,
        3,
        2,
    )


@pytest.mark.parametrize("dialect", ["copilot-chat", "gemini"])
def test_a_tool_result_does_not_open_a_turn(dialect: str) -> None:
    if dialect == "gemini":
        history = [b.ask(), b.gemini(b.LS), b.answers(b.LS), b.says(b.text_part("x"))]
    else:
        history = [b.user(), b.copilot(b.LS), b.result(b.LS), b.copilot(content="x")]
    readings = b.record(dialect, history)
    found = figures_of(readings, build_ledger(readings))
    assert {f.turn for f in found} == {1}
