"""What would be lost is asked about, before a session is left."""

from __future__ import annotations

import asyncio

import pytest
from tests.tui.debugger.desk import studied
from tests.tui.driving import EMPTY_LIST

from sigscope.tui.debugger.departure import Departure
from sigscope.tui.debugger.sends import Sender
from sigscope.tui.screens.question import Question


@pytest.mark.parametrize(
    ("answer", "leaves", "writes"),
    [(None, False, 0), ("stay", False, 0), ("write", False, 1), ("lose", True, 0)],
)
def test_runs_in_no_file_are_asked_about(
    answer: str | None, leaves: bool, writes: int
) -> None:
    model, desk, _ = studied(EMPTY_LIST)
    model.document.unkept = {1, 2}
    desk.answers = [answer]
    written: list[str] = []
    departure = Departure(model, desk)
    may = asyncio.run(departure.may_leave(lambda: written.append("export")))
    assert (may, len(written)) == (leaves, writes)
    (question,) = desk.asked
    assert isinstance(question, Question)
    assert "Runs 1, 2 could not be written down" in question._words


def test_where_nothing_would_be_lost_nothing_is_asked() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    assert asyncio.run(Departure(model, desk).may_leave(lambda: None))
    assert desk.asked == []


def test_runs_of_a_session_that_is_not_ones_own_say_where_they_went() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    departure = Departure(model, desk)
    assert departure.kept_in == "", "no run was made"
    Sender(model, desk).send()
    asyncio.run(desk.tasks["send"]())  # type: ignore[arg-type]
    assert departure.kept_in.endswith(".jsonl")
