"""A time-boxed campaign over every target.

    python -m tests.fuzz.campaign                       make fuzz: 1,000,000 inputs
    python -m tests.fuzz.campaign --inputs 20000 --only json edits
    python -m tests.fuzz.campaign --again FOLDER        the kept inputs once more
    python -m tests.fuzz.campaign --report FILE         and a page with its counts

Each target runs in a process of its own, one after another. Where atheris is there it
steers by coverage for a part of each target's time; for the rest, and everywhere else,
our own mutator steers by outcomes: an input whose outcome is new is built upon.
Exit code 1 where a fault was found; its input is kept in FOLDER.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.fuzz.judge import Judge, arm
from tests.fuzz.mutator import Mutator
from tests.fuzz.targets import TARGETS, Target

GUIDED = 0.01
"""Part of a target's inputs that are steered by coverage; that costs tenfold."""
_FIGURES = ("--inputs", "--seconds", "--seed", "--keep")
_MOST_KEPT, _LONGEST_KEPT = 4000, 8 * 1024
"""Inputs that are built upon, and the bytes of one: short ones say as much."""
_SWELL_EVERY = 10_000


def main() -> int:
    args = _arguments()
    if args.again is not None:
        return _again(args.again)
    if args.target:
        print(json.dumps(_one(args)))
        return 0
    chosen = [each for each in TARGETS if not args.only or each.name in args.only]
    whole = sum(each.share for each in chosen)
    if args.here:
        arm()
        print(json.dumps([_short(each, args, each.share / whole) for each in chosen]))
        return 0
    rows: list[dict[str, Any]] = []
    until = time.monotonic() + args.seconds
    for target in chosen:
        part = target.share / whole
        # Those to come have time too; what is slow may take more than its share.
        seconds = (until - time.monotonic()) / min(5, len(chosen))
        for row in _rows(target, args, args.inputs * part, seconds):
            rows.append(row)
            print(_line(row), file=sys.stderr, flush=True)
    print(json.dumps({"format": 1, "rows": rows}, indent=1))
    faults = sum(len(row["faults"]) for row in rows)
    inputs = sum(row["inputs"] for row in rows)
    spent = sum(row["seconds"] for row in rows)
    print(f"{inputs:,} inputs, {spent:,.0f} s, {faults} faults", file=sys.stderr)
    if args.report is not None:
        args.report.write_text(report(rows), encoding="utf-8")
    return 1 if faults else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=3600.0, help="of all together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--keep", type=Path, default=Path(".fuzz"), metavar="FOLDER")
    parser.add_argument("--again", type=Path, metavar="FOLDER")
    parser.add_argument("--report", type=Path, metavar="FILE")
    parser.add_argument("--target", help=argparse.SUPPRESS)
    parser.add_argument("--here", action="store_true", help="all in this process")
    return parser.parse_args()


def _rows(
    target: Target, args: argparse.Namespace, inputs: float, seconds: float
) -> list[dict[str, Any]]:
    """What came of a target's processes."""
    rows = []
    guided = 0
    if has_atheris():
        row = _process(target, args, inputs * GUIDED, seconds / 4, guided=True)
        guided = row["inputs"]
        rows.append(row)
    rows.append(_process(target, args, inputs - guided, seconds * 0.75, guided=False))
    return rows


def _short(target: Target, args: argparse.Namespace, part: float) -> dict[str, Any]:
    began = time.monotonic()
    inputs = int(args.inputs * part)
    judge = guided_by_outcome(target, inputs, args.seconds, args.seed)
    judge.keep(args.keep, target.name)
    return row_of(target, judge, time.monotonic() - began, guided=False)


def _process(
    target: Target,
    args: argparse.Namespace,
    inputs: float,
    seconds: float,
    *,
    guided: bool,
) -> dict[str, Any]:
    args.keep.mkdir(parents=True, exist_ok=True)
    figures = [str(int(inputs)), str(seconds), str(args.seed), str(args.keep)]
    command = [sys.executable, "-m", "tests.fuzz.campaign", "--target", target.name]
    for name, figure in zip(_FIGURES, figures, strict=True):
        command += [name, figure]
    if guided:
        command = [sys.executable, "-m", "tests.fuzz.guided", target.name, *figures]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=seconds * 2 + 120,
        check=False,
    )
    last = done.stdout.strip().splitlines()
    try:
        row: dict[str, Any] = json.loads(last[-1])
    except (ValueError, IndexError):
        lines = done.stderr.strip().splitlines() or ["nothing"]
        told = next((line for line in reversed(lines) if "Error" in line), lines[-1])
        (args.keep / f"{target.name}-died.txt").write_text(done.stdout + done.stderr)
        fault = {"kind": "died", "told": f"{done.returncode}: {told}", "count": 1}
        row = {"target": target.name, "inputs": 0, "seconds": 0.0, "faults": [fault]}
    return row


