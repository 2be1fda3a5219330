"""What a server of ours does while it may open no more files: wait, and say so once.

asyncio tries again each second, and has a traceback printed for every connection of
its backlog that it could not take: 128 to 2,048 of them a second. Source: CPython 3.11,
Lib/asyncio/selector_events.py, `_accept_connection`.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from typing import Any

_SCARCE = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""What `accept` fails with where the connection can wait. Source: accept(2)."""


def tell_scarcity(tell: Callable[[str], object]) -> None:
    """From now on the running loop says in a sentence, and once, that connections have
    to wait because no more files can be opened. All else it says as it did."""
    is_told = False
    limit = _limit()  # to learn it takes a file, too

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal is_told
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in _SCARCE:
            loop.default_exception_handler(context)
        elif not is_told:
            is_told = True
            tell(
                f"no more connections can be taken for now ({error.strerror}"
                f"{limit}); those that wait are taken when others end"
            )

    asyncio.get_running_loop().set_exception_handler(handle)


def _limit() -> str:
    """How many files this process may have open, and what to do about it."""
    try:
        import resource
    except ImportError:
        return ""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return f": {soft:,} in this process, more after `ulimit -n`"
