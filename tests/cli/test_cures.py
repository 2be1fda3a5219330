"""A fault that nothing is sure to mend says so; the others are mended all the same."""

from __future__ import annotations

from pathlib import Path

from tests import builders as b
from tests.cli.commands import sigscope
from tests.cli.test_capture_from_the_middle import curl
from tests.unit.ledger.test_ledger_fates import loop


def two_faults(folder: Path) -> Path:
    """`content: []`, and the envelope's name for its value, which nobody recorded."""
    history = loop("copilot-chat", b.LS)
    history[1] |= {"content": [], "reasoning_opaque": "reasoning_opaque"}
    return curl(folder, "copilot-chat", history)


def test_check_says_that_a_finding_has_no_cure(tmp_path: Path) -> None:
    told = sigscope("check", two_faults(tmp_path)).out
    cpc_2, cpc_5 = (told.split(f"[{code}]")[1] for code in ("CPC-2", "CPC-5"))
    assert "= fix: set content to null" in cpc_2
    assert "= fix: none is certain from this recording" in cpc_5


def test_all_fixes_name_the_findings_that_have_none(tmp_path: Path) -> None:
    words = ("--step", "1", "--apply-fix", "all", "--dry-run")
    done = sigscope("replay", two_faults(tmp_path), *words)
    assert "predicted 400" in done.out
    assert "no fix is certain for CPC-5 at /messages/1/reasoning_opaque" in done.err
    assert "CPC-2" not in done.err
