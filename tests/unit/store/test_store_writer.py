"""Writing sessions: appended, never changed, safe against being killed."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.permissions import permissions_apply
from tests.unit.store.samples import (
    HEADER,
    append,
    contents,
    lines,
    make_exchange,
    make_note,
    make_run,
    make_step,
    wheres,
    write,
)

from sigscope.errors import InputError, UsageError, WouldOverwrite
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.session import Session, Step
from sigscope.store import (
    Redactor,
    SessionFile,
    SessionWriter,
    StandIns,
    locks,
    open_session,
    save_session,
)

pytestmark = pytest.mark.slow

BODY = b'{"messages":[{"role":"user","content":"What is in a.md?"}]}'
OTHER = BODY.replace(b"]}", b',{"role":"assistant","content":"A list."}]}')


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.session.jsonl"


# --- Creating -------------------------------------------------------------------------


def test_an_existing_file_is_not_overwritten(path: Path) -> None:
    path.write_text("precious")
    with pytest.raises(WouldOverwrite, match="--force"):
        SessionWriter.create(str(path), HEADER)
    with pytest.raises(WouldOverwrite):
        save_session(Session(id="x"), str(path))
    assert path.read_text() == "precious"
    assert os.listdir(path.parent) == [path.name]


def test_force_replaces_the_file_at_once(path: Path) -> None:
    write(path, make_step(1))
    reader = SessionFile(str(path))
    with SessionWriter.create(str(path), HEADER, force=True) as writer:
        append(writer, make_step(1, OTHER))
    assert reader.was_replaced
    assert contents(reader.session) == [make_step(1)]
    assert contents(open_session(str(path))) == [make_step(1, OTHER)]
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("force", [False, True])
def test_a_place_where_no_file_can_be_is_said_so(tmp_path: Path, force: bool) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file"):
        SessionWriter.create(str(tmp_path / "no" / "a"), HEADER, force=force)
    with pytest.raises((InputError, WouldOverwrite)):
        SessionWriter.create(str(tmp_path), HEADER, force=force)
    with pytest.raises(InputError, match="cannot be written"):
        SessionWriter.create(str(tmp_path / "a\0b"), HEADER, force=force)


@pytest.mark.parametrize("force", [False, True])
def test_no_file_takes_the_place_of_a_device_or_pipe(path: Path, force: bool) -> None:
    os.mkfifo(path)
    with pytest.raises(InputError, match=r"it is a device or a pipe"):
        SessionWriter.create(str(path), HEADER, force=force)
    with pytest.raises(InputError, match=r"it is a device or a pipe"):
        save_session(Session(id="s"), str(path), force=force)
    assert path.is_fifo()
    assert [*path.parent.iterdir()] == [path]


def test_missing_permissions_are_said_so(path: Path) -> None:
    write(path)
    path.chmod(0o444)
    with permissions_apply(), pytest.raises(InputError, match="Permission denied"):
        SessionWriter.reopen(str(path))
    path.parent.chmod(0o555)
    with permissions_apply(), pytest.raises(InputError, match="Permission denied"):
        SessionWriter.create(str(path) + "2", HEADER)
    path.parent.chmod(0o755)


# --- Appending ------------------------------------------------------------------------


def test_each_record_is_in_the_file_when_append_returns(path: Path) -> None:
    writer = SessionWriter.create(str(path), HEADER)
    records = (make_step(1, BODY), make_run(1, OTHER), make_note())
    for count, record in enumerate(records, start=1):
        append(writer, record)
        assert contents(open_session(str(path))) == list(records[:count])
        assert contents(writer.file.session) == list(records[:count])


def test_lines_that_are_there_are_never_changed(path: Path) -> None:
    before = write(path, make_step(1, BODY)).read_bytes()
    for number in range(2, 6):
        with SessionWriter.reopen(str(path)) as writer:
            append(writer, make_step(number, OTHER * number))
        after = path.read_bytes()
        assert after.startswith(before)
        before = after


def test_a_number_is_given_once(path: Path) -> None:
    write(path, make_step(1), make_run(1))
    size = path.stat().st_size
    with SessionWriter.reopen(str(path)) as writer:
        with pytest.raises(UsageError, match="step 1 already"):
            writer.append_step(make_step(1))
        with pytest.raises(UsageError, match="run 1 already"):
            writer.append_run(make_run(1))
    assert path.stat().st_size == size


def test_a_reopened_file_still_grows_by_what_is_new_only(path: Path) -> None:
    long = BODY * 100 + OTHER
    write(path, make_step(1, long))
    size = path.stat().st_size
    with SessionWriter.reopen(str(path)) as writer:
        append(writer, make_step(2, long + BODY), make_run(1, long[:-5] + b"[]" + long))
    assert path.stat().st_size - size < 3000
    assert contents(open_session(str(path)))[1] == make_step(2, long + BODY)


def test_an_exchange_may_lack_either_side(path: Path) -> None:
    none = Step(number=1, id="a", exchange=Exchange())
    half = Step(number=2, id="b", exchange=Exchange(response=Response(status=None)))
    bare = Step(number=3, id="c", exchange=Exchange(request=Request()))
    told = Exchange(response=Response(status=None, body=Body(b'{"choices":[]}')))
    full = Step(number=4, id="d", exchange=told)
    session = open_session(str(write(path, none, half, bare, full)))
    assert list(session.steps) == [none, half, bare, full]


def test_odd_numbers_and_characters_break_nothing(path: Path) -> None:
    exchange = Exchange(
        request=Request(url="/\ud800", headers=(("\xff", "\x80"),)),
        first_byte_ms=float("nan"),
        duration_ms=float("inf"),
    )
    session = open_session(str(write(path, Step(number=1, id="", exchange=exchange))))
    found = session.steps[0].exchange
    assert found.request is not None
    assert (found.request.url, found.request.headers) == (
        "/\ufffd",
        (("\xff", "\x80"),),
    )
    assert (found.first_byte_ms, found.duration_ms) == (None, None)
    assert not session.problems


# --- Torn files -----------------------------------------------------------------------


def test_torn_at_any_byte_the_file_can_be_gone_on_with(path: Path) -> None:
    first, second, third = make_step(1, BODY), make_step(2, OTHER), make_step(3, OTHER)
    write(path, first, second)
    whole = lines(path)
    kept, torn = b"".join(whole[:-1]), whole[-1]
    for size in range(0, len(torn), 7):
        path.write_bytes(kept + torn[:size])
        with SessionWriter.reopen(str(path)) as writer:
            append(writer, third)
        assert path.read_bytes().startswith(kept + torn[:size])
        session = open_session(str(path))
        assert contents(session) == [first, third]
        assert wheres(session) == (["line 3"] if size else [])
    path.write_bytes(kept + torn[:-1])
    with SessionWriter.reopen(str(path)) as writer:
        append(writer, third)
    session = open_session(str(path))
    assert contents(session) == [first, second, third]
    assert not session.problems


def test_a_torn_header_does_not_hinder_writing(path: Path) -> None:
    path.write_bytes(write(path).read_bytes()[:30])
    with SessionWriter.reopen(str(path)) as writer:
        append(writer, make_step(1))
    session = open_session(str(path))
    assert contents(session) == [make_step(1)]
    assert wheres(session) == ["line 1"]


def test_a_full_disk_is_said_so_and_nothing_is_lost_or_joined(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    room = [40]

    def write_some(fd: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        size = min(room[0], len(data))
        room[0] -= size
        return real(fd, data[:size])

    writer = SessionWriter.create(str(path), HEADER)
    append(writer, make_step(1, BODY))
    monkeypatch.setattr(os, "write", write_some)
    with pytest.raises(InputError, match="No space left"):
        append(writer, make_step(2, OTHER))
    monkeypatch.setattr(os, "write", real)
    append(writer, make_step(2, OTHER), make_step(3, OTHER + BODY))
    session = open_session(str(path))
    assert contents(session) == [
        make_step(1, BODY),
        make_step(2, OTHER),
        make_step(3, OTHER + BODY),
    ]
    assert wheres(session) == []


def test_a_body_that_cannot_be_loaded_spoils_no_later_one(path: Path) -> None:
    def fail() -> bytes:
        raise InputError("gone")

    bad = Step(
        number=2,
        id="bad",
        exchange=Exchange(
            request=Request(body=Body(OTHER * 9)),
            response=Response(body=Body(load=fail, size=3)),
        ),
    )
    writer = SessionWriter.create(str(path), HEADER)
    append(writer, make_step(1, BODY))
    with pytest.raises(InputError, match="gone"):
        writer.append_step(bad)
    append(writer, make_step(2, OTHER * 9))
    session = open_session(str(path))
    assert contents(session) == [make_step(1, BODY), make_step(2, OTHER * 9)]
    assert not session.problems


def test_nothing_is_written_that_repeats_what_another_cut_off_meanwhile(
    path: Path,
) -> None:
    header = len(begun_with_two(path))

    def cut() -> bytes:  # while secrets are looked for
        os.truncate(path, header)
        return OTHER * 9

    body = Body(load=cut, size=len(OTHER * 9))
    step = Step(number=3, id="c", exchange=Exchange(request=Request(body=body)))
    with (
        SessionWriter.reopen(str(path)) as writer,
        pytest.raises(InputError, match="cut short by another program"),
    ):
        writer.append_step(step)
    assert path.stat().st_size == header
    with SessionWriter.reopen(str(path)) as writer:
        append(writer, make_step(3, OTHER * 9))
    session = open_session(str(path))
    assert (contents(session), session.problems) == ([make_step(3, OTHER * 9)], ())


def test_a_change_by_another_that_makes_nothing_longer_is_noticed(path: Path) -> None:
    size = len(begun_with_two(path))

    def overwrite() -> bytes:  # while secrets are looked for
        with path.open("r+b") as file:
            file.seek(size)
            file.write(b"XXX")
        return OTHER

    with SessionWriter.reopen(str(path)) as writer, path.open("ab") as other:
        append(writer, make_step(3, BODY))
        other.write(b"\n")
        other.flush()
        assert not writer.is_touched()
        body = Body(load=overwrite, size=len(OTHER))
        writer.append_step(
            Step(number=4, id="o", exchange=Exchange(request=Request(body=body)))
        )
        assert writer.is_touched()
        assert writer.is_touched()
        writer.trust()
        assert not writer.is_touched()


def begun_with_two(path: Path) -> bytes:
    """A file with a header, which is given, and two steps."""
    with SessionWriter.create(str(path), HEADER) as writer:
        first = path.read_bytes()
        append(writer, make_step(1, BODY), make_step(2, OTHER * 9))
    return first


def test_a_failure_after_splicing_spoils_no_later_body(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sigscope.store import encode

    def fail(value: object) -> bytes:
        raise MemoryError

    writer = SessionWriter.create(str(path), HEADER)
    append(writer, make_step(1, BODY))
    with monkeypatch.context() as patch:
        patch.setattr(encode, "line_parts", fail)
        with pytest.raises(MemoryError):
            append(writer, make_step(2, OTHER * 9))
    append(writer, make_step(2, OTHER * 9))
    assert contents(open_session(str(path)))[1] == make_step(2, OTHER * 9)


CHILD = """
import sys
from tests.unit.store.samples import HEADER, make_step
from sigscope.store import SessionWriter
path = sys.argv[1]
new = sys.argv[2] == "new"
writer = SessionWriter.create(path, HEADER) if new else SessionWriter.reopen(path)
number = max((step.number for step in writer.file.session.steps), default=0)
body = b'{"messages":[' + b'{"role":"user","content":"x"},' * 20000
while True:
    number += 1
    body += b'{"n":%d},' % number
    writer.append_step(make_step(number, body, body[::-1]))
    print(number, flush=True)
