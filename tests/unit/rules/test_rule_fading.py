"""Summaries that fade are measured, told once, and nothing else is taken for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.unit.rules import copilot_chat_cases, gemini_cases, litellm_cases
from tests.unit.rules import openrouter_cases as openrouter
from tests.unit.rules.cases import Bench, Exchange, bench
from tests.unit.rules.litellm_cases import a_call, answer, ask, calls, result, user

from sigscope.refusals import read_refusal
from sigscope.rules.base import Finding, Severity
from sigscope.rules.registry import RULES, rule_named
from sigscope.rules.runner import check_session
from sigscope.rules.session.course import Fading, fading

FADES = ((90, 60), (40, 200), (0, 900))
Json = Any


def chat(*replies: tuple[int, int], more: tuple[Json, ...] = ()) -> list[Exchange]:
    """Turns whose answers have so many characters of summary and of text; `more`: what
    else each request says."""
    history: list[object] = []
    found = []
    for turn, (summary, text) in enumerate(replies):
        history = [*history, user(f"Question number {turn}, please")]
        said = {
            "role": "assistant",
            "content": f"{turn}" * text,
            "reasoning_content": "s" * summary,
        }
        made = ask(history, answer(said))
        found.append(litellm_cases.with_more(made, more[turn]) if more else made)
        history = [*history, {"role": "assistant", "content": said["content"]}]
    return found


def course(*replies: tuple[int, int], more: tuple[Json, ...] = ()) -> Fading | None:
    return fading(bench(chat(*replies, more=more)).subject(1))


def told(exchanges: list[Exchange]) -> list[Finding]:
    found: Bench = bench(exchanges)
    refusals = {r.number: said for r in found.readings if (said := read_refusal(r))}
    findings = check_session(found.readings, found.ledger, refusals)
    return [finding for finding in findings if finding.rule == "SES-1"]


def test_a_falling_share_under_growing_text_is_told_once_with_its_numbers() -> None:
    (finding,) = told(chat(*FADES))
    assert finding.step == 2
    assert finding.message == (
        "readable reasoning fades from turn 2 (step 2) on: 60% of what step 1 said (90"
        " characters), 17% here (40), 0% in step 3 (0 characters), while visible text"
        " grew from 60 to 900; no signature was lost by then, so the cause is"
        " another one"
    )


def test_it_warns_where_signatures_were_lost_and_is_a_remark_elsewhere() -> None:
    (lost,) = told(list(litellm_cases.fading()))
    assert lost.severity is Severity.WARNING
    assert "did not go back as received" in lost.message
    (kept,) = told(chat(*FADES))
    assert kept.severity is Severity.INFO


@pytest.mark.parametrize(
    "replies",
    [
        ((90, 60), (0, 900)),
        ((90, 60), (80, 70), (95, 80)),
        ((90, 60), (40, 50), (0, 40)),
        ((0, 60), (0, 200), (0, 900)),
        ((90, 60), (0, 900), (80, 900)),
        ((90, 60), (90, 400), (90, 900)),
        ((300, 60), (200, 90), (180, 120)),
        ((90, 60), (30, 300), (60, 900), (0, 950)),
        ((59, 60), (20, 200), (0, 900)),
    ],
    ids=[
        "two answers make no course",
        "the share holds",
        "the text shrinks as well",
        "it never summed up",
        "it comes back",
        "only the text grows",
        "a little less",
        "up and down",
        "a few words that are gone",
    ],
)
def test_other_courses_do_not_fade(replies: tuple[tuple[int, int], ...]) -> None:
    assert course(*replies) is None


def test_a_client_that_stops_asking_for_summaries_has_lost_nothing() -> None:
    asked: tuple[Json, ...] = (
        {"reasoning_effort": "high"},
        {"reasoning_effort": "none"},
        {"reasoning_effort": "none"},
    )
    assert course(*FADES, more=asked) is None
    assert course(*FADES, more=(asked[0],) * 3) is not None


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
    found = fading(bench(litellm_cases.fading()).subject(1))
    assert found is not None
    assert (found.first.step, found.change.step, found.last.step) == (2, 4, 8)


# --- Every API that shows reasoning ---------------------------------------------------


def in_gemini(history: list[Json], thought: str, text: str) -> tuple[Exchange, Json]:
    parts = [{"text": thought, "thought": True}, {"text": text}]
    said = gemini_cases.model(*(part for part in parts if part["text"]))
    return gemini_cases.ask(history, gemini_cases.answer(*said["parts"])), said


def in_copilot(history: list[Json], thought: str, text: str) -> tuple[Exchange, Json]:
    delta = {"role": "assistant", "content": text, "reasoning_text": thought}
    events = [copilot_chat_cases.chunk(delta, "stop")]
    said = {"role": "assistant", "content": text}
    return copilot_chat_cases.ask(history, events=events), said


def in_openrouter(
    history: list[Json], thought: str, text: str
) -> tuple[Exchange, Json]:
    said = {"role": "assistant", "content": text}
    reply = openrouter.answer(said | {"reasoning": thought})
    return openrouter.ask(history, reply), said


@pytest.mark.parametrize(
    ("say", "asked"),
    [
        (in_gemini, gemini_cases.user),
        (in_copilot, copilot_chat_cases.user),
        (in_openrouter, copilot_chat_cases.user),
    ],
    ids=["gemini", "copilot", "openrouter"],
)
def test_it_is_told_wherever_reasoning_is_shown(
    say: Callable[[list[Json], str, str], tuple[Exchange, Json]],
    asked: Callable[[str], Json],
) -> None:
    history: list[Json] = []
    found = []
    for turn, (summary, text) in enumerate(FADES):
        history = [*history, asked(f"Question number {turn}, please")]
        made, said = say(history, "s" * summary, f"{turn}" * text)
        found.append(made)
        history = [*history, said]
    (finding,) = told(found)
    assert finding.step == 2


def test_the_rule_speaks_of_every_api_and_blames_no_request() -> None:
    rule = rule_named("SES-1")
    assert rule is not None
    every = {name for other in RULES for name in other.dialects}
    assert every <= set(rule.dialects)
