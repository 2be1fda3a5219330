"""Measures what a real LiteLLM proxy makes of each cell of `litellm_cells`.

    python -m tests.peers.litellm_cells LITELLM_PROGRAM > measured.json

The proxy stands between us and an upstream of our own, on loopback, which keeps what
it got and answers well or with Google's 400.
"""

from __future__ import annotations

import http.server
import json
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.peers import peering
from tests.unit.simulator import litellm_cells as cells

MASTER_KEY = "sk-0123456789abcdefghijklmnopqrstuvwxyz"
REFUSED = "Corrupted thought signature."
Json = Any


@dataclass
class Upstream:
    """Google's place: what arrived, and how to answer."""

    url: str = ""
    refuses: bool = False
    seen: list[Json] = field(default_factory=list)

    def answer(self, path: str) -> tuple[int, str, bytes]:
        """Status, type and body."""
        if self.refuses:
            error = {"code": 400, "message": REFUSED, "status": "INVALID_ARGUMENT"}
            text = json.dumps({"error": error}, indent=2) + "\n"
            return 400, "application/json; charset=UTF-8", text.encode()
        content = {"role": "model", "parts": [{"text": "Done."}]}
        candidate = {"content": content, "finishReason": "STOP", "index": 0}
        text = json.dumps({"candidates": [candidate]})
        if "stream" in path:
            return 200, "text/event-stream", f"data: {text}\r\n\r\n".encode()
        return 200, "application/json", text.encode()


@contextmanager
def listening() -> Iterator[Upstream]:
    """An upstream that listens, until the block ends."""
    upstream = Upstream()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            upstream.seen.append(json.loads(self.rfile.read(length)))
            status, kind, data = upstream.answer(self.path)
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        upstream.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield upstream
        finally:
            server.shutdown()
            thread.join(10)


@contextmanager
def proxy(folder: Path, program: str, google: str) -> Iterator[str]:
    """The proxy in front of an address, its models those of the cells: its URL."""
    models = [
        {
            "model_name": name,
            "litellm_params": {
                "model": f"gemini/{name}",
                "api_base": google,
                "api_key": peering.KEYS["GOOGLE_API_KEY"],
            },
        }
        for name in cells.MODELS
    ]
    settings = {"telemetry": False}
    router = {"disable_cooldowns": True, "num_retries": 0}
    path = folder / "litellm.yaml"
    config = {"model_list": models, "litellm_settings": settings}
    path.write_text(json.dumps(config | {"router_settings": router}))  # JSON is YAML
    port = peering.free_ports(1)[0]
    words = ["--config", str(path), "--host", "127.0.0.1", "--port", str(port)]
    variables = peering.peer_variables(
        folder,
        LITELLM_MASTER_KEY=MASTER_KEY,
        LITELLM_LOCAL_MODEL_COST_MAP="True",
        DISABLE_ADMIN_UI="True",
    )
    with peering.running(folder, [program, *words], variables, chatty=True):
        url = f"http://127.0.0.1:{port}"
        peering.wait_for(f"{url}/health/liveliness", seconds=120)
        yield url


def ask(url: str, body: Json) -> tuple[int, bytes]:
    """One request to the proxy: status and body of the answer."""
    request = urllib.request.Request(
        f"{url}/v1/chat/completions",
        data=json.dumps(body).encode(),
        headers={
            "content-type": "application/json",
            "authorization": f"Bearer {MASTER_KEY}",
        },
    )
    try:
        with peering.OPENER.open(request, timeout=60) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def measure(folder: Path, program: str) -> Json:
    """Every cell: what went upstream, or how the proxy failed; and its wrapping."""
    found: dict[str, Json] = {"cells": {}, "refusals": {}}
    with listening() as upstream, proxy(folder, program, upstream.url) as url:
        for model in cells.MODELS:
            for name in cells.CELLS:
                told = [
                    _cell(upstream, url, cells.body_of(name, model, stream=stream))
                    for stream in (False, True)
                ]
                assert told[0] == told[1], f"{name}: streams are translated otherwise"
                found["cells"][f"{model}: {name}"] = told[0]
        upstream.refuses = True
        for model in cells.MODELS:
            for stream in (False, True):
                status, data = ask(url, cells.body_of("call", model, stream=stream))
                way = "stream" if stream else "json"
                found["refusals"][f"{model}: {way}"] = [status, json.loads(data)]
    return found


def _cell(upstream: Upstream, url: str, body: Json) -> Json:
    upstream.seen.clear()
    status, data = ask(url, body)
    if upstream.seen:
        return {"contents": [_spelled(c) for c in upstream.seen[0]["contents"]]}
    return {"failure": [status, json.loads(data)]}


def _spelled(content: Json) -> Json:
    """Field names as Google's documentation has them."""
    names = {
        "function_call": "functionCall",
        "function_response": "functionResponse",
        "inline_data": "inlineData",
    }
    parts = [{names.get(k, k): v for k, v in p.items()} for p in content["parts"]]
    return {"role": content["role"], "parts": parts}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        told = measure(Path(place), sys.argv[1])
    sys.stdout.write(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
