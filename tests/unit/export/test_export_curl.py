"""Curl scripts, run by a real sh with a real curl against a server of our own."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.unit.export.servers import Asked, Server, listening

from sigscope.exchange import Body, Exchange, Headers, Request
from sigscope.export.curl import MOST_INLINE, curl_script, quote
from sigscope.export.records import ScriptedRequest
from sigscope.reader import Reading

JSON: Headers = (("Content-Type", "application/json"), ("User-Agent", "Zed/1"))

needs_curl = pytest.mark.skipif(not shutil.which("curl"), reason="curl is missing")


def sent(request: Request, path: str = "") -> ScriptedRequest:
    return ScriptedRequest(
        request=request,
        reading=Reading(Exchange(request=request), number=2),
        title="A title",
        step=2,
        path=path,
        tool="sigscope 0",
    )


def script(
    url: str,
    body: bytes = b"",
    headers: Headers = JSON,
    method: str = "POST",
    path: str = "",
) -> bytes:
    request = Request(method=method, url=url, headers=headers, body=Body(body))
    return curl_script(sent(request, path))


def run(
    text: bytes, folder: Path, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    file = folder / "it.sh"
    file.write_bytes(text)
    clean = {"PATH": os.environ["PATH"], "no_proxy": "*", "HOME": str(folder)}
    return subprocess.run(
        ["sh", str(file)],
        capture_output=True,
        env=clean | variables,
        cwd=folder,
        timeout=60,
        check=False,
    )


@pytest.fixture
def server() -> object:
    with listening() as found:
        yield found


def fetch(server: Server, folder: Path, text: bytes, **variables: str) -> Asked:
    done = run(text, folder, **variables)
    assert done.returncode == 0, done.stderr
    (asked,) = server.asked
    return asked


BODIES = {
    "plain": b'{"a": 1}',
    "quotes": b"""{"text": "it's \\"so\\" `id` $HOME $(id) \\\\ !x %s %d"}""",
    "at sign first": b"@/etc/passwd",
    "line ends": b'{\r\n\t"a":\n\n1}\n',
    "only a line end": b"\n",
    "umlauts": '{"ü": "ß€🜚\u2028"}'.encode(),
    "nul": b"a\0b",
    "invalid utf-8": b"\xff\xfe{",
    "gzip": gzip.compress(b'{"a": 1}'),
    "long": b'{"a": "' + b"it's " * (MOST_INLINE // 4) + b'"}',
    "long binary": bytes(range(256)) * 1000,
    "long, backslashes": b"\\n\\0%s" * (MOST_INLINE // 4),
}


@needs_curl
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_curl_sends_the_very_bytes(server: Server, tmp_path: Path, body: bytes) -> None:
    asked = fetch(server, tmp_path, script(f"{server.url}/v1/x", body))
    assert asked.body == body
    assert (asked.method, asked.path) == ("POST", "/v1/x")


@needs_curl
def test_curl_sends_the_recorded_headers_and_no_others(
    server: Server, tmp_path: Path
) -> None:
    headers = (
        ("X-Quote", 'it\'s "$HOME" `id`'),
        ("x-empty", ""),
        ("X-Twice", "1"),
        ("X-Twice", "2"),
        ("Host", "elsewhere"),
        ("Content-Length", "999"),
        (":authority", "elsewhere"),
        ("Bad Name", "x"),
        ("X-Split", "a\r\nX-Smuggled: 1"),
    )
    text = script(f"{server.url}/", b"{}", headers)
    asked = fetch(server, tmp_path, text)
    kept = [pair for pair in asked.headers if pair[0] not in ("Host", "Content-Length")]
    assert kept == [
        ("X-Quote", 'it\'s "$HOME" `id`'),
        ("x-empty", ""),
        ("X-Twice", "1"),
        ("X-Twice", "2"),
    ]
    assert b"# Note: a header is left out that cannot be sent: 'Bad Name'." in text


@needs_curl
def test_a_removed_key_is_a_variable(server: Server, tmp_path: Path) -> None:
    headers = (*JSON, ("Authorization", "Bearer [removed]"), ("Cookie", "s=[removed]"))
    text = script(f"{server.url}/v1?alt=sse&key=REMOVED&x=$1", b"{}", headers)
    asked = fetch(server, tmp_path, text, API_KEY="sk-'\"$x", COOKIE="s=1; t=2")
    assert ("Authorization", "Bearer sk-'\"$x") in asked.headers
    assert ("Cookie", "s=1; t=2") in asked.headers
    assert asked.path == "/v1?alt=sse&key=sk-'\"$x&x=$1"


@needs_curl
def test_without_its_variable_nothing_is_sent_and_the_script_says_why(
    server: Server, tmp_path: Path
) -> None:
    headers = (("Authorization", "Bearer [removed]"),)
    url = "https://openrouter.ai/api/v1/chat/completions"
    done = run(script(url, b"{}", headers), tmp_path)
    assert done.returncode != 0
    assert b"OPENROUTER_API_KEY" in done.stderr
    assert b"set it to your OpenRouter key" in done.stderr
    assert server.asked == []


@needs_curl
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE"])
def test_other_methods_stay_what_they_are(
    server: Server, tmp_path: Path, method: str
) -> None:
    asked = fetch(server, tmp_path, script(f"{server.url}/m", method=method))
    assert asked.method == method
    assert asked.body == b""


@needs_curl
def test_globs_and_dots_in_the_path_are_not_touched(
    server: Server, tmp_path: Path
) -> None:
    asked = fetch(server, tmp_path, script(f"{server.url}/a/../[1-3]/{{x,y}}", b"{}"))
    assert asked.path == "/a/../[1-3]/{x,y}"


@needs_curl
def test_a_recording_without_host_and_headers_asks_for_both(
    server: Server, tmp_path: Path
) -> None:
    text = script("", b"{}", (), path="/chat/completions")
    assert b"Note: the recording names no host." in text
    asked = fetch(server, tmp_path, text, BASE_URL=server.url, API_KEY="k")
    assert asked.path == "/chat/completions"
    assert ("Authorization", "Bearer k") in asked.headers
    assert ("Content-Type", "application/json") in asked.headers


def test_a_title_cannot_leave_its_comment() -> None:
    request = Request(url="https://h/", headers=JSON, body=Body(b"{}"))
    odd = ScriptedRequest(
        request=request,
        reading=Reading(Exchange(request=request)),
        title="x\nrm -rf ~\r\u2028\x1b[2J",
        step=1,
        tool="sigscope 0",
    )
    lines = curl_script(odd).decode().splitlines()
    assert [line[:2] for line in lines[1:2]] == ["# "]
    assert "rm -rf" in lines[1]
    assert not any(line.startswith("rm") for line in lines)


def test_single_quotes_are_the_only_thing_that_is_escaped() -> None:
    assert quote(b"it's \\ $x") == b"'it'\\''s \\ $x'"
