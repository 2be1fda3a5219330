"""Start-up: processor time of a whole process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from paint import paint

BIN = Path(sys.executable).parent
EMPTY = Path(__file__).with_name("empty.py")
SESSION = "copilot-missing-signature"
POSTING = Path(__file__).parents[1] / ".venv-bench" / "bin" / "posting"


def cpu_of(command: Sequence[str]) -> float:
    """Seconds of processor time that a command takes, itself and its children."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def rows() -> Iterator[dict[str, Any]]:
    """`--version`, beside an empty interpreter and another Textual application."""
    references = {"python -c pass": partial(cpu_of, [sys.executable, "-c", "pass"])}
    if POSTING.exists():
        # It has no --version (2.x ends with a usage error); --help is as little.
        references["posting --help"] = partial(cpu_of, [str(POSTING), "--help"])
    else:
        print("posting is not installed in .venv-bench; its column is left out")
    yield {
        "name": "start: sigscope --version, CPU",
        "ours": partial(cpu_of, [str(BIN / "sigscope"), "--version"]),
        "references": references,
        "limit": 0.05,
    }
    with tempfile.TemporaryDirectory(prefix="sigscope-bench-") as folder:
        names = ("CONFIG", "DATA", "STATE")
        own = {f"SIGSCOPE_{name}_DIR": folder for name in names}
        own["SIGSCOPE_HINT"] = "0"
        for what, arguments, word, times in (
            ("the list", [], "Sessions", 2.0),
            ("a bundled session", [SESSION], "1 Steps", 3.0),
        ):
            command = [str(BIN / "sigscope"), *arguments]
            yield {
                "name": f"start: first paint of {what}, on a terminal",
                "ours": partial(_painted, command, word, own),
                "references": {
                    "empty Textual application": partial(
                        _painted, [sys.executable, str(EMPTY)], "painted", own
                    )
                },
                "ratio": times,
            }


def _painted(
    command: Sequence[str], word: str, environment: Mapping[str, str]
) -> float:
    return paint(command, word, environment).wall
