"""A simulator on a port, and the session whose requests are sent to it."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from tests.cli.commands import command, environment, sigscope
from tests.cli.servers import says, server
from tests.patience import PATIENCE
from tests.unit.testkit.loops import loop

from sigscope.engine.engine import Engine

MODEL = "google/gemini-3-pro-preview"
STORY = "copilot-missing-signature"
FIX = ("replay", STORY, "--step", "2", "--apply-fix", "all", "--to")


@contextmanager
def simulator(folder: Path, *more: str) -> Iterator[str]:
    process = subprocess.Popen(
        command("simulate", "--port", "0", "--pace", "0", *more),
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


def test_told_the_session_it_takes_its_signatures_for_genuine(tmp_path: Path) -> None:
    with simulator(tmp_path, "--session", STORY) as url:
        told = sigscope(*FIX, url)
    assert told.code == 0
    assert "predicted 200, got 200" in told.out
    assert "gone: fix confirmed" in told.out


def test_not_told_the_session_the_run_says_how_to_tell_it(tmp_path: Path) -> None:
    with simulator(tmp_path) as url:
        told = sigscope(*FIX, url)
    assert told.code == 1
    assert "sigscope simulate --session FILE" in told.out
    assert "the simulator was wrong" not in told.out


def test_a_session_that_is_not_there_is_said() -> None:
    told = sigscope("simulate", "--session", "nothing.har", "--port", "0")
    assert told.code == 3
    assert "nothing.har" in told.err


def test_what_is_sent_and_tried_again_is_said(
    failing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sigscope.engine.engine.BACK_OFF_SECONDS", (0.01, 0.02))
    with server(says()) as served:
        line = ("replay", failing, "--step", "2", "--to", served.url)
        told = sigscope(*line, "--timeout", "0.3", "--retries", "2")
    assert told.code == 3
    first, *again = told.err.splitlines()
    assert first == f"sending step 2 to {served.url} …"
    assert again == [
        "trying again in 0.01 s (2 left; --retries 0 for none)",
        "trying again in 0.02 s (1 left; --retries 0 for none)",
    ]


def test_a_run_is_called_by_the_rules_whose_fixes_it_has(failing: Path) -> None:
    assert sigscope("replay", failing, "--step", "2", "--apply-fix", "all").code == 0
    (run,) = Engine().open(failing).runs
    assert run.title
    assert run.title != "all"
    assert all(word.startswith("CPC-") for word in run.title.split(" + "))


def test_a_status_that_was_not_recorded_is_a_dash(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "hi"}]
    request = {"model": "gemini-3-pro-preview", "messages": said, "intent": True}
    delta = {"role": "assistant", "content": "ho", "reasoning_opaque": "QUJD" * 20}
    answer = [{"choices": [{"index": 0, "delta": delta, "finish_reason": "stop"}]}]
    (tmp_path / "1-req.json").write_text(json.dumps(request))
    (tmp_path / "1-res.json").write_text(json.dumps(answer))
    shown = sigscope("show", tmp_path, "--step", "1", "--format", "numbered")
    again = sigscope("replay", tmp_path, "--step", "1")
    assert "answer of step 1: —" in shown.out
    assert "recorded —," in again.out
    assert "None" not in shown.out + again.out


def test_with_answers_a_client_runs_again_without_a_model(tmp_path: Path) -> None:
    fixed = "zed-copilot-final-fix"
    with simulator(tmp_path, "--session", fixed, "--answers") as url:
        again = sigscope("replay", fixed, "--step", "2", "--to", url)
        with urlopen(f"{url}/_sim/log", timeout=PATIENCE) as answer:
            log = json.load(answer)
    assert again.code == 0
    (entry,) = [each for each in log["requests"] if each["method"] == "POST"]
    assert (entry["step"], entry["answer"]) == (
        2,
        "the answer of step 2, word for word",
    )


def test_what_is_told_of_a_request_says_no_key(tmp_path: Path) -> None:
    key = "AIza" + "q7Zt0f3bX9A7c5D1e8264Kx9HF2wza0lU3y"
    words = "simulate", "--port", "0", "--answers", "--session", STORY
    process = subprocess.Popen(
        command(*words),
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        body = json.dumps({"model": MODEL, "messages": []}).encode()
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{url}/keys/{key}/chat/completions", body, timeout=PATIENCE)
        refused.value.close()
    finally:
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=PATIENCE)
    assert "POST /keys/" in told
    assert key not in told


def test_answers_need_a_session() -> None:
    told = sigscope("simulate", "--answers", "--port", "0")
    assert told.code == 2
    assert "--session FILE" in told.err


def test_its_turns_can_be_scripted(tmp_path: Path) -> None:
    """Whatever is asked: two calls at once, then a long answer."""
    with simulator(tmp_path, "openrouter", "--turns", "parallel,calls,long") as url:
        messages = loop(f"{url}/api/v1", MODEL, keeps=True, question="Hello")
    calls = [len(m.get("tool_calls") or ()) for m in messages if "content" in m]
    assert [count for count in calls if count] == [2, 1]
    assert len(messages[-1]["content"]) > 500


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("--turns", "sing"), "turn 'sing' is not one of calls, parallel, text, long"),
        (("--turns", ","), "names no turn"),
        (("--turns", "calls", "--answers", "--session", STORY), "give one"),
    ],
)
def test_turns_that_do_not_fit_are_refused(line: tuple[str, ...], words: str) -> None:
    told = sigscope("simulate", "openrouter", "--port", "0", *line)
    assert told.code == 2
    assert words in told.err
