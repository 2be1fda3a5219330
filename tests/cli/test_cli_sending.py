"""Live sends that go wrong: a clear message, the right code, the run kept."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import threading
from pathlib import Path

import pytest
from tests.cli.commands import Result, command, environment, sigscope
from tests.cli.servers import (
    STREAM,
    Handler,
    Served,
    answer,
    chunk,
    never_ends,
    says,
    server,
    stalls,
)
from tests.listeners import deaf_port
from tests.patience import PATIENCE

from sigscope.engine.sessions.opener import open_file

DELTA = b'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n'
DONE = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
KEY = "sk-live-1234567890abcdefghij"


def replay(failing: Path, url: str, *more: str, silence: str = str(PATIENCE)) -> Result:
    """`silence`: seconds after which a server that says nothing is given up."""
    return sigscope(
        *("replay", failing, "--step", "2", "--to", url),
        *("--retries", "0", "--timeout", silence, "--json", *more),
    )


def kept(failing: Path) -> int:
    session = open_file(failing)
    assert not session.problems
    return len(session.runs)


BROKEN: dict[str, tuple[Handler, str]] = {
    "silent": (stalls(), "was silent for 0.3 s"),
    "silent after its head": (stalls(STREAM, chunk(DELTA)), "was silent for 0.3 s"),
    "hangs up at once": (says(), "broke off"),
    "hangs up mid-stream": (says(STREAM, chunk(DELTA)), "broke off"),
    "hangs up mid-body": (says(answer(b"{}" * 9)[:-3]), "broke off"),
    "bad chunk": (says(STREAM, b"zz\r\n"), "broke off"),
    "another protocol": (says(b"220 mail.example ESMTP\r\n\r\n"), "not answer in HTTP"),
    "noise": (says(bytes(range(256)) * 4), "did not answer in HTTP"),
    "endless head": (says(b"HTTP/1.1 200 OK\r\nA: ", b"x" * 300_000), "broke off"),
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_an_answer_that_never_comes_whole_is_no_evidence(
    name: str, failing: Path
) -> None:
    handler, words = BROKEN[name]
    silence = "0.3" if "silent" in name else str(PATIENCE)
    with server(handler) as served:
        found = replay(failing, served.url, silence=silence)
    row = found.json
    assert words in row["error"]
    assert f"127.0.0.1:{served.port}" in row["error"]
    assert row["verdict"] == "unclear"
    assert found.code == 3
    assert kept(failing) == 1


def test_what_had_arrived_is_kept(failing: Path) -> None:
    with server(says(STREAM, chunk(DELTA))) as served:
        assert replay(failing, served.url).json["status"] == 200
    (run,) = open_file(failing).runs
    response = run.exchange.response
    assert response is not None
    assert response.body.raw == DELTA
    assert response.ending == "upstream-aborted"
    assert [c.end for c in response.chunks] == [len(DELTA)]


def test_no_such_host_and_a_refused_port(
    failing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(host: object, *_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    with deaf_port() as port:
        refused = replay(failing, f"http://127.0.0.1:{port}")
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert refused.code == 3
    assert f"cannot connect to 127.0.0.1:{port}" in refused.json["error"]
    nowhere = replay(failing, "http://no-such-host.invalid", "--yes")
    assert nowhere.code == 3
    assert "cannot connect to no-such-host.invalid" in nowhere.json["error"]
    assert nowhere.json["status"] is None
    assert kept(failing) == 2


def test_a_redirect_is_shown_and_nothing_is_sent_there(failing: Path) -> None:
    with server(says(answer(b"{}"))) as other:
        place = f"http://user:pw@localhost:{other.port}/x?key=abc"
        move = answer(b"", "307 Temporary Redirect", f"Location: {place}")
        with server(says(move)) as served:
            found = sigscope(
                *("replay", failing, "--step", "2", "--to", served.url, "--json")
            )
        assert other.requests == []
    assert len(served.requests) == 1, "a redirect is not tried again"
    row = found.json
    assert (row["status"], row["verdict"], found.code) == (307, "unclear", 1)
    assert (
        f"redirected to http://localhost:{other.port}/x, which was not"
        in (row["error"])
    )
    assert "pw" not in found.told


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Unavailable"])
def test_a_busy_service_is_unclear(status: str, failing: Path) -> None:
    with server(says(answer(b'{"error":{"message":"busy"}}', status))) as served:
        found = replay(failing, served.url)
    assert (found.json["error"], found.json["verdict"]) == ("busy", "unclear")
    assert found.code == 1


def test_50_megabytes_are_taken_and_judged(failing: Path) -> None:
    size = 50_000_000
    with server(says(answer(b"x" * size))) as served:
        found = sigscope(
            *("replay", failing, "--step", "2", "--to", served.url),
            *("--retries", "0", "--timeout", "20", "--json"),
        )
    assert (found.json["status"], found.json["verdict"]) == (200, "different")
    assert found.code == 1
    (run,) = open_file(failing).runs
    assert run.exchange.response is not None
    assert run.exchange.response.body.size == size


def test_an_answer_without_an_answer_confirms_nothing(failing: Path) -> None:
    for status in ("200 OK", "204 No Content"):
        with server(says(answer(b"", status))) as served:
            found = replay(failing, served.url)
        assert found.json["verdict"] == "different"
        assert "the body holds no answer" in found.json["error"]
        with server(says(answer(b"", status))) as served:
            shown = sigscope(
                *("replay", failing, "--step", "2", "--to", served.url),
                *("--retries", "0"),
            )
        assert "the simulator was wrong" not in shown.out


def test_a_good_stream_is_gone_and_keeps_its_times(failing: Path) -> None:
    with server(says(STREAM, chunk(DELTA), chunk(DONE), b"0\r\n\r\n")) as served:
        found = replay(failing, served.url)
    assert (found.json["verdict"], found.json["error"], found.code) == ("gone", None, 0)
    (run,) = open_file(failing).runs
    assert run.exchange.response is not None
    chunks = run.exchange.response.chunks
    assert chunks[-1].end == len(DELTA + DONE)
    assert all(chunk.at_ms > 0 for chunk in chunks)


def interrupted(
    failing: Path, served: Served, folder: Path, begun: threading.Event
) -> Result:
    """Ctrl+C, when this has happened."""
    words = ("replay", failing, "--step", "2", "--to", served.url, "--json")
    process = subprocess.Popen(
        command(*words),
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert begun.wait(PATIENCE)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert b"Traceback" not in err, err
    return Result(code=process.returncode, out=out.decode(), err=err.decode())


def test_cancelling_an_endless_stream_keeps_what_came(
    failing: Path, tmp_path: Path
) -> None:
    # More than both ends hold of what is not read yet: some of it was.
    size, is_read = 2_000_000, threading.Event()

    def begin(connection: socket.socket, over: threading.Event) -> None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)
        connection.sendall(STREAM)
        for _ in range(size // len(DELTA * 500)):
            connection.sendall(chunk(DELTA * 500))
        is_read.set()
        never_ends(b"", chunk(DELTA))(connection, over)

    with server(begin) as served:
        found = interrupted(failing, served, tmp_path, is_read)
    assert found.code == 130
    assert "interrupted" in found.err
    assert (found.json["error"], found.json["verdict"]) == ("cancelled", "unclear")
    (run,) = open_file(failing).runs
    assert run.exchange.response is not None
    assert run.exchange.response.ending == "client-aborted"
    assert run.exchange.response.body.raw.startswith(DELTA * 2)


def test_cancelling_before_an_answer_keeps_the_request(
    failing: Path, tmp_path: Path
) -> None:
    with server(stalls()) as served:
        found = interrupted(failing, served, tmp_path, served.arrived)
    assert found.code == 130
    (run,) = open_file(failing).runs
    assert run.exchange.response is None
    assert run.status is None


# --- Keys -----------------------------------------------------------------------------


def test_the_key_is_sent_and_never_kept_or_shown(
    failing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    echo = json.dumps({"error": {"message": f"bad key {KEY}"}}).encode()
    with server(says(answer(echo, "401 Unauthorized"))) as served:
        found = replay(failing, served.url, "--key-env", "MY_KEY")
    assert f"authorization: Bearer {KEY}\r\n".encode() in served.requests[0]
    assert KEY not in failing.read_text()
    with server(stalls()) as served:
        found = replay(failing, served.url, "--key-env", "MY_KEY", silence="0.3")
    assert KEY not in found.told + failing.read_text()


@pytest.mark.parametrize("key", [None, "", "  ", "sk-a\nb", "sk-☃", "a b"])
def test_a_key_that_cannot_be_sent_is_a_usage_error_that_does_not_show_it(
    key: str | None, failing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if key is not None:
        monkeypatch.setenv("MY_KEY", key)
    before = failing.read_bytes()
    found = replay(failing, "http://127.0.0.1:9", "--key-env", "MY_KEY")
    assert found.code == 2
    assert "MY_KEY" in found.err
    assert not (key or "").strip() or key not in found.told
    assert failing.read_bytes() == before


def test_recorded_credentials_do_not_go_to_another_host(tmp_path: Path) -> None:
    path = tmp_path / "capture.har"
    with server(says(answer(b"{}"))) as served:
        for host in ("https://openrouter.ai", served.url):
            body = '{"model":"google/gemini-3-pro","messages":[]}'
            headers = {"Authorization": f"Bearer {KEY}", "Cookie": f"a={KEY}"}
            entry = {
                "request": {
                    "method": "POST",
                    "url": f"{host}/api/v1/chat/completions?key={KEY}&a=1",
                    "headers": [
                        {"name": n, "value": v}
                        for n, v in (headers | {"X": "1"}).items()
                    ],
                    "postData": {"text": body},
                },
                "response": {"status": 200, "headers": [], "content": {"text": "{}"}},
            }
            path.write_text(json.dumps({"log": {"version": "1.2", "entries": [entry]}}))
            sigscope("replay", path, "--step", "1", "--to", served.url)
    elsewhere, home = served.requests
    assert KEY.encode() not in elsewhere
    assert elsewhere.startswith(b"POST /api/v1/chat/completions?a=1 HTTP/1.1\r\n")
    assert b"X: 1\r\n" in elsewhere
    assert home.count(KEY.encode()) == 3


def test_a_password_in_the_target_is_not_shown(failing: Path) -> None:
    with server(says(answer(b"{}", "401 No"))) as served:
        url = served.url.replace("127", "me:pa55w0rd@127", 1)
        found = replay(failing, url)
    assert b"authorization: basic " in served.requests[0].lower()
    assert "pa55w0rd" not in found.told + failing.read_text()


# --- Targets --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "target",
    [
        "",
        "simulatr",
        "ftp://a.example/",
        "http://",
        "http://a b.example/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:abc/",
        "http://127.0.0.1:0/",
        "http://[::1/",
        "https://user:pa55w0rd@a b/",
    ],
)
def test_what_is_no_target_is_refused_before_anything_is_sent(
    target: str, failing: Path
) -> None:
    before = failing.read_bytes()
    found = replay(failing, target)
    assert (found.code, found.out) == (2, "")
    assert "is no target" in found.err
    assert "pa55w0rd" not in found.err
    assert failing.read_bytes() == before


def test_a_send_that_may_cost_money_is_asked_about(failing: Path) -> None:
    found = replay(failing, "https://api.example.com")
    assert found.code == 2
    assert "may cost money" in found.err


# --- What cannot be kept --------------------------------------------------------------


def test_a_run_that_cannot_be_kept_is_told_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bundled sessions are kept in the data folder; here there can be none."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SIGSCOPE_DATA_DIR", str(tmp_path / "file" / "data"))
    found = sigscope("replay", "zed-copilot-attempt-1", "--step", "2", "--json")
    assert found.code == 3
    assert found.json["verdict"] == "reproduced"
    assert "cannot be made" in found.err


@pytest.mark.parametrize("status", ["401 Unauthorized", "402 Pay", "403 Forbidden"])
def test_a_refused_key_says_nothing_about_the_simulator(
    status: str, failing: Path
) -> None:
    with server(says(answer(b'{"error":{"message":"bad key"}}', status))) as served:
        found = sigscope("replay", failing, "--step", "1", "--to", served.url)
    assert "predicted 200, got 40" in found.out
    assert "the simulator was wrong" not in found.out
