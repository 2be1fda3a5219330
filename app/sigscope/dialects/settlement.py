"""Which dialect each exchange of a session speaks, and how that was decided.

An exchange that shows nothing itself (a first request, a title request, a refusal) is
told by the company it keeps: one endpoint speaks one dialect, and so does what goes on
with a conversation. `PRECEDENCE` is the order in which that is asked; a wrong name is
worse than none, so each question has one answer or is passed on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Protocol

from sigscope import opaque
from sigscope.conversation import Json, Message, Role
from sigscope.dialects.base import Dialect, Match, Probe
from sigscope.dialects.operations import Endpoint, is_of_another
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What an exchange speaks."""

    dialect: Dialect | None = None
    """None: not known."""
    how: str = ""
    """How that was decided, for people: "path", "marks in the answer of step 3"."""
    is_named: bool = False
    """The user said so; nothing in the exchange tells otherwise."""


UNKNOWN = Decision()


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """Somebody says what some exchanges speak."""

    dialect: Dialect
    by: str
    """Who: "--dialect", "the session file", "profile NAME"."""
    steps: frozenset[int] | None = None
    """Numbers of these exchanges; None: by endpoint, or all that could speak it."""
    endpoint: Endpoint | None = None
    """None: whatever the endpoint."""
    is_service: bool = False
    """What a service was called where it was named: less than what is seen of it."""

    def holds(self, speaker: Speaker) -> bool:
        """Whether it is said of this exchange."""
        if self.steps is not None:
            return speaker.number in self.steps
        if self.endpoint is not None and not self._covers(speaker.endpoint):
            return False
        probe = speaker.probe
        if self.dialect.fits(probe):
            return True
        if self.is_service or is_of_another(probe.path, self.dialect):
            return False
        return self.dialect.has_shape(probe)

    def _covers(self, other: Endpoint) -> bool:
        """A service may be named by an address that its endpoints lie below."""
        here = self.endpoint
        if here is None or here == other or not self.is_service:
            return here == other
        below = other.base.startswith(f"{here.base}/")
        return bool(here.origin) and here.origin == other.origin and below


class Speaker(Protocol):
    """An exchange, as far as deciding may look at it."""

    @property
    def number(self) -> int: ...
    @property
    def probe(self) -> Probe: ...
    @property
    def endpoint(self) -> Endpoint: ...
    @property
    def recognised(self) -> tuple[Dialect | None, Match]: ...
    def said(self, dialect: Dialect) -> Collection[str]:
        """What its answer can be known by in later requests: ids of calls, texts."""

    def repeated(self, dialect: Dialect) -> Collection[str]:
        """The same of all answers that its request brings back."""


TELLING_TEXT = 24
"""Characters from which an equal text tells that a message is that answer."""


def message_keys(message: Message) -> tuple[str, ...]:
    """What an answer can be known by in later requests: its calls' ids, its text."""
    keys = [
        f"id {opaque.split_call_id(c.call_id).plain}"
        for c in message.calls
        if c.call_id
    ]
    text = message.text.strip()
    if len(text) >= TELLING_TEXT:
        keys.append(f"text {text}")
    return tuple(keys)


@dataclass(frozen=True, slots=True)
class AnswerKeys:
    """The same of one entry of a request's history; none if it is no answer."""

    dialect: Dialect

    def __call__(self, entry: Json) -> tuple[str, ...]:
        message = self.dialect.message(entry, "")
        return message_keys(message) if message.role is Role.ASSISTANT else ()


_WORDS = {
    Match.HEADER: "headers",
    Match.HOST: "host",
    Match.PATH: "path",
    Match.ANSWERED: "marks in its answer",
    Match.ASKED: "marks in its request",
    Match.SHAPE: "shape",
}
_OF_STEP = {
    Match.HEADER: "headers of step {}",
    Match.HOST: "host of step {}",
    Match.PATH: "path of step {}",
    Match.ANSWERED: "marks in the answer of step {}",
    Match.ASKED: "marks in the request of step {}",
    Match.SHAPE: "shape of step {}",
}


def own_decision(recognised: tuple[Dialect | None, Match]) -> Decision:
    """What an exchange alone tells."""
    dialect, match = recognised
    return Decision(dialect=dialect, how=_WORDS[match]) if dialect else UNKNOWN


