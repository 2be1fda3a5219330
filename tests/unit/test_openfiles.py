"""A server that may open no more files says so once, in a sentence."""

from __future__ import annotations

import asyncio
import errno
import os
import sys

import pytest

from sigscope.openfiles import tell_scarcity


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOBUFS])
async def test_what_asyncio_says_of_each_connection_is_said_once(
    number: int,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    tell_scarcity(told.append)
    monkeypatch.setitem(sys.modules, "resource", None)
    error = OSError(number, os.strerror(number))
    context = {"message": "socket.accept() out of system resource", "exception": error}
    for _ in range(128):
        asyncio.get_running_loop().call_exception_handler(context)
    (said,) = told
    assert "no more connections" in said
    assert "when others end" in said
    assert "ulimit" in said, "though the module that knows cannot be read then"
    assert not caplog.records


async def test_everything_else_is_said_as_ever(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[str] = []
    tell_scarcity(told.append)
    loop = asyncio.get_running_loop()
    loop.call_exception_handler({"message": "odd", "exception": OSError(5, "io")})
    loop.call_exception_handler({"message": "odder"})
    assert not told
    assert [record.getMessage()[:5] for record in caplog.records] == ["odd", "odder"]
