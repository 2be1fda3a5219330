"""Recorders run on the loop they have in the program."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "on_both_loops: on a plain one of asyncio, too")


@pytest.fixture(autouse=True)
def nursed_scribes(nursed: None) -> None:
    """Nine tenths of a scribe's work here would be to start."""


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    plain = {"plain": asyncio.SelectorEventLoop}
    if sys.platform != "linux":
        return plain
    from sigscope.recorder.relayloop import RelayLoop

    both = "on_both_loops" in item.keywords
    return {"relay": RelayLoop, **(plain if both else {})}
