"""`sigscope run` with clients that are processes; itself one where signals and streams
are the point."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.commands import (
    Result,
    command,
    environment,
    sigscope,
    sigscope_around,
    spawn,
)
from tests.patience import PATIENCE

from sigscope.store import open_session
from sigscope.upstreams.simulator import SimConfig
from sigscope.upstreams.simulator.server import Server

CLIENT = """
import json, os, sys, urllib.error, urllib.request
base = os.environ["OPENAI_BASE_URL"]
tools = [{"type": "function", "function": {"name": "list_files", "parameters": {}}}]
messages = [{"role": "user", "content": "List the files, use the tool."}]
for turn in range(2):
    body = {"model": "gemini-3-pro-preview", "tools": tools, "messages": messages}
    request = urllib.request.Request(
        base + "/chat/completions", json.dumps(body).encode(),
        {"Authorization": "Bearer sk-proj-0123456789abcdefghijklmn"})
    try:
        answer = json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as error:
        error.read()
        print("status", error.code)
        break
    message = {"role": "assistant", "content": None}
    for choice in answer["choices"]:
        message |= {k: v for k, v in choice["message"].items() if v}
    if "forget" in sys.argv:
        message.pop("reasoning_opaque", None)
    messages.append(message)
    for call in message.get("tool_calls", []):
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": "a"})
else:
    print("done")
"""


@pytest.fixture(scope="module")
def simulator() -> Iterator[str]:
    server = Server(SimConfig(dialect="copilot-chat", pace_ms=0), port=0)
    thread = threading.Thread(target=lambda: asyncio.run(server.run()))
    thread.start()
    yield server.url
    server.stop()
    thread.join()


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")


def run(*args: str) -> Result:
    return sigscope_around("run", *args)


def test_a_client_is_recorded_and_what_is_wrong_is_named(
    tmp_path: Path, simulator: str
) -> None:
    upstream = ("--upstream", f"openai={simulator}", "--out", "a.session.jsonl")
    client = ("--", sys.executable, "-c", CLIENT, "forget")
    done = run(*upstream, *client)
    assert done.code == 0, done.err
    assert done.out == "status 400\n"
    assert "error[CPC-1]" in done.err
    assert "2 exchanges in a.session.jsonl" in done.err
    text = (tmp_path / "a.session.jsonl").read_text()
    assert "sk-proj-" not in text
    assert len(open_session(str(tmp_path / "a.session.jsonl")).steps) == 2
    checked = run(*upstream, "--force", "--check", *client)
    assert checked.code == 1


def test_a_right_client_passes_the_check(tmp_path: Path, simulator: str) -> None:
    done = run(
        *("--upstream", f"openai={simulator}", "--check", "--live", "--json"),
        *("--", sys.executable, "-c", CLIENT),
    )
    assert done.code == 0, done.err
    assert done.out == "done\n"
    first, _, result = done.err.strip().splitlines()
    assert "step   1  200  POST" in first
    row = json.loads(result)
    assert (row["steps"], row["lost"]) == (2, 0)
    assert not [f for f in row["findings"] if f["severity"] == "error"]
    assert Path(row["file"]).is_relative_to(tmp_path / "kept" / "data")


@pytest.mark.parametrize(
    ("client", "code"),
    [
        (("sh", "-c", "exit 7"), 7),
        (("sh", "-c", "kill -9 $$"), 137),
        (("/no/such/client",), 127),
    ],
)
def test_the_exit_code_is_the_clients(
    tmp_path: Path, client: tuple[str, ...], code: int
) -> None:
    done = run("--", *client)
    assert done.code == code
    assert "nothing was recorded" in done.err
    assert not list(tmp_path.rglob("*.jsonl"))


def test_a_client_that_sends_nothing_is_told_how_it_can_be_reached(
    tmp_path: Path,
) -> None:
    silent = ("--", "env", "A=b", "sh", "-c", "echo $OPENAI_BASE_URL")
    done = run(*silent)
    assert done.code == 0
    assert done.out.startswith("http://127.0.0.1:")
    said = done.err
    assert "OPENAI_BASE_URL" in said
    assert "may read none of these" in said
    assert "sigscope run --env NAME=SERVICE -- env A=b sh -c 'echo" in said
    assert "one of openai, anthropic, gemini, vertex" in said
    assert "server_url" in said
    assert "cannot be started" not in said
    assert run("--check", *silent).code == 3
    assert run("--check", "--", "sh", "-c", "exit 7").code == 7
    row = json.loads(run("--json", *silent).err)
    assert row["steps"] == 0
    assert row["client"] == "sh"
    assert "OPENAI_BASE_URL" in row["set"]


def test_what_cannot_be_started_gets_no_advice_about_variables(tmp_path: Path) -> None:
    done = run("--", "/no/such/client")
    assert "cannot be started" in done.err
    assert "--env" not in done.err


def test_a_client_is_named_behind_what_starts_it(
    tmp_path: Path, simulator: str
) -> None:
    upstream = ("--upstream", f"openai={simulator}", "--out", "a.session.jsonl")
    wrapped = ("env", "-i", "timeout", "60", sys.executable, "agent.py")
    (tmp_path / "agent.py").write_text(CLIENT)
    done = run(*upstream, "--", *wrapped)
    assert done.out == "done\n", done.err
    session = open_session(str(tmp_path / "a.session.jsonl"))
    assert len(session.steps) == 2
    assert session.title == "Recorded: agent.py"


def test_stdin_and_stdout_are_the_clients(tmp_path: Path) -> None:
    done = spawn(tmp_path, "run", "--", "sh", "-c", "echo out; echo err >&2")
    assert done.out == "out\n"
    assert "err\n" in done.err


WAITING = "trap 'echo caught; exit 5' TERM; echo up; sleep 60 & wait"


def test_a_signal_goes_to_the_client(tmp_path: Path) -> None:
    with subprocess.Popen(
        command("run", "--", "sh", "-c", WAITING),
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        process.send_signal(signal.SIGTERM)
        assert process.stdout.readline() == "caught\n"
        assert process.wait(timeout=PATIENCE) == 5


def test_without_a_client_there_is_nothing_to_do(tmp_path: Path) -> None:
    done = run()
    assert done.code == 2
    assert "name the client" in done.err


def test_the_table_can_be_listed(tmp_path: Path) -> None:
    done = run("--list", "--json")
    names = {row["name"] for row in json.loads(done.out)["variables"]}
    assert {"OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"} <= names


def test_a_service_that_nobody_knows_is_named_with_those_that_are_known() -> None:
    found = sigscope("run", "--upstream", "mine=http://127.0.0.1:9", "--", "true")
    assert found.code == 2
    assert "no service is called 'mine'; services are openai, " in found.err
    assert "--env NAME=SERVICE" in found.err
