"""The official anthropic SDK, in a streamed tool loop with thinking.

Once with a service of the test's own, which the recorder passes on as it is; then with
the simulator.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.peers import peering
from tests.peers.peering import (
    NOTHING_LOST,
    calls,
    dialects,
    errors,
    replays,
    rows,
    statuses,
)

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
    assert json.loads(done.out)["text"] == "There is notes.md."
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


def loop(folder: Path, kind: str, how: str) -> tuple[Any, Document]:
    with (
        peering.simulating(folder, "anthropic") as simulator,
        peering.recording(folder, "--upstream", simulator) as recorder,
    ):
        said = peering.talk(
            folder,
            "anthropic",
            "anthropic_tools.py",
            kind,
            how,
            ANTHROPIC_BASE_URL=recorder.url,
        )
        document = recorder.document()
    assert set(dialects(document)) == {"anthropic"}
    return said, document


@pytest.mark.parametrize(
    ("kind", "member"), [("thinking", "signature"), ("sealed", "data")]
)
def test_a_loop_that_sends_back_every_block_loses_nothing(
    tmp_path: Path, kind: str, member: str
) -> None:
    said, document = loop(tmp_path, kind, "all")
    assert said["status"] == 200
    assert "notes.md" in said["text"]
    assert statuses(document) == [200, 200, 200]
    assert calls(document) == [1, 2, 0]
    assert rows(document) == NOTHING_LOST
    first, second = (f"/messages/{at}/content/0/{member}" for at in (1, 3))
    assert replays(document) == [
        (1, [(2, first), (3, first)]),
        (2, [(3, second)]),
        (3, []),
    ]
    assert document.findings == ()
    kept = (tmp_path / peering.RECORDED).read_text()
    assert peering.KEYS["ANTHROPIC_API_KEY"] not in kept


FOUND = "content.0.type: Expected `thinking` or `redacted_thinking`, but"
CHANGED = "blocks in the latest assistant message cannot be modified."
INVALID = "messages.1.content.0: Invalid `signature` in `thinking` block"
EMPTIED = "each thinking block must contain thinking"
REQUIRED = "messages.1.content.0.thinking.signature: Field required"
BLOCK = "/messages/1/content/0"


@pytest.mark.parametrize(
    ("kind", "how", "step", "error", "rule", "pointer", "fate"),
    [
        ("thinking", "rebuilt", 2, CHANGED, "ANT-3", BLOCK, "exact"),
        ("thinking", "rebuilt-later", 3, INVALID, "ANT-1", BLOCK, "exact"),
        ("thinking", "without-thinking", 2, FOUND, "ANT-2", "/messages/1", "dropped"),
        ("sealed", "without-redacted", 2, FOUND, "ANT-2", "/messages/1", "dropped"),
        ("thinking", "split", 2, FOUND, "ANT-2", "/messages/2", "exact"),
        ("thinking", "without-text", 2, EMPTIED, "ANT-5", BLOCK, "exact"),
        ("thinking", "without-signatures", 2, REQUIRED, "ANT-4", BLOCK, "dropped"),
    ],
)
def test_a_wrong_loop_is_refused_named_and_mended(
    tmp_path: Path,
    kind: str,
    how: str,
    step: int,
    error: str,
    rule: str,
    pointer: str,
    fate: str,
) -> None:
    said, document = loop(tmp_path, kind, how)
    assert said["status"] == 400
    assert error in said["error"]
    assert statuses(document) == [200] * (step - 1) + [400]
    assert errors(document) == [(step, rule)]
    (found,) = document.findings
    assert found.pointer == pointer
    assert rows(document)[0][1][-1] == (step, fate, "required")
    assert peering.confirmed(tmp_path, step)
