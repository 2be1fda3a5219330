"""`sigscope record` as a user runs it: a process, signals, files."""

from __future__ import annotations

import fcntl
import http.client
import json
import os
import re
import resource
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands import sigscope
from tests.patience import PATIENCE, wait_until
from tests.soak import children_of

from sigscope.store import open_session

APP = str(Path(__file__).parents[2] / "app")
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def start(tmp_path: Path, *args: str) -> subprocess.Popen[str]:
    env = {
        **os.environ,
        "PYTHONPATH": APP,
        "SIGSCOPE_DATA_DIR": str(tmp_path / "data"),
        "SIGSCOPE_STATE_DIR": str(tmp_path / "state"),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "sigscope", "record", *args],
        env=env,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def post(url: str, body: bytes) -> bytes:
    request = urllib.request.Request(url, body, {"X-Api-Key": "sk-secret-1234567890"})
    with OPENER.open(request, timeout=PATIENCE) as answer:
        data: bytes = answer.read()
        return data


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_everything_written(
    tmp_path: Path, upstream: str, number: signal.Signals
) -> None:
    process = start(
        tmp_path, "--upstream", upstream, "--port", "0", "--out", "a.session.jsonl"
    )
    assert process.stdout is not None
    url = process.stdout.readline().strip()
    for count in range(3):
        assert post(f"{url}/v1/x?key=abcdefgh12345678", b"%d" % count) == b"%d" % count
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "in 3 steps" in out
    assert "step   3  200  POST" in err
    assert "3 exchanges in a.session.jsonl" in err
    assert "abcdefgh12345678" not in err
    text = (tmp_path / "a.session.jsonl").read_text()
    assert "sk-secret" not in text
    assert "abcdefgh12345678" not in text
    assert len(open_session(str(tmp_path / "a.session.jsonl")).steps) == 3


@pytest.mark.parametrize("is_json", [True, False])
def test_a_reader_of_what_is_said_that_stands_still_holds_no_traffic(
    tmp_path: Path, upstream: str, *, is_json: bool
) -> None:
    """A pager at its first page, a terminal after Ctrl+S, a program at work."""
    words = ["--upstream", upstream, "--port", "0", "--out", "a.session.jsonl"]
    process = start(tmp_path, *words, *["--json"] * is_json)
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline().strip()
    url = json.loads(line)["url"] if is_json else line
    said = process.stdout if is_json else process.stderr
    fcntl.fcntl(said, fcntl.F_SETPIPE_SZ, 4096)
    for number in range(60):
        body = b"%d" % number
        assert post(f"{url}/v1/{'a' * 100}", body) == body
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    steps = re.findall(r'"event": "step", "step": (\d+)|^step +(\d+)', out + err, re.M)
    assert [int(one or other) for one, other in steps] == list(range(1, 61))


def test_json_is_one_object_a_line(tmp_path: Path, upstream: str) -> None:
    process = start(tmp_path, "--json", "--port", "0", "--map", f"/a/b={upstream}/base")
    assert process.stdout is not None
    listening = json.loads(process.stdout.readline())
    post(f"{listening['url']}/a/b/c", b"{}")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    rows: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    assert [row["event"] for row in rows] == ["step", "result"]
    assert rows[0]["url"] == f"{upstream}/base/c"
    assert rows[1]["steps"] == 1
    assert Path(rows[1]["file"]).is_relative_to(tmp_path / "data")


def test_a_file_is_gone_on_with_or_left_alone(tmp_path: Path, upstream: str) -> None:
    path = tmp_path / "a.session.jsonl"
    line = ("--upstream", upstream, "--port", "0", "--out", str(path))
    for extra in ((), ("--append",)):
        process = start(tmp_path, *line, *extra)
        assert process.stdout is not None
        post(process.stdout.readline().strip() + "/", b"x")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        again = sigscope("record", *line)
        assert (again.code, "exists already" in again.err) == (2, True)
    assert [step.number for step in open_session(str(path)).steps] == [1, 2]


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ((), 2, "name an upstream"),
        (("--upstream", "api.example"), 2, "http://... or https://"),
        (("--map", "x=y"), 2, "/PREFIX=URL"),
        (("--upstream", "http://x", "--port", "99999"), 2, "between 0 and 65535"),
        (("--upstream", "http://x", "--out", "file/no/such"), 3, "cannot be made"),
        (("--upstream", "http://x"), 3, "; name a file elsewhere with --out"),
        (("--upstream", "http://x", "--ca-file", "/dev/null"), 2, "certificates"),
        (("--upstream", "http://x", "--append", "--force"), 2, "contradict"),
    ],
)
def test_what_cannot_be_is_said_in_words(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    args: tuple[str, ...],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SIGSCOPE_DATA_DIR", str(tmp_path / "file" / "data"))
    found = sigscope("record", "--port", "0", *args)
    assert found.code == code, found.err
    assert words in found.err


def test_a_recording_of_nothing_leaves_no_file(tmp_path: Path, upstream: str) -> None:
    process = start(tmp_path, "--upstream", upstream, "--port", "0")
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "nothing was recorded" in err
    assert not list((tmp_path / "data").rglob("*.jsonl"))


def test_a_taken_port_is_said(tmp_path: Path, upstream: str) -> None:
    port = upstream.rpartition(":")[2]
    found = sigscope("record", "--upstream", upstream, "--port", port)
    assert found.code == 3
    assert f"cannot listen on 127.0.0.1:{port}" in found.err
    assert not list(tmp_path.rglob("*.jsonl"))


def status_of(url: str, origin: str) -> int:
    host, _, path = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=PATIENCE)
    connection.request("POST", f"/{path}", b"{}", {"Origin": origin})
    status = connection.getresponse().status
    connection.close()
    return status


