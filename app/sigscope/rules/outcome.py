"""How a request fared, as far as the record tells, and how messages say so.

Only a recorded status shows that a service accepted something. Logs and numbered
folders hold answers without one, a capture may end before the answer, and a rate limit
says nothing of what is in the request: each is said as what it is.
"""

from __future__ import annotations

from enum import StrEnum

from sigscope.refusals.grounds import Ground
from sigscope.rules.subject import Subject


class Outcome(StrEnum):
    """What the record shows of a request's fate."""

    ACCEPTED = "accepted"
    """A status of success, and no error in the answer."""
    ANSWERED = "answered"
    """An answer, and no status beside it."""
    REFUSED = "refused"
    """An error that is about the request, or may be."""
    UNKNOWN = "unknown"
    """No answer, or one about the key, a limit or the service's health."""


def outcome_of(subject: Subject) -> Outcome:
    """What became of a step's request."""
    error = subject.error
    if error is not None:
        is_about_it = bool(error.matches) or error.ground is Ground.REQUEST
        return Outcome.REFUSED if is_about_it else Outcome.UNKNOWN
    if not subject.is_accepted:
        return Outcome.UNKNOWN
    is_told = subject.reading.status is not None
    return Outcome.ACCEPTED if is_told else Outcome.ANSWERED


def all_the_same(subject: Subject) -> str:
    """What ends a message about a mistake that was not punished; else empty."""
    found = outcome_of(subject)
    if found is Outcome.ACCEPTED:
        return ". The service accepted it this time"
    if found is Outcome.ANSWERED:
        return ". It was answered; no status was recorded"
    return ""


def goes_on(subject: Subject) -> str:
    """ "the model continues", where it did."""
    if outcome_of(subject) in (Outcome.ACCEPTED, Outcome.ANSWERED):
        return "the model continues"
    return "the model would continue"
