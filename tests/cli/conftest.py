"""Every test has folders of its own for what sigscope keeps."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.commands import SESSIONS
from tests.cli.echo import echoing


@pytest.fixture(autouse=True)
def own_folders(nursed: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And processes that need not start (`tests/nursery.py`): where the start is the
    point, a shell begins them."""
    for name in ("DATA", "STATE", "CONFIG"):
        folder = tmp_path / "kept" / name.lower()
        monkeypatch.setenv(f"SIGSCOPE_{name}_DIR", str(folder))
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one that commands are given in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def failing(tmp_path: Path) -> Path:
    """A copy of a session whose second step was refused."""
    path = tmp_path / "failing.session.jsonl"
    shutil.copy(SESSIONS / "zed-copilot-attempt-1.session.jsonl", path)
    return path


@pytest.fixture(scope="module")
def upstream() -> Iterator[str]:
    """The URL of one that answers with what it got."""
    with echoing() as url:
        yield url
