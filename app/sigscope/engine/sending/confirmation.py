"""A fix confirmed over turns: the error is gone, and does it stay gone?

    confirmation = Confirmation(document, 2, edits)
    async for held in confirmation.shapes():
        ...
    confirmation.outcome

The step is sent again with its edits, and the conversation goes on: streamed and whole,
with single, parallel and sequential calls. What is new in it is written by a client of
ours that makes the recorded mistake again, learnt from the findings; each request is
mended by the fix (`StandingFix`) and then judged twice, by rules and by the simulator.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any

from sigscope.converse.client import Client
from sigscope.converse.loader import load_policy, shipped_policies
from sigscope.converse.loop import Talk, TalkStep, talk
from sigscope.converse.policy import Policy, Title
from sigscope.converse.shapes import SHAPES, TURNS, ConversationShape
from sigscope.converse.stage import Stage
from sigscope.edits.records import Edit
from sigscope.engine.sending.controls import doubt_of, simulated_control
from sigscope.engine.sending.conversations import STARTED
from sigscope.engine.sending.fork import Fork
from sigscope.engine.sending.standingfix import (
    StandingFix,
    UnsentRequest,
    generalise,
    look_ahead,
)
from sigscope.engine.sessions.document import Document
from sigscope.errors import EditError, UsageError
from sigscope.exchange import Request
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals import read_refusal
from sigscope.rules.base import Severity
from sigscope.rules.findings import Finding
from sigscope.session import Session
from sigscope.upstreams.simulator import SimConfig

_OWN = re.compile(r"\b(?=\w*\d)\w{6,}\b|\d+")
"""Ids and numbers in a message."""
PROBE_TURNS = 2
"""Turns by which a client is asked whether it makes the recorded mistake."""


class ConfirmationVerdict(StrEnum):
    """What several turns say of a fix."""

    CONFIRMED = "confirmed"
    BREAKS = "breaks again"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class NextBreak:
    """Where it breaks again."""

    turn: int
    """The recorded step's is the first."""
    who: str
    """"the simulator" or "the rules"."""
    rule: str
    """Empty where no rule knows the words."""
    pointer: str
    """Node of the request that was sent; empty for the whole."""
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldShape:
    """One conversation under the fix."""

    shape: ConversationShape
    came: str
    """The shape that came about: a model may answer otherwise than it was asked."""
    turns: int
    """Turns held to their end."""
    mended: int
    """Mistakes of new messages that the fix put right."""
    broke: NextBreak | None = None
    fades_from: int | None = None
    """First turn that the simulator counts as lost; None: none."""
    left_out: str = ""
    """Why the service does not answer in this shape at all; empty where it does."""

    def row(self) -> dict[str, Any]:
        """As JSON."""
        broke = self.broke
        return {
            "shape": self.shape.name,
            "came": self.came,
            "turns": self.turns,
            "mended": self.mended,
            "breaks": None
            if broke is None
            else {
                "turn": broke.turn,
                "who": broke.who,
                "rule": broke.rule or None,
                "pointer": broke.pointer,
                "words": broke.words,
            },
            "fades_from": self.fades_from,
            "left_out": self.left_out or None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationOutcome:
    """The verdict, and what it rests on."""

    verdict: ConfirmationVerdict
    turns: int
    reason: str = ""
    """Why it is unclear; empty where it is not."""
    fix: str = ""
    """What was done to every request."""
    client: str = ""
    """The policy that wrote what is new."""
    held: tuple[HeldShape, ...] = ()

    @property
    def words(self) -> str:
        """ "confirmed over 5 turns, 6 shapes"."""
        if self.verdict is ConfirmationVerdict.UNCLEAR:
            return f"unclear: {self.reason}"
        shapes = len({one.came for one in self.held if not one.left_out})
        over = f"{self.turns} turn{'s' * (self.turns != 1)}"
        if self.verdict is ConfirmationVerdict.CONFIRMED:
            return f"confirmed over {over}, {shapes} shape{'s' * (shapes != 1)}"
        first = min(self.broken, key=lambda one: one.broke.turn if one.broke else 0)
        broke = first.broke
        assert broke is not None
        named = f"{broke.rule} " if broke.rule else ""
        place = f" at {broke.pointer}" if broke.pointer else ""
        said = broke.words if broke.who == RULES else f"“{broke.words}”"
        return (
            f"breaks again in turn {broke.turn} ({first.came}), by {broke.who}:"
            f" {named}{said}{place}"
        )

    @property
    def broken(self) -> tuple[HeldShape, ...]:
        """Those that broke again."""
        return tuple(one for one in self.held if one.broke)

    def row(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "verdict": str(self.verdict),
            "said": self.words,
            "turns": self.turns,
            "reason": self.reason or None,
            "fix": self.fix or None,
            "client": self.client or None,
            "shapes": [one.row() for one in self.held],
        }


RULES = "the rules"
SIMULATOR = "the simulator"


class Confirmation:
    """Holds a conversation a shape, and says what they come to."""

    def __init__(
        self,
        document: Document,
        step: int,
        edits: Sequence[Edit],
        *,
        turns: int = TURNS,
        base: SimConfig | None = None,
        parent: int | None = None,
    ) -> None:
        """`parent`: the run whose request the edits are made to."""
        self._document = document
        self._step = step
        self._fork = Fork(
            document, step, tuple(edits), keeps_edits=False, parent=parent
        )
        self._turns = turns
        self._base = base or SimConfig()
        self._held: list[HeldShape] = []
        self._reason = ""
        self._fix = StandingFix()
        self._client = ""
        self._mistaken = False
        """Whether the client that goes on is one that makes mistakes."""

    @property
    def outcome(self) -> ConfirmationOutcome:
        """What is known by now; the verdict when all shapes were held."""
        return ConfirmationOutcome(
            verdict=self._verdict,
            turns=self._turns,
            reason=self._reason or self._doubt,
            fix=self._fix.words,
            client=self._client,
            held=tuple(self._held),
        )

    @property
    def _verdict(self) -> ConfirmationVerdict:
        if self._reason:
            return ConfirmationVerdict.UNCLEAR
        if any(one.broke for one in self._held):
            return ConfirmationVerdict.BREAKS
        if self._doubt:
            return ConfirmationVerdict.UNCLEAR
        return ConfirmationVerdict.CONFIRMED

    @property
    def _doubt(self) -> str:
        """What stands against a confirmation although nothing broke."""
        if not self._held:
            return "no conversation was held"
        if self._mistaken and not any(one.mended for one in self._held):
            return (
                "the client that went on did not make the recorded mistake again, so"
                " nothing was there to mend"
            )
        fading = [one.fades_from for one in self._held if one.fades_from]
        if fading:
            return (
                f"nothing is refused, but reasoning fades from turn {min(fading)}: what"
                " is sent is not what the service issued"
            )
        return ""

    async def shapes(self) -> AsyncIterator[HeldShape]:
        """Hold them all, the first one that breaks included. Nothing leaves the
        machine."""
        self._held.clear()
        policy = await self._prepare()
        if policy is None:
            return
        for shape in SHAPES:
            held = await self._hold(policy, shape)
            self._held.append(held)
            yield held

    # --- Before ----------------------------------------------------------------------

    async def _prepare(self) -> Policy | None:
        """The client that goes on; None where nothing can be told, with the reason."""
        try:
            self._reason = self._unknown() or await self._learn()
        except (EditError, UsageError) as error:
            self._reason = str(error)
        return load_policy(self._client) if not self._reason else None

    def _unknown(self) -> str:
        """Why the simulator cannot tell; "" where it can."""
        self._fork.config(self._base)
        made = [edit for _, edits in self._fork.lineage for edit in edits]
        doubt = doubt_of(self._document, self._step, self._base, made)
        control = simulated_control(self._document, self._step, self._base)
        if doubt or control is None:
            return doubt or "the simulator does not know this service"
        if control.guess:
            return f"the simulator guesses the model ({control.guess})"
        if not any(edits for _, edits in self._fork.lineage):
            return "there are no edits that could be confirmed"
        return ""

    async def _learn(self) -> str:
        """Make a policy of the fix and of the mistake; why it cannot be done, if so."""
        fork = self._fork
        faithful, above = f"faithful-{fork.dialect}", fork.ground.history
        recorded = look_ahead(_earlier(fork), fork.ground.request)
        found = self._generalised(above)
        if isinstance(found, str):
            return found
        self._fix = found
        if fork.parent is not None and not _has_same_body(
            found.mend(recorded).request, fork.ground.first
        ):
            return (
                f"what is done to every request ({found.words}) does not make of step"
                f" {self._step} what was sent in run {fork.parent} and after it: give"
                " the fix as one set of edits of the step as recorded"
            )
        wanted = [
            f for f in recorded.findings if _is_grave(f) and _is_below(f.pointer, above)
        ]
        if not wanted:
            self._client = faithful  # the mistake stands beside the history, each time
            return ""
        best: tuple[float, str] = (0, "")
        for policy in shipped_policies():
            if fork.dialect in policy.dialects and policy.name != faithful:
                probes = await self._mistakes_of(policy)
                likeness = sum(_likeness(wanted, made) for made in probes)
                best = max(best, (likeness, policy.name), key=lambda one: one[0])
        self._client, self._mistaken = best[1], bool(self._fix.rules)
        if not self._client:
            codes = ", ".join(sorted({f.rule for f in wanted}))
            return (
                f"no client known here makes the mistake of {codes} again by itself, so"
                " nothing tells whether the fix would hold; record the mended client,"
                " or write its policy and let it go on (`sigscope converse --from`)"
            )
        return ""

    def _generalised(self, above: str) -> StandingFix | str:
        """The fix of the step's edits, and of those of the runs it was made from; or
        why none is known."""
        whole = StandingFix()
        for base, edits in self._fork.lineage:
            if not edits:
                continue
            there = look_ahead(_earlier(self._fork), base.request(self._step))
            found = generalise(base, self._step, edits, above, there.findings)
            if isinstance(found, str):
                return found
            whole = whole.and_then(found)
        return whole

    async def _mistakes_of(self, policy: Policy) -> list[list[Finding]]:
        """What the rules find in what a client writes itself: in the recorded way of
        answering, and in the other, where another client may be right by luck."""
        made: list[list[Finding]] = []
        for shape in SHAPES:
            is_recorded = shape.stream is self._fork.streams
            if shape.calls == "single" or (is_recorded and shape.calls == "parallel"):
                watch = await self._talk(policy, shape, PROBE_TURNS)
                made.append(list(watch.mistakes.values()))
        return made

    # --- One conversation ------------------------------------------------------------

    async def _hold(self, policy: Policy, shape: ConversationShape) -> HeldShape:
        watch = await self._talk(policy, shape, self._turns)
        return watch.told(shape)

    async def _talk(
        self, policy: Policy, shape: ConversationShape, turns: int
    ) -> _Watch:
        fork = self._fork
        policy = replace(policy, stream=shape.stream, title=Title())
        config = fork.config(self._base)
        stage = Stage(config, STARTED)
        watch = _Watch(fork, self._fix)
        words = shape.turns(turns, fork.tool)[: turns - 1]
        plan = Talk(
            client=Client(policy, fork.dialect, fork.model, fork.ground),
            turns=("", *words),
            upstream=stage,
            world=stage,
            address=watch.mend,
            before=fork.step - 1,
        )
        async for taken in talk(plan):
            watch.take(taken, max(stage.lost_turns[-1:], default=0))
            if watch.broke is not None:
                break
        return watch


class _Watch:
    """Mends each request before it is sent, and judges what came of it."""

    def __init__(self, fork: Fork, fix: StandingFix) -> None:
        self._document = _earlier(fork)
        self._fork = fork
        self._fix = fix
        self._count = len(fork.reading.entries)
        self._known: set[tuple[str, str]] = set()
        self._lost = 0
        self._outlook: UnsentRequest | None = None
        self._taken: list[TalkStep] = []
        self.mistakes: dict[tuple[str, str], Finding] = {}
        """Of new messages, before they were mended; by rule and place."""
        self.broke: NextBreak | None = None
        self.fades_from: int | None = None

    def mend(self, request: Request) -> Request:
        """The request as it is sent. The first one has its edits already."""
        before = look_ahead(self._document, request)
        if not self._taken:
            self._outlook = before
            self._known = {(f.rule, f.pointer) for f in _errors(before)}
            return request
        for finding in before.findings:
            if _is_grave(finding) and self._is_new(finding.pointer):
                place = (finding.rule, finding.pointer)
                self.mistakes.setdefault(place, finding)
        self._fix = self._fix.adopting(before.findings)
        self._outlook = self._fix.mend(before)
        return self._outlook.request

    def take(self, taken: TalkStep, lost: int) -> None:
        """An exchange is over, whose request the simulator counts `lost` turns for."""
        assert self._outlook is not None
        self._taken.append(taken)
        self.broke = self._simulated(taken) or self._by_rules(taken, self._outlook)
        self._count_lost(taken, lost)
        self._document = self._document.grown([taken.step], ())

    def told(self, shape: ConversationShape) -> HeldShape:
        last = self._taken[-1].turn if self._taken else 0
        broke = self.broke
        if broke and len(self._taken) == 1 and shape.stream is not self._fork.streams:
            # What it says of the same request as it was recorded is another shape's.
            return HeldShape(
                shape=shape,
                came=shape.name,
                turns=0,
                mended=0,
                left_out=f"the service does not answer so: {broke.words}",
            )
        return HeldShape(
            shape=shape,
            came=self._came(),
            turns=last - (broke is not None),
            mended=len(self._fix.mistakes(self.mistakes.values())),
            broke=broke,
            fades_from=self.fades_from,
        )

    def _simulated(self, taken: TalkStep) -> NextBreak | None:
        if not taken.is_refused:
            return None
        refusal = read_refusal(Reading(taken.step.exchange, number=taken.step.number))
        match = refusal.matches[0] if refusal and refusal.matches else None
        return NextBreak(
            turn=taken.turn,
            who=SIMULATOR,
            rule=match.rule if match else "",
            pointer=match.pointers[0] if match and match.pointers else "",
            words=refusal.text if refusal else "no answer came",
        )

    def _by_rules(self, taken: TalkStep, outlook: UnsentRequest) -> NextBreak | None:
        """The first error that the first request did not have."""
        for finding in _errors(outlook):
            if (finding.rule, finding.pointer) not in self._known:
                return NextBreak(
                    turn=taken.turn,
                    who=RULES,
                    rule=finding.rule,
                    pointer=finding.pointer,
                    words=finding.message,
                )
        return None

    def _count_lost(self, taken: TalkStep, lost: int) -> None:
        if len(self._taken) == 1:
            self._lost = lost
        elif lost > self._lost and self.fades_from is None:
            self.fades_from = taken.turn

    def _came(self) -> str:
        streams = any(
            Reading(one.step.exchange, number=1).is_streamed for one in self._taken
        )
        rounds: dict[int, int] = {}
        for one in self._taken:
            rounds[one.turn] = rounds.get(one.turn, 0) + bool(one.heard.calls)
        most = max((len(one.heard.calls) for one in self._taken[1:]), default=0)
        calls = "without calls"
        if most > 1:
            calls = "parallel"
        elif max(rounds.values(), default=0) > 1:
            calls = "sequential"
        elif most == 1:
            calls = "single"
        return f"{'streamed' if streams else 'whole'}, {calls}"

    def _is_new(self, pointer: str) -> bool:
        """Whether it is about a message that was not recorded."""
        history = self._fork.ground.history
        if not _is_below(pointer, history):
            return False
        index = pointer[len(history) + 1 :].partition("/")[0]
        return index.isdigit() and int(index) >= self._count


def _earlier(fork: Fork) -> Document:
    """The steps before a step, as a document of their own."""
    session = fork.document.session
    earlier = Session(
        id=session.id,
        steps=fork.earlier,
        redaction=session.redaction,
        spoken=session.spoken,
    )
    return fork.document.over(earlier)


def _likeness(recorded: Sequence[Finding], made: Sequence[Finding]) -> float:
    """How much a client's mistakes are the recorded ones: by their rules, and where two
    clients break the same, by what is said of it. 0: not at all."""
    wanted, broken = {f.rule for f in recorded}, {f.rule for f in made}
    if not wanted & broken:
        return 0
    hits = len(wanted & broken) - len(broken - wanted) / 2
    same = [max(_same(one, other) for other in made) for one in recorded]
    return max(hits, 0.1) + sum(same) / len(same) / 10


def _same(one: Finding, other: Finding) -> float:
    """0 to 1."""
    return SequenceMatcher(None, _bare(one.message), _bare(other.message)).ratio()


def _bare(message: str) -> str:
    """Without numbers and ids: those are each conversation's own."""
    return _OWN.sub("#", message)


def _is_grave(finding: Finding) -> bool:
    is_own = not (finding.in_response or finding.is_echo)
    return is_own and finding.severity is not Severity.INFO


def _errors(outlook: UnsentRequest) -> list[Finding]:
    return [
        f
        for f in outlook.findings
        if f.severity is Severity.ERROR and not (f.in_response or f.is_echo)
    ]


def _has_same_body(one: Request, other: Request) -> bool:
    try:
        return bool(json.loads(one.body.raw) == json.loads(other.body.raw))
    except (ValueError, RecursionError):
        return one.body.raw == other.body.raw


def _is_below(pointer: str, above: str) -> bool:
    return pointer.startswith(f"{above}/")
