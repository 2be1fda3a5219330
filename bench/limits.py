"""Write figures into `docs/limits.md`: `python bench/limits.py bench.json ...`.

Each row with its limit, and how much of it is used; the words around the table stay.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "limits.md"
BEGIN, END = "<!-- rows -->\n", "<!-- end of rows -->"
SCALES = {"s": (1e3, "ms"), "bytes": (1e-6, "MB")}


def main(*sources: str) -> None:
    """Put the rows of these files, as `run.py --json` writes them, into the page."""
    rows = [
        row
        for source in sources
        for row in json.loads(Path(source).read_text())["rows"]
    ]
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    table = "\n".join(_table(rows))
    PAGE.write_text(f"{before}{BEGIN}{table}\n{END}{after}", encoding="utf-8")


def _table(rows: list[dict[str, Any]]) -> Iterator[str]:
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    yield f"Load of the machine when this was written (1, 5, 15 minutes): {load}."
    yield ""
    yield "| row | measured | limit | used |"
    yield "|---|--:|--:|--:|"
    for row in rows:
        limit, ours = row["budget"], row["ours"]
        used = "" if not limit else f"{ours / limit:.0%}"
        if not row["kept"]:
            used = f"**{used}**"
        told = _said(limit, row["unit"]) if limit else "none"
        yield f"| {row['row']} | {_said(ours, row['unit'])} | {told} | {used} |"


def _said(value: float, unit: str) -> str:
    scale, name = SCALES.get(unit, (1.0, unit))
    shown = value * scale
    decimals = 2 if name in ("slope", "times") or shown < 10 else 1
    return f"{shown:,.{decimals}f} {name}"


if __name__ == "__main__":
    main(*sys.argv[1:])
