"""Texts that were changed while their signature was kept."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.rules import copilot_chat_cases as copilot
from tests.unit.rules import deepseek_cases as deepseek
from tests.unit.rules import gemini_cases as gemini
from tests.unit.rules import session_cases as session
from tests.unit.rules.cases import bench

from sigscope.exchange import Exchange
from sigscope.ledger import Fate
from sigscope.rules.kinds.kept import Changed, changed_thoughts


def thought(text: str) -> dict[str, object]:
    return {"text": text, "thought": True, "thoughtSignature": gemini.S1}


def found(text: str) -> list[Changed]:
    brought = [thought("I will look first."), gemini.call("ls", gemini.S2)]
    sent = [thought(text), gemini.call("ls", gemini.S2)]
    exchanges = gemini.two_steps(brought, [gemini.model(*sent), gemini.results("ls")])
    return list(changed_thoughts(bench(exchanges).subject(2), Fate.EXACT))


def test_a_changed_text_is_found_with_the_one_that_came() -> None:
    (each,) = found("...")
    assert each.index == 1
    assert each.part.pointer == "/contents/1/parts/0"
    assert (each.part.text, each.received.text) == ("...", "I will look first.")


def test_the_text_as_it_came_is_none() -> None:
    assert found("I will look first.") == []


LONG = "All of the files were read, and none of them is missing."


def on_copilot(arguments: str, thought: str = copilot.THOUGHT) -> Exchange:
    """A request that was accepted, with a reply of the first step."""
    sent = copilot.calls("ls", reasoning_opaque=copilot.E1, reasoning_text=thought)
    sent["tool_calls"][0]["function"]["arguments"] = arguments
    history = [copilot.SYSTEM, copilot.HI, sent, copilot.result("ls")]
    return copilot.ask(history, session.DONE)


def on_gemini(said: str = LONG, of: str = "ls") -> Exchange:
    made = gemini.call("ls", gemini.S1)
    made["functionCall"]["args"] = {"of": of}
    answer = {"text": said, "thoughtSignature": gemini.S2}
    history = [
        gemini.user("Look"),
        gemini.model(made),
        gemini.results("ls"),
        gemini.model(answer),
        gemini.user("Again"),
    ]
    return gemini.ask(history, gemini.answer({"text": "Yes."}))


def on_deepseek(thought: str) -> Exchange:
    history = [deepseek.HI, deepseek.calls(reasoning_content=thought), deepseek.DONE]
    return deepseek.ask(history, deepseek.FINE)


DEEPSEEK = (deepseek.ask([deepseek.HI], events=deepseek.stream(*deepseek.PIECES)),)
COPILOT = (copilot.ask([copilot.SYSTEM, copilot.HI], events=copilot.stream("ls")),)
GEMINI = (
    gemini.ask([gemini.user("Look")], gemini.answer(gemini.call("ls", gemini.S1))),
    gemini.ask(
        [
            gemini.user("Look"),
            gemini.model(gemini.call("ls", gemini.S1)),
            gemini.results("ls"),
        ],
        gemini.answer({"text": LONG, "thoughtSignature": gemini.S2}),
    ),
)
REWRITTEN: dict[str, Any] = {
    "arguments": (COPILOT, "SES-3", on_copilot("{}"), on_copilot('{"path": ""}')),
    "a thought": (COPILOT, "SES-4", on_copilot("{}"), on_copilot("{}", "Cut.")),
    "all of a thought": (
        DEEPSEEK,
        "SES-4",
        on_deepseek(deepseek.THOUGHT),
        on_deepseek(""),
    ),
    "args of Gemini": (GEMINI, "SES-3", on_gemini(), on_gemini(of="")),
    "an answer": (GEMINI, "GEM-16", on_gemini(), on_gemini("All ...")),
}


@pytest.mark.parametrize(
    ("begun", "rule", "kept", "changed"), REWRITTEN.values(), ids=REWRITTEN
)
@pytest.mark.parametrize("times", [0, 1, 2], ids=["at once", "later", "later still"])
def test_what_is_rewritten_in_any_accepted_request_is_told_once(
    begun: tuple[Exchange, ...],
    rule: str,
    kept: Exchange,
    changed: Exchange,
    times: int,
) -> None:
    before = (*begun, *[kept] * times)
    there = bench((*before, changed, changed, kept, changed))
    told = [f.step for f in there.all_findings() if f.rule == rule]
    assert told == [len(before) + 1]
