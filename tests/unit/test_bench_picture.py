"""The picture of the bench can be read."""

from __future__ import annotations

import json
import re
import runpy
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
BESIDE = re.compile(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="start"[^>]*>all lost')
DOT = re.compile(r'<circle cx="([\d.]+)"')
LABEL = re.compile(r'<text x="(\d+)\.0" y="([\d.]+)" text-anchor="end" fill="#8a8f98"')


def labels(picture: Path) -> dict[str, list[float]]:
    """Heights of the figures beside each axis."""
    found: dict[str, list[float]] = {}
    for x, y in LABEL.findall(picture.read_text(encoding="utf-8")):
        found.setdefault(x, []).append(float(y))
    return found


def test_no_figure_stands_on_another(tmp_path: Path) -> None:
    took = {50: 0.40, 100: 0.41, 200: 0.44, 500: 0.9, 1000: 2.1}
    rows = [
        {"row": f"{what}{steps:,} steps{rest}", "ours": value * scale}
        for steps, value in took.items()
        for what, rest, scale in (
            ("check: ", ", 9 MB of HTTP", 1.0),
            ("memory of check: ", "", 1e8),
        )
    ]
    for what, value in (("check: ", 2.0), ("memory of check: ", 1e8)):
        rows.append({"row": f"{what}1,000 steps that lose all", "ours": value})
    made = tmp_path / "bench.json"
    made.write_text(json.dumps({"rows": rows}), encoding="utf-8")
    draw = runpy.run_path(str(ROOT / "bench" / "picture.py"))["main"]
    draw(str(made), str(tmp_path / "bench.svg"))
    for picture in (tmp_path / "bench.svg", ROOT / "docs" / "bench.svg"):
        drawn = picture.read_text(encoding="utf-8")
        dots, beside = DOT.findall(drawn), BESIDE.findall(drawn)
        assert len(beside) == 2
        assert all(x in map(float, dots) for x in (float(b) - 10 for b in beside))
        assert max(map(float, beside)) > max(map(float, dots)), "on no line"
        axes = labels(picture)
        assert len(axes) == 2
        for heights in axes.values():
            assert len(heights) > 1
            assert min(b - a for a, b in pairwise(sorted(heights))) >= 13
