"""Searching while stepping through a response."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tui.stepthrough.harness import Harness, text_of, walk_of
from tests.tui.stillness import workers_ended
from tests.unit.stepthrough import streams as s
from textual.pilot import Pilot

from sigscope.search.text import make_query
from sigscope.tui.json.prompt import Prompt
from sigscope.tui.stepthrough.hits import in_message
from sigscope.tui.stepthrough.presenter import CLIENT, EVENTS, MESSAGE, RAW
from sigscope.tui.stepthrough.screen import StepScreen

LONG = "Here is the beginning. " + "Words and words follow it. " * 60 + "The needle."


def story() -> StepScreen:
    return StepScreen(walk_of(s.story()))


async def ask(pilot: Pilot[Any], screen: StepScreen, pane: int, text: str) -> None:
    """Type a search into the line of a pane."""
    await pilot.press(str(pane), "slash")
    for char in text:
        await pilot.press("space" if char == " " else char)
    await pilot.press("enter")
    await rest(pilot, screen)


async def rest(pilot: Pilot[Any], screen: StepScreen) -> None:
    await workers_ended(screen.app)
    await pilot.pause()


def said(screen: StepScreen, pane: int) -> str:
    return str(screen.box(pane).border_subtitle)


async def test_events_are_searched_and_the_hit_is_unfolded_beside_them() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await ask(pilot, screen, EVENTS, "arguments")
        assert screen.model.event == 4
        assert "1/4 · 10 events" in said(screen, EVENTS)
        leaf = screen.raw.leaf()
        assert leaf is not None
        assert leaf.pointer.endswith("/tool_calls/0/function/arguments")
        for key, wanted, count in (("n", 5, "2/4"), ("N", 4, "1/4"), ("N", 7, "4/4")):
            await pilot.press(key)
            assert screen.model.event == wanted
            assert count in said(screen, EVENTS)


async def test_in_the_raw_event_every_field_that_holds_it_is_a_hit() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await pilot.press("<")
        await ask(pilot, screen, RAW, "ind")
        first = screen.raw.leaf()
        assert first is not None
        assert first.pointer == "/choices/0/index"
        assert "1/12" in said(screen, RAW)
        await pilot.press("n", "n", "n", "n")
        found = screen.raw.leaf()
        assert screen.model.event == 4
        assert found is not None
        assert found.pointer == "/choices/0/delta/tool_calls/0/index"


async def test_what_is_folded_in_the_message_is_found_and_unfolded() -> None:
    events = [s.delta(content=LONG), s.delta("stop"), b"[DONE]"]
    screen = StepScreen(walk_of(s.reading(s.sse(*events))), event=2)
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.press("3")
        screen.message_list.select("/choices/0/message")
        await pilot.press("h")
        assert "content" not in text_of(screen.message_list)
        assert "needle" not in text_of(screen.message_list)
        await ask(pilot, screen, MESSAGE, "needle")
        assert "The needle." in text_of(screen.message_list)
        assert "1/1" in said(screen, MESSAGE)
        pointer, begin = screen.message_list.model.here
        assert pointer == "/choices/0/message/content"
        assert begin is not None
        assert begin > 1000


async def test_a_hit_in_the_middle_of_a_long_list_is_shown() -> None:
    numbers = [s.delta(x=[f"item {n}" for n in range(500)]), s.delta("stop")]
    screen = StepScreen(walk_of(s.reading(s.sse(*numbers))), event=2)
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await ask(pilot, screen, MESSAGE, "item 250")
        assert screen.message_list.pointer == "/choices/0/message/x/250"
        assert '"item 250"' in text_of(screen.message_list)


async def test_the_count_follows_the_message_as_it_grows() -> None:
    events = [s.delta(content="hay ") for _ in range(5)]
    screen = StepScreen(walk_of(s.reading(s.sse(*events))))
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await ask(pilot, screen, MESSAGE, "hay")
        assert "1/1" in said(screen, MESSAGE)
        await pilot.press("]", "]")
        await pilot.pause()
        assert "1/3" in said(screen, MESSAGE)
        await pilot.press("n", "n", "n")
        assert "1/3" in said(screen, MESSAGE)


async def test_what_the_client_keeps_is_searched() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await pilot.press(">")
        await ask(pilot, screen, CLIENT, "re:call_\\d")
        assert "1/2" in said(screen, CLIENT)
        await pilot.press("n")
        assert "2/2" in said(screen, CLIENT)


async def test_while_searching_n_is_the_next_hit_and_after_escape_the_breakpoint() -> (
    None
):
    screen = story()
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await ask(pilot, screen, EVENTS, "call_2")
        assert screen.model.event == 7
        await pilot.press("escape", "<", "n")
        assert screen.model.event == 3
        assert screen.model.stop is not None
        assert said(screen, EVENTS) == "10 events"


async def test_what_is_typed_into_the_search_line_is_no_command() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.press("slash", "p", "space", "b", "]")
        assert not screen.model.is_playing
        assert screen.model.event == 1
        prompt = screen.query_one("#ask", Prompt)
        assert prompt.query_one("Input").value == "p b]"  # type: ignore[attr-defined]
        await pilot.press("escape")
        assert not screen.finder.is_asking
        assert not screen.finder.is_on
        screen.now = lambda: 0.0  # a slow machine would have played to the end
        await pilot.press("space")
        assert screen.model.is_playing


async def test_nothing_found_and_a_bad_pattern_are_said() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await ask(pilot, screen, MESSAGE, "nowhere")
        assert "0 found" in said(screen, MESSAGE)
        await pilot.press("n")
        assert screen.model.event == 1
        await ask(pilot, screen, EVENTS, "re:(")
        assert "no regular expression" in said(screen, EVENTS)
        assert "found" not in said(screen, MESSAGE)


async def test_another_step_ends_the_search() -> None:
    screen = StepScreen(walk_of(s.story(), s.story()))
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await ask(pilot, screen, MESSAGE, "look")
        assert screen.finder.is_on
        await pilot.press("}")
        assert not screen.finder.is_on


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("name", [("/a/name", -1), ("/b", 3), ("/b", 12)]),
        ("3", [("/n/0", 0)]),
        ("null", [("/n/1", 0)]),
        ("Name", [("/b", 12)]),
    ],
)
def test_names_values_and_every_place_in_a_text_are_found_in_order(
    text: str, hits: list[tuple[str, int]]
) -> None:
    body = {"a": {"name": 1}, "b": "my name and Name", "n": [3, None]}
    found = in_message(body, make_query(text)).hits
    assert [(hit.pointer, hit.order[1]) for hit in found] == hits
