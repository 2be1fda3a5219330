"""How signatures are named and graded, wherever they stand."""

from __future__ import annotations

import copy

import pytest
from tests import builders as b
from tests.unit.ledger.test_ledger_fates import changed, loop
from tests.unit.ledger.test_strangers import request_alone
from tests.unit.rules import copilot_chat_cases as copilot
from tests.unit.rules.cases import bench

from sigscope.ledger import Fate, FateAt, Grade, Ledger, Signature, build_ledger
from sigscope.rules.words import told
from sigscope.tui.lines import Line, plain
from sigscope.tui.symbols import UNICODE
from sigscope.tui.views.chips import chips, untied
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.signatures import (
    SignatureCard,
    grade_of,
    lay_card,
    signatures_title,
)


def middle() -> Ledger:
    """A recording that begins in the middle: one value stood there before it began,
    the next request has another in its place."""
    history = loop("gemini", b.LS)
    refused = b.exchange(
        "gemini", b.request_body("gemini", history), {"error": {}}, status=400
    )
    other = changed(copy.deepcopy(history), lambda value: value[:-8] + "AAAAAAA=")
    return build_ledger(b.read([refused, request_alone("gemini", other)]))


def rows(lines: list[Line]) -> list[str]:
    return [plain(spans) for spans in lines]


def card(signature: Signature, cells: int) -> list[str]:
    laid = lay_card(
        SignatureCard(signature=signature),
        cells,
        UNICODE,
        Palette(),
        step=1,
        is_open=False,
    )
    return rows(laid)


def test_earlier_and_foreign_are_told_apart_in_ledger_and_findings() -> None:
    earlier, foreign = middle().signatures
    assert card(earlier, 44)[0].endswith("issued before this recording")
    assert card(foreign, 44)[0].endswith("never issued here")
    assert card(earlier, 18)[0].endswith("earlier")
    assert card(foreign, 18)[0].endswith("foreign")
    assert "(issued before this recording)" in told(earlier)
    assert "(never issued here)" in told(foreign)
    assert signatures_title(middle()) == "0 received · 1 earlier · 1 foreign"


def test_a_signature_that_was_lost_in_many_steps_counts_once() -> None:
    first, refused = copilot.two_steps(copilot.calls("read_file"))
    ledger = bench([first, refused, refused, refused]).ledger
    (lost,) = (s for s in ledger.signatures if s.fates)
    assert [fate.is_lost for fate in lost.fates] == [True] * 3
    assert signatures_title(ledger) == "1 received · 1 dropped"
    assert signatures_title(ledger, 12) == "1 dropped"


@pytest.mark.parametrize("cells", [16, 18, 24, 40, 76])
def test_a_card_says_of_each_fate_whether_it_was_required(cells: int) -> None:
    steps = b.record("copilot-chat", [*loop("copilot-chat", b.LS)])
    found = build_ledger(b.read(step.exchange for step in steps))
    (signature, *_) = [s for s in found.signatures if s.fates]
    text = " ".join(" ".join(card(signature, cells)).split())
    for fate in signature.fates:
        assert grade_of(fate) in text
    assert "…" not in text.partition("exact")[2]


def test_what_the_ledger_does_not_know_gets_no_grade() -> None:
    graded = {
        (fate, grade): grade_of(FateAt(step=1, fate=fate, grade=grade))
        for fate in (Fate.DROPPED, Fate.EXACT, Fate.FOREIGN, Fate.EARLIER)
        for grade in Grade
    }
    assert graded[Fate.DROPPED, Grade.REQUIRED] == "required"
    assert graded[Fate.EXACT, Grade.OPTIONAL] == "optional"
    assert graded[Fate.EXACT, Grade.NOT_APPLICABLE] == "not required"
    assert not any(graded[Fate.FOREIGN, grade] for grade in Grade)
    assert not any(graded[Fate.EARLIER, grade] for grade in Grade)


def test_a_signature_in_a_sentence_is_a_chip_and_other_hex_is_text() -> None:
    palette = Palette(inks={"4fc87b00": "sig-1"}, ids={"4fc87b00": "4fc87b"})
    spans = tuple(chips("x 4fc87b from 1; 4fc87c and a4fc87b", palette, UNICODE))
    (text,) = rows(untied([spans]))
    assert text == "x ◆ 4fc87b from 1; 4fc87c and a4fc87b"
    assert [s.ink for s in spans if s.target == "signature:4fc87b00"] == ["sig-1"]


def test_a_name_that_two_signatures_share_leads_nowhere() -> None:
    palette = Palette(ids={"4fc87b00": "4fc87b", "4fc87b11": "4fc87b"})
    assert [s.target for s in chips("4fc87b", palette, UNICODE)] == [None]
