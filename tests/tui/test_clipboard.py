"""Copying asks the terminal, then a helper, then takes a file, and says which."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from sigscope.exchange import Request
from sigscope.tui.clipboard import MOST_OSC, copy

LONG = "x" * MOST_OSC


class Terminal(list[str]):
    """Remembers what it was asked to take."""


def helper(tmp_path: Path, name: str, script: str) -> dict[str, str]:
    """An environment in which a helper is found."""
    folder = tmp_path / "bin"
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return {"PATH": str(folder), "DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}


def test_a_short_text_goes_to_the_terminal() -> None:
    terminal = Terminal()
    assert copy("abc", terminal.append, {"PATH": ""}) == "to the clipboard"
    assert terminal == ["abc"]


def test_the_limit_is_that_of_the_encoded_text() -> None:
    terminal = Terminal()
    fits = "x" * (MOST_OSC * 3 // 4)
    copy(fits, terminal.append, {"PATH": ""})
    copy(f"{fits}xxx", terminal.append, {"PATH": ""})
    assert terminal == [fits]


@pytest.mark.parametrize("name", ["wl-copy", "xclip", "xsel", "pbcopy"])
def test_a_helper_gets_the_text_and_is_named(tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    terminal = Terminal()
    environ = helper(tmp_path, name, f'/bin/cat > "{out}"')
    words = copy(LONG, terminal.append, environ)
    assert words == f"to the clipboard, with {name}"
    assert out.read_text() == LONG
    assert terminal == []


def test_a_helper_that_fails_is_passed_over(tmp_path: Path) -> None:
    environ = helper(tmp_path, "xclip", "exit 1")
    assert "written to" in copy(LONG, Terminal().append, environ)


def test_over_ssh_the_helper_would_fill_the_wrong_clipboard(tmp_path: Path) -> None:
    out = tmp_path / "out"
    environ = helper(tmp_path, "xclip", f'/bin/cat > "{out}"')
    copy("abc", Terminal().append, {**environ, "SSH_CONNECTION": "1 2 3 4"})
    assert not out.exists()


def test_what_nobody_takes_goes_to_a_file_that_is_named(tmp_path: Path) -> None:
    words = copy(LONG, Terminal().append, {"PATH": ""})
    path = Path(words.rpartition(" ")[2])
    assert path.read_text() == LONG
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    copy(f"{LONG}2", Terminal().append, {"PATH": ""})
    assert path.read_text() == f"{LONG}2"


def test_no_key_goes_to_the_file() -> None:
    key = "AIzaSyQ9xWv7Tr5Lm3Np1Kd8Hs6Gf4Bc2Xy0Za9"
    words = copy(f'{{"key":"{key}","text":"{LONG}"}}', Terminal().append, {"PATH": ""})
    assert "written, with its keys masked, to" in words
    text = Path(words.rpartition(" ")[2]).read_text()
    assert key not in text
    assert LONG in text


def test_nor_does_what_a_request_was_sent_with() -> None:
    sent = "3e1f7a52-90cb-4d6e-8a47-5b2c1d0e9f38"
    requests = [None, Request(url="https://h/", headers=(("x-api-key", sent),))]
    text = f"{LONG} {sent}"
    words = copy(text, Terminal().append, {"PATH": ""}, iter(requests))
    assert Path(words.rpartition(" ")[2]).read_text() == f"{LONG} {'*' * len(sent)}"


def test_where_there_is_no_file_either_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wall").write_text("")
    monkeypatch.setenv("SIGSCOPE_STATE_DIR", str(tmp_path / "wall" / "state"))
    assert copy(LONG, Terminal().append, {"PATH": ""}).startswith("not copied")


@pytest.mark.parametrize("half", [0xDCFF, 0xD800])
def test_text_with_half_a_surrogate_pair_is_copied_too(half: int) -> None:
    text = f"a{chr(half)}b"
    terminal = Terminal()
    assert copy(text, terminal.append, {"PATH": ""}) == "to the clipboard"
    assert terminal == ["a?b"]
    assert "written to" in copy(text + LONG, terminal.append, {"PATH": ""})
