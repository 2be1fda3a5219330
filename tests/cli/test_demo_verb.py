"""The demo: a 400 told, tried and mended, against the real simulator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigscope.cli.main import run


def test_it_ends_with_the_fix_confirmed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo"]) == 0
    told = capsys.readouterr()
    assert told.out.rstrip().endswith("400 → 200, fix confirmed")
    assert "/messages/2/reasoning_opaque" in told.out
    assert told.err == ""


def test_each_fix_alone_is_refused_and_both_are_accepted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["demo", "--json"]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [(len(made["edits"]), made["status"]) for made in runs] == [
        (0, 400),
        (1, 400),
        (1, 400),
        (2, 200),
    ]
    assert [made["verdict"] for made in runs] == [
        "reproduced",
        "reproduced",
        "different",
        "gone",
    ]


def test_it_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "TMPDIR", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    assert run(["demo"]) == 0
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