def _one(args: argparse.Namespace) -> dict[str, Any]:
    """One target, in this process."""
    target = next(each for each in TARGETS if each.name == args.target)
    arm()
    began = time.monotonic()
    judge = guided_by_outcome(target, args.inputs, args.seconds, args.seed)
    judge.keep(args.keep, target.name)
    return row_of(target, judge, time.monotonic() - began, guided=False)


def row_of(
    target: Target, judge: Judge, seconds: float, *, guided: bool
) -> dict[str, Any]:
    """The figures of a run."""
    return {
        "target": target.name,
        "guide": "coverage" if guided else "outcome",
        "inputs": judge.inputs,
        "refused": judge.refused,
        "seconds": round(seconds, 1),
        "slowest": round(judge.slowest, 3),
        "faults": [
            {"kind": each.kind, "told": each.told, "count": each.count}
            for each in judge.faults.values()
        ],
    }


def _line(row: dict[str, Any]) -> str:
    told = "".join(
        f"\n    {each['kind']} x{each['count']}: {each['told']}"
        for each in row["faults"]
    )
    return (
        f"{row['target']:10} by {row.get('guide', '?'):8} {row['inputs']:>8,} inputs"
        f" {row['seconds']:>7.1f} s"
        f"  slowest {row.get('slowest', 0):.2f} s/MB  {len(row['faults'])} faults{told}"
    )


_PAGE = """\
# Fuzzing

Made by `make fuzz`: broken inputs at every entry. Seeds are sessions, recordings and
streams of ours. Where atheris installs, coverage of the code steers a hundredth of each
target's inputs (that costs tenfold); for the rest what came out does: an input with a
new outcome is built upon. A *fault* is an exception that is no message to the user, a
hang, more than a second of CPU for a megabyte in each pass over it (a small input
counts as one), or much memory; *refused* were those that got a message.

{rows}

Together {inputs:,} inputs in {seconds:,.0f} s of one core: {faults} faults.
"""


def report(rows: list[dict[str, Any]]) -> str:
    """The page with the counts of a campaign."""
    about = {target.name: target.about for target in TARGETS}
    lines = [
        "| target | what | steered by | inputs | refused | slowest, s/MB | faults |"
    ]
    lines.append("|---|---|---|--:|--:|--:|--:|")
    for row in rows:
        cells = [row["target"], about[row["target"]], row.get("guide", "?")]
        cells += [f"{row['inputs']:,}", f"{row.get('refused', 0):,}"]
        cells += [f"{row.get('slowest', 0):.2f}", str(len(row["faults"]))]
        lines.append(f"| {' | '.join(cells)} |")
    return _PAGE.format(
        rows="\n".join(lines),
        inputs=sum(row["inputs"] for row in rows),
        seconds=sum(row["seconds"] for row in rows),
        faults=sum(len(row["faults"]) for row in rows),
    )


def guided_by_outcome(target: Target, inputs: int, seconds: float, seed: int) -> Judge:
    """Our own search: seeds, then what is made of them."""
    judge = Judge(run=target.run, slack=target.passes)
    mutator = Mutator(seed, target.seeds())
    seen = {judge.try_input(data) for data in mutator.pool}
    until = time.monotonic() + seconds
    while judge.inputs < inputs and time.monotonic() < until:
        if judge.inputs % _SWELL_EVERY == _SWELL_EVERY - 1:
            judge.try_input(mutator.swollen())
            continue
        data = mutator.draw()
        outcome = judge.try_input(data)
        if outcome not in seen and len(seen) < _MOST_KEPT:
            seen.add(outcome)
            if len(data) < _LONGEST_KEPT:
                mutator.pool.append(data)
    return judge


def has_atheris() -> bool:
    """Whether coverage can be counted here."""
    from importlib.util import find_spec

    return find_spec("atheris") is not None


def _again(folder: Path) -> int:
    arm()
    found = 0
    for path in sorted(
        each for each in folder.iterdir() if each.suffix != ".txt" and each.is_file()
    ):
        target = next(t for t in TARGETS if t.name == path.name.split("-")[0])
        judge = Judge(run=target.run, slack=target.passes)
        judge.try_input(path.read_bytes())
        for fault in judge.faults.values():
            found += 1
            print(f"{path.name}: {fault.kind}: {fault.told}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
