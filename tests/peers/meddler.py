"""A loopback proxy of the tests that changes requests: a client made wrong.

It stands between a right client and the recorder. Answers pass as they came.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

Change = Callable[[dict[str, Any]], None]
"""Changes a request's JSON in place."""
MOST = 30
"""Requests that are passed on; agents may try again and again."""
_OWN = {"host", "connection", "content-length", "accept-encoding", "transfer-encoding"}


@contextmanager
def meddling(upstream: str, change: Change) -> Iterator[str]:
    """A proxy before an upstream, on a free port: its address."""
    host = urlsplit(upstream).netloc
    seen: list[str] = []

    class Meddler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if "websocket" in self.headers.get("Upgrade", "").lower():
                self.send_error(426)
                return
            self.pass_on(b"")

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                body = json.loads(data)
            except ValueError:
                self.pass_on(data)
                return
            change(body)
            self.pass_on(json.dumps(body).encode())

        def pass_on(self, body: bytes) -> None:
            seen.append(self.path)
            if len(seen) > MOST:
                self.send_error(400, "asked too often")
                return
            own = {k: v for k, v in self.headers.items() if k.lower() not in _OWN}
            connection = HTTPConnection(host, timeout=60)
            try:
                connection.request(self.command, self.path, body, own)
                answer = connection.getresponse()
                self.send_response_only(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in _OWN:
                        self.send_header(name, value)
                self.end_headers()
                while piece := answer.read1(65536):
                    self.wfile.write(piece)
            finally:
                connection.close()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Meddler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
