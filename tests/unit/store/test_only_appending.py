"""Writers that only append: what they keep does not grow with the file."""

from __future__ import annotations

import errno
import os
from functools import partial
from pathlib import Path

import pytest
from tests.unit.store.samples import HEADER, append, contents, make_step, write

from sigscope.errors import InputError
from sigscope.session import Step
from sigscope.store import SessionWriter, open_session, space, writer
from sigscope.store.splicer import Splicer

WINDOW = 4096


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(writer, "Splicer", partial(Splicer, window=WINDOW))
    monkeypatch.setattr(space, "FORGOTTEN_AT_ONCE", 1)
    return str(tmp_path / "a.session.jsonl")


def step(number: int) -> Step:
    """In a conversation that goes on, next to one that stays as it is."""
    said = b",".join(b'{"role":"user","content":"say %d"}' % n for n in range(number))
    same = b'{"messages":[{"role":"user","content":"What is in a.md?"}]}'
    return make_step(number, b'{"messages":[%b]}' % said if number % 2 else same)


def test_its_steps_and_old_bodies_are_let_go_of(path: str) -> None:
    steps = [step(number) for number in range(1, 61)]
    write(path, *steps[:20])
    with SessionWriter.reopen(path) as appending:
        assert len(appending.file.session.steps) == 20
        appending.only_append()
        append(appending, *steps[20:])
        file = appending.file
        assert len(file.session.steps) == 0
        assert all(file.has_step(one.number) for one in steps), "their numbers stay"
        kept = file.space.starts_from(0)
        held = sum(map(file.space.size_at, kept))
        largest = max(map(file.space.size_at, kept))
        assert held <= WINDOW + 2 * largest, "what it copies from, and no more"
    assert contents(open_session(path)) == steps
    assert open_session(path).problems == ()


def test_another_writer_may_copy_from_what_was_let_go_of(path: str) -> None:
    steps = [step(number) for number in range(1, 61)]
    SessionWriter.create(path, HEADER).close()
    with SessionWriter.reopen(path) as one, SessionWriter.reopen(path) as other:
        one.only_append()
        for each in steps:
            append(other if each.number % 7 == 0 else one, each)
    assert contents(open_session(path)) == steps
    assert open_session(path).problems == ()


def test_it_goes_on_where_the_disk_was_full_for_a_while(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It remembers bodies anew then, of which some copy from what was let go of."""
    steps = [step(number) for number in range(1, 161)]

    def fail(fd: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with SessionWriter.create(path, HEADER) as one:
        one.only_append()
        append(one, *steps[:99])
        with monkeypatch.context() as full:
            full.setattr(os, "write", fail)
            with pytest.raises(InputError):
                append(one, steps[99])
        append(one, *steps[99:])
    assert contents(open_session(path)) == steps
    assert open_session(path).problems == ()
