"""Recorders run on the loop they have in the program."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "on_both_loops: on a plain one of asyncio, too")


@pytest.fixture
def forked_scribes(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what passes and is written: nine tenths of a scribe's work there
    would be to start. Where a process can be forked with threads beside it."""
    if sys.platform == "linux":
        from forks import ForkedScribe

        monkeypatch.setattr("sigscope.recorder.process._start", ForkedScribe)


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    plain = {"plain": asyncio.SelectorEventLoop}
    if sys.platform != "linux":
        return plain
    from sigscope.recorder.relayloop import RelayLoop

    both = "on_both_loops" in item.keywords
    return {"relay": RelayLoop, **(plain if both else {})}
