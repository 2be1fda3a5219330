"""Ctrl+C at moments when Python alone would not hear it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from sigscope.cli import main
from sigscope.cli.console import Console

APP = str(Path(__file__).parents[3] / "app")
BEGIN = """
import asyncio, os, signal, sys, threading, time, weakref
from sigscope.cli.interruption import *
from sigscope.cli.interruption import leave_with, pieces_of, run_async
leave_on_interrupt()
raise_on_interrupt()
def ready():
    print("ready", flush=True)
def work():
    while True:
        sum(range(1000))
"""
ELSEWHERE = """
# The system gives the signal to another thread, so that it interrupts no wait of this
# one: as if it had come right before.
threading.Thread(target=threading.Event().wait, daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
"""
FINALIZER = """
class File: pass
def let_go():
    ready()
    work()
file = File()
weakref.finalize(file, let_go)
del file
work()
"""
PIPE = """
try:
    ready()
    for piece in pieces_of(sys.stdin.buffer): pass
except KeyboardInterrupt:
    leave_with(130)
"""
ANSWER = """
async def wait():
    ready()
    await asyncio.Event().wait()
try:
    run_async(wait())
except KeyboardInterrupt:
    leave_with(130)
"""
THREAD = """
async def ask():
    ready()
    await asyncio.to_thread(threading.Event().wait)
try:
    run_async(ask())
except KeyboardInterrupt:
    leave_with(130)
"""
ORDER = """
async def ask():
    try:
        ready()
        await asyncio.Event().wait()
    finally:
        ready()
        await asyncio.Event().wait()
run_async(ask())
"""
LOOP = """
async def compute():
    task = asyncio.current_task()
    def press():
        ready()
        while not task.cancelling():  # two signals that wait are one to the system
            time.sleep(0.001)
        ready()
    threading.Thread(target=press).start()
    work()
run_async(compute())
"""
CLEANUP = """
try:
    ready()
    work()
finally:
    ready()
    work()
"""


def wait_until_it_sleeps(process: int) -> None:
    """Until the system has its main thread wait for something; on Linux."""
    state = Path(f"/proc/{process}/task/{process}/stat")
    seen = 0
    while seen < 5:
        seen = seen + 1 if state.read_text().rpartition(")")[2].split()[0] == "S" else 0
        time.sleep(0.01)


def pressed(script: str, times: int = 1, *, asleep: bool = False) -> tuple[int, str]:
    """Exit code and stderr of a process that gets Ctrl+C each time it is ready."""
    with subprocess.Popen(
        [sys.executable, "-c", BEGIN + script],
        env={**os.environ, "PYTHONPATH": APP},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            for _ in range(times):
                assert process.stdout.readline() == "ready\n"
                if asleep:
                    wait_until_it_sleeps(process.pid)
                process.send_signal(signal.SIGINT)
            code = process.wait(PATIENCE)
            return code, process.stderr.read()
        finally:
            process.kill()


def test_it_is_heard_in_a_finalizer() -> None:
    assert pressed(FINALIZER) == (130, "interrupted\n")


@pytest.mark.skipif(sys.platform != "linux", reason="which thread gets it is Linux's")
@pytest.mark.parametrize("script", [PIPE, ANSWER], ids=["pipe", "answer"])
def test_it_is_heard_right_before_the_system_is_asked_to_wait(script: str) -> None:
    assert pressed(ELSEWHERE + script, asleep=True) == (130, "")


def test_no_thread_is_waited_for() -> None:
    assert pressed(THREAD) == (130, "")


@pytest.mark.parametrize(
    "script", [ORDER, LOOP, CLEANUP], ids=["order", "loop", "cleanup"]
)
def test_the_second_ends_at_once(script: str) -> None:
    assert pressed(script, 2) == (130, "interrupted\n")


def test_what_python_makes_of_it_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> int:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr(main, "_dispatch", broken)
    assert main.run(["check"], Console()) == 130
    assert capsys.readouterr().err == "interrupted\n"
