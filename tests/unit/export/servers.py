"""A loopback server that keeps what it is asked, and a document to export."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.sender import Order
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.settings.places import shipped


@dataclass
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: list[tuple[str, str]]
    body: bytes


@dataclass
class Server:
    """Answers everything alike."""

    url: str
    asked: list[Asked] = field(default_factory=list)
    status: int = 200
    answer: bytes = b'{"ok":true}'


@contextmanager
def listening() -> Iterator[Server]:
    """A server on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def _take(self) -> None:
            size = int(self.headers.get("content-length") or 0)
            found.asked.append(
                Asked(
                    self.command,
                    self.path,
                    list(self.headers.items()),
                    self.rfile.read(size),
                )
            )
            self.send_response(found.status)
            self.send_header("Content-Length", str(len(found.answer)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(found.answer)

        def log_message(self, *_: object) -> None: ...

    for verb in ("GET", "POST", "PUT", "HEAD", "DELETE"):
        setattr(Handler, f"do_{verb}", Handler._take)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = Server(url=f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def bundled(name: str) -> Document:
    return Document(open_file(shipped("sessions") / f"{name}.session.jsonl"))


def with_fix(name: str = "zed-copilot-attempt-1", step: int = 2) -> Document:
    """A bundled session with two runs: as recorded, and with all fixes of errors."""
    document = bundled(name)

    async def send() -> None:
        edits = {
            edit: None
            for finding in document.findings_of(step)
            if finding.severity == "error"
            for edit in finding.fix or ()
        }
        for order in (Order(step=step), Order(step=step, edits=tuple(edits))):
            async for _ in Engine().replay(document, order, Target()):
                pass

    asyncio.run(send())
    return document
