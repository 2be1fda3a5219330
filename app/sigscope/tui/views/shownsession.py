"""What a study of a session yields: the whole of it, and one step of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from sigscope.ledger import Ledger
from sigscope.ledger.opaque_fields import OpaqueField
from sigscope.ledger.unjudged import Unjudged
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.rules.findings import Finding
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.marks import Marks
from sigscope.tui.views.palette import Palette


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What is known of a whole session."""

    facts: tuple[StepFacts, ...]
    ledger: Ledger
    refusals: Mapping[int, Refusal]
    findings: tuple[Finding, ...]
    palette: Palette
    opaque: tuple[OpaqueField, ...] = ()
    """Followed by name and shape, in steps that are not judged."""
    unjudged: tuple[Unjudged, ...] = ()
    """Steps that nothing is said of: their dialect is not known."""
    remarks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """By step, what to know before one trusts that nothing was found in it; made when
    the rules have run."""
    is_checked: bool = True
    """Whether the rules have run; before, that there is no finding says nothing."""

    @property
    def has_judged(self) -> bool:
        """Whether anything is said of any step."""
        return not self.unjudged or any(fact.dialect for fact in self.facts)

    def findings_of(self, step: int) -> tuple[Finding, ...]:
        """Findings of one step, the worst first."""
        return tuple(f for f in self.findings if f.step == step)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One step, or one run in its place, with all that is said about it."""

    step: int
    run: int | None
    reading: Reading
    ledger: Ledger
    """Of the session; for a run, as if the run had been sent in place of its step."""
    refusal: Refusal | None
    findings: tuple[Finding, ...]
    marks: Marks
    facts: StepFacts
    opaque: tuple[OpaqueField, ...] = ()
    """In this step, if it is not judged."""

    @property
    def is_run(self) -> bool:
        return self.run is not None
