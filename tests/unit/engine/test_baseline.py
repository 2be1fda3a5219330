"""Findings that are known."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.export.checked_samples import CHECKED

from sigscope.engine.sessions.baseline import read_baseline, write_baseline
from sigscope.errors import InputError


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    assert write_baseline(path, [CHECKED, CHECKED], tool="sigscope 0") == 3
    assert read_baseline(path).keys() == {"aa", "bb", "cc"}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format":9,"findings":[]}', '{"format":1,"findings":[{}]}'],
)
def test_what_is_no_baseline_leaves_nothing_out(tmp_path: Path, text: str) -> None:
    path = tmp_path / "known.json"
    path.write_text(text)
    with pytest.raises(InputError):
        read_baseline(path)


def test_one_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file; --write-baseline"):
        read_baseline(tmp_path / "none.json")
