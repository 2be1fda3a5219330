"""A run: a step sent again with some edits on, kept for good."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from sigscope.edits.records import Edit
from sigscope.exchange import Exchange
from sigscope.records import dataclass


class Verdict(StrEnum):
    """What a run says about the failure it was made to look into."""

    REPRODUCED = "reproduced"
    """The recorded outcome came again: the same error, or acceptance where the step was
    accepted."""
    GONE = "gone"
    """The recorded error did not come; the request was accepted."""
    DIFFERENT = "different"
    """Another error came, or an error where none was recorded."""
    UNCLEAR = "unclear"
    """No evidence: a rate limit, a server error, a timeout, a torn answer; and the
    simulator's acceptance where it does not model what was refused."""


Opinion = Literal["refuses", "warns", "accepts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesVoice:
    """What the rules say to a request before it is sent."""

    says: Opinion
    """`refuses`: there is an error; `warns`: a doubt, and no error."""
    codes: tuple[str, ...] = ()
    """The rules that say so."""

    def differs_from(self, predicted: int | None) -> bool:
        """Whether the simulator foretells something else. A doubt fits either."""
        if predicted is None or self.says == "warns":
            return False
        return (self.says == "refuses") != (predicted >= 400)

    @property
    def words(self) -> str:
        """ "the rules refuse it (CPC-1)"."""
        if self.says == "accepts":
            return "the rules find nothing against it"
        verb = "refuse it" if self.says == "refuses" else "doubt it"
        return f"the rules {verb} ({', '.join(self.codes)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One resend. Immutable; runs form a tree under their step."""

    number: int
    """Counts the runs of the session from 1."""
    step: int
    """The step that was sent again."""
    parent: int | None = None
    """The run whose request was edited further; None: the step as recorded."""
    edits: tuple[Edit, ...] = ()
    """Changes against the parent's request."""
    title: str = ""
    upstream: str
    """"simulator", or the URL that was asked."""
    exchange: Exchange
    """What was sent and what came back, as on the wire."""
    predicted: int | None
    """Status the simulator foretold; None where it knows no such dialect."""
    predicted_error: str | None = None
    rules: RulesVoice | None = None
    """What the rules foretold; None where they do not know the dialect."""
    contradiction: str = ""
    """A finding of the run: the service decided otherwise than the simulator foretold,
    in words; empty where it did not, or said nothing about the request."""
    status: int | None
    """Status that came; None where no answer came."""
    error: str | None = None
    """The innermost error text of the answer, or why there is none."""
    verdict: Verdict
    reason: str = ""
    """Why this verdict, where it does not say it all: what the simulator cannot know,
    what the run was held against."""
    attempt: int = 1
    """Which of several sends of the same request this is, from 1."""
    at: str
    """RFC 3339, UTC."""
    recording: str = ""
    """What the step was when it was sent again (`Exchange.digest`); empty where that
    was not written down."""
