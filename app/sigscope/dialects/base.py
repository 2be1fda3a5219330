"""What every dialect can do."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from enum import IntEnum
from functools import cached_property
from urllib.parse import urlsplit

from sigscope.conversation import Conversation, Json, Message, Part, Reply, Sighting
from sigscope.dialects.assembling import Assembler
from sigscope.dialects.carriers import Carrier, CarrierTable
from sigscope.dialects.histories import Histories
from sigscope.exchange import Headers, header


class Match(IntEnum):
    """How sure a dialect is that an exchange speaks it; the highest wins."""

    NO = 0
    SHAPE = 1
    """The shape fits this and others; other steps of the session may decide."""
    ASKED = 2
    """Marks in the request: what the client wrote, maybe for another service."""
    ANSWERED = 3
    """Marks in the answer: what only this service writes."""
    PATH = 4
    HOST = 5
    HEADER = 6

    @property
    def is_sure(self) -> bool:
        """Whether nothing in a body can tell otherwise."""
        return self >= Match.PATH


class Probe:
    """What recognising an exchange may look at. Bodies are parsed only if asked for."""

    def __init__(
        self,
        *,
        url: str = "",
        request_headers: Headers = (),
        response_headers: Headers = (),
        request: Callable[[], Json] = lambda: None,
        response: Callable[[], Json] = lambda: None,
    ) -> None:
        self.url = url
        self.request_headers = request_headers
        self.response_headers = response_headers
        self._request = request
        self._response = response

    @cached_property
    def request(self) -> Json:
        """Parsed request body; None if there is none or it is no JSON."""
        return self._request()

    @cached_property
    def response(self) -> Json:
        """Parsed response body, or the events of a stream as a list."""
        return self._response()

    @cached_property
    def host(self) -> str:
        """Host name in lower case; empty where the recording names none."""
        try:
            return (urlsplit(self.url).hostname or "").lower()
        except ValueError:
            return ""

    @cached_property
    def path(self) -> str:
        """Path without the query."""
        try:
            return urlsplit(self.url).path
        except ValueError:
            return self.url.partition("?")[0]

    @cached_property
    def answers(self) -> tuple[dict[str, Json], ...]:
        """The response as JSON objects: the body, or the first events."""
        found = self.response if isinstance(self.response, list) else [self.response]
        return tuple(item for item in found if isinstance(item, dict))

    def request_header(self, name: str) -> str | None:
        """The first value of a request header."""
        return header(self.request_headers, name)

    def has_response_header(self, prefix: str) -> bool:
        """Whether any response header starts like this."""
        return any(k.lower().startswith(prefix) for k, _ in self.response_headers)


class Dialect(ABC):
    """One API's wire shape. Stateless: one instance serves every exchange."""

    name: str
    """Written to files and printed; never reused for something else."""
    title: str
    """For people: "GitHub Copilot chat completions"."""
    is_gateway: bool = False
    """Whether those who answer pass requests on to services of others."""
    carriers: tuple[Carrier, ...]
    """Where signatures stand on this wire. A new place is a new line."""
    operation: re.Pattern[str]
    """The API's own part at the end of a path; what stands before it is the endpoint's:
    `/gw/v1beta` of `/gw/v1beta/models/g:generateContent`."""

    def __init__(self, extra: Iterable[Carrier] = ()) -> None:
        self.carriers = (*self.carriers, *extra)

    @abstractmethod
    def match(self, probe: Probe, beaten: Match = Match.NO) -> Match:
        """Tell whether this exchange speaks the dialect.

        What is no surer than `beaten` need not be looked for: it does not win.
        """

    def fits(self, probe: Probe) -> bool:
        """Tell whether an exchange could speak this, though it shows no sign of it."""
        return self.match(probe) > Match.NO

    def is_beside(self, probe: Probe) -> bool:
        """Tell whether an exchange goes to this service through another API of it, for
        which there is no dialect."""
        return False

    def key_header(self, surface: str | None = None) -> str:
        """Header that takes the user's key; "authorization" takes it as a bearer.

        `surface`: "vertex" or "ai-studio", for a service that has several.
        """
        return "authorization"

    @abstractmethod
    def has_shape(self, probe: Probe) -> bool:
        """Tell whether the bodies look like this API's family, whatever the path."""

    @abstractmethod
    def assembler(self) -> Assembler:
        """Make an assembler for one streamed response."""

    @abstractmethod
    def history(self, body: Json) -> tuple[str, list[Json]]:
        """The entries of a request that are messages, and the pointer of their list."""

    @abstractmethod
    def message(self, item: Json, at: str) -> Message:
        """Read one entry of the history, which stands at this pointer."""

    @abstractmethod
    def conversation(
        self, body: Json, url: str, histories: Histories | None = None
    ) -> Conversation:
        """Read a request. What is not understood comes as opaque parts.

        `histories` know the messages that were there before.
        """

    def messages(self, body: Json, histories: Histories | None) -> tuple[Message, ...]:
        """All messages of a request."""
        above, items = self.history(body)
        found = (histories or Histories()).messages(items, above, self.message)
        return tuple(found)

    @abstractmethod
    def reply(self, body: Json) -> Reply:
        """Read a response: a whole body, or what an assembler has made."""

    def reads(self, sighting: Sighting, message: Message | None) -> bool:
        """Tell whether the service reads this place of a request."""
        return sighting.is_read

    @cached_property
    def table(self) -> CarrierTable:
        """The carriers, compiled for finding."""
        return CarrierTable(self.carriers)


def part_at(message: Message, pointer: str) -> Part | None:
    """The part of a message that holds the value at this pointer."""
    for part in message.parts:
        if pointer == part.pointer or pointer.startswith(part.pointer + "/"):
            return part
    return None
