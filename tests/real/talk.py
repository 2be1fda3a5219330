"""The conversation that the recordings of this folder hold, and a server that holds it.

A client in the dialect copilot-chat asks; a call comes back with a signature; the next
request returns it and is answered; the last one has lost it and is refused. Beside the
conversation there is an event stream as browsers read it with EventSource. All of it is
made up. The bytes here are the truth that the tests compare an import with.

    python tests/real/talk.py 8765                        # serves http://127.0.0.1:8765/
    python tests/real/talk.py ask http://127.0.0.1:8765   # holds it without a browser
"""

from __future__ import annotations

import gzip
import http.client
import json
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from urllib.parse import urlsplit

SIGNATURE = "lQx0b3A+c2VjcmV0L2ZpcnN0K2VudmVsb3BlL29mK3RoaXMvdGFsaw=="
PAUSE = 0.03
"""Seconds between two events."""
STREAM = "text/event-stream"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request and its answer."""

    path: str
    sent: bytes
    """The body of the request; empty for a GET."""
    status: int = 200
    kind: str = STREAM
    pieces: tuple[bytes, ...]
    """The body of the answer, in the pieces in which it is sent."""
    coding: Literal["", "gzip"] = ""

    @property
    def received(self) -> bytes:
        """The body of the answer, whole and without coding."""
        return b"".join(self.pieces)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _event(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    body = {"id": "c1", "model": "gemini-3-pro-preview", "choices": [choice]}
    return b"data: " + _json(body) + b"\n\n"


_FUNCTION = {"name": "list_files", "arguments": '{"path":"Größe/大きさ"}'}
_CALL = {"id": "call_1", "type": "function", "function": _FUNCTION}
_ASKED = {
    "role": "user",
    "content": 'Was liegt in „Größe/大きさ“? 🙂\u2028\ttab, \\ and "',
}
_TOOL = {"role": "tool", "tool_call_id": "call_1", "content": "a.md\nb.md"}
_TURN = {"role": "assistant", "content": None, "tool_calls": [_CALL]}
_SIGNED = {**_TURN, "reasoning_opaque": SIGNATURE}
_DONE = b"data: [DONE]\n\n"


def _request(*messages: dict[str, Any]) -> bytes:
    tool = {"name": "list_files", "parameters": {"type": "object"}}
    return _json(
        {
            "model": "gemini-3-pro-preview",
            "stream": True,
            "temperature": 1.0,
            "tools": [{"type": "function", "function": tool}],
            "messages": list(messages),
        }
    )


def _cut(event: bytes) -> tuple[bytes, bytes]:
    """An event in two pieces, the cut inside of a character."""
    at = event.index("大".encode()) + 1
    return event[:at], event[at:]


TALK: tuple[Call, ...] = (
    Call(
        path="/chat/completions",
        sent=_request(_ASKED),
        pieces=(
            b": keep-alive\n\n",
            _event({"role": "assistant", "content": "Ich sehe nach … 🙂"}),
            *_cut(_event({"tool_calls": [{"index": 0, **_CALL}]})),
            _event({"reasoning_opaque": SIGNATURE}),
            _event({}, "tool_calls"),
            _DONE,
        ),
    ),
    Call(
        path="/chat/completions",
        sent=_request(_ASKED, _SIGNED, _TOOL),
        pieces=(_event({"content": "Zwei Dateien: a.md, b.md."}, "stop"), _DONE),
        coding="gzip",
    ),
    Call(
        path="/chat/completions",
        sent=_request(_ASKED, _TURN, _TOOL),
        status=400,
        kind="application/json",
        pieces=(
            b'{"error":{"message":"invalid request body",'
            b'"code":"invalid_request_body"}}\n',
        ),
    ),
    Call(
        path="/events",
        sent=b"",
        pieces=(
            b'id: 7\ndata: {"n":1}\n\n',
            b"event: note\ndata: zwei Zeilen\ndata: \xc3\xa4\n\n",
            b"event: end\ndata: \n\n",
        ),
    ),
)
"""What is said, in order."""

STEPS = ((1, ((2, "exact", "required"), (3, "dropped", "required"))),)
"""The ledger of it: where the signature came, then (step, fate, grade)."""

PAGE = """<!doctype html><meta charset="utf-8"><title>talking</title><script>
(async () => {
  for (const body of %s) {
    const headers = {"content-type": "application/json"}
    await (await fetch("/chat/completions", {method: "POST", headers, body})).text()
  }
  const stream = new EventSource("/events")
  stream.addEventListener("end", () => { stream.close(); document.title = "done" })
})()
</script>"""

SOON = """<!doctype html><title>soon</title>
<meta http-equiv="refresh" content="8; url=/">"""
"""Goes to the page once developer tools have had time to open."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "talk", ""

    def do_GET(self) -> None:
        if self.path == "/":
            said = [call.sent.decode() for call in TALK if call.sent]
            page = PAGE % json.dumps(said).replace("<", "\\u003c")
            self._send(200, "text/html; charset=utf-8", (page.encode(),))
        elif self.path == "/soon":
            self._send(200, "text/html; charset=utf-8", (SOON.encode(),))
        elif self.path == "/events":
            self._answer(TALK[-1])
        else:
            self._send(404, "text/plain", (b"no such page",))

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["content-length"]))
        self._answer(next(call for call in TALK if call.sent == sent))

    def _answer(self, call: Call) -> None:
        pieces = call.pieces
        if call.coding:
            pieces = (gzip.compress(call.received, mtime=0),)
        self._send(call.status, call.kind, pieces, call.coding)

    def _send(
        self, status: int, kind: str, pieces: Sequence[bytes], coding: str = ""
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if coding:
            self.send_header("Content-Encoding", coding)
        is_stream = kind == STREAM
        if is_stream:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(sum(map(len, pieces))))
        self.end_headers()
        for piece in pieces:
            self.wfile.write(
                b"%x\r\n%b\r\n" % (len(piece), piece) if is_stream else piece
            )
            self.wfile.flush()
            time.sleep(PAUSE)
        if is_stream:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


def serving(port: int = 0) -> ThreadingHTTPServer:
    """The server on a port of loopback, answering in a thread until it is shut down."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def ask(url: str) -> None:
    """Hold the conversation as the page does."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    for call in TALK:
        headers = {"content-type": "application/json"} if call.sent else {}
        method = "POST" if call.sent else "GET"
        connection.request(method, call.path, call.sent or None, headers)
        connection.getresponse().read()
    connection.close()


if __name__ == "__main__":
    if sys.argv[1] == "ask":
        ask(sys.argv[2])
    else:
        serving(int(sys.argv[1]))
        threading.Event().wait()
