"""Python scripts, run by a real Python with a real httpx against a server of ours."""

from __future__ import annotations

import ast
import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.export.servers import Server, listening

from sigscope.exchange import Body, Exchange, Headers, Request
from sigscope.export.httpx_script import httpx_script
from sigscope.export.records import ScriptedRequest
from sigscope.reader import Reading

pytestmark = pytest.mark.slow

JSON: Headers = (("Content-Type", "application/json"),)


def script(url: str, body: bytes = b"{}", headers: Headers = JSON) -> bytes:
    request = Request(url=url, headers=headers, body=Body(body))
    sent = ScriptedRequest(
        request=request,
        reading=Reading(Exchange(request=request), number=2),
        title='A "title"\nimport os; os.abort() """',
        step=2,
        tool="sigscope 0",
    )
    return httpx_script(sent)


def run(
    text: bytes, folder: Path, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    file = folder / "it.py"
    file.write_bytes(text)
    return subprocess.run(
        [sys.executable, str(file)],
        capture_output=True,
        env={"PATH": os.environ["PATH"], "NO_PROXY": "*"} | variables,
        timeout=60,
        check=False,
    )


@pytest.fixture
def server() -> object:
    with listening() as found:
        yield found


@pytest.mark.parametrize(
    "body",
    [
        '{"text": "it\'s \\"so\\" \\\\n ß€🜚\u2028", "b":\r\n\t1}'.encode(),
        b"\xff\x00",
        gzip.compress(b"{}" * 200),
    ],
    ids=["text", "binary", "gzip"],
)
def test_the_script_sends_the_very_bytes_and_headers(
    server: Server, tmp_path: Path, body: bytes
) -> None:
    headers = (*JSON, ("Authorization", "Bearer [removed]"), ("X-Odd", "it's \\ é"))
    url = f"{server.url}/v1/x?alt=sse&key=REMOVED"
    done = run(script(url, body, headers), tmp_path, API_KEY="k'\"1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == server.answer
    (asked,) = server.asked
    assert asked.body == body
    kept = [pair for pair in asked.headers if pair[0] not in ("Host", "Content-Length")]
    assert kept == [
        ("Content-Type", "application/json"),
        ("Authorization", "Bearer k'\"1"),
        ("X-Odd", "it's \\ é"),
    ]
    assert asked.path.startswith("/v1/x?alt=sse&key=k")


def test_a_refused_request_exits_with_1_and_shows_the_answer(
    server: Server, tmp_path: Path
) -> None:
    server.status, server.answer = 400, b'{"error":"no"}'
    done = run(script(f"{server.url}/x"), tmp_path)
    assert (done.returncode, done.stdout) == (1, b'{"error":"no"}')
    assert b"400" in done.stderr


def test_nobody_there_exits_with_3(tmp_path: Path) -> None:
    with listening() as gone:
        url = gone.url
    done = run(script(f"{url}/x"), tmp_path)
    assert done.returncode == 3
    assert b"no answer: " in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_missing_variable_is_asked_for(server: Server, tmp_path: Path) -> None:
    headers = (*JSON, ("Authorization", "Bearer [removed]"))
    done = run(script(f"{server.url}/x", headers=headers), tmp_path)
    assert done.returncode == 1
    assert b"set the environment variable API_KEY to your key" in done.stderr
    assert server.asked == []


def test_recorded_text_stays_in_comments_and_strings() -> None:
    tree = ast.parse(script("https://h/x").decode())
    calls = [
        ast.unparse(node.value) for node in tree.body if isinstance(node, ast.Expr)
    ]
    assert calls == []
