"""What is said of a recorder in passing, each thing once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.debugger.desk import FakeDesk

from sigscope.engine.recording.clients import plan
from sigscope.engine.recording.host import HostState
from sigscope.engine.recording.launch import LaunchedClient
from sigscope.tui.debugger.desk import Loudness
from sigscope.tui.recording.recordernotices import RecorderNotices

URL = "http://127.0.0.1:8910"


class LoudDesk(FakeDesk):
    """Notes how loud it was."""

    def __init__(self) -> None:
        super().__init__()
        self.loudness: list[Loudness] = []

    def tell(
        self,
        words: str,
        *,
        title: str = "",
        severity: Loudness = "information",
        timeout: float = 4,
    ) -> None:
        super().tell(words, title=title)
        self.loudness.append(severity)


def test_a_problem_is_said_once_and_a_later_one_after_it() -> None:
    desk = FakeDesk()
    notices = RecorderNotices(desk)
    for problems in ((), ("disk full",), ("disk full",), ("disk full", "disk gone")):
        notices.take(HostState(url=URL, upstreams=(), problems=problems))
    assert desk.told == ["Recorder: disk full", "Recorder: disk gone"]


@pytest.mark.parametrize(("code", "loudness"), [(0, "information"), (7, "warning")])
def test_the_end_of_the_client_is_said_once_and_a_failure_louder(
    tmp_path: Path, code: int, loudness: Loudness
) -> None:
    desk = LoudDesk()
    notices = RecorderNotices(desk)
    made = plan(["zed"], {}, upstreams=["openai=https://api.example"])
    client = LaunchedClient(made, URL, tmp_path / "log")
    state = HostState(url=URL, upstreams=(), client=client)
    notices.take(state)
    assert not desk.told
    client.code = code
    notices.take(state)
    notices.take(state)
    output, leave = desk.key("recording.output"), desk.key("leave")
    assert desk.told == [
        f"zed has ended: exit code {code}; {output} shows its output, {leave} leaves"
    ]
    assert desk.loudness == [loudness]
