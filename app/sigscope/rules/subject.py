"""What a rule may look at: one step, and the session around it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import field
from functools import cached_property
from operator import is_
from typing import TypeVar, cast

from sigscope.conversation import Json, Message, Sighting
from sigscope.dialects.carriers import UNRULED
from sigscope.dialects.histories import Counted, Tallies
from sigscope.ledger import Fate, FateAt, Grade, Ledger, Link, Signature
from sigscope.ledger.fates import surface
from sigscope.ledger.records import LOST, FateStretch
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.rules.words import HAPPENED

Known = TypeVar("Known")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A signature that the service does not get as it issued it."""

    signature: Signature
    fate: Fate
    index: int
    """Of the message where it belongs in this request."""
    is_current: bool
    """Whether that message belongs to the current turn."""
    is_first: bool
    """Whether no earlier request lost it."""
    instead: str = ""
    """Where it was dropped: the pointer of another signature in its place."""
    sightings: tuple[Sighting, ...] = ()
    """Where it, or what was made of it, stands in this request."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """All that a rule may look at when it checks one step."""

    reading: Reading
    ledger: Ledger
    readings: Mapping[int, Reading]
    """Every step of the session, by number."""
    error: Refusal | None = None
    """What the answer's error says, unwrapped; None where there is no error."""
    suspects: tuple[str, ...] = ()
    """Rules that found fault with the request of a refused step, and do not know the
    words of the refusal; told to those that have the last word."""
    shared: dict[object, object] = field(default_factory=dict)
    """What was found about the session as a whole, for all of its steps."""

    @property
    def step(self) -> int:
        """The step's number."""
        return self.reading.number

    @cached_property
    def concerned(self) -> tuple[tuple[Signature, FateAt], ...]:
        """Signatures with a fate in this step's request, but for those of which no rule
        speaks: of these no service is known to want any."""
        found = self.ledger.concerning(self.step)
        return tuple(each for each in found if not each[0].is_unruled)

    def met(self, *fates: Fate) -> Sequence[tuple[Signature, FateStretch]]:
        """Those of `concerned` that met one of these fates, each with the stretch that
        this step belongs to. Nothing is made for each of them; quicker than all, for in
        a long session nearly all fates are exact."""
        found = self.ledger.stretches_in(self.step, frozenset(fates))
        own = self.once_in_session(_unruled)
        return [each for each in found if id(each[0]) not in own] if own else found

    @cached_property
    def sent(self) -> tuple[Sighting, ...]:
        """Signatures in the request at carriers that a service is known to have."""
        found = self.reading.sent
        return tuple(each for each in found if not each.carrier.startswith(UNRULED))

    @property
    def messages(self) -> tuple[Message, ...]:
        """The history that the request brings."""
        return self.reading.conversation.messages

    @cached_property
    def sighted(self) -> Mapping[int, tuple[Sighting, ...]]:
        """Signatures in the request, by the index of their message; empty if none."""
        found: defaultdict[int, list[Sighting]] = defaultdict(list)
        for sighting in self.sent:
            found[sighting.anchor.message].append(sighting)
        return {index: tuple(sightings) for index, sightings in found.items()}

    @cached_property
    def held(self) -> Mapping[int, Link]:
        """Replies found in the request, by the index of each message that holds one.

        Where a message holds several replies, the earliest counts.
        """
        links = self.ledger.links.get(self.step, ())
        return {i: link for link in reversed(links) for i in link.messages}

    @cached_property
    def losses(self) -> tuple[Loss, ...]:
        """What this request lost of what responses of its own service brought."""
        return self.once_in_session(_known_losses).of(self)

    @cached_property
    def losses_at(self) -> Mapping[int, tuple[Loss, ...]]:
        """The losses, by the message they are missed on."""
        found: defaultdict[int, list[Loss]] = defaultdict(list)
        for loss in self.losses:
            found[loss.index].append(loss)
        return {index: tuple(losses) for index, losses in found.items()}

    def odd(self, look: Callable[[Json], bool]) -> list[int]:
        """Indices of the messages in whose JSON a function finds something odd.

        It may look at nothing else: it is asked once for all requests that repeat a
        message.
        """
        return self.reading.odd(look)

    def tally(self, kind: Callable[[], Counted]) -> Counted:
        """What is counted over the outlines of the messages; of a history that goes on
        from an earlier one, only what is new is counted."""
        histories = self.reading.histories
        tallies = histories.tallies if histories else Tallies()
        return tallies.of(kind, self.messages)

    def once(self, look: Callable[[Subject], Known]) -> Known:
        """What a function finds in this step; found once, whoever asks."""
        if look not in self._known:
            self._known[look] = look(self)
        return cast(Known, self._known[look])

    def once_in_session(self, look: Callable[[Subject], Known]) -> Known:
        """What a function finds in the session; it may look at nothing that belongs to
        this step alone. Found once, whichever step asks."""
        if look not in self.shared:
            self.shared[look] = look(self)
        return cast(Known, self.shared[look])

    @cached_property
    def _known(self) -> dict[object, object]:
        return {}

    def loss_of(self, signature: Signature, stretch: FateStretch) -> Loss | None:
        """The loss that a stretch is which this step belongs to; None where nothing is
        lost."""
        lost = _StretchLost(signature, stretch, self.readings)
        if lost.issuer is None or not is_same_service(lost.issuer, self.reading):
            return None
        is_current = self.reading.conversation.is_current(lost.index)
        return lost.records[is_current][lost.first == self.step]

    def placed(self, signature: Signature) -> tuple[Sighting, ...]:
        """Where a signature, or what was made of it, stands in this request."""
        return self.ledger.sent_in(self.step, signature)

    def at(self, step: int) -> Subject:
        """The same session, seen from another step, without its error."""
        return Subject(
            reading=self.readings[step],
            ledger=self.ledger,
            readings=self.readings,
            shared=self.shared,
        )

    @cached_property
    def wire(self) -> str:
        """Name of the dialect spoken; empty where none fits."""
        return self.reading.dialect.name if self.reading.dialect else ""

    @cached_property
    def heard(self) -> frozenset[str]:
        """Ids of the rules in whose words the request was refused."""
        matches = self.error.matches if self.error else ()
        return frozenset(match.rule for match in matches)

    @cached_property
    def is_accepted(self) -> bool:
        """Whether the service took the request, even if its answer is torn.

        A 2xx status without an error in the body counts, whatever came after it.
        """
        if self.error is not None:
            return False
        status = self.reading.status
        if status is not None and 200 <= status < 300:
            return not self.reading.reply.has_error
        return self.reading.is_accepted


