"""Ctrl+C in the first moments of a process, at moments that its imports tell."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

APP = str(Path(__file__).parents[2] / "app")
RECORD = ("record", "--upstream", "http://127.0.0.1:9", "--port", "0")
MOMENTS = (
    "argparse",  # the first things of the program
    "sigscope.cli.main",
    "sigscope.cli.access",
    "asyncio.base_events",
    "sigscope.recorder.relay",
    "sigscope.engine.recording.recording",
    "sigscope.recorder.relayloop",  # as the loop is made
)


def interrupted(tmp_path: Path, moment: str, *words: str) -> tuple[int, str]:
    """Exit code and stderr of a process that is interrupted when it has imported the
    module `moment`."""
    env = {**os.environ, "PYTHONPATH": APP}
    for name in ("DATA", "STATE", "CONFIG"):
        env[f"SIGSCOPE_{name}_DIR"] = str(tmp_path / "kept")
    command = [sys.executable, "-X", "importtime", "-m", "sigscope", *words]
    with subprocess.Popen(
        command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        told = ""
        watch = threading.Timer(
            PATIENCE, process.kill
        )  # where that module is not imported
        watch.start()
        for line in process.stderr:
            if not line.startswith("import time:"):
                told += line
            elif line.rpartition("|")[2].strip() == moment:
                process.send_signal(signal.SIGINT)
        watch.cancel()
        return process.wait(PATIENCE), told


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_recording_that_has_not_begun_is_left_in_one_word(
    tmp_path: Path, moment: str
) -> None:
    assert interrupted(tmp_path, moment, *RECORD) == (130, "interrupted\n")
    assert not list(tmp_path.rglob("*.session.jsonl"))


@pytest.mark.parametrize("moment", [MOMENTS[0], MOMENTS[-1]])
def test_a_client_is_not_started_after_it(tmp_path: Path, moment: str) -> None:
    mark = tmp_path / "started"
    client = ("run", "--", "touch", str(mark))
    assert interrupted(tmp_path, moment, *client) == (130, "interrupted\n")
    assert not mark.exists()


def test_before_anybody_could_say_it_the_process_ends_by_the_signal(
    tmp_path: Path,
) -> None:
    left = interrupted(tmp_path, "enum", "explain", "CPC-1")
    assert left in {(-signal.SIGINT, ""), (130, "interrupted\n")}


def test_other_verbs_too(tmp_path: Path) -> None:
    words = ("explain", "CPC-1")
    assert interrupted(tmp_path, "sigscope.cli.main", *words) == (130, "interrupted\n")
