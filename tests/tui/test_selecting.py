"""One selection is shared: what is chosen anywhere, every pane shows."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tui.driving import MISSING, Driver, opened
from tests.tui.story import story
from tests.unit.rules import copilot_chat_cases as copilot

from sigscope.engine.sessions.document import Document
from sigscope.ledger import Fate
from sigscope.session import Session, Step
from sigscope.tui.lines import plain
from sigscope.tui.place import NodePlace
from sigscope.tui.study import look_at, study
from sigscope.tui.timeline.sight import fates_of
from sigscope.tui.views.chat import chat_blocks
from sigscope.tui.views.marks import SignatureMark
from sigscope.tui.views.shownsession import Overview


def selected(driver: Driver) -> tuple[int, NodePlace | None, str | None]:
    now = driver.screen.model.selection
    assert now is not None
    return now.step, now.place, now.signature


async def test_moving_in_steps_shows_the_step_everywhere() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        screen = driver.screen
        await driver.press("1", "j")
        assert selected(driver)[0] == 3
        assert screen.board.timeline.key == ("step", 3)
        assert screen.model.shown is not None
        assert screen.model.shown.step == 3
        assert "as sent in step 3" in driver.text
        assert "step 3 of 4" in driver.status_line
        await driver.press("right_curly_bracket")
        assert selected(driver)[0] == screen.board.steps.key == 4
        await driver.press("left_curly_bracket", "left_curly_bracket")
        assert selected(driver)[0] == screen.board.steps.key == 2


async def test_steps_end_at_both_ends_also_where_their_list_is_not_on_show() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        for before in ("1", "3", "z"):
            await driver.press(before)
            for key, end in (("left_curly_bracket", 1), ("right_curly_bracket", 4)):
                await driver.press(*[key] * 5)
                assert selected(driver)[0] == driver.screen.board.steps.key == end
                assert driver.screen.model.shown is not None
                assert driver.screen.model.shown.step == end


async def test_going_to_another_pane_lays_nothing_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        await driver.press("1", *["tab"] * 6)  # a scroll bar gets its styles by then
        laid: list[object] = []
        monkeypatch.setattr(
            driver.screen, "_refresh_layout", lambda *given, **more: laid.append(given)
        )
        await driver.press("tab", "tab")
        assert driver.screen.panes.current == 3
        assert not laid


async def test_a_finding_takes_the_json_and_the_chat_to_its_node() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        screen = driver.screen
        await driver.press("6", "j")
        kind, finding = screen.board.findings.key
        assert kind == "finding"
        assert selected(driver)[1] == NodePlace(pointer=finding.pointer)
        assert driver.pointer == finding.pointer == "/messages/2/content"
        assert driver.status_line.split()[0] == finding.pointer
        await driver.press("enter")
        assert screen.panes.current == 4


async def test_a_signature_is_followed_to_where_it_stands_and_from_step_to_step() -> (
    None
):
    async with opened(MISSING, size=(160, 44)) as driver:
        screen = driver.screen
        first, second = screen.model.document.ledger.signatures[:2]
        await driver.press("2", "g")
        assert selected(driver) == (2, NodePlace(pointer="/messages/2"), first.sha256)
        await driver.press("right_curly_bracket")
        assert selected(driver)[2] == first.sha256, "it has to do with step 3 too"
        sent = next(p for p in first.sent if p.step == 3)
        assert driver.pointer == sent.sighting.pointer
        await driver.press("2", "j")
        step, place, sha256 = selected(driver)
        assert sha256 == second.sha256
        assert (step, place and place.side) == (3, "event"), "received here"
        assert driver.json.tab == "events"
        assert second.received[0].sighting.event == driver.json.events_view.number


async def test_one_value_that_came_twice_has_two_cards_with_a_fate_of_their_own() -> (
    None
):
    """A retry is answered from a cache; scrubbed signatures are alike as well."""
    sent = copilot.calls("read_file")
    first, refused = copilot.two_steps(sent, copilot.INVALID, status=400)
    made = enumerate((first, refused, first), 1)
    steps = (Step(number=n, id=str(n), exchange=e) for n, e in made)
    session = Session(id="twice", steps=tuple(steps))
    async with opened(session, size=(160, 44)) as driver:
        await driver.press("2", "z")
        for keys in ((), ("left_curly_bracket", "s"), ("z",)):
            await driver.press(*keys)
            pane = driver.screen.board.signatures
            texts = [pane.text_of(card) for card in pane.items]
            told = [("step 1" in text, "dropped" in text) for text in texts]
            assert told == [(True, True), (False, False)], keys
    mark = alike(sent | {"reasoning_opaque": copilot.E1})
    assert mark.fate is not None
    assert mark.fate.fate is Fate.EXACT


def alike(sent: Any) -> SignatureMark:
    """What JSON and chat say of the value in the second of three steps, where the third
    is answered with it once more."""
    first, second = copilot.two_steps(sent, copilot.INVALID)
    made = enumerate((first, second, first), 1)
    document = Document(Session(id="s", steps=tuple(
        Step(number=n, id=str(n), exchange=e) for n, e in made
    )))  # fmt: skip
    *_, overview = (told for told in study(document) if isinstance(told, Overview))
    shown = look_at(document, overview, 2, None)
    badges = [badge for block in chat_blocks(shown, {}) for badge in block.badges]
    (mark,) = (
        mark
        for place, marks in shown.marks.signatures.items()
        for mark in marks
        if place.side == "request"
    )
    assert mark.fate in [badge.fate for badge in badges]
    assert fates_of(overview.ledger, mark.sha256)[2] == mark.fate
    return mark


async def test_moving_in_the_json_selects_the_signature_and_the_finding_there() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        screen = driver.screen
        await driver.press("4", "right_curly_bracket")
        sent = screen.model.document.ledger.signatures[0].sent[0]
        driver.json.goto(sent.sighting.pointer)
        await driver.rest()
        assert selected(driver)[2] == screen.model.document.ledger.signatures[0].sha256
        assert screen.board.signatures.key == selected(driver)[2]
        await driver.press("left_curly_bracket", "4")
        driver.json.goto("/messages/2/content")
        await driver.rest()
        finding = screen.model.selection.finding if screen.model.selection else None
        assert finding is not None
        assert finding.rule == "CPC-2"
        assert screen.board.findings.key == ("finding", finding)


async def test_a_block_of_the_chat_is_found_in_the_json() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        screen = driver.screen
        await driver.press("3", "g")
        seen = set()
        for _ in range(len(screen.board.chat.items)):
            block = screen.board.chat.block(screen.board.chat.key)
            assert block is not None
            step, place, _ = selected(driver)
            assert step == 2
            assert place is not None
            assert place.side == block.place.side
            if block.place.side == "request":
                assert driver.pointer == block.place.pointer
            seen.add(block.kind)
            await driver.press("j")
        assert {"text", "call", "error", "finding"} <= seen


async def test_thoughts_and_results_unfold_and_fold() -> None:
    async with opened(story(), size=(160, 44)) as driver:
        chat = driver.screen.board.chat
        await driver.press("right_curly_bracket", "3")

        def told() -> str:
            return "\n".join(plain(x) for i in chat.items for x in i.lines(60))

        assert "Roadmap" not in told()
        await driver.press("L")
        assert "Roadmap" in told()
        await driver.press("H")
        assert "Roadmap" not in told()
        await driver.press("g")
        while (block := chat.block(chat.key)) and block.kind != "result":
            await driver.press("j")
        await driver.press("l")
        assert "Roadmap" in told()
        await driver.press("space")
        assert "Roadmap" not in told()


async def test_the_next_event_is_shown_from_every_pane() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        await driver.press("right_square_bracket")
        assert any("not streamed" in told for told in driver.told)
        await driver.press("left_curly_bracket", "1", "right_square_bracket")
        assert driver.json.tab == "events"
        first = driver.json.events_view.number
        await driver.press("left_square_bracket")
        assert driver.json.events_view.number == (first or 0) - 1
        assert f"event {driver.json.events_view.number} of" in driver.status_line
