"""`sigscope replay --profile`: the key is exchanged, the headers are added."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sigscope.cli.main import FINE, USAGE, run
from sigscope.store import open_session


class Handler(http.server.BaseHTTPRequestHandler):
    seen: list[tuple[str, str, dict[str, str]]]

    def do_GET(self) -> None:
        self._answer({"token": "short-lived"})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self._answer({"choices": [], "object": "chat.completion"})

    def _answer(self, tree: Any) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.seen.append((self.command, self.path, headers))
        data = json.dumps(tree).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for kind in ("DATA", "STATE", "CONFIG"):
        monkeypatch.setenv(f"SIGSCOPE_{kind}_DIR", str(tmp_path / kind))
    Handler.seen = []
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    (tmp_path / "CONFIG").mkdir()
    (tmp_path / "CONFIG" / "profiles.toml").write_text(
        f'[mine]\nurl = "{url}/chat/completions"\ntoken_url = "{url}/token"\n'
        'key_env = "KEY_OF_A_TEST"\nheaders = { x-team = "a", editor-version = "b" }\n'
    )
    yield url
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_step_is_sent_to_a_profile_with_its_key_and_headers(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_OF_A_TEST", "long-lived")
    own = tmp_path / "own.session.jsonl"
    assert run(["import", "zed-copilot-attempt-1", "--out", str(own)]) == FINE
    run(["replay", str(own), "--step", "1", "--profile", "mine"])
    exchanged, sent = Handler.seen
    assert exchanged[:2] == ("GET", "/token")
    assert exchanged[2]["authorization"] == "token long-lived"
    assert sent[:2] == ("POST", "/chat/completions")
    assert sent[2]["authorization"] == "Bearer short-lived"
    assert sent[2]["x-team"] == "a"
    assert sent[2]["editor-version"] != "b", "the recorded header stays"
    (made,) = open_session(str(own)).runs
    assert made.status == 200
    text = own.read_text()
    assert "long-lived" not in text
    assert "short-lived" not in text


def test_without_the_key_nothing_is_sent(
    base: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KEY_OF_A_TEST", raising=False)
    line = ["replay", "zed-copilot-attempt-1", "--step", "1", "--profile", "mine"]
    assert run(line) == USAGE
    assert "KEY_OF_A_TEST is not set" in capsys.readouterr().err
    assert run([*line, "--dry-run"]) == FINE
    assert Handler.seen == []
