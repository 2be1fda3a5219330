"""What is shown of exchanges as they pass, where nobody takes it."""

from __future__ import annotations

import errno
import io

from sigscope.cli.console import Console
from sigscope.cli.recorded import show_json, show_lines
from sigscope.exchange import Remedy
from sigscope.recorder.tape import Summary

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
