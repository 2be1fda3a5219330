"""Recorder and scribe are killed amid an answer; the next verb makes good."""

from __future__ import annotations

import os
import signal
import socket
import threading
import urllib.error
from pathlib import Path

import pytest
from commands import sigscope
from servers import server
from test_record import post, start
from tests.patience import PATIENCE, wait_until
from tests.soak import children_of

from sigscope.store import open_session

KEY = "sk-proj-T3BlbkFJabcdefgh0123456789"
REQUEST = (
    "POST /v1/x?key={key} HTTP/1.1\r\nHost: {host}\r\nX-Api-Key: {key}\r\n"
    'Content-Length: {size}\r\n\r\n{{"api_key": "{key}"}}'
)


def until(path: Path, pattern: str) -> Path:
    """Wait for a file that another process writes."""
    found: list[Path] = []

    def has_come() -> bool:
        found[:] = path.glob(pattern)
        return bool(found) and b'"step"' in found[0].read_bytes()

    wait_until(has_come, pattern)
    return found[0]


def kill_in_the_middle(tmp_path: Path) -> None:
    def begin(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
            b'data: {"said": "half"}\n\n'
        )
        over.wait(PATIENCE)

    with server(begin) as upstream:
        args = ("--port", "0", "--out", "a.session.jsonl")
        process = start(tmp_path, "--upstream", upstream.url, *args)
        assert process.stdout is not None
        host = process.stdout.readline().strip().removeprefix("http://")
        name, port = host.split(":")
        body_size = len(KEY) + len('{"api_key": ""}')
        with socket.create_connection((name, int(port))) as client:
            text = REQUEST.format(key=KEY, host=host, size=body_size)
            client.sendall(text.encode())
            until(tmp_path, ".a.session.jsonl.open-*")
            # At once, as far as they can tell: a scribe that sees its recorder die
            # first writes all there is.
            os.kill(process.pid, signal.SIGSTOP)
            for pid in (*children_of(process.pid), process.pid):
                os.kill(pid, signal.SIGKILL)
            process.communicate()


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The session of a recorder that was killed."""
    for name in ("DATA", "STATE", "CONFIG"):
        folder = str(tmp_path / name.lower())
        monkeypatch.setenv(f"SIGSCOPE_{name}_DIR", folder)
    kill_in_the_middle(tmp_path)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in path.read_bytes() for path in files)
    return tmp_path / "a.session.jsonl"


def test_the_next_verb_recovers_what_was_on_its_way(left: Path) -> None:
    said = "step 1: recovered from what a killed recorder left"
    assert said in sigscope("check", left).told
    (step,) = open_session(str(left)).steps
    assert step.exchange.response is not None
    assert step.exchange.response.body.raw == b'data: {"said": "half"}\n\n'
    assert step.exchange.response.ending == "open"
    assert not list(left.parent.glob(".*"))
    assert said not in sigscope("check", left).told


def test_a_recorder_that_goes_on_recovers_it_too(left: Path) -> None:
    args = ("--port", "0", "--out", str(left), "--append")
    process = start(left.parent, "--upstream", "http://127.0.0.1:9", *args)
    assert process.stdout is not None
    url = process.stdout.readline().strip()
    with pytest.raises(urllib.error.HTTPError) as refused:
        post(f"{url}/v1", b"{}")
    refused.value.close()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert "step 1: recovered" in err
    assert [step.number for step in open_session(str(left)).steps] == [1, 2]
