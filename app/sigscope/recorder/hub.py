"""What the two ends of a relay are: what all relays share, and the client's side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Protocol

from sigscope.recorder import answers
from sigscope.recorder.answercopy import AnswerCopy
from sigscope.recorder.gate import Gate
from sigscope.recorder.heads import RequestHead
from sigscope.recorder.journal import Journal
from sigscope.recorder.mend import RequestMender
from sigscope.recorder.routes import Routes
from sigscope.recorder.upstream import Pool
from sigscope.records import dataclass
from sigscope.wire.access import Access

_BY_PAGES = frozenset({"origin", "sec-fetch-site"})
"""What browsers add, and is judged each time; see `wire/access.py`."""
_MOST_HOSTS = 64
_LONGEST_HOST = 300


@dataclass(slots=True, kw_only=True)
class Hub:
    """What all relays of a recorder share."""

    routes: Routes
    journal: Journal
    pool: Pool
    clock: Callable[[], float]
    gate: Gate | None = None
    mender: RequestMender | None = None
    """Is asked about requests that the gate lets go as they came."""
    copies: set[AnswerCopy] = field(default_factory=set)
    """Answers on their way that the mender is to be told of."""
    access: Access = field(default_factory=Access)
    on_refused: Callable[[str], None] = lambda _: None
    refused: int = 0
    """Requests that were not served, and are recorded nowhere."""
    is_over: bool = False
    """The recorder ends: nothing that comes could be recorded any more."""

    _hosts: set[str] = field(default_factory=set)
    """`Host` of programs that were served: they say it again with each request."""

    def maybe_refuse(self, head: RequestHead) -> str | None:
        """Why a request is not served; counted and told."""
        host = head.values.get("host", ("",))[0]
        if host in self._hosts and _BY_PAGES.isdisjoint(head.values):
            return None
        reason = self.access.maybe_refuse(head.headers)
        if reason is not None:
            if answers.is_for_proxy(head):
                reason = answers.NO_PROXY
            self.refused += 1
            self.on_refused(reason)
        elif len(self._hosts) < _MOST_HOSTS and len(host) < _LONGEST_HOST:
            self._hosts.add(host)
        return reason


class ConnectedClient(Protocol):
    """The connection to the client, as a relay needs it."""

    @property
    def fd(self) -> int:
        """Of its socket; -1 once that is closed."""
        ...

    @property
    def is_clear(self) -> bool:
        """Whether all that was written is on its way, and more can be."""
        ...

    def write(self, data: bytes) -> None: ...
    def read(self, *, is_wanted: bool) -> None: ...
    def done(self, *, closes: bool) -> None:
        """The answer is written; the next request may come."""
        ...

    def cut(self) -> None:
        """The answer breaks off here."""
        ...

    def reset(self) -> None:
        """The same where nothing but an error tells that it is not whole."""
        ...
