"""A short campaign with a fixed seed, and that a fault would be found."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fuzz.campaign import guided_by_outcome, report
from tests.fuzz.judge import Judge, arm
from tests.fuzz.mutator import LARGEST, Mutator
from tests.fuzz.targets import ROOT, TARGETS, Target, files

from sigscope.errors import InputError


@pytest.fixture(autouse=True)
def timer() -> Iterator[None]:
    before = signal.getsignal(signal.SIGVTALRM)
    arm()
    yield
    signal.signal(signal.SIGVTALRM, before)


def test_a_few_thousand_broken_inputs_meet_no_fault(tmp_path: Path) -> None:
    """In a process of its own: it sets where sigscope keeps its state."""
    words = ("--here", "--inputs", "4000", "--seconds", "8", "--seed", "7")
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.campaign", *words, "--keep", tmp_path],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "app:."},
    )
    rows = json.loads(done.stdout)
    assert {row["target"] for row in rows} == {target.name for target in TARGETS}
    # Time is not judged here: the machine may be busy with other tests.
    faults = {row["target"]: row["faults"] for row in rows if row["faults"]}
    found = [each for told in faults.values() for each in told]
    assert [each for each in found if each["kind"] not in ("slow", "hang")] == []
    assert sum(row["inputs"] for row in rows) > 2000


def test_shares_are_a_thousand() -> None:
    assert sum(target.share for target in TARGETS) == 1000


def crash(data: bytes) -> None:
    if b"[[" in data:
        raise RecursionError("too deep")
    if not data:
        raise InputError("nothing in it")


def test_a_fault_is_found_by_cause_and_kept_with_its_shortest_input(
    tmp_path: Path,
) -> None:
    target = Target(name="crash", about="", run=crash, seeds=lambda: [b"[]"], share=1)
    judge = guided_by_outcome(target, inputs=600, seconds=20, seed=1)
    (fault,) = judge.faults.values()
    assert fault.kind == "crash"
    assert fault.told.startswith("RecursionError")
    assert fault.count > 3
    judge.keep(tmp_path, "crash")
    assert (tmp_path / "crash-1-crash").read_bytes() == fault.data


def test_a_refusal_in_a_sentence_is_no_fault() -> None:
    judge = Judge(run=crash)
    judge.try_input(b"")
    assert (judge.refused, judge.faults) == (1, {})


def test_the_page_counts_inputs_and_faults() -> None:
    row = {"target": "sse", "guide": "coverage", "inputs": 1200, "refused": 3}
    row |= {"seconds": 2.0, "slowest": 0.25, "faults": [{"kind": "crash"}]}
    page = report([row, {"target": "json", "inputs": 0, "seconds": 0.0, "faults": []}])
    sse = "| sse | server-sent events | coverage | 1,200 | 3 | 0.25 | 1 |"
    assert sse in page.splitlines()
    assert page.endswith("Together 1,200 inputs in 2 s of one core: 1 faults.\n")


def test_what_hangs_is_given_up_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.judge.HANGS", 0.05)

    def spin(data: bytes) -> None:
        while data:
            pass

    judge = Judge(run=spin)
    judge.try_input(b"a")
    assert [fault.kind for fault in judge.faults.values()] == ["hang"]


def test_what_is_slow_for_its_size_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.judge.SECONDS", 0.001)
    judge = Judge(run=lambda data: sum(range(len(data) * 10**6)))
    judge.try_input(b"a")
    assert [fault.kind for fault in judge.faults.values()] == ["slow"]


def test_the_same_seed_draws_the_same_inputs() -> None:
    one, other = Mutator(5, files()), Mutator(5, files())
    assert [one.draw() for _ in range(50)] == [other.draw() for _ in range(50)]
    assert max(map(len, (one.draw() for _ in range(200)))) <= LARGEST
    assert len(one.swollen()) > 900_000
