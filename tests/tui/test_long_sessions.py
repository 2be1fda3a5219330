"""Sessions of many steps on screen."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tui.driving import opened
from tests.tui.longstory import long_story

from sigscope.tui.lines import Line
from sigscope.tui.panes import findingitems
from sigscope.tui.views import carditems
from sigscope.tui.views.findings import lay_elsewhere
from sigscope.tui.views.shownsession import Shown
from sigscope.tui.views.signatures import SignatureCard, lay_card


async def test_showing_a_step_does_not_spell_out_all_that_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Textual describes a worker by the `repr` of its arguments, unless told how; that
    of a step with its ledger takes longer than all else together."""
    spelled: list[Shown] = []

    def spell(self: Shown) -> str:
        spelled.append(self)
        return "Shown()"

    monkeypatch.setattr(Shown, "__repr__", spell)
    async with opened(long_story(12)) as driver:
        await driver.press("1", "j", "j", "k")
        assert driver.screen.model.selection is not None
        assert driver.screen.model.selection.step == 2
    assert not spelled


async def test_a_signature_is_followed_through_twenty_steps_with_one_key() -> None:
    """From where it was received to each request, the cursor of the JSON pane and the
    chat's with it; then around."""
    async with opened(long_story(20, per_turn=20)) as driver:
        screen = driver.screen
        await driver.press("1", "g", "o")
        walked = []
        for _ in range(20):
            place = screen.model.selection and screen.model.selection.place
            assert place is not None
            assert screen.model.shown is not None
            walked.append((screen.model.shown.step, place.side, place.pointer))
            if place.side == "request":
                assert driver.pointer == place.pointer
                block = screen.board.chat.block(screen.board.chat.key)
                assert block is not None
                assert block.badges
            await driver.press("o")
        sent = [(n, "request", "/messages/2/reasoning_opaque") for n in range(2, 21)]
        assert walked[:19] == sent
        assert walked[19][:2] == (1, "event")
        await driver.press("O")
        assert screen.model.shown is not None
        assert screen.model.shown.step == 1


async def test_a_signature_that_was_lost_is_followed_to_where_it_should_stand() -> None:
    async with opened(long_story(20, per_turn=20, drops=(9,))) as driver:
        screen = driver.screen
        steps = []
        for _ in range(11):
            selection, shown = screen.model.selection, screen.model.shown
            assert selection is not None
            assert shown is not None
            steps.append(shown.step)
            if shown.step > 9:
                block = screen.board.chat.block(screen.board.chat.key)
                assert block is not None
                assert [b.is_ghost for b in block.badges] == [True], block
                assert driver.pointer.startswith("/messages/18")
            await driver.press("o")
        assert steps == list(range(10, 21))
        assert screen.model.shown is not None
        assert screen.model.shown.step == 9


async def test_of_what_is_found_elsewhere_only_what_is_in_sight_is_laid_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A client that loses every signature has a line for each of a thousand steps."""
    laid: list[str] = []

    def lay(where: str, *given: Any) -> Line:
        laid.append(where)
        return lay_elsewhere(where, *given)

    monkeypatch.setattr(findingitems, "lay_elsewhere", lay)
    async with opened(long_story(30, per_turn=30, drops=range(2, 30))) as driver:
        pane = driver.screen.board.findings
        assert sum(item.key[0] == "step" for item in pane.items) > 20
        assert "Findings" in driver.text
        assert 0 < len(set(laid)) <= pane.size.height
        for key in ("1", "k", "6", "j"):
            await driver.press(key)
            assert "Findings" in driver.text
        assert len(set(laid)) < 20


async def test_after_a_run_only_the_cards_in_sight_are_laid_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thousand cards took a fifth of a second. What is not laid out is as tall as it
    would be."""
    laid: list[SignatureCard] = []

    def lay(card: SignatureCard, *given: Any, **named: Any) -> list[Line]:
        laid.append(card)
        return lay_card(card, *given, **named)

    async with opened(long_story(60, per_turn=60), size=(120, 36)) as driver:
        await driver.press("1", "G")
        monkeypatch.setattr(carditems, "lay_card", lay)
        await driver.press("s")
        pane = driver.screen.board.signatures
        with_run = [item for item in pane.items if "run 1" in pane.text_of(item)]
        assert len(with_run) == 59
        await driver.until(lambda: laid)
        measured = {item.key: item.height_at(pane.text_cells) for item in pane.items}
        laid.clear()
        pane.cards.forget()
        pane.rebuild()
        assert len({card.signature.sha256 for card in laid if card.run}) < 20
        heights = {i.key: len(i.lines(pane.text_cells)) for i in pane.items}
        assert heights == measured
