"""What was likely meant by a name that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from sigscope.cli.suggestions import likely_names, question


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("Capture.har", "monday.session.jsonl"):
        Path(name).touch()


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("copilot-missing-signatur", "copilot-missing-signature"),
        ("copilot-mising", "copilot-missing-signature"),
        ("GEMINI-PARALLEL", "gemini-parallel"),
        ("attempt-1", "zed-copilot-attempt-1"),
        ("monday", "monday.session.jsonl"),
        ("mondya.jsonl", "monday.session.jsonl"),
        ("capture", "Capture.har"),
        ("./capure.har", "Capture.har"),
    ],
)
def test_a_name_that_is_nearly_right_is_known(name: str, meant: str) -> None:
    assert likely_names(name)[0] == meant


@pytest.mark.parametrize("name", ["nothing-like-it", "other.har", "x", "", "a\0b"])
def test_nothing_is_offered_that_is_not_alike(name: str) -> None:
    assert likely_names(name) == ()


def test_several_are_offered_and_no_session_for_a_path() -> None:
    assert len(likely_names("zoo-litellm")) == 3
    assert likely_names("./zoo-litellm") == ()


def test_names_become_a_question() -> None:
    assert question(["a", "b\x1b", "c"]) == r"did you mean a, b\x1b or c?"
    assert question(()) == ""
