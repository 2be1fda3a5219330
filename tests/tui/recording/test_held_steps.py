"""Rows of requests that the recorder holds, and what they become."""

from __future__ import annotations

from dataclasses import replace

from tests.tui.debugger.desk import FakeDesk
from tests.tui.driving import MISSING

from sigscope.engine.engine import Engine
from sigscope.engine.recording.forecast import Outlook
from sigscope.engine.recording.holds import HeldRequest
from sigscope.engine.sessions.document import Document
from sigscope.engine.settings.places import shipped
from sigscope.session import Step
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.debugger.sessionreader import SessionReader
from sigscope.tui.lines import plain
from sigscope.tui.recording.heldsteps import HeldSteps
from sigscope.tui.symbols import UNICODE
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.steps import StepRow, lay_step


class Scene:
    """A session whose second request is held, and the model that shows it."""

    def __init__(self) -> None:
        engine, self.desk = Engine(), FakeDesk()
        whole = engine.open(str(shipped("sessions") / f"{MISSING}.session.jsonl"))
        self.second = whole.step(2)
        self.held = HeldRequest(
            1,
            Outlook(reading=whole.reading(2), concerned=(), findings=()),
            ["an error is to be expected"],
            step=2,
        )
        session = replace(whole.session, steps=(whole.step(1),))
        self.waiting = HeldSteps()
        self.model = DebuggerModel(
            engine, Document(session), self.desk, rows=self.waiting.facts
        )
        self.reader = SessionReader(self.model, self.desk)
        self.model.begin()
        self.look()
        self.desk.rest()

    def look(self) -> None:
        """What the recorder holds, and the file has, is taken over."""
        now = [self.held] if self.held.is_waiting else []
        self.waiting.take(now, self.model.document.numbers)
        document = self.model.document.awaiting(self.waiting.steps)
        if document is not self.model.document:
            self.reader.read_again(document)
        self.model.arrange_facts()

    def write(self) -> None:
        """The file has the request: another was sent in its place."""
        remark = "not sent as it is: step 3 was sent in its place"
        kept = replace(self.second.exchange, response=None, remarks=(remark,))
        step = Step(number=2, id="written", source="recorded", exchange=kept)
        self.reader.read_again(self.model.document.grown([step], []))

    @property
    def told(self) -> tuple[str, str, bool]:
        """Of the second row: its word, the note of its lane, whether it waits."""
        fact = self.model.facts[1]
        return fact.word, fact.lane.note if fact.lane else "", fact.is_waiting


async def test_a_row_follows_its_request_from_held_to_sent_in_another_step() -> None:
    scene = Scene()
    assert scene.told == ("held", "held, not sent yet", True)
    scene.held.release()
    scene.look()
    assert scene.told == ("sent on …", "sent, no answer yet", True)
    scene.write()
    scene.look()
    scene.desk.rest()
    assert scene.told == ("sent as step 3", "sent as step 3", False)


async def test_a_row_that_was_read_before_it_was_let_go_is_not_left_behind() -> None:
    scene = Scene()
    scene.held.release()
    scene.write()
    scene.desk.rest()
    assert scene.told[2], "the recorder was not looked at since"
    scene.look()
    assert scene.told == ("sent as step 3", "sent as step 3", False)


async def test_a_written_request_is_told_of_at_once_not_when_it_is_read() -> None:
    scene = Scene()
    scene.held.release()
    scene.write()
    scene.look()
    assert scene.desk.waiting, "not read yet"
    assert scene.told[0] == "sent as step 3"


async def test_a_row_does_not_say_sent_of_what_was_not() -> None:
    for decide in (HeldRequest.drop, lambda held: held.decision.cancel()):
        scene = Scene()
        decide(scene.held)
        scene.look()
        scene.desk.rest()
        assert scene.told == ("not sent", "not sent", False)


def test_a_narrow_row_says_how_long_it_waits_yet() -> None:
    facts = StepFacts(number=2, status=None, word="held, 9:58 left", is_waiting=True)
    told = [
        plain(lay_step(StepRow(facts=facts), cells, 1, UNICODE, Palette(), marked=1))
        for cells in (22, 40)
    ]
    assert [row.split("–")[1].strip() for row in told] == ["9:58 left", facts.word]
