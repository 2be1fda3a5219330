"""What a rule is and what it says; what it sees is a `Subject`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from sigscope.edits.records import Edit
from sigscope.rules.subject import Subject

__all__ = ["Confidence", "Finding", "Rule", "Severity", "Subject"]


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
    """The node in the request body ("" the whole of it). Where `in_response`, in the
    JSON of `event`, or in the response body if there is no event."""
    message: str
    """One sentence: what is wrong here, with the names and numbers of this case."""
    fix: tuple[Edit, ...] | None = None
    """Edits that would mend it, all together; None where there is no certain cure."""
    signature: str | None = None
    """SHA-256 of the signature it is about."""
    in_response: bool = False
    event: int | None = None
    """Number of the event, from 1; None in requests and whole responses."""
    candidates: tuple[str, ...] = ()
    """Other nodes it may be about, where an error text does not settle it."""
    is_confirmed: bool = False
    """Whether the recorded answer says the same."""


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
    hears_all_errors: bool = False
    """Whether to ask it about every error, whatever the dialect: it knows the words
    of an API that has no dialect here."""

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
        event: int | None = None,
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
            event=event,
            candidates=candidates,
        )
