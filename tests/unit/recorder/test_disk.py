"""When what was written is synced."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.patience import PATIENCE, wait_until

from sigscope.recorder.disk import Disk


def test_many_writes_are_one_sync_and_the_last_is_never_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    name = "fdatasync" if hasattr(os, "fdatasync") else "fsync"
    monkeypatch.setattr(os, name, lambda fd: sizes.append(os.fstat(fd).st_size))
    disk = Disk(seconds=PATIENCE)
    with (tmp_path / "file").open("wb", buffering=0) as file:
        for number in range(1, 101):
            file.write(b"x")
            disk.follow(file.fileno())
            if number == 1:
                wait_until(lambda: sizes)
        disk.close()
    assert sizes == [1, 100]


def test_a_file_that_cannot_be_synced_is_no_fault() -> None:
    reading, writing = os.pipe()
    disk = Disk(seconds=0.01)
    disk.follow(writing)
    disk.close()
    os.close(reading)
    os.close(writing)
    assert disk.syncs == 0
