"""When what was written is synced."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.patience import PATIENCE, wait_until

from sigscope.recorder.disk import Disk

SYNC = "fdatasync" if hasattr(os, "fdatasync") else "fsync"


def test_many_writes_are_one_sync_and_the_last_is_never_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(os, SYNC, lambda fd: sizes.append(os.fstat(fd).st_size))
    disk = Disk(seconds=PATIENCE)
    with (tmp_path / "file").open("wb", buffering=0) as file:
        for number in range(1, 101):
            file.write(b"x")
            disk.follow(file.fileno())
            if number == 1:
                wait_until(lambda: sizes)
        disk.close()
    assert sizes == [1, 100]


def test_a_file_that_cannot_be_synced_keeps_no_other_from_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    refused: list[int] = []
    sync = getattr(os, SYNC)

    def noted(fd: int) -> None:
        try:
            sync(fd)
        except OSError:
            refused.append(fd)
            raise
        done.append(fd)

    monkeypatch.setattr(os, SYNC, noted)
    reading, writing = os.pipe()
    disk = Disk(seconds=0.01)
    disk.follow(writing)
    wait_until(lambda: refused)
    with (tmp_path / "file").open("wb", buffering=0) as file:
        file.write(b"x")
        disk.follow(file.fileno())
        disk.close()
        assert file.fileno() in done
    os.close(reading)
    os.close(writing)
