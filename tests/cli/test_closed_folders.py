"""A home that may not be entered: what is asked for is done, what lacks is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.commands import SESSIONS, sigscope
from tests.permissions import permissions_apply

SESSION = SESSIONS / "anthropic-thinking-dropped.session.jsonl"
DENIED = "it cannot be read: Permission denied"


@pytest.fixture(autouse=True)
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    home = tmp_path / "home"
    home.mkdir(mode=0)
    for name in ("DATA", "STATE", "CONFIG"):
        monkeypatch.setenv(f"SIGSCOPE_{name}_DIR", str(home / name.lower()))
    with permissions_apply():
        yield home
    home.chmod(0o700)


def test_a_session_is_judged_as_ever(closed: Path) -> None:
    result = sigscope("check", SESSION)
    assert result.code == 1
    assert "error[ANT-2]" in result.out
    assert f"{closed / 'config'}: {DENIED}; nothing in it is used" in result.err


def test_sessions_that_come_with_it_are_listed(closed: Path) -> None:
    result = sigscope("sessions")
    assert result.code == 0
    assert "copilot-missing-signature" in result.out
    assert f"{closed / 'data' / 'sessions'}: {DENIED}" in result.err


def test_a_name_that_is_nearly_right_is_asked_back(closed: Path) -> None:
    result = sigscope("show", "copilot-missing")
    assert result.code == 3
    assert "there is no such file" in result.err
    assert "did you mean copilot-missing-signature?" in result.err


def test_the_doctor_says_what_it_costs(closed: Path) -> None:
    result = sigscope("doctor")
    assert result.code == 1
    for folder, cost in (
        ("config", "nothing in it is used"),
        ("data/sessions", "sessions kept there are not found, and none is kept"),
        ("state", "neither recent sessions nor unsent edits are remembered"),
    ):
        assert f"{closed / folder}: {DENIED}; {cost}" in result.out


def test_nothing_is_too_old_is_not_said_of_what_cannot_be_listed() -> None:
    result = sigscope("sessions", "prune", "--older-than", "1d")
    assert result.code == 3
    assert DENIED in result.err
    assert result.out == ""


def test_a_recording_needs_a_place_and_says_which_option_names_one() -> None:
    result = sigscope("record", "--upstream", "http://127.0.0.1:9", "--port", "0")
    assert result.code == 3
    assert "Permission denied; name a file elsewhere with --out" in result.err