class _KnownLosses:
    """The losses of the request that was asked for last, and what is known of each
    stretch: a request mostly loses what the one before did, and more."""

    def __init__(self) -> None:
        self._stretches: dict[int, _StretchLost] = {}
        """By the identity of a stretch, which is kept with it."""
        self._pairs: list[tuple[Signature, FateStretch]] = []
        self._losses: list[Loss] = []
        self._firsts: list[tuple[int, Loss]] = []
        """Where of these one is lost for the first time, and that loss from then on."""
        self._ground: object = None
        """All else that they depend on."""

    def of(self, subject: Subject) -> tuple[Loss, ...]:
        """Those of a request. Costs what is new behind the same ones."""
        pairs = subject.ledger.stretches_in(subject.step, LOST)
        reading, start = subject.reading, subject.reading.conversation.turn_start
        ground = reading.dialect, surface(reading), start
        is_more = len(self._pairs) <= len(pairs) and all(map(is_, self._pairs, pairs))
        if is_more and self._ground == ground:
            found = self._losses
            for place, loss in self._firsts:
                found[place] = loss
            new = pairs[len(self._pairs) :]
        else:
            found, new = [], pairs
        firsts = []
        speaker: object = None
        is_same = False
        for signature, stretch in new:
            lost = self._lost(signature, stretch, subject.readings)
            if lost.issuer is None:
                continue
            if lost.speaker != speaker:
                speaker = lost.speaker
                is_same = is_same_service(lost.issuer, reading)
            if is_same:
                records = lost.records[lost.index >= start]
                if lost.first == subject.step:
                    firsts.append((len(found), records[False]))
                found.append(records[lost.first == subject.step])
        self._pairs, self._losses = pairs, found
        self._firsts, self._ground = firsts, ground
        return tuple(found)

    def _lost(
        self,
        signature: Signature,
        stretch: FateStretch,
        readings: Mapping[int, Reading],
    ) -> _StretchLost:
        lost = self._stretches.get(id(stretch))
        if lost is None:
            lost = _StretchLost(signature, stretch, readings)
            self._stretches[id(stretch)] = lost
        return lost


def _known_losses(_: Subject) -> _KnownLosses:
    return _KnownLosses()


class _StretchLost:
    """What is lost in every step of a stretch: a request repeats the losses of those
    before it, so theirs are one record."""

    __slots__ = ("first", "index", "issuer", "records", "speaker", "stretch")

    def __init__(
        self,
        signature: Signature,
        stretch: FateStretch,
        readings: Mapping[int, Reading],
    ) -> None:
        fate = stretch.fate
        is_loss = is_lost(fate) and signature.received and not signature.is_unruled
        self.stretch = stretch
        self.issuer: Reading | None = None
        """What had brought it; None where nothing is lost."""
        if not is_loss or fate.message is None:
            return
        self.issuer = readings[signature.received[0].step]
        self.speaker = self.issuer.dialect, surface(self.issuer)
        """All of the issuer that `is_same_service` looks at."""
        self.index = fate.message
        first = next(one for one in signature.stretches if is_lost(one.fate))
        self.first = first.steps[0]
        """The first step that lost it."""
        self.records = [
            [
                Loss(
                    signature=signature,
                    fate=fate.fate,
                    index=fate.message,
                    is_current=is_current,
                    is_first=is_first,
                    instead=fate.instead,
                    sightings=stretch.sightings,
                )
                for is_first in (False, True)
            ]
            for is_current in (False, True)
        ]
        """By whether it belongs to the current turn, and whether it is the first."""


def _unruled(subject: Subject) -> Set[int]:
    """Those of which no rule speaks, by identity: the ledger keeps them."""
    return {id(one) for one in subject.ledger.signatures if one.is_unruled}


def happened(loss: Loss) -> str:
    """What became of a lost signature: "is missing"."""
    if loss.instead:
        return f"is missing; another signature stands at {loss.instead}"
    if loss.fate is Fate.MOVED and loss.sightings:
        return f"{HAPPENED[loss.fate]}, {loss.sightings[0].pointer}"
    return HAPPENED[loss.fate]


def is_lost(fate: FateAt) -> bool:
    """Whether a fate takes something from a service that has a use for it."""
    return fate.fate in LOST and fate.grade not in (
        Grade.NOT_APPLICABLE,
        Grade.SUPERSEDED,
    )


def is_same_service(issuer: Reading, reading: Reading) -> bool:
    """Whether what one step received means anything to the service of the other.

    Where the recording does not tell, it is taken for the same.
    """
    if issuer.dialect and reading.dialect and issuer.dialect is not reading.dialect:
        return False
    ours, theirs = surface(reading), surface(issuer)
    return not (ours and theirs and ours != theirs)
