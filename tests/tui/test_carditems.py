"""Cards of a ledger are made once, and laid out when they are seen."""

from __future__ import annotations

from functools import cache

import pytest
from tests.cli.commands import SESSIONS

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.ledger import Fate, FateAt, Grade, Signature
from sigscope.tui.lines import plain
from sigscope.tui.views import carditems
from sigscope.tui.views.carditems import CardItems
from sigscope.tui.views.signatures import SignatureCard, lay_card

CELLS = 44
IN_RUN = FateAt(step=9, fate=Fate.DROPPED, grade=Grade.REQUIRED)


@cache
def signatures() -> tuple[Signature, ...]:
    path = SESSIONS / "gemini-parallel.session.jsonl"
    return Document(open_file(path)).ledger.signatures


def bare() -> list[SignatureCard]:
    return [SignatureCard(signature=each) for each in signatures()]


def in_run(run: int) -> list[SignatureCard]:
    return [
        SignatureCard(signature=each, here=IN_RUN, run=run) for each in signatures()
    ]


def test_only_the_card_of_the_chosen_signature_is_open() -> None:
    cards, listed = bare(), CardItems()
    assert len(cards) > 1
    closed = [len(item.lines(CELLS)) for item in listed.items(cards, None, None)]
    chosen = cards[-1].signature.sha256
    tall = [len(item.lines(CELLS)) for item in listed.items(cards, chosen, None)]
    assert tall[:-1] == closed[:-1]
    assert tall[-1] > closed[-1]


def test_an_item_stays_until_its_card_is_another() -> None:
    cards, listed = bare(), CardItems()
    before = listed.items(cards, None, None)
    assert all(
        a is b for a, b in zip(before, listed.items(cards, None, None), strict=True)
    )
    with_run = listed.items(in_run(1), None, 1)
    assert not any(a is b for a, b in zip(before, with_run, strict=True))
    again = listed.items(in_run(1), None, 1)
    assert all(a is b for a, b in zip(with_run, again, strict=True))
    listed.items(in_run(2), None, 2)
    assert with_run[0] is not listed.items(in_run(1), None, 1)[0], "one run is kept"
    listed.forget()
    assert before[0] is not listed.items(cards, None, None)[0]


def test_a_card_with_a_run_is_measured_as_tall_as_it_is_laid_out() -> None:
    cards, listed = in_run(1), CardItems()
    for item in listed.items(cards, cards[0].signature.sha256, 1):
        measured = item.height_at(CELLS)
        assert measured == len(item.lay(CELLS))


def test_a_card_is_laid_out_anew_only_for_a_step_that_concerns_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid: list[int] = []

    def counted(*args: object, step: int, **more: object) -> object:
        laid.append(step)
        return lay_card(*args, step=step, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(carditems, "lay_card", counted)
    card = next(each for each in bare() if each.signature.fates)
    (step, *_) = [fate.step for fate in card.signature.fates]
    listed = CardItems()
    (item,) = listed.items([card], None, None)
    for shown in (0, 999, step, 1000, step):
        listed.step = shown
        item.forget()
        assert plain(item.lines(CELLS)[0])
    assert laid == [0, step]
