"""What the picture of a failed test shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.commands import ROOT
from tests.tui.failurepicture import failure

pytestmark = pytest.mark.slow


def test_it_shows_finding_node_and_fix_and_no_place_of_this_machine(
    tmp_path: Path,
) -> None:
    said = failure(tmp_path)
    for told in ("error[CPC-1]", "request /messages/1", "= fix: ", "session kept: "):
        assert told in said
    assert set(re.findall(r"reasoning_opaque (\w+) ", said)) == {"e4e49b"}
    assert str(tmp_path) not in said
    assert str(ROOT) not in said


def test_the_picture_in_the_docs_is_of_this_program() -> None:
    drawn = (ROOT / "docs" / "test-failure.svg").read_text(encoding="utf-8")
    assert "error[CPC-1]" in drawn
    assert "session&#160;kept" in drawn
