"""Files are there whole or not at all, and replace nothing unless told to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sigscope.engine.export.newfile import refuse_existing, write_new
from sigscope.errors import InputError, NamesFolder, WouldOverwrite


def test_a_new_file_has_the_bytes_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "it.md"
    write_new(path, b"text")
    assert path.read_bytes() == b"text"
    assert [*path.parent.iterdir()] == [path]


def test_a_dash_is_no_name_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="name a file, or /dev/stdout"):
        write_new(Path("-"), b"text", force=True)
    with pytest.raises(InputError, match="name a file, or /dev/stdout"):
        refuse_existing(Path("-"))
    assert not [*tmp_path.iterdir()]


def test_what_breaks_off_while_it_is_made_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "it.har"
    assert write_new(path, iter((b"te", b"xt"))) == 4

    def broken() -> Iterator[bytes]:
        yield b"new"
        raise InputError("the recording was changed")

    with pytest.raises(InputError, match="recording was changed"):
        write_new(path, broken(), force=True)
    assert path.read_bytes() == b"text"
    assert [*tmp_path.iterdir()] == [path]


def test_an_existing_file_stays_without_force(tmp_path: Path) -> None:
    path = tmp_path / "it.md"
    path.write_bytes(b"old")
    with pytest.raises(WouldOverwrite, match=r"it\.md exists already; give --force"):
        write_new(path, b"new")
    assert path.read_bytes() == b"old"
    write_new(path, b"new", force=True)
    assert path.read_bytes() == b"new"
    assert [*tmp_path.iterdir()] == [path]


def test_a_dangling_link_counts_as_existing(tmp_path: Path) -> None:
    path = tmp_path / "it.md"
    path.symlink_to(tmp_path / "nowhere")
    with pytest.raises(WouldOverwrite):
        write_new(path, b"new")


def test_a_script_can_be_run_and_a_page_cannot(tmp_path: Path) -> None:
    write_new(tmp_path / "it.sh", b"", executable=True)
    write_new(tmp_path / "it.md", b"")
    assert os.access(tmp_path / "it.sh", os.X_OK)
    mode = (tmp_path / "it.md").stat().st_mode
    assert mode & 0o111 == 0
    assert mode & 0o400


@pytest.mark.parametrize("force", [False, True])
def test_a_pipe_stays_one_and_is_written_into(tmp_path: Path, force: bool) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    write_new(path, b"text", force=force)
    assert os.read(read, 100) == b"text"
    os.close(read)
    assert path.is_fifo()
    with pytest.raises(InputError, match=r"written: nobody reads what"):
        write_new(path, b"text", force=force)
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("is_forced", [False, True])
@pytest.mark.parametrize("called", ["/dev/fd/{}", "/proc/self/fd/{}"])
def test_what_is_open_is_gone_on_with_by_the_names_of_its_descriptor(
    tmp_path: Path, called: str, is_forced: bool
) -> None:
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("descriptors have no names here")
    with (tmp_path / "open").open("wb", buffering=0) as file:
        file.write(b"before, ")
        name = Path(called.format(file.fileno()))
        write_new(name, b"text", force=is_forced)
        file.write(b", behind")
    assert (tmp_path / "open").read_bytes() == b"before, text, behind"


def test_a_folder_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(NamesFolder, match="is a folder; name a file in it"):
        write_new(tmp_path, b"", force=True)
    with pytest.raises(NamesFolder):
        refuse_existing(tmp_path)


@pytest.mark.parametrize("place", ["file/it.md", "x" * 300, "nul\0"])
def test_what_cannot_be_written_is_one_clear_error(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match=r"cannot be written"):
        write_new(tmp_path / place, b"", force=True)
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]
