"""Streams that are closed, full, or of another encoding; the simulator as a server."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import subprocess
import urllib.request
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from shlex import quote
from typing import TextIO

import pytest
from tests.cli.commands import SESSIONS, command, environment, sigscope, spawn
from tests.patience import PATIENCE

from sigscope.cli.main import run

SESSION = SESSIONS / "zed-copilot-attempt-1.session.jsonl"
FULL = Path("/dev/full")


def shell(folder: Path, line: str, **env: str) -> tuple[int, str, str]:
    """A line for the shell, in which `sigscope` is this one."""
    script = f'sigscope() {{ {" ".join(command())} "$@"; }}\n{line}'
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script],
        env=environment(folder, FILE=str(SESSION), **env),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    err = done.stderr.decode()
    assert "Traceback" not in err, err
    assert "Exception ignored" not in err, err
    assert "a fault in sigscope" not in err, err
    return done.returncode, done.stdout.decode(errors="replace"), err


def words(line: str) -> list[str | Path]:
    """A line without a shell."""
    return [SESSION if word == "$FILE" else word for word in line.split()]


def to_stream(out: TextIO | None, *argv: str | Path) -> tuple[int, str]:
    """Exit code and what was said of a command line in this process, whose output is
    this. What leaving the process does about it is for real ones."""
    err = io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run([str(word) for word in argv])
        if out is not None:
            with suppress(BrokenPipeError):
                out.close()
    return code, err.getvalue()


def left_pipe() -> TextIO:
    """A pipe whose reader has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    return open(writing, "w", encoding="utf-8")


@pytest.mark.parametrize(
    ("verb", "reader"),
    [
        ("ledger $FILE --json", "head -c 5"),
        ("explain", "true"),
        ("show $FILE --step 1 --raw response", "head -c 5"),
        ("--help", "true"),
    ],
)
def test_a_reader_that_leaves_is_no_error(
    verb: str, reader: str, tmp_path: Path
) -> None:
    code, _, err = shell(tmp_path, f"sigscope {verb} | {reader}")
    assert (code, err) == (0, "")
    assert to_stream(left_pipe(), *words(verb)) == (0, "")


@pytest.mark.parametrize(
    ("verb", "reader"),
    [
        ("check $FILE", "head -1"),
        ("check $FILE --json", "head -c 5"),
        ("diff $FILE --step 2 --against 1 --json", "true"),
    ],
)
def test_a_verdict_stands_though_its_reader_leaves(
    verb: str, reader: str, tmp_path: Path
) -> None:
    code, _, err = shell(tmp_path, f"sigscope {verb} | {reader}")
    assert (code, err) == (1, "")
    assert to_stream(left_pipe(), *words(verb)) == (1, "")


def test_a_verdict_stands_where_more_is_written_than_a_pipe_holds(
    tmp_path: Path,
) -> None:
    """Writing fails in the middle of it, not when all is said."""
    sent = {"messages": [{"role": "user", "content": "hi"}], "top_k": 1}
    refused = {"error": {"message": "top_k is unknown " + "x" * 500}}
    kind = "application/json"
    entry = {
        "request": {
            "method": "POST",
            "url": "https://llm.example.test/v1/talk",
            "headers": [],
            "postData": {"mimeType": kind, "text": json.dumps(sent)},
        },
        "response": {
            "status": 400,
            "headers": [],
            "content": {"mimeType": kind, "text": json.dumps(refused)},
        },
    }
    entries = [entry] * 200
    (tmp_path / "many.har").write_text(json.dumps({"log": {"entries": entries}}))
    many = tmp_path / "many.har"
    code, out, err = shell(tmp_path, f"sigscope check {quote(str(many))} | head -1")
    assert (code, err) == (1, "")
    assert out.startswith("error[REF-1]")


CLOSED = "sigscope: output: Bad file descriptor\n"


def test_a_closed_stdout_is_said(tmp_path: Path) -> None:
    assert shell(tmp_path, "sigscope check $FILE --json >&-")[::2] == (3, CLOSED)
    export = "export $FILE --to curl --step 2"
    for verb in ("ledger $FILE", "--version", "check $FILE --json", export):
        assert to_stream(None, *words(verb)) == (3, CLOSED)


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_full_disk_is_said(tmp_path: Path) -> None:
    told = "sigscope: output: No space left on device\n"
    raw = "show $FILE --step 1 --raw response"
    assert shell(tmp_path, f"sigscope {raw} > {FULL}")[::2] == (3, told)
    for verb in ("ledger $FILE", raw):
        assert to_stream(FULL.open("w"), *words(verb)) == (3, told)


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout here")
def test_names_of_standard_output_are_written_into(tmp_path: Path) -> None:
    """As root, they would have been replaced by files: for every program."""
    export = "sigscope export $FILE --to report --out"
    before = Path("/dev/stdout").lstat()
    _, wanted, _ = shell(tmp_path, f"{export} -")
    for more in ("", "--force"):
        code, out, _ = shell(tmp_path, f"{export} /dev/stdout {more}")
        assert (code, out.startswith(wanted)) == (0, True)
    report = "--report junit=/dev/stdout"
    told = tmp_path / "told"
    shell(tmp_path, f"(echo first; sigscope check $FILE {report}) > {told}")
    assert told.read_text().startswith("first\n")
    assert told.read_text().rstrip().endswith("</testsuites>")
    assert Path("/dev/stdout").lstat() == before


