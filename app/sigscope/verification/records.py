"""What became of what was found."""

from __future__ import annotations

from enum import StrEnum

from sigscope.ledger.records import Fate
from sigscope.records import dataclass
from sigscope.rules.findings import Finding
from sigscope.verification.correspondence import Correspondence


class FindingState(StrEnum):
    GONE = "gone"
    """The step was recorded again, the service took it, no rule says it any more."""
    LEFT = "left"
    """The same rule says the same of the new recording."""
    NEW = "new"
    """Said of the new recording alone."""
    UNTOLD = "cannot be told"
    """The new recording did not put it to the test."""


class TravelState(StrEnum):
    """What became of a signature that was not given back as it came."""

    TRAVELS = "travels now"
    STILL_LOST = "still lost"
    UNTOLD = "cannot be told"


class FixVerdict(StrEnum):
    """The answer to "was it fixed?"."""

    FIXED = "fixed"
    """All that was found is gone, and nothing new was found."""
    NOT_FIXED = "not fixed"
    NEW = "something new"
    """All that was found is gone, but there is something that was not there."""
    UNTOLD = "cannot be told"
    """The new recording does not reach what was found, or is another conversation."""
    CLEAN = "nothing was wrong"
    """Neither recording has anything against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedFinding:
    state: FindingState
    finding: Finding
    """As the old recording has it; of what is new, as the new one has it."""
    old: tuple[int, ...] = ()
    """Steps of the old recording that it was said of; empty for what is new."""
    new: tuple[int, ...] = ()
    """Steps of the new recording: where it stands, or where it would."""
    counts: bool = True
    """Whether it bears on the verdict."""
    why: str = ""
    """Why it cannot be told, or what else is to be known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedSignature:
    """A signature that was lost before, and the one that is in its place now."""

    state: TravelState
    old: str
    """Id of the one in the old recording."""
    old_step: int
    """The request that lost it."""
    old_fate: Fate
    is_required: bool
    """Whether the old request is refused without it; else reasoning may suffer."""
    anchor: str
    """What it signs: "the call of list_files"."""
    new: str = ""
    """Id of the one in the new recording; empty where none came."""
    new_step: int | None = None
    """The request that it was looked for in."""
    new_fate: Fate | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """All that can be said."""

    verdict: FixVerdict
    why: str
    """One sentence."""
    match: Correspondence
    findings: tuple[ReviewedFinding, ...] = ()
    """What is left first, then what is new, untold, gone."""
    signatures: tuple[ReviewedSignature, ...] = ()

    @property
    def is_fine(self) -> bool:
        """Whether nothing speaks against the new recording."""
        return self.verdict in (FixVerdict.FIXED, FixVerdict.CLEAN)
