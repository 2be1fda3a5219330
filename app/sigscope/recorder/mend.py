"""What may be done to a request on its way, by a mender that the recorder asks.

A mender is asked about each request when it is there whole, and told of each answer. It
may take as long as it likes: the relay waits for `LIMIT_SECONDS`, and sends the request
as it came.
"""

from __future__ import annotations

from typing import Protocol

from sigscope.exchange import Remedy, Request, Response
from sigscope.records import dataclass

LIMIT_SECONDS = 1.0
"""How long a request waits at most for being mended."""

UNMENDED = "not mended: "
"""Begins the remark of a step that tells why it was left alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """Send this instead."""

    request: Request
    remedies: tuple[Remedy, ...]
    """What was changed; at least one thing."""


@dataclass(frozen=True, slots=True)
class Unmended:
    """Send it as it came."""

    reason: str = ""
    """Why nothing was done about what is wrong with it; empty: nothing is known to
    be."""


MendVerdict = Mend | Unmended


class RequestMender(Protocol):
    """Asked about requests, and told of answers."""

    async def mend(self, request: Request, step: int) -> MendVerdict:
        """What to send. `step`: its number, by which `answered` names it."""
        ...

    def edited(self, came: Request, sent: Request, step: int) -> None:
        """A request that somebody changed by hand is sent as they want it, and not
        mended. `came`: as the client sent it, which goes on with the answer."""
        ...

    def answered(self, step: int, response: Response | None) -> None:
        """What came of it; None: nothing, and it may be forgotten."""
        ...