def test_a_closed_stderr_changes_nothing(tmp_path: Path) -> None:
    assert shell(tmp_path, "sigscope ledger nothing.har 2>&-")[0] == 3
    assert shell(tmp_path, "sigscope ledger $FILE 2>&-")[0] == 0


def test_standard_input_is_read_and_may_be_closed(tmp_path: Path) -> None:
    code, out, _ = shell(tmp_path, "sigscope ledger - --json < $FILE")
    assert (code, len(json.loads(out)["steps"])) == (0, 2)
    empty = sigscope("ledger", "-", stdin=b"")
    assert empty.code == 3
    assert "the file is empty" in empty.err
    code, _, err = shell(tmp_path, "sigscope ledger - <&-")
    assert code == 3
    assert "closed" in err
    assert shell(tmp_path, "sigscope <&-")[0] == 2


def test_servers_start_without_a_stdout_or_say_why_not(tmp_path: Path) -> None:
    assert shell(tmp_path, "sigscope test --dialect openrouter -- true >&-")[0] == 3
    for closed in ("<&-", ">&-"):
        code, _, err = shell(tmp_path, f"sigscope mcp {closed}")
        assert code == 2
        assert "one of them is closed" in err


@pytest.mark.parametrize("verb", ["ledger $FILE", "check $FILE", "explain CPC-1"])
def test_a_stream_of_another_encoding_gets_escapes(verb: str) -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    err = io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run([str(word) for word in words(verb)])
    out.flush()
    assert code in (0, 1)
    assert (raw.getvalue().isascii(), err.getvalue()) == (True, "")
    assert raw.getvalue()


def test_a_terminal_of_another_encoding_is_no_fault(tmp_path: Path) -> None:
    for env in ({"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        code, out, err = shell(tmp_path, "sigscope check $FILE", **env)
        assert code == 1
        assert (out.isascii(), err) == (True, "") or "PYTHONUTF8" in env


def test_colours_are_only_for_eyes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert "\x1b" not in spawn(tmp_path, "check", SESSION).out
    assert "\x1b" not in sigscope("check", SESSION).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[31m" in sigscope("check", SESSION).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in sigscope("check", SESSION).out


def test_the_simulator_serves_real_clients_and_ends_on_ctrl_c(tmp_path: Path) -> None:
    copy = tmp_path / "copy.session.jsonl"
    copy.write_bytes(SESSION.read_bytes())
    process = subprocess.Popen(
        command("simulate", "copilot-chat", "--port", "0", "--pace", "0"),
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        line = ("replay", copy, "--to", url, "--json", "--step")
        again = sigscope(*line, "1")
        refused = sigscope(*line, "2")
        with urllib.request.urlopen(f"{url}/_sim/log", timeout=PATIENCE) as answer:
            log = json.load(answer)
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (again.code, again.json["status"], again.json["upstream"]) == (
        0,
        200,
        f"{url}/chat/completions",
    )
    assert (refused.code, refused.json["status"]) == (0, 400)
    assert refused.json["predicted"] == 400
    assert log["format"] == 1
    first, second = [r for r in log["requests"] if r["method"] == "POST"]
    assert (first["dialect"], first["status"]) == ("copilot-chat", 200)
    assert (second["status"], second["rule"]) == (400, "CPC-2")
    assert [s["pointer"] for s in second["signatures"]] == [
        "/messages/2/tool_calls/0/thought_signature"
    ]
    assert process.returncode in (0, 130)
    assert out == ""
    assert "Traceback" not in err


def test_a_port_that_is_taken_is_one_clear_message() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        found = sigscope("simulate", "--port", port)
    assert found.code == 3
    assert f"cannot listen on 127.0.0.1:{port}" in found.err


def test_ctrl_c_while_working_ends_with_130(tmp_path: Path) -> None:
    """Sent when the process has begun to read a pipe that never ends."""
    reading, writing = os.pipe()
    process = subprocess.Popen(
        command("ledger", "-"),
        stdin=reading,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(reading)
    # The pipe is empty again when the process reads, so it is past its start.
    os.write(writing, b"x" * 60_000)
    os.set_blocking(writing, True)
    os.write(writing, b"x" * 60_000)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    os.close(writing)
    assert process.returncode == 130
    assert err == "interrupted\n"
