"""What is done to held requests, and what is said where it comes too late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from tests.tui.debugger.desk import FakeDesk
from tests.tui.driving import MISSING

from sigscope.edits.records import Edit, Op
from sigscope.engine.engine import Engine
from sigscope.engine.recording.forecast import Outlook
from sigscope.engine.recording.holds import HeldRequest
from sigscope.engine.recording.host import Host
from sigscope.engine.sessions.document import Document
from sigscope.engine.settings.places import shipped
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.debugger.sessionreader import SessionReader
from sigscope.tui.recording.heldrequests import HeldRequests
from sigscope.tui.recording.heldsteps import HeldSteps

EDIT = Edit(op=Op.SET, pointer="/model", value='"another"')


@dataclass
class FakeState:
    held: tuple[HeldRequest, ...]
    has_ended: bool


@dataclass
class FakeHost:
    """As much of a `Host` as decides about one request."""

    one: HeldRequest
    sent: list[Sequence[Edit]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    has_ended: bool = False

    @property
    def state(self) -> FakeState:
        held = (self.one,) if self.one.is_waiting else ()
        return FakeState(held, self.has_ended)

    def release(self, held: HeldRequest, edits: Sequence[Edit] = ()) -> bool:
        if not held.is_waiting:
            return False
        self.sent.append(edits)
        held.release(edits)
        return True

    def refuse(self, held: HeldRequest, reason: str) -> bool:
        if not held.is_waiting:
            return False
        self.refused.append(reason)
        held.drop(reason)
        return True


class Scene:
    """A session whose second request is held and selected; read if that is wanted."""

    def __init__(self, *, is_read: bool = True) -> None:
        engine, self.desk = Engine(), FakeDesk()
        whole = engine.open(str(shipped("sessions") / f"{MISSING}.session.jsonl"))
        outlook = Outlook(reading=whole.reading(2), concerned=(), findings=())
        self.held = HeldRequest(1, outlook, ["held by hand"], step=2)
        self.host = FakeHost(self.held)
        waiting = HeldSteps()
        self.model = DebuggerModel(
            engine,
            Document(replace(whole.session, steps=(whole.step(1),))),
            self.desk,
            rows=waiting.facts,
        )
        reader = SessionReader(self.model, self.desk)
        host = cast(Host, self.host)
        self.requests = HeldRequests(host, waiting, self.model, reader, self.desk)
        self.model.begin()
        reader.study()
        self.desk.rest()
        self.requests.look()
        if is_read:
            self.desk.rest()
        assert self.requests.on_show is self.held

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.model.histories[2, None].edits


async def test_the_key_a_second_time_sends_nothing_and_says_nothing() -> None:
    scene = Scene()
    scene.model.take_edits((EDIT,), "another model")
    scene.requests.release()
    said = list(scene.desk.told)
    assert "sent with 1 edit" in said[-1]
    assert scene.edits == (), "they are in the step that was sent"
    scene.requests.release()
    assert scene.desk.told == said
    assert scene.host.sent == [(EDIT,)]


async def test_what_was_sent_meanwhile_is_not_said_to_be_sent_with_its_edits() -> None:
    scene = Scene()
    scene.model.take_edits((EDIT,), "another model")
    held = scene.requests.on_show
    assert held is not None
    held.expire()
    scene.requests._release(held, (EDIT,))
    assert "it waits no more: it was sent as it came" in scene.desk.told[-1]
    assert scene.edits == (EDIT,), "they were not sent"
    assert not scene.host.sent


async def test_what_went_with_its_recorder_is_not_said_to_have_lost_its_client() -> (
    None
):
    scene = Scene()
    held = scene.requests.on_show
    assert held is not None
    held.decision.cancel()
    scene.host.has_ended = True
    scene.requests._release(held, ())
    assert "it waits no more: the recorder has ended" in scene.desk.told[-1]


async def test_what_went_while_a_reason_was_typed_is_not_said_to_be_refused() -> None:
    scene = Scene()

    async def ask(dialog: Any) -> str:
        scene.held.decision.cancel()
        return "not this one"

    scene.desk.ask = ask  # type: ignore[method-assign]
    await scene.requests.refuse()
    assert "it waits no more: its client is gone" in scene.desk.told[-1]
    assert not scene.host.refused


async def test_edits_of_a_request_go_with_it_before_it_is_on_show() -> None:
    scene = Scene(is_read=False)
    assert scene.model.base != (2, None)
    scene.model.histories[2, None].push((EDIT,), "another model")
    scene.requests.release()
    assert scene.host.sent == [(EDIT,)]
    assert scene.edits == ()
