"""Listening on loopback alone, and running the right command."""

from __future__ import annotations

import shlex
import sys

import pytest

pytest.importorskip("aiohttp", reason="the extra `serve` is not installed")
pytest.importorskip("textual_serve", reason="the extra `serve` is not installed")

from sigscope.errors import UpstreamError
from sigscope.sockets import listen
from sigscope.tui.web.server import command_for


def test_it_listens_on_loopback_and_nowhere_else() -> None:
    with listen(0) as socket:
        assert socket.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_a_sentence() -> None:
    with listen(0) as socket:
        port = socket.getsockname()[1]
        with pytest.raises(UpstreamError, match=f":{port}: .* --port, or 0"):
            listen(port)


@pytest.mark.parametrize("name", ["a b.har", "$(reboot)", "'; ls", "-x", "ü.har"])
def test_a_file_name_is_never_a_command(name: str) -> None:
    words = shlex.split(command_for(["--", name]))
    assert words == ["exec", sys.executable, "-m", "sigscope", "open", "--", name]
