"""Files elsewhere are not opened, whatever leads there and whenever it is put there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sigscope import confinement
from sigscope.confinement import Outside, confine, opened


@pytest.fixture(autouse=True)
def _free() -> Iterator[None]:
    yield
    confine()


@pytest.fixture
def inside(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_text("ours")
    (tmp_path / "secret").write_text("theirs")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "run").write_text("kept")
    return tmp_path / "in"


def test_without_a_folder_all_is_read(inside: Path) -> None:
    assert confinement.read_bytes(inside.parent / "secret") == b"theirs"


def test_what_is_below_is_read_also_by_a_link_and_dots(inside: Path) -> None:
    confine(inside)
    (inside / "link").symlink_to(inside / "file")
    assert confinement.read_bytes(inside / "file") == b"ours"
    assert confinement.read_head(inside / "link", 2) == b"ou"
    assert confinement.read_bytes(inside / ".." / "in" / "file") == b"ours"


@pytest.mark.parametrize("way", ["link", "folder/secret", "../secret", "twice"])
def test_what_leads_out_is_not_opened_and_it_is_said_where_to(
    inside: Path, way: str
) -> None:
    confine(inside)
    (inside / "link").symlink_to(inside.parent / "secret")
    (inside / "twice").symlink_to(inside / "link")
    (inside / "folder").symlink_to(inside.parent)
    with pytest.raises(Outside) as caught:
        confinement.read_bytes(inside / way)
    assert f"leads to {str(inside.parent / 'secret')!r}" in str(caught.value)
    assert f"not below {inside}" in str(caught.value)
    with pytest.raises(Outside):
        opened(inside / way, os.O_WRONLY | os.O_APPEND)


def test_a_folder_of_our_own_is_used_but_no_link_leads_there(inside: Path) -> None:
    own = inside.parent / "own"
    confine(inside, own)
    assert confinement.read_bytes(own / "run") == b"kept"
    (inside / "link").symlink_to(own / "run")
    with pytest.raises(Outside):
        confinement.read_bytes(inside / "link")


@pytest.mark.parametrize("is_told", [True, False])
def test_a_link_that_is_put_in_the_way_is_seen(
    inside: Path, monkeypatch: pytest.MonkeyPatch, is_told: bool
) -> None:
    """The file opened is asked, not the path: here that is fine before and after."""
    confine(inside)
    path, held, open_file = inside / "file", inside.parent / "held", os.open

    def swapped(given: str, *how: int) -> int:
        path.rename(held)
        path.symlink_to(inside.parent / "secret")
        fd = open_file(path, *how)
        path.unlink()
        held.rename(path)
        return fd

    if not is_told:  # where the system does not tell the path of an open file
        monkeypatch.setattr(confinement, "_real_path", lambda fd: "")
    assert confinement.read_bytes(path) == b"ours"
    monkeypatch.setattr(os, "open", swapped)
    with pytest.raises(Outside):
        confinement.read_bytes(path)
