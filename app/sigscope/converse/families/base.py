"""How a client addresses a service: URL, headers, body, and how it reads the answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from sigscope.converse.memory import Captured, Entry
from sigscope.converse.policy import Policy, Read
from sigscope.converse.readers import Reader
from sigscope.edits.records import Edit, Op
from sigscope.exchange import Headers
from sigscope.records import dataclass

KEY = "[removed]"
"""As the redactor writes keys, so that a session looks the same whether it was
rehearsed or recorded."""

Span = tuple[int, int]
"""Least and most, in milliseconds."""
Pace = tuple[bytes, Span]
"""What a piece of a stream holds, and how long it is waited for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What is asked for in one request."""

    model: str
    stream: bool
    is_first: bool
    """Whether the user, not the tool loop, caused it."""
    request_id: str
    tools: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech(ABC):
    """One dialect as clients speak it. Stateless."""

    name: str
    """Its dialect, as session files and `--dialect` write it."""
    own_paces: tuple[Pace, ...] = ()
    """How long a rehearsal waits for what this speaker alone has in its streams."""

    family_paces: ClassVar[tuple[Pace, ...]] = ()
    """The same of all of its family."""
    has_parts: ClassVar[bool] = False
    """Whether a message is a list of parts, calls among them."""

    chain_key: ClassVar[str] = ""
    """Member that stands for all that was said before; empty where there is none."""

    @property
    def paces(self) -> tuple[Pace, ...]:
        """The first that fits a piece counts."""
        return (*self.own_paces, *self.family_paces)

    @abstractmethod
    def url_of(self, ask: Ask, policy: Policy) -> str:
        """Where a client of the real service sends this."""

    def own_headers(self, ask: Ask, policy: Policy) -> Headers:
        """The service's own, the key among them."""
        return (("authorization", f"Bearer {KEY}"),)

    def headers_of(self, ask: Ask, policy: Policy) -> Headers:
        """The service's headers, then the client's own; the same name replaces."""
        common = ("content-type", "application/json")
        named = (common, *self.own_headers(ask, policy))
        lines = policy.client.headers.items()
        own = {name.lower(): (name, value) for name, value in lines}
        kept = [own.pop(name.lower(), (name, value)) for name, value in named]
        return (*kept, *own.values())

    @abstractmethod
    def body(
        self,
        ask: Ask,
        policy: Policy,
        entries: Sequence[Entry],
        chosen: Mapping[int, tuple[Captured, ...]],
    ) -> dict[str, Any]:
        """The body of a request with this history. `chosen`: the signatures that go
        back with each reply, by its index."""

    def streaming(
        self, url: str, body: Mapping[str, Any], *, stream: bool
    ) -> tuple[Edit, ...]:
        """Edits by which a recorded request asks for a stream, or for the whole."""
        if bool(body.get("stream")) is stream:
            return ()
        asked = Edit(op=Op.SET, pointer="/stream", value="true" if stream else "false")
        options = Edit(op=Op.DROP, pointer="/stream_options")
        return (asked, options) if "stream_options" in body else (asked,)

    @abstractmethod
    def reader(self, read: Read) -> Reader:
        """A reader for one reply."""
