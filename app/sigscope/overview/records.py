"""What an overview says of one step."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from sigscope.ledger import Fate, FateAt, Grade
from sigscope.records import dataclass
from sigscope.rules.findings import Severity

Failure = Literal["refused", "stream error", "broken off", "no answer"]
"""`refused`: an error came in place of an answer; `stream error`: inside of one;
`broken off`: the service ended the stream early; `no answer`: none was recorded that
could be read, so nobody knows."""

Fading = Literal["fades", "ends"]
"""What begins here: readable reasoning gets less, or there is no more of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shade:
    """The worst that a request did with a signature."""

    fate: Fate | None = None
    """None: no signature concerns the step, as far as it was judged."""
    is_lost: bool = False
    """Whether the service misses something it insists on."""
    is_idle: bool = False
    """Dropped, and nobody asks for it: its turn is closed, or another counts."""
    is_judged: bool = True
    """False where no rule speaks of the step: this is no all-clear."""

    @property
    def rank(self) -> int:
        """0 is the worst."""
        return RANKS[self]


def _all_shades() -> tuple[Shade, ...]:
    dropped, altered, moved = Fate.DROPPED, Fate.ALTERED, Fate.MOVED
    lost = (dropped, altered, Fate.CUT, Fate.BYPASS, moved)
    strayed = (Fate.FOREIGN, altered, Fate.CUT, Fate.BYPASS, moved, Fate.DUPLICATED)
    fine = (dropped, Fate.EARLIER, Fate.STORED, Fate.EXACT, Fate.RECEIVED)
    idle = Shade(fate=dropped, is_idle=True)
    return (
        *(Shade(fate=fate, is_lost=True) for fate in lost),
        *(Shade(fate=fate) for fate in strayed),
        Shade(is_judged=False),
        *(Shade(fate=fate) for fate in fine),
        idle,
        Shade(),
    )


SHADES = _all_shades()
"""The worst first. What is not judged is worse than what went well: a cell of many
steps must not hide it."""
RANKS = {shade: rank for rank, shade in enumerate(SHADES)}
NOTHING = RANKS[Shade()]
UNJUDGED = RANKS[Shade(is_judged=False)]
_IDLE = RANKS[Shade(fate=Fate.DROPPED, is_idle=True)]
RECEIVED = RANKS[Shade(fate=Fate.RECEIVED)]


def rank_of(fate: FateAt) -> int:
    """Of what a request did with one signature."""
    asked = (Grade.REQUIRED, Grade.OPTIONAL)
    if fate.fate is Fate.DROPPED and fate.grade not in asked:
        return _IDLE
    return RANKS[Shade(fate=fate.fate, is_lost=fate.is_lost)]


_GRAVITY = {Severity.ERROR: 0, Severity.WARNING: 1}


@dataclass(frozen=True, kw_only=True)
class StepState:
    step: int
    shade: Shade = Shade()
    status: int | None = None
    """None where the recording holds none."""
    failure: Failure | None = None
    fading: Fading | None = None
    severity: Severity | None = None
    """Of its worst finding; None where there is none but remarks."""
    unjudged: str = ""
    """Why its request is not judged; empty where it is."""

    @cached_property
    def rank(self) -> tuple[bool, bool, bool, int, int]:
        """Which of several steps to look at first: the least."""
        failed = self.failure not in (None, "no answer")
        return (
            not failed,
            not self.shade.is_lost,
            self.fading is None,
            _GRAVITY[self.severity] if self.severity in _GRAVITY else len(_GRAVITY),
            UNJUDGED if self.failure == "no answer" else self.shade.rank,
        )
