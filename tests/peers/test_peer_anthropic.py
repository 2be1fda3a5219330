"""The official anthropic SDK: whatever it speaks is recorded, shown, and passed on."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.peers import peering
from tests.peers.peering import errors, rows, statuses

from sigscope.engine.sessions.document import Document

SIGNATURE = "EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq9SV" * 8
THINKING = [
    {"type": "thinking", "thinking": "", "signature": ""},
    {"type": "thinking_delta", "thinking": "I need the files."},
    {"type": "signature_delta", "signature": SIGNATURE},
]
CALL: list[dict[str, Any]] = [
    {"type": "tool_use", "id": "toolu_1", "name": "list_files", "input": {}},
    {"type": "input_json_delta", "partial_json": '{"folder": "."}'},
]
TEXT = [
    {"type": "text", "text": ""},
    {"type": "text_delta", "text": "There is notes.md."},
]


def events(blocks: list[list[dict[str, Any]]], stop: str) -> Iterator[dict[str, Any]]:
    """A stream of the Messages API (docs/wire/anthropic.md#carriers)."""
    usage = {"input_tokens": 10, "output_tokens": 20}
    message = {"id": "msg_1", "type": "message", "role": "assistant"}
    more: dict[str, Any] = {
        "content": [],
        "model": "claude-sonnet-4-5",
        "stop_reason": None,
        "usage": usage,
    }
    yield {"type": "message_start", "message": message | more}
    for index, (start, *deltas) in enumerate(blocks):
        at = {"index": index}
        yield {"type": "content_block_start", **at, "content_block": start}
        for delta in deltas:
            yield {"type": "content_block_delta", **at, "delta": delta}
        yield {"type": "content_block_stop", **at}
    yield {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": usage}
    yield {"type": "message_stop"}


class Messages(BaseHTTPRequestHandler):
    """Calls a tool, then is done; insists on the signature."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if len(body["messages"]) == 1:
            found = events([THINKING, CALL], "tool_use")
        else:
            assert body["messages"][1]["content"][0]["signature"] == SIGNATURE
            found = events([TEXT], "end_turn")
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in found:
            data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Messages) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_tool_loop_is_recorded_and_can_be_looked_at(
    tmp_path: Path, service: str
) -> None:
    file = tmp_path / "a.session.jsonl"
    client = peering.CLIENTS / "anthropic_tools.py"
    done = peering.sigscope(
        tmp_path,
        *("run", "--upstream", f"anthropic={service}", "--out", file, "--check"),
        *("--", peering.tool("anthropic", "python"), client),
        surroundings=True,
    )
    assert done.code == 0, done.err
    assert json.loads(done.out) == {"text": "There is notes.md.", "status": 200}
    assert peering.KEYS["ANTHROPIC_API_KEY"] not in file.read_text()
    document = peering.load(file)
    assert statuses(document) == [200, 200]
    assert [len(reading.events) for reading in document.readings] == [10, 6]
    assert SIGNATURE in document.reading(1).response_body.data.decode()
    assert SIGNATURE in document.reading(2).request_body.data.decode()
    for options in ((), ("--step", "2"), ("--step", "1", "--events")):
        shown = peering.sigscope(tmp_path, "show", file, *options)
        assert shown.code == 0, shown.err
        assert shown.out.strip()
    for verb in ("ledger", "check"):
        assert peering.sigscope(tmp_path, verb, file).code == 0


def loop(folder: Path, how: str) -> tuple[Any, Document]:
    """The SDK against the simulator."""
    client = peering.CLIENTS / "anthropic_tools.py"
    python = peering.tool("anthropic", "python")
    done, document = peering.run_client(
        folder, "anthropic", "anthropic", [python, client, how]
    )
    return json.loads(done.out), document


def test_a_loop_that_sends_every_block_back_loses_nothing(tmp_path: Path) -> None:
    said, document = loop(tmp_path, "all")
    assert said["status"] == 200
    assert "notes.md" in said["text"]
    assert statuses(document) == [200, 200]
    assert rows(document) == [(1, ((2, "exact", "required"),))]
    assert document.findings == ()


@pytest.mark.parametrize(
    ("how", "rule"), [("calls", "ANT-2"), ("split", "ANT-2"), ("stripped", "ANT-5")]
)
def test_a_loop_that_does_not_is_refused_told_why_and_mended(
    tmp_path: Path, how: str, rule: str
) -> None:
    said, document = loop(tmp_path, how)
    assert said["status"] == 400
    assert statuses(document) == [200, 400]
    assert errors(document) == [(2, rule)]
    assert peering.mended(tmp_path, 2)
