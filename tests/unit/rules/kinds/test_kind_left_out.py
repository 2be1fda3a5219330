"""What clients leave out by custom is told once; what is demanded, each time."""

from __future__ import annotations

from tests.unit.rules import gemini_cases as gemini
from tests.unit.rules.cases import Bench, bench, gemini_signature

from sigscope.rules.base import Severity
from sigscope.rules.kinds.left_out import LeftOut
from sigscope.rules.losses import anything

WORDS = "{signature} {fate} on {message}"


def chat() -> Bench:
    """Three turns whose answers come back without their signatures."""
    history, exchanges = [gemini.HI], []
    for turn in range(3):
        text = f"This is the answer to question number {turn}."
        part = {"text": text, "thoughtSignature": gemini_signature(f"answer {turn}")}
        exchanges.append(gemini.ask(history, gemini.answer(part)))
        more = gemini.user(f"And then {turn}?")
        history = [*history, gemini.model({"text": text}), more]
    return bench(exchanges)


def test_the_first_is_told_and_no_later_one() -> None:
    kind, found = LeftOut(of=anything, words=WORDS), chat()
    (claim,) = kind(found.subject(2))
    assert claim.severity is Severity.INFO
    assert claim.said.endswith("is missing on an answer")
    assert list(kind(found.subject(3))) == []


def test_demanded_ones_warn_in_each_request() -> None:
    kind, found = LeftOut(of=anything, words=WORDS, demanded=anything), chat()
    assert [c.severity for c in kind(found.subject(2))] == [Severity.WARNING]
    assert [c.severity for c in kind(found.subject(3))] == [Severity.WARNING] * 2


def test_one_that_is_not_of_the_kind_is_not_told() -> None:
    kind = LeftOut(of=lambda _, loss: loss.is_current, words=WORDS)
    assert list(kind(chat().subject(2))) == []
