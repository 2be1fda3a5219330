"""A scribe ends when its recorder is killed, whoever holds what the two shared."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.patience import PATIENCE, wait_until

from sigscope.store import Header, SessionWriter, open_session

PROGRAM = """
import asyncio, os, sys, time
from sigscope.exchange import Chunk
from sigscope.recorder.journal import Journal

async def main(path):
    journal = Journal(path, clock=time.monotonic, name="t", on_problem=print)
    journal.start()
    await journal.ready()
    sibling = os.fork()
    if not sibling:  # holds all descriptors, and never comes to its exec
        time.sleep(600)
        os._exit(0)
    print(sibling, flush=True)
    for number in range(3):
        tape = journal.begin(
            method="GET", url=f"http://127.0.0.1/{number}", version="HTTP/1.1",
            headers=(), began=time.monotonic(),
        )
        tape.begin()
        if number < 2:
            tape.end("complete")
    print("kept", flush=True)
    os.kill(os.getpid(), 9)

asyncio.run(main(sys.argv[1]))
"""


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def scribes_of(path: Path) -> list[int]:
    """The scribes that write a file, whoever has started them."""
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"sigscope.recorder.scribe" in words and os.fsencode(path) in words:
            found.append(int(folder.name))
    return found


def test_a_scribe_ends_although_a_sibling_holds_its_socket(tmp_path: Path) -> None:
    path = tmp_path / "o.session.jsonl"
    SessionWriter.create(str(path), Header(id="o")).close()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(path)], stdout=subprocess.PIPE, text=True
    ) as recorder:
        assert recorder.stdout is not None
        sibling = int(recorder.stdout.readline())
        try:
            assert recorder.stdout.readline() == "kept\n"
            assert recorder.wait(PATIENCE) == -9
            wait_until(lambda: not scribes_of(path), "its scribe ends")
            assert is_alive(sibling)
        finally:
            os.kill(sibling, 9)
    endings = [
        (step.exchange.request and step.exchange.request.url[-2:])
        for step in open_session(str(path)).steps
    ]
    assert endings == ["/0", "/1", "/2"]
