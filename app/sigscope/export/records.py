"""What the writers are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from sigscope.exchange import Request
from sigscope.ledger import Ledger
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.rules.findings import Finding
from sigscope.runs import Run
from sigscope.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A session without its secrets, and what is said about it."""

    session: Session
    readings: tuple[Reading, ...]
    """One for each step."""
    ledger: Ledger
    refusals: Mapping[int, Refusal]
    """What the error answers say, by step."""
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...] = ()
    """What to know of the recording before one trusts that nothing was found in it,
    but for what could not be read at all."""
    run_readings: Mapping[int, Reading] = field(default_factory=dict)
    """A reading for each run, by number."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """What was taken out for this, by kind."""
    removed_before: tuple[str, ...] = ()
    """What had been taken out of the session already: "secrets", "signatures"."""
    tool: str
    """What writes this: "sigscope 0.1.0"."""

    def reading(self, step: int) -> Reading:
        """The reading of a step that exists."""
        return next(r for r in self.readings if r.number == step)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedRequest:
    """One request to be written as a script, and what is known about it."""

    request: Request
    reading: Reading
    """Of the request and its answer."""
    title: str
    """Of the session."""
    step: int
    run: Run | None = None
    """None: the request of the step, as recorded."""
    path: str = ""
    """Where requests of this dialect go, for recordings that name no URL."""
    tool: str

    @property
    def name(self) -> str:
        """ "step 2", "run 3 of step 2"."""
        if self.run is None:
            return f"step {self.step}"
        return f"run {self.run.number} of step {self.step}"
