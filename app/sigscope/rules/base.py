"""What a rule is and what it says; what it sees is a `Subject`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sigscope.edits.records import Edit
from sigscope.rules.findings import Confidence, Finding, Severity
from sigscope.rules.subject import Subject

__all__ = ["Confidence", "Finding", "Rule", "Severity", "Subject"]


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
    knows_other_apis: bool = False
    """Whether to ask it about requests to other APIs of its service, too."""
    hears_all_errors: bool = False
    """Whether to ask it about every error, whatever the dialect: it knows the words
    of an API that has no dialect here."""

    is_last_word: bool = False
    """Whether to ask it only about errors that no other rule's finding explains."""

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
        spoken: tuple[str, ...] = (),
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
            is_confirmed=self.is_last_word,
            is_echo=self.is_last_word,
            spoken=spoken,
        )
