"""Measure sigscope against references, side by side in one run: `make bench`.

Each row measures our side and its reference by turns, so that a busy machine slows
both, and prints the median of each, their ratio, and the budget of the design. Seconds
of processor time (user and system) of a child process where a command is measured, and
of this process for `check`; wall time where a screen has to answer.

Exit code 1 if a budget is exceeded.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import rows_check
import rows_keys
import rows_long
import rows_matrix
import rows_recorder
import rows_screens
import rows_space
import rows_start

GROUPS = {
    "start": rows_start.rows,
    "check": rows_check.rows,
    "long": rows_long.rows,
    "matrix": rows_matrix.rows,
    "screens": rows_screens.rows,
    "keys": rows_keys.rows,
    "recorder": rows_recorder.rows,
    "space": rows_space.rows,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measurement beside its reference."""

    name: str
    ours: Callable[[], float]
    """Measure once; in `unit`, bytes for "MB"."""
    references: dict[str, Callable[[], float]] = field(default_factory=dict)
    limit: float | None = None
    """The most that ours may take; None: no absolute budget."""
    least: float | None = None
    """The fewest that ours may come to, where more is better."""
    ratio: float | None = None
    """Most times the first reference that ours may take."""
    rounds: int = 7
    unit: str = "ms"
    """What is printed: "ms" for seconds, "MB" for bytes, "slope" and "times" for a
    figure with decimals, else a count of something."""


def measure(row: Row) -> dict[str, Any]:
    """Measure a row by turns, print it, and give it as JSON; "kept": its budget."""
    sides = {"ours": row.ours, **row.references}
    taken: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(row.rounds):
        for name, once in sides.items():
            taken[name].append(once())
    medians = {name: statistics.median(times) for name, times in taken.items()}
    ours = medians.pop("ours")
    print(f"{row.name:52} {_said(ours, row.unit)}", end="")
    for name, median in medians.items():
        print(
            f"   {name} {_said(median, row.unit).strip()} (×{ours / median:.2f})",
            end="",
        )
    kept, budget = _judge(row, ours, medians)
    print(f"   {budget}", flush=True)
    return {
        "row": row.name,
        "unit": {"ms": "s", "MB": "bytes"}.get(row.unit, row.unit),
        "ours": ours,
        "references": medians,
        "budget": _limit(row, medians) if row.least is None else row.least,
        "kept": kept,
    }


def _judge(row: Row, ours: float, medians: dict[str, float]) -> tuple[bool, str]:
    if row.least is not None:
        kept = ours >= row.least
        words = "at least" if kept else "BELOW"
        return kept, f"{words} {_said(row.least, row.unit).strip()}"
    limit = _limit(row, medians)
    if limit is None:
        return True, ""
    kept = ours <= limit
    return kept, f"{'within' if kept else 'EXCEEDS'} {_said(limit, row.unit).strip()}"


def _limit(row: Row, medians: dict[str, float]) -> float | None:
    first = next(iter(medians.values()), None)
    limits = [row.limit] if row.limit is not None else []
    if row.ratio is not None and first is not None:
        limits.append(row.ratio * first)
    return min(limits, default=None)


def _said(value: float, unit: str) -> str:
    """A value in its unit, in a column."""
    if unit in ("slope", "times"):
        return f"{value:9.2f}"
    scale = {"ms": 1e3, "MB": 1e-6}.get(unit)
    if scale is None:
        return f"{value:9.0f} {unit}"
    return f"{value * scale:9.2f} {unit}"


def main() -> int:
    """Run all groups, or those named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    args = parser.parse_args()
    wanted = args.groups or list(GROUPS)
    unknown = [name for name in wanted if name not in GROUPS]
    if unknown:
        parser.error(f"no such group: {', '.join(unknown)}")
    told = [measure(Row(**row)) for name in wanted for row in GROUPS[name]()]
    if args.json:
        text = json.dumps({"format": 1, "rows": told}, indent=1)
        Path(args.json).write_text(f"{text}\n", encoding="utf-8")
    return 0 if all(row["kept"] for row in told) else 1


if __name__ == "__main__":
    sys.exit(main())