def test_web_pages_are_refused_counted_and_told_once(
    tmp_path: Path, upstream: str
) -> None:
    args = ("--upstream", upstream, "--port", "0", "--allow-origin", "app://mine")
    process = start(tmp_path, *args, "--out", "a.session.jsonl")
    assert process.stdout is not None
    url = process.stdout.readline().strip()
    asked = [status_of(f"{url}/v1", origin) for origin in ("http://e.example",) * 2]
    assert asked == [403, 403]
    assert status_of(f"{url}/v1", "app://mine") == 200
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert err.count("allow it with --allow-origin http://e.example") == 1
    assert "2 requests of web pages or for other hosts refused" in err
    assert len(open_session(str(tmp_path / "a.session.jsonl")).steps) == 1


@pytest.mark.parametrize(
    ("option", "value"),
    [("--allow-host", "http://x"), ("--allow-origin", "example.org")],
)
def test_what_cannot_be_allowed_is_said(
    tmp_path: Path, option: str, value: str
) -> None:
    out = tmp_path / "a.session.jsonl"
    found = sigscope("record", "--upstream", "http://x", "--out", out, option, value)
    assert found.code == 2
    assert f"{option} takes" in found.err


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="prlimit is Linux's")
def test_exchanges_that_a_full_disk_cost_make_the_exit_code(
    tmp_path: Path, upstream: str
) -> None:
    args = ("--upstream", upstream, "--port", "0", "--out", "a.session.jsonl")
    process = start(tmp_path, *args)
    assert process.stdout is not None
    url = process.stdout.readline().strip()
    (scribe,) = children_of(process.pid)
    size = (tmp_path / "a.session.jsonl").stat().st_size
    resource.prlimit(scribe, resource.RLIMIT_FSIZE, (size, size))
    for _ in range(2):
        assert post(f"{url}/v1", b"passes") == b"passes"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert err.count("cannot be written") == 1
    assert "2 exchanges passed through and are not in the file" in err


def test_a_deleted_file_loses_nothing(tmp_path: Path, upstream: str) -> None:
    path = tmp_path / "a.session.jsonl"
    process = start(tmp_path, "--upstream", upstream, "--port", "0", "--out", str(path))
    assert process.stdout is not None
    url = process.stdout.readline().strip()
    post(f"{url}/v1", b"one")
    wait_until(lambda: b'"step"' in path.read_bytes())
    path.unlink()
    post(f"{url}/v1", b"two")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert err.count("was deleted while it was recorded to") == 1
    assert "in 2 steps" in out
    again = tmp_path / "a-again.session.jsonl"
    assert f"2 exchanges in {again}" in err
    assert len(open_session(str(again)).steps) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells where it is")
def test_a_moved_file_loses_nothing_though_its_writer_dies(
    tmp_path: Path, upstream: str
) -> None:
    path, moved = tmp_path / "a.session.jsonl", tmp_path / "moved.session.jsonl"
    process = start(tmp_path, "--upstream", upstream, "--port", "0", "--out", str(path))
    assert process.stdout is not None
    url = process.stdout.readline().strip()
    post(f"{url}/v1", b"one")
    wait_until(lambda: b'"step"' in path.read_bytes())
    path.rename(moved)
    post(f"{url}/v1", b"two")
    wait_until(lambda: len(open_session(str(moved)).steps) == 2)
    (scribe,) = children_of(process.pid)
    os.kill(scribe, signal.SIGKILL)
    post(f"{url}/v1", b"three")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert err.count("was moved while it was recorded to") == 1
    assert f"3 exchanges in {moved}" in err
    assert len(open_session(str(moved)).steps) == 3
    assert not path.exists()
