"""Sessions of many short conversations: none is looked at for each of the others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests import builders as b

from sigscope.ledger import build_ledger
from sigscope.reader import Reading


def same_question(number: int) -> tuple[str, int]:
    return "What is new?", 200


def own_question(number: int) -> tuple[str, int]:
    return f"What is {number}?", 200


def refused_at_first(number: int) -> tuple[str, int]:
    return f"What is {number // 2}?", 200 if number % 2 else 503


@pytest.mark.parametrize(
    "asked", [same_question, own_question, refused_at_first], ids=lambda f: f.__name__
)
def test_how_a_step_ended_is_asked_in_proportion_to_their_number(
    monkeypatch: pytest.MonkeyPatch, asked: Callable[[int], tuple[str, int]]
) -> None:
    looks = 0
    accepted = Reading.is_accepted.fget
    assert accepted is not None

    def counted(reading: Reading) -> bool:
        nonlocal looks
        looks += 1
        return accepted(reading)

    monkeypatch.setattr(Reading, "is_accepted", property(counted))

    def looks_at(count: int) -> int:
        nonlocal looks
        looks = 0
        kinds = [asked(number) for number in range(count)]
        ledger = build_ledger(
            b.read(
                b.exchange(
                    "copilot-chat",
                    b.request_body("copilot-chat", [b.user(text)]),
                    b.response_body("copilot-chat", b.copilot(b.LS)),
                    status=status,
                )
                for text, status in kinds
            )
        )
        assert sum(len(thread.steps) for thread in ledger.threads) == count
        return looks

    assert looks_at(60) <= 2 * looks_at(30) + 10
