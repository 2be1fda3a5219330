"""What a scribe does where its file cannot be written, without a process."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request
from sigscope.recorder import scribe as scribes
from sigscope.recorder.scribe import Scribe
from sigscope.session import Step
from sigscope.store import Header, SessionWriter, open_session


class Desk:
    """A scribe, and the end of its socket that the recorder would have."""

    def __init__(self, path: Path) -> None:
        self.ours, theirs = socket.socketpair()
        self.ours.settimeout(0)
        self.scribe = Scribe(str(path), os.getppid(), theirs, [])
        self.tries = 0

    def step(self, number: int, size: int = 10) -> None:
        request = Request(method="POST", url="http://x/", body=Body(b"a" * size))
        self.scribe._pending.append(
            Step(number=number, id=f"j-{number}", exchange=Exchange(request=request))
        )

    def told(self) -> list[dict[str, Any]]:
        try:
            return [json.loads(line) for line in self.ours.recv(1 << 20).splitlines()]
        except BlockingIOError:
            return []

    def refuse(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nothing can be written from now on."""

        def refuse(_: Step) -> None:
            self.tries += 1
            raise InputError("cannot be written: no room", path="j")

        monkeypatch.setattr(self.scribe, "_write", refuse)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    path = tmp_path / "j.session.jsonl"
    SessionWriter.create(str(path), Header(id="j")).close()
    made = Desk(path)
    yield made
    made.ours.close()
    made.scribe._control.close()


def test_what_failed_is_tried_again_after_a_while_and_not_at_each_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(scribes, "monotonic", lambda: now)
    desk.refuse(monkeypatch)
    for number in (1, 2, 3):
        desk.step(number)
        desk.scribe._write_pending()
    assert desk.tries == 1
    now += scribes.RETRY_SECONDS
    desk.scribe._write_pending()
    assert desk.tries == 2
    assert len(desk.told()) == 1


def test_what_is_given_up_is_said_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scribes, "PENDING", 100)
    desk.refuse(monkeypatch)
    for number in range(1, 31):
        desk.step(number)
        desk.scribe._write_pending()
    assert [step.number for step in desk.scribe._pending] == [*range(21, 31)]
    said = [each["problem"] for each in desk.told()]
    assert len(said) == 2
    assert "tried again every second" in said[0]
    assert "the oldest first" in said[1]


def test_a_file_that_is_cut_when_the_recorder_is_dead_is_gone_on_with(
    desk: Desk,
) -> None:
    desk.scribe._recorder = 0
    for number in (1, 2):
        desk.step(number, 5000)
        desk.scribe._write_pending()
    path = Path(desk.scribe._file.path)
    header, first, _ = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(header + first[:-9])
    desk.step(3, 5000)
    desk.scribe._write_pending()
    (step,) = open_session(str(path)).steps
    assert step.number == 3
    assert step.exchange.request is not None
    assert step.exchange.request.body.raw == b"a" * 5000
    (told,) = (each for each in desk.told() if "gone" in each)
    assert told["gone"] == ["j-1", "j-2"]
