"""What cannot be kept is not sent, and what was answered is kept somewhere."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.commands import command, environment, sigscope
from tests.cli.servers import STREAM, answer, chunk, says, server, stalls
from tests.nursery import Nursed
from tests.patience import PATIENCE
from tests.permissions import permissions_apply

import sigscope as api
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import InputError
from sigscope.session import Session
from sigscope.store import room

KEY = "sk-live-1234567890abcdefghij"
SAID = "This answer was paid for."
ANSWER = json.dumps(
    {"choices": [{"index": 0, "message": {"role": "assistant", "content": SAID}}]}
).encode()
LIVE = ("--retries", "0", "--json")
SENDS: dict[str, Callable[[Path, str], tuple[str | Path, ...]]] = {
    "replay": lambda file, url: ("replay", file, "--step", "2", "--to", url, *LIVE),
    "bisect": lambda file, url: (
        *("bisect", file, "--step", "2", "--edit", "drop /stream", "--to", url),
        *LIVE,
    ),
    "matrix": lambda file, url: (
        *("matrix", file, "--step", "2", "--edit", "drop /stream", "--send", "1"),
        *("--to", url, *LIVE),
    ),
    "new": lambda file, url: (
        *("new", "--dialect", "copilot-chat", "--to", url, "--yes"),
        *("--out", file, "--force"),
    ),
    "converse": lambda file, url: (
        *("converse", "--dialect", "copilot-chat", "--to", url),
        *("--out", file, "--force"),
    ),
}
APPENDS = ("replay", "bisect", "matrix")


@pytest.mark.parametrize("verb", SENDS)
def test_what_cannot_be_kept_is_not_sent(verb: str, failing: Path) -> None:
    before = failing.read_bytes()
    failing.chmod(0o400)
    failing.parent.chmod(0o500)
    with server(says(answer(ANSWER))) as served, permissions_apply():
        found = sigscope(*SENDS[verb](failing, served.url))
    failing.parent.chmod(0o700)
    assert (found.code, served.requests) == (3, [])
    assert "cannot be written: Permission denied" in found.err
    assert failing.read_bytes() == before


@pytest.mark.parametrize("verb", SENDS)
def test_nothing_is_sent_where_the_disk_is_full_already(
    verb: str, failing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "LEAST", 1 << 62)
    with server(says(answer(ANSWER))) as served:
        found = sigscope(*SENDS[verb](failing, served.url))
    assert (found.code, served.requests) == (3, [])
    assert "its disk has room for" in found.err


def test_the_simulator_is_asked_all_the_same(failing: Path) -> None:
    """It costs nothing, and what it says is printed."""
    failing.chmod(0o400)
    with permissions_apply():
        found = sigscope("replay", failing, "--step", "2", "--json")
    assert (found.code, found.json["status"]) == (3, 400)


@pytest.mark.parametrize("verb", APPENDS)
def test_an_answer_that_its_file_does_not_take_is_written_beside(
    verb: str, failing: Path, tmp_path: Path
) -> None:
    before = failing.read_bytes()
    err = _limited(verb, failing, tmp_path, len(before))
    assert failing.read_bytes() == before
    (found,) = tmp_path.glob("failing-unkept-1.session.jsonl")
    assert f"what was answered is kept in {found}" in err
    _expect_answer(open_file(found))
    assert KEY.encode() not in found.read_bytes()


@pytest.mark.parametrize("verb", SENDS)
def test_an_answer_that_no_file_takes_is_told(
    verb: str, failing: Path, tmp_path: Path
) -> None:
    if verb not in APPENDS:
        failing.unlink()
    err = _limited(verb, failing, tmp_path, 2000 if verb == "converse" else 1)
    lines = [line for line in err.splitlines() if line.startswith("{")]
    told = tmp_path / "told.session.jsonl"
    told.write_text("\n".join(lines) + "\n")
    assert "".join(lines).isascii()
    assert KEY not in err
    _expect_answer(open_file(told))


@pytest.mark.parametrize("verb", SENDS)
def test_what_had_come_when_it_was_interrupted_is_kept(
    verb: str, failing: Path, tmp_path: Path
) -> None:
    piece = b'data: {"choices":[]}\n\n'
    with server(stalls(STREAM, chunk(piece))) as served:
        process = subprocess.Popen(
            command(*SENDS[verb](failing, served.url)),
            env=environment(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert served.arrived.wait(PATIENCE)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err.splitlines()[-1]) == (130, "interrupted")
    session = open_file(failing)
    assert not session.problems
    last = session.runs[-1] if verb in APPENDS else session.steps[-1]
    assert last.exchange.request is not None
    answered = last.exchange.response
    # The signal may be faster than the first bytes of the answer.
    assert answered is None or answered.ending == "client-aborted"


def _limited(verb: str, file: Path, folder: Path, size: int) -> str:
    """stderr of a verb whose process can make no file longer than this."""
    with server(says(answer(ANSWER))) as served:
        words = SENDS[verb](file, served.url)
        with Nursed(
            command(*words, "--key-env", "MY_KEY"),
            file_size=size,
            env=environment(folder, MY_KEY=KEY, TMPDIR=str(folder)),
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            _, err = process.communicate()
    assert process.returncode == 3, err
    assert len(served.requests) == 1
    return err


def _expect_answer(session: Session) -> None:
    assert not session.problems
    exchange = (session.runs or session.steps)[-1].exchange
    assert exchange.response is not None
    assert exchange.response.body.raw == ANSWER


def test_a_program_is_told_where_the_answer_is(
    failing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sigscope.store.writer import SessionWriter

    append = SessionWriter.append_run

    def full(self: SessionWriter, run: object) -> None:
        if self.path == str(failing):
            raise InputError("cannot be written: No space left", path=self.path)
        append(self, run)  # type: ignore[arg-type]

    monkeypatch.setattr(SessionWriter, "append_run", full)
    with (
        server(says(answer(ANSWER))) as served,
        pytest.raises(InputError, match=r"is in \S+failing-unkept-1") as raised,
    ):
        api.open(failing).replay(2, to=served.url, keep=True)
    place = str(raised.value).rpartition(" is in ")[2]
    _expect_answer(open_file(Path(place)))
