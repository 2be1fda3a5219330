"""Files that the command line names: paths, pipes, devices, bundled sessions."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from pathlib import Path

import pytest

from sigscope.capture import source
from sigscope.cli.main import UNREADABLE, run
from sigscope.cli.names import find
from sigscope.errors import InputError

ENTRY = {
    "request": {"method": "POST", "url": "https://h/x", "postData": {"text": "{}"}},
    "response": {"status": 200, "content": {"text": "{}"}},
}
HAR = json.dumps({"log": {"entries": [ENTRY, 5]}}).encode()


class Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def test_a_pipe_is_read_once_and_whole(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = HAR + b" " * 200_000
    feeder = threading.Thread(target=pipe.write_bytes, args=(data,))
    feeder.start()
    found = find(str(pipe))
    feeder.join()
    assert found.read_bytes() == data


def test_an_endless_device_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LARGEST", 3 << 20)
    with pytest.raises(InputError, match="/dev/zero: it has"):
        find("/dev/zero")


def test_standard_input_is_imported_and_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(HAR))
    out = tmp_path / "s.session.jsonl"
    assert run(["import", "-", "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert "1 step from har; 1 problem, above" in said.out
    assert "standard input: entry 2: is a number" in said.err
    assert '"title":"standard input"' in out.read_text()


def test_empty_standard_input_is_unreadable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(b""))
    assert run(["check", "-"]) == UNREADABLE
    assert "standard input: the file is empty" in capsys.readouterr().err


def test_a_file_of_a_gibibyte_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "LARGEST", 10)
    path = tmp_path / "x.har"
    path.write_bytes(HAR)
    with pytest.raises(InputError, match="at most 1 GiB"):
        source.read_file(path)


def test_a_name_without_a_file_is_a_bundled_session() -> None:
    found = find("zed-copilot-attempt-1")
    assert found.name == "zed-copilot-attempt-1.session.jsonl"
    assert found.is_file()
    assert find("./zed-copilot-attempt-1") == Path("zed-copilot-attempt-1")


def test_what_the_list_of_sessions_names_can_be_opened_by_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGSCOPE_DATA_DIR", str(tmp_path))
    kept = tmp_path / "sessions" / "mine.session.jsonl"
    kept.parent.mkdir()
    kept.write_bytes(b"{}")
    assert find("mine") == kept
    assert find("mine.session.jsonl") == kept
    assert find("./mine") == Path("mine")
    assert find("another") == Path("another")
