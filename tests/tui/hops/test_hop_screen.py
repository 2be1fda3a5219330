"""Both hops of a step, side by side on the screen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.builders import LS, copilot, exchange, request_body, response_body, user
from tests.builders import result as result_of
from tests.tui.driving import MISSING, opened
from tests.tui.stepthrough.harness import text_of

from sigscope.exchange import Body
from sigscope.session import Session, Step
from sigscope.tui.hops.screen import HopScreen
from sigscope.tui.screens.debugger import DebuggerScreen

DONE = {"role": "assistant", "content": "There is a.md."}


def hop(host: str, start: str, ms: float, history: list[Any], reply: Any) -> Step:
    asked = request_body("copilot-chat", history)
    if host == "b.example":
        asked["store"] = False
    made = exchange(
        "copilot-chat",
        asked,
        response_body("copilot-chat", reply),
        url=f"https://{host}/chat/completions",
    )
    timed = replace(made, started_at=f"2026-11-21T00:00:{start}Z", duration_ms=ms)
    return Step(number=0, id=start, exchange=timed)


def gateway() -> Session:
    """Two calls by way of a gateway; it loses the signature of the second."""
    lost = {k: v for k, v in copilot(LS).items() if k != "reasoning_opaque"}
    first = [user(), copilot(LS), result_of(LS)]
    steps = [
        hop("a.example", "00.000", 900, [user()], copilot(LS)),
        hop("b.example", "00.100", 700, [user()], copilot(LS)),
        hop("a.example", "02.000", 900, first, DONE),
        hop("b.example", "02.100", 700, [user(), lost, result_of(LS)], DONE),
    ]
    numbered = [replace(step, number=n) for n, step in enumerate(steps, start=1)]
    return Session(id="hops", title="by way of a gateway", steps=tuple(numbered))


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_what_the_gateway_did_is_listed_and_shown(size: tuple[int, int]) -> None:
    async with opened(gateway(), size=size) as driver:
        driver.screen.model.choose_step(3)
        await driver.press("vertical_line")
        await driver.until(lambda: isinstance(driver.app.screen, HopScreen))
        await driver.until(lambda: "request, step 3 → step 4" in driver.text)
        screen = driver.app.screen
        assert isinstance(screen, HopScreen)
        told = text_of(screen.changes)
        assert "1 dropped, 1 stamped" in told
        assert "answer, step 4 → step 3  nothing changed" in told
        assert "sigscope  by way" in driver.header, "whose call it is"
        assert screen.changes.size.height < 8, "the rest is for the two hops"
        await driver.press("j")
        row = screen.rows.row_here
        assert row is not None
        assert row.left_place == "/messages/1/reasoning_opaque"
        await driver.press("tab", "space")
        assert screen.rows.has_focus


async def test_without_the_bodies_of_requests_hops_are_not_known() -> None:
    session, steps = gateway(), []
    for step in session.steps:
        asked = step.exchange.request
        assert asked is not None
        bare = replace(asked, headers=(), body=Body(b""))
        steps.append(replace(step, exchange=replace(step.exchange, request=bare)))
    async with opened(replace(session, steps=tuple(steps))) as driver:
        await driver.press("vertical_line")
        (told,) = [words for words in driver.told if words.startswith("Hops: ")]
        assert "not known: step 1 was recorded without the body" in told


async def test_o_goes_to_the_place_in_the_debugger() -> None:
    async with opened(gateway()) as driver:
        driver.screen.model.choose_step(4)
        await driver.press("vertical_line")
        await driver.until(lambda: "request, step 3 → step 4" in driver.text)
        await driver.press("j", "o")
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
        await driver.rest()
        selection = driver.screen.model.selection
        assert selection is not None
        assert selection.step == 3
        assert str(selection.place) == "/messages/1/reasoning_opaque"


async def test_other_calls_are_gone_to() -> None:
    async with opened(gateway()) as driver:
        driver.screen.model.choose_step(3)
        await driver.press("vertical_line")
        await driver.until(lambda: "call 2 of 2" in driver.text)
        await driver.press("left_curly_bracket")
        await driver.until(lambda: "request, step 1 → step 2" in driver.text)
        await driver.press("escape")
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))


async def test_what_was_compared_before_another_call_was_chosen_is_not_shown() -> None:
    async with opened(gateway()) as driver:
        driver.screen.model.choose_step(3)
        await driver.press("vertical_line")
        await driver.until(lambda: "request, step 3 → step 4" in driver.text)
        screen = driver.app.screen
        assert isinstance(screen, HopScreen)
        before = screen._found
        assert before is not None
        await driver.press("left_curly_bracket")
        await driver.until(lambda: "request, step 1 → step 2" in driver.text)
        screen.post_message(HopScreen.Compared(before))
        await driver.rest()
        assert "request, step 1 → step 2" in driver.text


async def test_a_session_of_one_hop_says_how_to_record_two() -> None:
    async with opened(MISSING, notifications=True) as driver:
        await driver.press("vertical_line")
        await driver.until(lambda: "this session has one hop" in driver.text)
        assert isinstance(driver.app.screen, DebuggerScreen)
