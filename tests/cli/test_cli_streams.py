"""Streams that are closed, full, or of another encoding; the simulator as a server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest
from tests.cli.commands import SESSIONS, command, environment, spawn

SESSION = SESSIONS / "zed-copilot-attempt-1.session.jsonl"
FULL = Path("/dev/full")


def shell(folder: Path, line: str, **env: str) -> tuple[int, str, str]:
    """A line for the shell, in which `sigscope` is this one."""
    script = f'sigscope() {{ {" ".join(command())} "$@"; }}\n{line}'
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script],
        env=environment(folder, FILE=str(SESSION), **env),
        capture_output=True,
        timeout=60,
        check=False,
    )
    err = done.stderr.decode()
    assert "Traceback" not in err, err
    assert "Exception ignored" not in err, err
    assert "a fault in sigscope" not in err, err
    return done.returncode, done.stdout.decode(errors="replace"), err


@pytest.mark.parametrize(
    "verb",
    ["ledger $FILE --json", "explain", "show $FILE --step 1 --raw response", "--help"],
)
def test_a_reader_that_leaves_is_no_error(verb: str, tmp_path: Path) -> None:
    for reader in ("head -c 5", "true"):
        code, _, err = shell(tmp_path, f"sigscope {verb} | {reader}")
        assert (code, err) == (0, "")


@pytest.mark.parametrize("reader", ["head -1", "head -c 5", "true"])
@pytest.mark.parametrize(
    "verb",
    ["check $FILE", "check $FILE --json", "diff $FILE --step 2 --against 1 --json"],
)
def test_a_verdict_stands_though_its_reader_leaves(
    verb: str, reader: str, tmp_path: Path
) -> None:
    code, _, err = shell(tmp_path, f"sigscope {verb} | {reader}")
    assert (code, err) == (1, "")


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
    code, out, err = shell(tmp_path, f"sigscope check {many} | head -1")
    assert (code, err) == (1, "")
    assert out.startswith("error[REF-1]")


@pytest.mark.parametrize("verb", ["ledger $FILE", "--version", "check $FILE --json"])
def test_a_closed_stdout_is_said(verb: str, tmp_path: Path) -> None:
    code, _, err = shell(tmp_path, f"sigscope {verb} >&-")
    assert code == 3
    assert err == "sigscope: output: Bad file descriptor\n"


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize("verb", ["ledger $FILE", "show $FILE --step 1 --raw response"])
def test_a_full_disk_is_said(verb: str, tmp_path: Path) -> None:
    code, _, err = shell(tmp_path, f"sigscope {verb} > {FULL}")
    assert code == 3
    assert err == "sigscope: output: No space left on device\n"


def test_a_closed_stderr_changes_nothing(tmp_path: Path) -> None:
    assert shell(tmp_path, "sigscope ledger nothing.har 2>&-")[0] == 3
    assert shell(tmp_path, "sigscope ledger $FILE 2>&-")[0] == 0


def test_standard_input_is_read_and_may_be_closed(tmp_path: Path) -> None:
    code, out, _ = shell(tmp_path, "sigscope ledger - --json < $FILE")
    assert (code, len(json.loads(out)["steps"])) == (0, 2)
    code, _, err = shell(tmp_path, "sigscope ledger - < /dev/null")
    assert code == 3
    assert "the file is empty" in err
    code, _, err = shell(tmp_path, "sigscope ledger - <&-")
    assert code == 3
    assert "closed" in err
    assert shell(tmp_path, "sigscope <&-")[0] == 2


@pytest.mark.parametrize("verb", ["ledger $FILE", "check $FILE", "explain CPC-1"])
def test_a_terminal_of_another_encoding_gets_escapes(verb: str, tmp_path: Path) -> None:
    for env in ({"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        code, out, err = shell(tmp_path, f"sigscope {verb}", **env)
        assert code in (0, 1)
        assert (out.isascii(), err) == (True, "") or "PYTHONUTF8" in env


def test_colours_are_only_for_eyes(tmp_path: Path) -> None:
    plain = spawn(tmp_path, "check", SESSION)
    assert "\x1b" not in plain.out
    coloured = spawn(
        tmp_path, "check", SESSION, env={"FORCE_COLOR": "1", "NO_COLOR": ""}
    )
    assert "\x1b[31m" in coloured.out
    assert "\x1b" not in spawn(tmp_path, "check", SESSION, env={"NO_COLOR": "1"}).out


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
        words = ("replay", copy, "--to", url, "--json", "--step")
        again = spawn(tmp_path, *words, "1")
        refused = spawn(tmp_path, *words, "2")
        with urllib.request.urlopen(f"{url}/_sim/log", timeout=10) as answer:
            log = json.load(answer)
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
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


def test_a_port_that_is_taken_is_one_clear_message(tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        found = spawn(tmp_path, "simulate", "--port", port)
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
    _, err = process.communicate(timeout=20)
    os.close(writing)
    assert process.returncode == 130
    assert err == "interrupted\n"
