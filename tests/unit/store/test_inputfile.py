"""What was piped or pasted is read by a path, and is on no disk."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from sigscope.store.inputfile import InputFile

NO_MEMFD = not hasattr(os, "memfd_create")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.skipif(NO_MEMFD, reason="files in memory are Linux's")
def test_it_can_be_read_again_and_again_and_is_on_no_disk(temporary: Path) -> None:
    file = InputFile()
    file.write(b"sk-")
    file.write(b"secret")
    assert [file.path.read_bytes() for _ in range(2)] == [b"sk-secret"] * 2
    assert not list(temporary.iterdir())
    file.close()


def test_without_such_files_it_is_private_and_goes_when_it_is_closed(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    file = InputFile()
    file.write(b"secret")
    assert file.path.read_bytes() == b"secret"
    assert file.path.parent == temporary
    assert file.path.stat().st_mode & 0o077 == 0
    file.close()
    assert not list(temporary.iterdir())
