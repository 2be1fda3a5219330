"""Gates: what stands between a client's request and its upstream.

A gate may take as long as it likes; only the request it was asked about waits.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from sigscope.exchange import Request
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    request: Request | None = None
    """What to send instead; None: the request as it came."""
    note: str = ""
    """What was changed, for the recording."""
    held: str = ""
    """How long it was held and why, for the recording; empty if it was not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Do not send it; the client gets an error that says so."""

    reason: str = "dropped at a breakpoint"
    held: str = ""
    """How long it was held and why, for the recording; empty if it was not."""


Decision = Release | Drop

Gate = Callable[[Request, int], Awaitable[Decision]]
"""Asked about each request when it is there whole, with the number of its step. The
URL is the upstream's."""
