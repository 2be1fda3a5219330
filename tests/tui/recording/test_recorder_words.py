"""What the recorder says of itself, without a terminal."""

from __future__ import annotations

from pathlib import Path

from sigscope.engine.recording.clients import plan
from sigscope.engine.recording.host import HostState
from sigscope.engine.recording.launch import LaunchedClient
from sigscope.tui.recording.words import invitation

URL = "http://127.0.0.1:8910"


def test_it_names_every_address_a_client_may_be_given() -> None:
    one = HostState(url=URL, upstreams=("/ → https://api.example",))
    assert f"give {URL} to the client" in invitation(one)
    routes = ("/openrouter → https://openrouter.ai", "/gw → http://localhost:4000")
    two = HostState(url=URL, upstreams=routes)
    assert f"give {URL}/openrouter or {URL}/gw to" in invitation(two)


def test_of_a_client_that_was_started_only_its_request_is_missing(
    tmp_path: Path,
) -> None:
    made = plan(["zed"], {}, upstreams=["openai=https://api.example"])
    client = LaunchedClient(made, URL, tmp_path / "log")
    state = HostState(url=URL, upstreams=(), client=client)
    assert invitation(state) == "waiting for the first request of zed"
