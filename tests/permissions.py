"""Root to whom the permissions of files apply, as they do to everybody else.

CI and containers run as root, where a test that takes a permission away sees nothing of
it. Root's right to pass them over is one of Linux's capabilities, and a thread can put
it down: source: capabilities(7), CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_PASSES_OVER = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
_VERSION_3 = 0x20080522


class _Head(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Rights(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


@contextmanager
def permissions_apply() -> Iterator[None]:
    """In this thread and those it starts; a program it starts has its rights back."""
    if os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("root may read and write everything here")
    libc = ctypes.CDLL(None, use_errno=True)
    head, rights = _Head(_VERSION_3, 0), (_Rights * 2)()
    assert libc.capget(ctypes.byref(head), rights) == 0
    before = rights[0].effective
    rights[0].effective = before & ~_PASSES_OVER
    assert libc.capset(ctypes.byref(head), rights) == 0
    try:
        yield
    finally:
        rights[0].effective = before
        assert libc.capset(ctypes.byref(head), rights) == 0