"""


def test_killed_while_writing_no_finished_record_is_lost(path: Path) -> None:
    finished = 0
    for life in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(path), "new" if life == 0 else "old"],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(["app", "."])},
        )
        assert child.stdout is not None
        for _ in range(5):
            finished = int(child.stdout.readline())
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read().split()
        finished = int(rest[-1]) if rest else finished
        child.stdout.close()
        child.wait()
        session = open_session(str(path))
        numbers = [step.number for step in session.steps]
        assert numbers[:finished] == list(range(1, finished + 1))
        assert all("breaks off" in problem.message for problem in session.problems)
        for step in session.steps:
            assert step.exchange.request is not None
            assert step.exchange.response is not None
            body = step.exchange.request.body.raw
            assert body.endswith(b'{"n":%d},' % step.number)
            assert step.exchange.response.body.raw == body[::-1]


# --- Several writers ------------------------------------------------------------------


def test_two_writers_see_each_other(path: Path) -> None:
    one = SessionWriter.create(str(path), HEADER)
    two = SessionWriter.reopen(str(path))
    append(one, make_step(1, BODY))
    append(two, make_run(1, BODY))
    append(one, make_step(2, OTHER))
    append(two, make_run(2, OTHER))
    with pytest.raises(UsageError, match="run 2 already"):
        append(one, make_run(2))
    session = open_session(str(path))
    assert not session.problems
    assert contents(session) == [
        make_step(1, BODY),
        make_step(2, OTHER),
        make_run(1, BODY),
        make_run(2, OTHER),
    ]
    assert all(len(line) < 1500 for line in lines(path))


def test_threads_may_share_a_writer_and_programs_a_file(path: Path) -> None:
    SessionWriter.create(str(path), HEADER).close()
    errors: list[BaseException] = []

    def work(writer: SessionWriter) -> None:
        try:
            for _ in range(12):
                with writer.locked() as file:
                    number = len(file.session.steps) + 1
                    writer.append_step(make_step(number, BODY * number))
        except BaseException as error:  # noqa: BLE001 - told to the test
            errors.append(error)

    writers = [SessionWriter.reopen(str(path)) for _ in range(2)]
    threads = [threading.Thread(target=work, args=(writer,)) for writer in writers * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    session = open_session(str(path))
    assert contents(session) == [make_step(n, BODY * n) for n in range(1, 49)]
    assert not session.problems


def test_a_lock_that_is_never_let_go_is_said_so(path: Path) -> None:
    one = SessionWriter.create(str(path), HEADER)
    two = SessionWriter.reopen(str(path))
    with (
        one.locked(),
        pytest.raises(InputError, match="another program has held"),
        locks.locked(two._fd, str(path), patience=0.02),
    ):
        raise AssertionError("the lock was had twice")


def test_a_file_system_without_locks_will_do(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(fd: int, how: int) -> None:
        raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr(locks.fcntl, "flock", no_locks)
    assert contents(open_session(str(write(path, make_step(1))))) == [make_step(1)]


def test_the_file_descriptor_is_closed(path: Path) -> None:
    writer = SessionWriter.create(str(path), HEADER)
    fd = writer._fd
    writer.close()
    writer.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(fd)


def test_waiting_for_the_disk_is_possible(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    with SessionWriter.create(str(path), HEADER, sync=True) as writer:
        append(writer, make_step(1), make_note())
    assert len(synced) == 2


# --- Whole sessions -------------------------------------------------------------------


def test_a_saved_session_is_the_same_session(path: Path) -> None:
    records = (make_step(2, BODY), make_step(1, OTHER), make_run(1, BODY), make_note())
    old = open_session(str(write(path, *records)))
    new_path = path.with_name("b.session.jsonl")
    removed = save_session(old, str(new_path))
    new = open_session(str(new_path))
    assert contents(new) == contents(old)
    assert (new.id, new.title, new.redaction) == (old.id, old.title, old.redaction)
    assert not removed
    assert sorted(os.listdir(path.parent)) == [path.name, new_path.name]


def test_saving_over_the_file_that_is_read_is_safe(path: Path) -> None:
    old = open_session(str(write(path, make_step(1, BODY), make_step(2, OTHER))))
    save_session(old, str(path), force=True)
    assert contents(open_session(str(path))) == contents(old)


@pytest.mark.parametrize("force", [False, True])
def test_a_failed_save_leaves_nothing_behind(path: Path, force: bool) -> None:
    def fail() -> bytes:
        raise InputError("gone")

    bad = make_exchange()
    steps = [
        make_step(1),
        Step(
            number=2,
            id="b",
            exchange=Exchange(
                request=Request(body=Body(load=fail, size=9)), response=bad.response
            ),
        ),
    ]
    if force:
        path.write_text("precious")
    with pytest.raises(InputError, match="gone"):
        save_session(Session(id="x", steps=steps), str(path), force=force)
    assert os.listdir(path.parent) == ([path.name] if force else [])
    if force:
        assert path.read_text() == "precious"


def test_what_was_taken_out_is_told(path: Path) -> None:
    exchange = Exchange(
        request=Request(
            url="https://h/v1?key=abc",
            headers=(("Authorization", "Bearer x"),),
            body=Body(b'{"api_key":"0123456789abcdef"}'),
        )
    )
    steps = [Step(number=n, id=f"s{n}", exchange=exchange) for n in (1, 2)]
    removed = save_session(Session(id="x", steps=steps), str(path))
    assert removed == {
        "key in URL": 2,
        "authorization header": 2,
        "secret by its name": 2,
    }
    for secret in (b"=abc", b"Bearer x", b"0123456789abcdef"):
        assert secret not in path.read_bytes()


def test_levels_are_noted_in_the_header(path: Path) -> None:
    stand_ins = StandIns(b"k", ["Zk3x9QaB" * 9])
    save_session(Session(id="x"), str(path), redactor=Redactor(stand_ins))
    assert open_session(str(path)).redaction == ("secrets", "signatures")


def test_an_unknown_error_is_not_hidden(path: Path) -> None:
    def explode() -> bytes:
        raise ZeroDivisionError

    make: Callable[[], bytes] = explode
    bad = Step(
        number=1,
        id="x",
        exchange=Exchange(request=Request(body=Body(load=make, size=1))),
    )
    writer = SessionWriter.create(str(path), HEADER)
    with pytest.raises(ZeroDivisionError):
        writer.append_step(bad)
    append(writer, make_step(1))
    assert contents(open_session(str(path))) == [make_step(1)]


@pytest.mark.parametrize("force", [False, True])
def test_an_error_names_the_file_that_was_asked_for(
    tmp_path: Path, force: bool
) -> None:
    path = tmp_path / "nowhere" / "a.session.jsonl"
    with pytest.raises(InputError) as caught:
        save_session(Session(id="x"), str(path), force=force)
    assert str(caught.value).startswith(f"{path}: cannot be written: ")
    with pytest.raises(InputError) as caught:
        SessionWriter.create(str(path), HEADER, force=force)
    assert str(caught.value).startswith(f"{path}: cannot be written: ")