class Settlement:
    """Decides for the exchanges of one session.

    Costs what recognising each costs; answers are read only where threads are asked,
    because nothing else told. `namings`: the last that holds counts.
    """

    def __init__(
        self, speakers: Sequence[Speaker], namings: Iterable[Naming] = ()
    ) -> None:
        self._speakers = speakers
        self._namings = sorted(namings, key=_closeness)
        self._seen: dict[Endpoint, dict[Match, dict[Dialect, int]]] = {}
        """Endpoint → sign → dialect → the first step that showed it."""
        for speaker in speakers:
            dialect, match = speaker.recognised
            if dialect is not None:
                signs = self._seen.setdefault(speaker.endpoint, defaultdict(dict))
                signs[match].setdefault(dialect, speaker.number)
        self._threads: dict[str, _Threads] = defaultdict(_Threads)
        """By origin."""

    def decisions(self) -> Iterator[Decision]:
        """One for each exchange, in order. Each is made when asked for, so that what
        was read for one need not be read again for the next."""
        for speaker in self._speakers:
            asked = (rule(self, speaker) for rule in PRECEDENCE)
            decision = next((found for found in asked if found), UNKNOWN)
            yield decision
            if decision.dialect is not None:
                threads = self._threads[speaker.endpoint.origin]
                threads.take(speaker, decision.dialect)

    # --- The questions, in order -----------------------------------------------------

    def named(self, speaker: Speaker) -> Decision | None:
        """The user says so, for this call or in the session."""
        return self._maybe_named(speaker, is_service=False)

    def own_address(self, speaker: Speaker) -> Decision | None:
        """Its own headers, host or path."""
        return self._own(speaker, Match.PATH, Match.HEADER)

    def endpoint_address(self, speaker: Speaker) -> Decision | None:
        """Headers, host or path of other steps at its endpoint."""
        return self._shared(speaker, Match.PATH, Match.HEADER)

    def service(self, speaker: Speaker) -> Decision | None:
        """The service that was named to `run`, `record` or in a profile."""
        return self._maybe_named(speaker, is_service=True)

    def own_answer(self, speaker: Speaker) -> Decision | None:
        """Marks that only this service writes, in its own answer."""
        return self._own(speaker, Match.ANSWERED, Match.ANSWERED)

    def endpoint_answers(self, speaker: Speaker) -> Decision | None:
        """The same in answers of other steps at its endpoint."""
        return self._shared(speaker, Match.ANSWERED, Match.ANSWERED)

    def thread(self, speaker: Speaker) -> Decision | None:
        """The step that it goes on with, at the same origin."""
        continued = self._threads[speaker.endpoint.origin].continued_by(speaker)
        if len(continued) != 1:
            return None
        ((dialect, step),) = continued.items()
        return Decision(dialect=dialect, how=f"thread of step {step}")

    def own_request(self, speaker: Speaker) -> Decision | None:
        """Marks in its own request: what the client believes to speak."""
        return self._own(speaker, Match.SHAPE, Match.ASKED)

    def endpoint_requests(self, speaker: Speaker) -> Decision | None:
        """The same in requests of other steps at its endpoint."""
        return self._shared(speaker, Match.SHAPE, Match.ASKED)

    # --- What they have in common ----------------------------------------------------

    def _maybe_named(self, speaker: Speaker, *, is_service: bool) -> Decision | None:
        for naming in reversed(self._namings):
            if naming.is_service == is_service and naming.holds(speaker):
                return Decision(
                    dialect=naming.dialect,
                    how=f"named by {naming.by}",
                    is_named=not is_service,
                )
        return None

    def _own(self, speaker: Speaker, least: Match, most: Match) -> Decision | None:
        dialect, match = speaker.recognised
        if dialect is None or not least <= match <= most:
            return None
        return own_decision(speaker.recognised)

    def _shared(self, speaker: Speaker, least: Match, most: Match) -> Decision | None:
        """What other steps at the endpoint show, the surest sign first; None where
        those that could be meant disagree."""
        seen = self._seen.get(speaker.endpoint, {})
        for match in sorted(seen, reverse=True):
            if least <= match <= most:
                likely = [d for d in seen[match] if d.fits(speaker.probe)]
                if len(likely) > 1:
                    return None
                for dialect in likely:
                    step = seen[match][dialect]
                    return Decision(dialect=dialect, how=_OF_STEP[match].format(step))
        return None


def _closeness(naming: Naming) -> int:
    """Of two services, one below the other, the lower counts."""
    is_close = naming.is_service and naming.endpoint is not None
    return len(naming.endpoint.base) if is_close and naming.endpoint else 0


class _Threads:
    """What the answers at one origin can be known by."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Speaker, Dialect]] = []
        """Those whose answers have not been looked at: nobody asked yet."""
        self._dialects: dict[Dialect, None] = {}
        self._steps: dict[str, tuple[int, Dialect]] = {}
        """The latest step that said it."""

    def take(self, speaker: Speaker, dialect: Dialect) -> None:
        """One more, whose dialect is decided."""
        self._waiting.append((speaker, dialect))
        self._dialects[dialect] = None

    def continued_by(self, speaker: Speaker) -> dict[Dialect, int]:
        """What a request goes on with: dialects that it could speak, each with the
        latest of the steps whose answers it brings back."""
        fitting = [d for d in self._dialects if d.fits(speaker.probe)]
        if not fitting:
            return {}
        for other, dialect in self._waiting:
            here = (other.number, dialect)
            self._steps.update(dict.fromkeys(other.said(dialect), here))
        self._waiting.clear()
        found: dict[Dialect, int] = {}
        for key in speaker.repeated(fitting[0]):
            step, meant = self._steps.get(key, (0, None))
            if meant in fitting and meant is not None:
                found[meant] = max(step, found.get(meant, 0))
        return found


PRECEDENCE: tuple[Callable[[Settlement, Speaker], Decision | None], ...] = (
    Settlement.named,
    Settlement.own_address,
    Settlement.endpoint_address,
    Settlement.service,
    Settlement.own_answer,
    Settlement.endpoint_answers,
    Settlement.thread,
    Settlement.own_request,
    Settlement.endpoint_requests,
)
"""Who is asked what an exchange speaks; the first that knows decides."""
