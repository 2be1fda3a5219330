"""What every dialect can do."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import cached_property

from sigscope.conversation import (
    Conversation,
    Json,
    Message,
    Part,
    Reply,
    Role,
    Sighting,
)
from sigscope.dialects.assembly import Assembler
from sigscope.dialects.carriers import Carrier, CarrierTable
from sigscope.dialects.histories import Histories
from sigscope.dialects.homes import HomeFinder, Nowhere
from sigscope.dialects.probe import Match, Probe
from sigscope.dialects.services import Service, surest

__all__ = ["Dialect", "Match", "Probe", "part_at"]


class Dialect(ABC):
    """One API's wire shape, and what is to be known of it wherever it is handled.

    Stateless: one instance serves every exchange. The attributes are the dialect's
    record; a speaker of a known family fills them in and needs no code.
    """

    name: str
    """Written to files and printed; never reused for something else."""
    title: str
    """For people: "GitHub Copilot chat completions"."""
    family: str
    """What names the grammar: "chat" for all of chat completions."""
    services: tuple[Service, ...] = ()
    """Those that speak it. The only one of the class is whose API it is, wherever it is
    served; a user's own may stand before it."""
    is_gateway: bool = False
    """Whether those who answer pass requests on to services of others."""
    carriers: tuple[Carrier, ...]
    """Where signatures stand on this wire. A new place is a new line."""
    operation: re.Pattern[str]
    """The API's own part at the end of a path; what stands before it is the endpoint's:
    `/gw/v1beta` of `/gw/v1beta/models/g:generateContent`."""
    default_path: str = ""
    """Where a request goes whose recording names no path; `{model}` and `{method}`
    stand for what it asks. Empty: not known."""
    default_model: str = "gemini-3-pro-preview"
    """The model of a request that is composed without one."""
    default_key_header: str = "authorization"
    """Header that takes the key where none of the services is known to be asked."""
    thought_key: str = ""
    """Member of a message in which readable reasoning goes back; empty: in none."""
    home: HomeFinder = Nowhere()
    """Where a signature goes back in a request."""
    joined_roles: frozenset[Role] | None = frozenset({Role.ASSISTANT, Role.TOOL})
    """Roles whose neighbouring messages become one entry before a position in an error
    is counted, since the request is translated on its way ([inferred]). None: it is
    not, and each message counts."""

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

    def service(self, probe: Probe) -> str | None:
        """Whose API an exchange of this dialect used: "vertex", "azure"; None where
        nothing tells."""
        found, _ = surest(self.services, probe)
        if found is None and len(type(self).services) == 1:
            found = type(self).services[0]
        return found.name if found else None

    def key_header(self, service: str | None = None) -> str:
        """Header that takes the user's key; "authorization" takes it as a bearer.

        `service`: the name of the one that is asked, where that is known.
        """
        for known in self.services:
            if known.name == service:
                return known.key_header
        if len(type(self).services) == 1:
            return type(self).services[0].key_header
        return self.default_key_header

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
