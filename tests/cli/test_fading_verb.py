"""Quiet damage, on the command line."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import sigscope


def test_a_session_that_fades_ends_in_1_with_cause_and_change() -> None:
    told = sigscope("fading", "zoo-litellm-dummy")
    assert told.code == 1
    (marked,) = [line for line in told.out.splitlines() if "fades from here on" in line]
    assert marked.split()[:4] == ["3", "5–6", "458", "460"]
    assert "cause, likely: bypasses went back in place of signatures" in told.out
    assert "change: LLM-1: restore thought_signature" in told.out


def test_a_steady_session_ends_in_0() -> None:
    told = sigscope("fading", "zoo-litellm-per-call-echo")
    assert told.code == 0
    assert told.out.splitlines()[-1] == (
        "readable reasoning does not fade in this recording"
    )


def test_too_little_readable_reasoning_is_no_all_clear(tmp_path: Path) -> None:
    page = tmp_path / "fading.html"
    told = sigscope("fading", "copilot-missing-signature", "--html", page)
    assert told.code == 0
    assert "fades cannot be told: that takes three answers" in told.out
    assert "does not fade" not in told.out + page.read_text(encoding="utf-8")
    assert (
        sigscope("fading", "copilot-missing-signature", "--json").json["fades"] is None
    )


def test_json_and_page_say_the_same(tmp_path: Path) -> None:
    page = tmp_path / "fading.html"
    told = sigscope("fading", "zoo-litellm-dummy", "--json", "--html", page)
    assert told.code == 1
    assert told.json["change"]["turn"] == 3
    assert "from turn 3 (step 6) on" in page.read_text(encoding="utf-8")
    again = sigscope("fading", "zoo-litellm-dummy", "--html", page)
    assert again.code == 2
    assert "--force" in again.err
