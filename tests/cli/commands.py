"""Running command lines in tests: in this process, or as a real one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from sigscope.cli.main import run

ROOT = Path(__file__).parents[2]
SESSIONS = ROOT / "sessions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a command line left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What was printed, as the one JSON document it must be."""
        return json.loads(self.out)

    @property
    def told(self) -> str:
        """All that was said, on both streams."""
        return self.out + self.err


def sigscope(*argv: str | Path, stdin: bytes | None = None) -> Result:
    """Run a command line in this process; it must not show a fault of its own. `stdin`:
    what is piped to it."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    before = sys.stdin
    if stdin is not None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run([str(word) for word in argv])
    finally:
        sys.stdin = before
    texts = []
    for stream in (out, err):
        stream.flush()
        raw = stream.buffer.getvalue()  # type: ignore[attr-defined]
        texts.append(raw.decode("utf-8"))
    return _sound(Result(code=code, out=texts[0], err=texts[1]))


def sigscope_around(*argv: str | Path) -> Result:
    """The same of a verb that starts a client: files stand for standard output and
    error of this process meanwhile, which the client inherits."""
    kept = [os.dup(number) for number in (1, 2)]
    with TemporaryFile() as out, TemporaryFile() as err:
        sys.stdout.flush()
        sys.stderr.flush()
        try:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            with (
                open(1, "w", encoding="utf-8", closefd=False) as said,
                open(2, "w", encoding="utf-8", closefd=False) as talked,
                redirect_stdout(said),
                redirect_stderr(talked),
            ):
                code = run([str(word) for word in argv])
        finally:
            for number, fd in enumerate(kept, start=1):
                os.dup2(fd, number)
                os.close(fd)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8"))
    return _sound(Result(code=code, out=texts[0], err=texts[1]))


def _sound(result: Result) -> Result:
    assert "Traceback" not in result.told, result.told
    assert "a fault in sigscope" not in result.told, result.err
    return result


def command(*argv: str | Path) -> list[str]:
    """The words that start a real process."""
    return [sys.executable, "-m", "sigscope", *map(str, argv)]


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Of a real process: this code, and files in a folder of the test's own."""
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT / "app"),
        "SIGSCOPE_DATA_DIR": str(folder / "data"),
        "SIGSCOPE_STATE_DIR": str(folder / "state"),
        "SIGSCOPE_CONFIG_DIR": str(folder / "config"),
        **more,
    }


def spawn(folder: Path, *argv: str | Path, **more: Any) -> Result:
    """Run a real process to its end."""
    done = subprocess.run(
        command(*argv),
        env=environment(folder, **more.pop("env", {})),
        capture_output=True,
        timeout=more.pop("timeout", 60),
        check=False,
        **more,
    )
    out = done.stdout.decode() if done.stdout else ""
    err = done.stderr.decode() if done.stderr else ""
    return _sound(Result(code=done.returncode, out=out, err=err))
