"""Draw what `check` takes as a session grows: `python bench/picture.py bench.json`.

Two curves on logarithmic axes, seconds and megabytes over steps, each beside the slope
that its budget allows from the point where it is counted from. A ring: a client that
loses every signature.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

WIDTH, HEIGHT, LEFT, BELOW, ABOVE = 800, 300, 64, 44, 40
BESIDE = 92
"""Room on the right of a panel, for what is said of a ring."""
PANEL = (WIDTH - 2 * (LEFT + BESIDE)) / 2
INK, LINE, GUIDE = "#8a8f98", "#5f8fd0", "#c08a3e"
SLOPE, SLOPE_FROM = 1.2, 100
LETTER = 13
"""Height of a line of text."""
Point = tuple[float, float]


def main(source: str, target: str = "docs/bench.svg") -> None:
    """Read figures as `run.py --json` writes them, write a picture."""
    rows = json.loads(Path(source).read_text(encoding="utf-8"))["rows"]
    panels = [
        _panel(
            LEFT,
            "seconds of CPU",
            _points(rows, r"^check: ([\d,]+) steps, [\d,]+ MB of HTTP", 1),
            _points(rows, r"^check: ([\d,]+) steps that lose", 1),
        ),
        _panel(
            LEFT + PANEL + BESIDE + LEFT,
            "megabytes",
            _points(rows, r"^memory of check: ([\d,]+) steps$", 1e-6),
            _points(rows, r"^memory of check: ([\d,]+) steps that lose", 1e-6),
        ),
    ]
    body = "\n".join(line for panel in panels for line in panel)
    Path(target).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' font-family="sans-serif" font-size="12">\n{body}\n</svg>\n',
        encoding="utf-8",
    )


def _points(rows: Sequence[dict[str, object]], name: str, scale: float) -> list[Point]:
    found = []
    for row in rows:
        match = re.match(name, str(row["row"]))
        if match:
            steps = float(match[1].replace(",", ""))
            found.append((steps, float(str(row["ours"])) * scale))
    return found


def _panel(
    left: float, title: str, points: Sequence[Point], lossy: Sequence[Point]
) -> Iterator[str]:
    """`lossy`: the same by a client that loses every signature."""
    first = next((p for p in points if p[0] == SLOPE_FROM), points[0])
    last = points[-1][0]
    allowed = (last, first[1] * (last / first[0]) ** SLOPE)
    across = _axis([p[0] for p in points], left, left + PANEL)
    values = [p[1] for p in (*points, *lossy, allowed)]
    up = _axis(values, HEIGHT - BELOW, ABOVE)
    yield _text(left, ABOVE - 16, title, "start", weight="bold")
    for steps, _ in points:
        yield _text(across(steps), HEIGHT - BELOW + 18, f"{steps:,.0f}", "middle")
    for value in _apart([value for _, value in points], up):
        yield _text(left - 8, up(value) + 4, _figure(value), "end")
    yield _text(left + PANEL / 2, HEIGHT - 8, "steps", "middle")
    yield _path([first, allowed], across, up, GUIDE, dashed=True)
    yield _text(across(last), up(allowed[1]) - 8, f"slope {SLOPE}", "end", GUIDE)
    yield _path(points, across, up, LINE)
    for steps, value in points:
        x, y = across(steps), up(value)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{LINE}"/>'
    for steps, value in lossy:
        x, y = across(steps), up(value)
        ring = f'r="4.5" fill="none" stroke="{LINE}" stroke-width="2"'
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" {ring}/>'
        yield _text(x + 10, y + 4, f"all lost: {_figure(value)}", "start", LINE)


def _apart(values: Sequence[float], up: Callable[[float], float]) -> Iterator[float]:
    """From the largest down, those whose figures do not stand on one another."""
    above = -math.inf
    for value in sorted(values, reverse=True):
        if up(value) - above >= LETTER:
            above = up(value)
            yield value


def _axis(
    values: Sequence[float], start: float, end: float
) -> Callable[[float], float]:
    low, high = math.log(min(values)), math.log(max(values))
    return lambda value: start + (math.log(value) - low) / (high - low) * (end - start)


def _path(
    points: Sequence[Point],
    across: Callable[[float], float],
    up: Callable[[float], float],
    ink: str,
    *,
    dashed: bool = False,
) -> str:
    way = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in points)
    drawn = (
        f'stroke="{ink}" stroke-width="2" stroke-dasharray="{5 * dashed} {4 * dashed}"'
    )
    return f'<polyline points="{way}" fill="none" {drawn}/>'


def _text(
    x: float, y: float, words: str, anchor: str, ink: str = INK, weight: str = "normal"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{ink}"'
        f' font-weight="{weight}">{words}</text>'
    )


def _figure(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"


if __name__ == "__main__":
    main(*sys.argv[1:])
