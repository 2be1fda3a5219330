"""Nursed processes are as those that start, from outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.nursery import IS_POSSIBLE, Nursed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not IS_POSSIBLE, reason="no nursery on this system"),
]
SESSION = Path(__file__).parents[2] / "sessions" / "zed-copilot-attempt-1.session.jsonl"
START = [sys.executable, "-P", "-m", "sigscope"]


def is_nursed(process: subprocess.Popen[str]) -> bool:
    return b"tests.nursery" in Path(f"/proc/{process.pid}/cmdline").read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ("check", SESSION, "--json"),
        ("check", "nothing.har"),
        ("show", SESSION, "--step", "1", "--raw", "request"),
        ("ledger", "-", "--json"),
        ("check", "--no-such-option"),
        ("--version",),
    ],
    ids=lambda words: words[0],
)
def test_what_it_says_and_its_exit_code_are_those_of_one_that_starts(
    words: tuple[str | Path, ...], tmp_path: Path
) -> None:
    found = []
    for popen in (subprocess.Popen, Nursed):
        with popen(
            [*START, *map(str, words)],
            env={**os.environ, "SIGSCOPE_STATE_DIR": str(tmp_path)},
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            told = process.communicate(SESSION.read_bytes())
        found.append((process.returncode, *told))
    assert found[0] == found[1]


def test_it_is_a_child_of_who_asked_and_ends_by_a_signal() -> None:
    with Nursed(
        [*START, "ledger", "-"], stdin=subprocess.PIPE, start_new_session=True
    ) as process:
        assert is_nursed(process)
        children = Path(f"/proc/{os.getpid()}/task").glob("*/children")
        assert str(process.pid) in " ".join(c.read_text() for c in children).split()
        assert os.getsid(process.pid) == process.pid
        assert process.poll() is None
        process.terminate()
        assert process.wait() == -signal.SIGTERM


def test_files_keep_their_numbers_and_others_are_closed() -> None:
    """All but these: the pipe comes to its end although its writer is inherited."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    words = [*START, "ledger", f"/dev/fd/{reading}", "--json"]
    with Nursed(
        words, pass_fds=[reading], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        os.close(reading)
        os.write(writing, SESSION.read_bytes())
        os.close(writing)
        told, said = process.communicate()
    assert process.returncode == 0, said
    assert len(json.loads(told)["steps"]) == 2


@pytest.mark.parametrize(
    "told",
    [
        {"env": {**os.environ, "PYTHONVERBOSE": "1"}},
        {"preexec_fn": lambda: None},
        {"args": [sys.executable, "-X", "dev", "-m", "sigscope", "ledger", "-"]},
        {"args": [sys.executable, "-c", "input()"]},
    ],
    ids=["variable", "function", "option", "code"],
)
def test_what_a_python_is_told_at_its_start_is_told_to_one_that_starts(
    told: dict[str, object],
) -> None:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    options = {"args": [*START, "ledger", "-"], "stdin": subprocess.PIPE, **quiet}
    with Nursed(**{**options, **told}) as process:
        assert not is_nursed(process)
        process.kill()
