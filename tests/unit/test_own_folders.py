"""What a test makes sigscope keep lies in folders of that test alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from sigscope.engine.sessions.library import Library
from sigscope.engine.settings.places import config_dir, data_dir, state_dir

FOLDERS = (data_dir, config_dir, state_dir)


def test_no_folder_is_the_user_s(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [folder() for folder in FOLDERS]
    for name in ("DATA", "CONFIG", "STATE"):
        monkeypatch.delenv(f"SIGSCOPE_{name}_DIR")
    assert not {*found} & {folder() for folder in FOLDERS}


@pytest.mark.parametrize("name", ["one", "other"])
def test_what_one_test_noted_no_other_finds(name: str, tmp_path: Path) -> None:
    library = Library()
    assert library.recent() == []
    path = tmp_path / f"{name}.session.jsonl"
    path.touch()
    library.remember(path)
    assert library.recent() == [path]
