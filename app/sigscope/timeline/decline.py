"""Quiet damage: a conversation without any error whose readable reasoning fades.

What is told: per turn what was thought and said, which signatures went back; the turn
with which it begins; what the likely cause is, how sure that is, and what to change.
Whether it fades at all is decided by the measure of SES-1 (`rules.session.course`),
which holds only like against like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import field
from enum import StrEnum

from sigscope.ledger import Ledger
from sigscope.ledger.records import LOST, Fate
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.rules.findings import Finding
from sigscope.rules.session.course import (
    Fading,
    Lessening,
    compared_steps,
    first_fading,
    first_lessening,
)
from sigscope.rules.subject import is_lost
from sigscope.timeline.turns import Figures, figures_of, turns_of

_GENUINE = frozenset({Fate.EXACT, Fate.DUPLICATED, Fate.EARLIER, Fate.STORED})
MOST_ADVICE = 3
"""Rules whose fixes are named."""


class Cause(StrEnum):
    """Why it fades, as far as requests can tell."""

    STAND_INS = "bypasses went back in place of signatures"
    NOT_RETURNED = "signatures did not go back as received"
    NONE_CAME = "no answer brought a signature"
    NOT_SIGNATURES = "every signature went back"


class Sureness(StrEnum):
    """How much speaks for the cause."""

    LIKELY = "likely"
    """Most signatures were lost before it began."""
    POSSIBLE = "possible"
    """Some were, most were not."""
    UNKNOWN = "not known"
    """Nothing in the requests explains it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFigures:
    figures: Figures
    genuine: int = 0
    """Signatures that its last request gave back as they came."""
    stand_ins: int = 0
    """Those that it gave a bypass for."""
    missing: int = 0
    """Those that it gave back altered, elsewhere, or not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """What is to be said of a session."""

    turns: tuple[TurnFigures, ...]
    """Of the conversation that fades; of all but side requests where none does."""
    fading: Fading | None = None
    """None: nothing fades, as far as that can be told."""
    lessening: Lessening | None = None
    """What became less, but not as it does where signatures are lost: then it is
    neither said to fade nor not to."""
    compared: int = 0
    """Answers that could be held against one another."""
    answers: int = 0
    """Answers there should be, but for those on the side."""
    turn: int | None = None
    """The first turn of the change, as `turns` count them."""
    cause: Cause | None = None
    sureness: Sureness = Sureness.UNKNOWN
    lost: int = 0
    """Signatures lost up to the change."""
    received: int = 0
    """Signatures that answers before the change brought."""
    advice: tuple[str, ...] = field(default=())
    """What to change, the most telling first."""

    @property
    def is_known(self) -> bool:
        """Whether it can be told at all."""
        return self.fading is not None or (self.compared > 0 and self.lessening is None)

    @property
    def is_against(self) -> bool:
        """Whether it fades and the client has lost something that explains it."""
        return self.fading is not None and self.lost > 0


def decline_of(
    readings: Sequence[Reading], ledger: Ledger, findings: Sequence[Finding] = ()
) -> Decline:
    """How a session's reasoning goes, and why. Parses every body once."""
    by_number = {reading.number: reading for reading in readings}
    turns = turns_of(figures_of(readings, ledger))
    found = first_fading(ledger, by_number)
    if found is None:
        sides = {thread.number for thread in ledger.threads if thread.kind == "side"}
        return Decline(
            turns=tuple(_counted(t, ledger) for t in turns if t.thread not in sides),
            lessening=first_lessening(ledger, by_number),
            compared=len(compared_steps(ledger, by_number)),
            answers=len(_answered(readings, sides, ledger)),
        )
    at = next(turn for turn in turns if found.change.step in turn.steps)
    steps = {
        step
        for turn in turns
        if turn.thread == at.thread
        for step in turn.steps
        if step <= found.change.step
    }
    lost = _lost(ledger, steps)
    received = sum(
        signature.step in steps and signature.step != found.change.step
        for signature in ledger.signatures
    )
    cause, sureness = _cause(lost, received)
    return Decline(
        turns=tuple(_counted(t, ledger) for t in turns if t.thread == at.thread),
        fading=found,
        turn=at.turn,
        cause=cause,
        sureness=sureness,
        lost=lost.total(),
        received=received,
        advice=_advice(cause, findings, steps),
    )


def _answered(
    readings: Sequence[Reading], sides: Set[int], ledger: Ledger
) -> list[int]:
    """Steps with an answer that could show reasoning, those included whose answer was
    not recorded."""
    aside = {s for t in ledger.threads if t.number in sides for s in t.steps}
    return [
        reading.number
        for reading in readings
        if reading.is_model_call
        and reading.number not in aside
        and (reading.status or 0) < 400
    ]


def _counted(turn: Figures, ledger: Ledger) -> TurnFigures:
    fates: Counter[str] = Counter()
    for _, stretch in ledger.stretches_in(turn.steps[-1]):
        fate = stretch.fate
        if fate.fate in _GENUINE:
            fates["genuine"] += 1
        elif is_lost(fate):
            fates["bypass" if fate.fate is Fate.BYPASS else "missing"] += 1
    return TurnFigures(
        figures=turn,
        genuine=fates["genuine"],
        stand_ins=fates["bypass"],
        missing=fates["missing"],
    )


def _lost(ledger: Ledger, steps: Set[int]) -> Counter[Fate]:
    """Signatures that these requests did not give back as they came, each once."""
    found: Counter[Fate] = Counter()
    for signature in ledger.signatures:
        fates = [
            stretch.fate.fate
            for stretch in signature.stretches
            if stretch.fate.fate in LOST
            and is_lost(stretch.fate)
            and stretch.steps[0] in steps
        ]
        if fates and signature.received:
            found[fates[0]] += 1
    return found


def _cause(lost: Counter[Fate], received: int) -> tuple[Cause, Sureness]:
    count = lost.total()
    if not count:
        cause = Cause.NOT_SIGNATURES if received else Cause.NONE_CAME
        return cause, Sureness.UNKNOWN
    is_most = count * 2 >= received
    is_stand_in = lost[Fate.BYPASS] * 2 >= count
    return (
        Cause.STAND_INS if is_stand_in else Cause.NOT_RETURNED,
        Sureness.LIKELY if is_most else Sureness.POSSIBLE,
    )


def _advice(
    cause: Cause, findings: Sequence[Finding], steps: Set[int]
) -> tuple[str, ...]:
    """The fixes of what was found before it began, by how often; else where to look."""
    if cause is Cause.NONE_CAME:
        return (
            "see whether the service sends signatures at all: a recording made behind"
            " a client, or an SDK that hides them, does not show them",
        )
    if cause is Cause.NOT_SIGNATURES:
        return (
            "nothing is to be changed about signatures; look at the prompts and at how"
            " much reasoning is asked for: a model thinks less about less",
        )
    fixable = [f for f in findings if f.step in steps and f.signature and f.fix]
    counts = Counter(finding.rule for finding in fixable)
    told = []
    for rule, count in counts.most_common(MOST_ADVICE):
        first = next(finding for finding in fixable if finding.rule == rule)
        label = next((edit.label for edit in first.fix or () if edit.label), "")
        more = f", and {count - 1} more like it" if count > 1 else ""
        what = label or first.message
        told.append(f"{rule}: {what} (request of step {first.step}{more})")
    return tuple(told) or (
        "give every signature back as it came, on the message or call it came with",
    )
