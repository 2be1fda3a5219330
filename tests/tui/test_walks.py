"""The walks of docs/walks.md, key by key."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.tui.driving import MISSING, Driver, opened
from tests.tui.story import step, story
from tests.tui.test_refused_steps import REFUSED, SENTENCE

from sigscope.exchange import Body
from sigscope.session import Session, Step
from sigscope.tui.hint import TITLE
from sigscope.tui.screens.compare import CompareScreen
from sigscope.tui.screens.upstream import UpstreamDialog

Size = tuple[int, int]
SIZES = ((80, 24), (100, 30), (120, 36), (160, 44))
at_every_size = pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
walked_twice = pytest.mark.parametrize(
    "sizes", [SIZES[:2], SIZES[:1:-1]], ids=["80x24", "160x44"]
)
"""In one pane, and in all of them; on the way the picture is looked at in the size
beside it, too."""
Sizes = tuple[Size, ...]


def heard(driver: Driver, words: str) -> bool:
    return any(words in told for told in driver.told)


# --- 1 Fixes --------------------------------------------------------------------------


@walked_twice
async def test_walk_1_fixes_go_on_one_by_one_and_come_off_by_another_key(
    sizes: Sizes,
) -> None:
    async with opened(MISSING, size=sizes[0]) as driver:
        await driver.press("f")
        assert heard(driver, "CPC-1 on: restore reasoning_opaque")
        await driver.press("f")
        assert heard(driver, "CPC-2 on: set content to null; s sends the request")
        both = driver.screen.model.edits
        await driver.press("f")
        assert driver.screen.model.edits == both
        assert heard(driver, "both fixes are on")
        driver.app.notices.hush()
        for size in reversed(sizes):
            await driver.resize(size)
            assert "⌫ Revert" in driver.text.splitlines()[-1], size
        await driver.press("backspace")
        assert heard(driver, "CPC-2 reverted")
        await driver.press("backspace", "backspace")
        assert driver.screen.model.edits == ()
        assert heard(driver, "no fix is on")


# --- 2 The screen turns ---------------------------------------------------------------


@at_every_size
async def test_walk_2_after_a_run_the_screen_turns(size: Size) -> None:
    async with opened(MISSING, size=size) as driver:
        await driver.press("s")
        assert "recorded 400 → got 400 (simulator, run 1)" in driver.header
        await driver.press("f", "s")
        assert "got 400 (simulator, run 2)" in driver.header
        await driver.press("6", "g")
        await driver.reads("mended, run 2")
        assert "✗ CPC-2" in driver.text
        await driver.press("3", "f", "s")
        assert "got 200 (simulator, run 3)" in driver.header
        confirmed = "✓ fix confirmed"
        assert "◆ 4fc87b ✓" in driver.text
        assert "◇ 4fc87b ✗" not in driver.text
        for pane in "123456":
            await driver.press(pane)
            top = driver.text.splitlines()[:3]
            assert any(row.endswith(confirmed) for row in top), pane
        await driver.press("g")
        assert "fix confirmed, run 3" in driver.text
        assert "2 errors, 2 mended" in driver.text
        await driver.press("2")
        assert "run 3 ✓ exact" in driver.text
        assert "none lost in run 3" in driver.text
        await driver.press("4")
        assert "✓ CPC-1" in driver.text
        assert "✓ CPC-2" in driver.text
        await driver.press("left_curly_bracket")
        assert confirmed not in driver.text
        await driver.press("right_curly_bracket")
        assert confirmed in driver.text
        await driver.press("backspace")
        assert confirmed not in driver.text
        assert "predicted 400" in driver.header
        await driver.press("4")
        assert "✗ CPC-2" in driver.text
        await driver.press("u")
        assert confirmed in driver.text


# --- 3 An answer to s -----------------------------------------------------------------


def alone(*, has_request: bool = True) -> Session:
    exchange = REFUSED if has_request else replace(REFUSED, request=None)
    return Session(id="alone", steps=(Step(number=1, id="1", exchange=exchange),))


@walked_twice
async def test_walk_3_s_says_why_not_and_what_to_do(sizes: Sizes) -> None:
    async with opened(alone(), size=sizes[0]) as driver:
        await driver.press("s")
        assert driver.screen.model.runs == ()
        assert heard(driver, "the simulator has to know what step 1 speaks")
        assert heard(driver, "S sends it to the service")
        await driver.pilot.press("S")
        await driver.until(lambda: isinstance(driver.app.screen, UpstreamDialog))
    async with opened(alone(has_request=False), size=sizes[0]) as driver:
        await driver.press("s")
        assert heard(driver, "step 1 has no request: there is nothing to send")


# --- 4 What it opens on ---------------------------------------------------------------


def limited() -> Session:
    """A limit first; what matters comes later."""
    whole = story()
    first, lost, *_ = whole.steps
    words = {"error": {"message": "Rate limit exceeded", "code": "rate_limited"}}
    request = first.exchange.request
    assert request is not None
    body = json.loads(request.body.raw)
    limit = step(1, body, 429, json.dumps(words).encode(), streamed=False)
    return Session(
        id="limited",
        steps=(limit, replace(first, number=2), replace(lost, number=3)),
    )


def unknown() -> Session:
    """Refused for what no rule knows, after it was accepted."""
    assert REFUSED.response is not None
    fine = replace(REFUSED, response=replace(REFUSED.response, status=200))
    body = Body(b'{"text": "hello"}')
    assert fine.response is not None
    fine = replace(fine, response=replace(fine.response, body=body))
    steps = [
        Step(number=n, id=str(n), exchange=e) for n, e in ((1, fine), (2, REFUSED))
    ]
    return Session(id="unknown", steps=tuple(steps))


@walked_twice
async def test_walk_4_it_opens_on_what_is_worst(sizes: Sizes) -> None:
    async with opened(limited(), size=sizes[0]) as driver:
        selection = driver.screen.model.selection
        assert selection is not None
        assert selection.step == 3
        assert selection.finding is not None
        assert selection.finding.rule == "CPC-1"
        for size in sizes:
            await driver.resize(size)
            await driver.reads("✗ 400 invalid request body")


@walked_twice
async def test_walk_4_the_sentence_of_an_unknown_refusal_and_what_to_compare(
    sizes: Sizes,
) -> None:
    async with opened(unknown(), size=sizes[0]) as driver:
        assert driver.screen.model.selection is not None
        assert driver.screen.model.selection.step == 2
        for size in reversed(sizes):
            await driver.resize(size)
            await driver.reads(f"✗ 400 {SENTENCE}")
            await driver.reads("D compares it with step 1, which was accepted")
        await driver.pilot.press("D")
        await driver.until(lambda: isinstance(driver.app.screen, CompareScreen))
        await driver.reads("step 1")


# --- 9 What is said covers nothing ----------------------------------------------------


@at_every_size
async def test_walk_9_what_is_said_makes_room_for_itself(size: Size) -> None:
    async with opened(MISSING, size=size, notifications=True) as driver:
        await driver.reads("explains the pane")
        pane = driver.screen.panes.widget(driver.screen.panes.current)
        at = driver.find(TITLE)
        assert pane.region.bottom <= at.y
        bottom = driver.text.splitlines()[at.y - 2]
        assert bottom.startswith("╰"), driver.text
        assert "palette" in driver.text.splitlines()[-1]


@walked_twice
async def test_walk_9_help_begins_with_space(sizes: Sizes) -> None:
    async with opened(MISSING, size=sizes[0]) as driver:
        for pane in ("3", "4"):
            await driver.press(pane)
            await driver.press("question_mark")
            page = driver.app.screen
            (section, *_) = page._sections  # type: ignore[attr-defined]
            assert section.keys[0].keys.split()[0] == "space", pane
            await driver.press("escape")
