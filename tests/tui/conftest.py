"""Nothing of the user's is read or written by these tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui import knownsessions, stillness

stillness.install()
knownsessions.install()


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, data and state of each test lie in a folder of its own."""
    for name in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"SIGSCOPE_{name}_DIR", str(tmp_path / name.lower()))
    for name in ("SIGSCOPE_ASCII", "SIGSCOPE_THEME", "NO_COLOR", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path
