"""What is shown of exchanges as they pass, where nobody takes it."""

from __future__ import annotations

import errno
import io
from types import SimpleNamespace
from typing import Any, cast

import pytest

from sigscope.cli import recorded
from sigscope.cli.console import Console
from sigscope.cli.recorded import show_json, show_lines, tell_result
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Exchange, Remedy
from sigscope.recorder.tape import Summary
from sigscope.session import Session, Step

STEP = Summary(number=1, method="POST", url="http://127.0.0.1/x")


class Gone(io.StringIO):
    """A pipe whose reader has gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")


def test_json_that_nobody_takes_is_said_once_and_is_no_failed_recording() -> None:
    err = io.StringIO()
    show = show_json(Console(Gone(), err))
    show(STEP)
    show(STEP)
    assert err.getvalue() == "sigscope: output: Broken pipe; recording goes on\n"


def test_lines_that_nobody_hears_are_no_failed_recording() -> None:
    show_lines(Console(io.StringIO(), Gone()), quiet=False)(STEP)


KEY = "7c9e6679-7425-40de-944b-e07fc1f90ae7"


def test_what_passes_is_told_without_the_keys_of_this_request_and_of_earlier_ones() -> (
    None
):
    first = Summary(
        number=1,
        method="POST",
        url=f"http://127.0.0.1/of/{KEY}/x",
        headers=(("x-api-key", KEY),),
        remarks=(f"header lines behind the body: X-Check: {KEY}",),
        remedies=(Remedy(rule="CPC-1", act="put back", count=1, at="", words=KEY),),
    )
    later = Summary(number=2, method="GET", url=f"http://127.0.0.1/is/{KEY}")
    out, err = io.StringIO(), io.StringIO()
    console = Console(out, err)
    shows = show_json(console), show_lines(console, quiet=False)
    for show in shows:
        show(first)
        show(later)
    assert "header lines behind the body: X-Check: ****" in out.getvalue()
    assert "/is/****" in err.getvalue()
    assert KEY not in out.getvalue() + err.getvalue()


@pytest.mark.parametrize("many", [1, 2])
def test_before_a_long_look_it_is_told_that_all_is_in_the_file(
    monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(recorded, "MANY", many)
    document = Document(
        Session(id="s", steps=[Step(number=1, id="a", exchange=Exchange())])
    )
    recording = SimpleNamespace(
        document=lambda: document,
        first=1,
        path="a.session.jsonl",
        lost=0,
        refused=0,
        is_empty=False,
    )
    err = io.StringIO()
    tell_result(cast(Any, recording), Console(io.StringIO(), err), as_json=False)
    told = "in 1 exchanges; all of them are in a.session.jsonl already"
    assert (told in err.getvalue()) == (many == 1)
