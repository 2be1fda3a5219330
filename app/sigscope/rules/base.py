"""What a rule is, what it sees and what it says."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from sigscope.edits.records import Edit
from sigscope.ledger import FateAt, Ledger, Signature
from sigscope.reading import Reading
from sigscope.refusals import Refusal


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """The service refuses the request, or has refused it."""
    WARNING = "warning"
    """Something is lost, or is refused in some versions, regions or periods."""
    INFO = "info"
    """Worth knowing."""


class Confidence(StrEnum):
    """What the fact behind a rule rests on (dialects.md, tags)."""

    DOCUMENTED = "documented"
    """The provider's own documentation."""
    OBSERVED = "observed"
    """Seen in recorded traffic, or read in or executed from source code."""
    REPORTED = "reported"
    """Claimed in public issues, or in the documents the project started from."""
    INFERRED = "inferred"
    """Our conclusion; such a rule warns at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a rule has to say about one node of one step."""

    rule: str
    severity: Severity
    confidence: Confidence
    step: int
    pointer: str
    """The node in the request body ("" the whole of it); in the response where
    `in_response`."""
    message: str
    """One sentence: what is wrong here, with the names and numbers of this case."""
    fix: tuple[Edit, ...] | None = None
    """Edits that would mend it, all together; None where there is no certain cure."""
    signature: str | None = None
    """SHA-256 of the signature it is about."""
    in_response: bool = False
    candidates: tuple[str, ...] = ()
    """Other nodes it may be about, where an error text does not settle it."""
    is_confirmed: bool = False
    """Whether the recorded answer says the same."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """All that a rule may look at when it checks one step."""

    reading: Reading
    ledger: Ledger
    readings: Mapping[int, Reading]
    """Every step of the session, by number."""
    error: Refusal | None = None
    """What the answer's error says, unwrapped; None where there is no error."""

    @property
    def step(self) -> int:
        """The step's number."""
        return self.reading.number

    @property
    def concerned(self) -> tuple[tuple[Signature, FateAt], ...]:
        """Signatures with a fate in this step's request."""
        return self.ledger.concerning(self.step)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule's card."""

    code: str
    """As in dialects.md: "CPC-1"."""
    name: str
    """What it finds, in kebab case: "signature-dropped"."""
    severity: Severity
    """The most it says of its own; never ERROR where `confidence` is INFERRED."""
    confidence: Confidence
    dialects: tuple[str, ...]
    checked_on: str
    """Date (ISO) of the facts it rests on."""
    source: str
    """Where the fact stands: "dialects.md 4(d); seed 000"."""
    check: Callable[[Subject], Iterator[Finding]]
    needs_error: bool = False
    """Whether it speaks only of what the recorded answer says."""

    @property
    def page(self) -> str:
        """The manual page: the docstring of the rule's module."""
        module = sys.modules[self.check.__module__]
        return inspect.cleandoc(module.__doc__ or "")

    def finding(
        self,
        subject: Subject,
        pointer: str,
        message: str,
        *,
        fix: tuple[Edit, ...] | None = None,
        signature: str | None = None,
        severity: Severity | None = None,
        in_response: bool = False,
        candidates: tuple[str, ...] = (),
    ) -> Finding:
        """A finding of this rule; `severity` only to say less than the card does."""
        return Finding(
            rule=self.code,
            severity=severity or self.severity,
            confidence=self.confidence,
            step=subject.step,
            pointer=pointer,
            message=message,
            fix=fix,
            signature=signature,
            in_response=in_response,
            candidates=candidates,
        )
