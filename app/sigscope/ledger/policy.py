"""What a policy is asked, and what it is: when one API insists on a signature.

A policy answers for one signature and one request; what the recorded answer shows
overrules it (see `fates`). There is one for each dialect, in `ledger.dialects`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sigscope.conversation import Message, Part
from sigscope.dialects.base import Dialect
from sigscope.ledger.models import enforces_signatures
from sigscope.ledger.records import Grade, Signature
from sigscope.reader import Reading
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a request is, as far as verdicts about its messages depend on it."""

    dialect: Dialect | None
    surface: str | None
    """ "vertex" or "ai-studio", where the host tells."""
    model: str
    """The model asked for."""
    thinks: bool
    """Whether it asks for reasoning, where its dialect's policy looks at that."""
    is_accepted: bool
    has_status: bool
    """Whether the recording holds a status: without one, only an answer shows."""
    is_side: bool
    """A title or summary request, no turn."""
    misses: bool = False
    """Whether it was refused because a signature is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A signature, where it came from and where it should stand now.

    A verdict is kept as long as the next request makes an equal case, so it must rest
    on nothing else: see `build`.
    """

    signature: Signature
    reply: Reading
    """The step that brought it."""
    scene: Scene
    history: Sequence[Message]
    """All messages of the request; to be looked at only where a sighting stands."""
    messages: tuple[int, ...]
    """Indices of the messages of the request that hold the reply."""
    is_current: bool
    """Whether its message belongs to the current turn."""
    is_sent: bool = False
    """Whether the request has its very bytes."""
    siblings: tuple[Signature, ...] = ()
    """Others that the reply brought for the same part, of those the request has."""

    @property
    def held(self) -> tuple[Message, ...]:
        """The messages that hold the reply."""
        return tuple([self.history[index] for index in self.messages])

    @property
    def is_of_other_answer(self) -> bool:
        """Whether it came with an answer beside the first one (`n` above 1)."""
        places = self.signature.received
        return all(place.sighting.anchor.message < 0 for place in places)

    @property
    def is_enforced_model(self) -> bool:
        """Whether the model asked, or the one that answered, enforces signatures."""
        asked, answered = self.scene.model, self.reply.reply.model
        return enforces_signatures(asked, answered)

    @property
    def anchor_parts(self) -> tuple[Part, ...]:
        """The parts of the reply that it stands on; empty if on the message."""
        message = self.reply.reply.message
        places = {p.sighting.anchor.part for p in self.signature.received}
        parts = message.parts if message else ()
        return tuple(part for part in parts if part.pointer in places)


def _never(request: Reading) -> bool:
    return False


def _never_stored(case: Case) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """When one API insists on a signature."""

    dialect: str
    """Its name."""
    grade: Callable[[Case], tuple[Grade, str]]
    """The grade of a signature in a request that has its message, and why."""
    thinks: Callable[[Reading], bool] = _never
    """Whether a request asks for reasoning, if the grade depends on it."""
    is_stored: Callable[[Case], bool] = _never_stored
    """Whether the request names the signature's item, and the service keeps that."""


CLOSED = (Grade.OPTIONAL, "its turn is over")
ANSWER = (Grade.OPTIONAL, "it signs no tool call")


def on_every_call(case: Case) -> tuple[Grade, str]:
    """The grade of readable reasoning that goes back wherever its message has calls, in
    closed turns as well."""
    message = case.reply.reply.message
    if message is None or not message.calls:
        return ANSWER
    if not case.scene.thinks:
        return Grade.OPTIONAL, "only a request that thinks insists on it"
    return Grade.REQUIRED, "it led to a tool call"
