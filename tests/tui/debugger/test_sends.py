"""Sending, decided without a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from threading import get_ident
from typing import Any

import pytest
from tests.tui.debugger.desk import FakeDesk, model_of, studied
from tests.tui.driving import EMPTY_LIST, MISSING
from tests.tui.test_refused_steps import REFUSED

from sigscope.engine.sessions.document import Document
from sigscope.errors import SigscopeError
from sigscope.runs import Verdict
from sigscope.session import Session, Step
from sigscope.tui.debugger.headlines import busy_words
from sigscope.tui.debugger.model import DebuggerModel, Sent
from sigscope.tui.debugger.sends import Sender, run_words
from sigscope.tui.debugger.upstream import ChosenUpstream
from sigscope.tui.screens.upstream import Confirm, UpstreamDialog

ELSEWHERE = ChosenUpstream(url="https://api.example.invalid")


def ready() -> tuple[DebuggerModel, FakeDesk, Sender]:
    model, desk, _ = studied(EMPTY_LIST)
    desk.told.clear()
    return model, desk, Sender(model, desk)


def with_fix(model: DebuggerModel) -> None:
    assert model.shown is not None
    model.take_edits([e for f in model.shown.findings for e in f.fix or ()], "fix")


def test_a_request_goes_to_the_simulator_with_its_edits_and_becomes_a_run() -> None:
    model, desk, sender = ready()
    with_fix(model)
    told: list[str] = []
    model.observe(told.append)
    sender.send()
    assert model.under_way == Sent(upstream="simulator")
    asyncio.run(desk.tasks["send"]())  # type: ignore[arg-type]
    assert model.under_way is None
    (run,) = model.runs
    assert (run.step, run.edits, run.verdict) == (2, model.edits, Verdict.GONE)
    assert model.last_run == run
    assert told[-1] == "last_run", "all else is known when it is told"
    assert desk.told == ["Run 1: 200, gone: fix confirmed · b proves it, x exports"]


def test_without_edits_the_refusal_is_reproduced() -> None:
    model, desk, sender = ready()
    sender.send()
    asyncio.run(desk.tasks["send"]())  # type: ignore[arg-type]
    assert model.runs[0].verdict is Verdict.REPRODUCED
    assert desk.told == ["Run 1: 400, reproduced · f applies the next fix"]


def test_what_to_press_next_is_said_where_it_is_certain_and_has_room() -> None:
    model, desk, sender = ready()
    desk.width = 40
    sender.send()
    asyncio.run(desk.tasks["send"]())  # type: ignore[arg-type]
    assert desk.told[-1] == "Run 1: 400, reproduced"
    desk.width = 120
    assert model.shown is not None
    model.shown = replace(model.shown, findings=())
    sender.send()
    asyncio.run(desk.tasks["send"]())  # type: ignore[arg-type]
    assert desk.told[-1] == "Run 2: 400, reproduced", "no fix is known"
    model, desk, _ = studied(MISSING)
    model.choose_step(1)
    desk.rest()
    Sender(model, desk).send()
    asyncio.run(desk.tasks["send"]())  # type: ignore[arg-type]
    assert desk.told[-1] == "Run 1: 200, accepted again"


def test_one_at_a_time() -> None:
    _, desk, sender = ready()
    sender.send()
    del desk.tasks["send"]
    sender.send()
    assert desk.tasks == {}
    assert desk.told == ["a request is under way; esc cancels it"]
    assert not sender.is_free()
    sender.cancel()
    assert desk.cancelled == ["send"]


def test_what_was_refused_meanwhile_is_said_with_the_answer() -> None:
    """The answer may come so soon that the refusal was never read."""
    _, desk, sender = ready()
    sender.send()
    assert not sender.is_free("bisect did not begin")
    asyncio.run(desk.tasks["send"]())  # type: ignore[arg-type]
    assert desk.told[-1] == "Run 1: 400, reproduced; bisect did not begin"
    sender.send()
    asyncio.run(desk.tasks["send"]())  # type: ignore[arg-type]
    assert desk.told[-1] == "Run 2: 400, reproduced · f applies the next fix"


def test_what_is_not_on_show_yet_is_not_sent() -> None:
    desk = FakeDesk()
    model = model_of(EMPTY_LIST, desk)
    model.begin()
    Sender(model, desk).send()
    assert desk.tasks == {}
    assert desk.told == ["nothing is on show yet: choose a step"]


@pytest.mark.parametrize(
    ("request_is_there", "words"),
    [
        (True, ("which is not known", "S sends it to the service", "Dialect")),
        (False, ("has no request", "{ and } go to other steps")),
    ],
)
def test_what_cannot_be_sent_is_said_with_what_to_do(
    request_is_there: bool, words: tuple[str, ...]
) -> None:
    exchange = REFUSED if request_is_there else replace(REFUSED, request=None)
    step = Step(number=1, id="1", exchange=exchange)
    model, desk, _ = studied(Document(Session(id="s", steps=(step,))))
    desk.told.clear()
    Sender(model, desk).send()
    assert desk.tasks == {}
    (said,) = desk.told
    assert said.startswith("Step 1 was not sent: ")
    assert all(word in said for word in words)


def test_what_the_simulator_does_not_know_can_be_sent_elsewhere() -> None:
    step = Step(number=1, id="1", exchange=REFUSED)
    model, desk, _ = studied(Document(Session(id="s", steps=(step,))))
    model.upstream = ChosenUpstream(url="http://127.0.0.1:9")
    Sender(model, desk).send()
    assert "send" in desk.tasks


def test_of_a_session_without_steps_it_says_so() -> None:
    model, desk, _ = studied(Document(Session(id="s", steps=())))
    Sender(model, desk).send()
    assert desk.told == ["there is no step to send yet"]


def test_a_key_that_is_not_set_is_said() -> None:
    model, desk, sender = ready()
    model.upstream = replace(ELSEWHERE, key_env="SIGSCOPE_NO_SUCH_KEY")
    sender.send()
    assert desk.tasks == {}
    assert "Cannot send" in desk.told[0]
    assert "SIGSCOPE_NO_SUCH_KEY" in desk.told[0]


def test_what_may_cost_money_is_asked_about() -> None:
    model, desk, sender = ready()
    model.upstream = ELSEWHERE
    sender.send()
    asyncio.run(desk.tasks["ask"]())  # type: ignore[arg-type]
    assert isinstance(desk.asked[0], Confirm)
    assert (model.under_way, "send" in desk.tasks) == (None, False)


def test_another_upstream_is_taken_and_asked_about_anew() -> None:
    model, desk, sender = ready()
    desk.answers = [ELSEWHERE]
    asyncio.run(sender.choose_upstream())
    assert isinstance(desk.asked[0], UpstreamDialog)
    assert model.upstream == ELSEWHERE
    asyncio.run(sender.choose_upstream())
    assert model.upstream == ELSEWHERE, "closed without an answer"


def test_a_request_of_megabytes_is_worked_on_elsewhere() -> None:
    """Predicting, judging, masking and keeping three megabytes held the screen for more
    than a second."""
    model, desk, sender = ready()
    replay, where = model.engine.replay, list[int]()

    async def seen(*given: Any) -> AsyncIterator[object]:
        async for item in replay(*given):
            where.append(get_ident())
            yield item

    model.engine.replay = seen  # type: ignore[method-assign, assignment]
    sender.send()
    asyncio.run(desk.tasks["send"]())  # type: ignore[arg-type]
    assert where
    assert get_ident() not in where
    assert len(model.runs) == 1


# --- What goes wrong ------------------------------------------------------------------


class BadEngine:
    """Fails, or takes for ever."""

    def __init__(self, error: Exception | None) -> None:
        self.error = error

    def why_unsent(self, *given: Any) -> str:
        return ""

    async def replay(self, *given: Any) -> AsyncIterator[object]:
        if self.error is None:
            await asyncio.sleep(3600)
        else:
            raise self.error
        yield


def begun(error: Exception | None) -> tuple[DebuggerModel, FakeDesk]:
    model, desk, sender = ready()
    model.engine = BadEngine(error)  # type: ignore[assignment]
    sender.send()
    return model, desk


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (SigscopeError("no edit fits"), "Step 2 was not sent: no edit fits"),
        (
            ValueError("nobody thought of this"),
            "Send failed unexpectedly; please report it: ValueError: nobody thought"
            " of this",
        ),
    ],
    ids=["ours", "unforeseen"],
)
def test_a_failure_is_said_and_the_next_one_can_be_sent(
    error: Exception, words: str
) -> None:
    model, desk = begun(error)
    asyncio.run(desk.tasks["send"]())  # type: ignore[arg-type]
    assert (model.under_way, model.last_run) == (None, None)
    assert desk.told == [words]


def test_a_cancelled_send_ends_and_says_so() -> None:
    model, desk = begun(None)

    async def cancel() -> None:
        task = asyncio.ensure_future(desk.tasks["send"]())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert model.under_way is None
    assert desk.told == ["Send: cancelled; what came is kept as a run"]


def test_how_far_it_is_stands_in_the_status_line() -> None:
    model, _, sender = ready()
    assert busy_words(model) == ""
    sender.send()
    assert busy_words(model) == "sending to simulator · esc cancels"


def test_a_run_is_said_in_a_line() -> None:
    model, desk, sender = ready()
    sender.send()
    asyncio.run(desk.tasks["send"]())  # type: ignore[arg-type]
    run = replace(model.runs[0], verdict=Verdict.DIFFERENT, error="two\nlines")
    assert run_words(run, failed=True) == "400, another error: two lines"
    assert run_words(replace(run, status=None), failed=True).startswith("no answer")
