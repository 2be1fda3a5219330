"""Elements of torn and broken JSON files."""

from __future__ import annotations

import json
from pathlib import Path

from sigscope.capture.salvage import salvage_json
from sigscope.capture.source import Source

ITEMS = [{"n": 1, "s": "]}"}, {"n": 2}, {"n": 3}]
WHOLE = json.dumps({"entries": ITEMS}, indent=1)


def salvaged(tmp_path: Path, content: str) -> tuple[list[object], list[str]]:
    path = tmp_path / "torn.json"
    path.write_text(content)
    items, problems = salvage_json(Source(path), "entries")
    return items, [f"{problem.where}: {problem.message}" for problem in problems]


def test_every_tear_leaves_the_elements_before_it(tmp_path: Path) -> None:
    ends = [WHOLE.index(mark) for mark in ('"n": 2', '"n": 3')]
    for cut in range(20, len(WHOLE) - 4):
        items, problems = salvaged(tmp_path, WHOLE[:cut])
        least = sum(cut > end for end in ends)
        assert items == ITEMS[: len(items)]
        assert len(items) >= least
        assert "not whole JSON" in problems[0]


def test_a_broken_element_is_named_and_the_rest_read(tmp_path: Path) -> None:
    items, problems = salvaged(tmp_path, WHOLE.replace('"n": 2', '"n": 2 2'))
    assert items == [ITEMS[0], ITEMS[2]]
    assert problems[1].startswith("entry 2: Expecting ',' delimiter")


def test_without_the_array_there_is_nothing(tmp_path: Path) -> None:
    assert salvaged(tmp_path, '{"log":')[0] == []
