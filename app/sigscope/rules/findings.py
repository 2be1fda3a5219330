"""What a rule says of one node of one step; light to import, for who only shows it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import KW_ONLY
from enum import StrEnum

from sigscope.edits.records import Edit
from sigscope.records import dataclass


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """The service refuses the request, or has refused it."""
    WARNING = "warning"
    """Something is lost, or is refused in some versions, regions or periods."""
    INFO = "info"
    """Worth knowing."""


class Confidence(StrEnum):
    """What the fact behind a rule rests on."""

    DOCUMENTED = "documented"
    """The provider's own documentation."""
    OBSERVED = "observed"
    """Seen in recorded traffic, or read in or executed from source code."""
    REPORTED = "reported"
    """Claimed in public issues, or in the documents the project started from."""
    INFERRED = "inferred"
    """Our conclusion; such a rule warns at most."""


BASIS = {
    Confidence.DOCUMENTED: "documented by the provider",
    Confidence.OBSERVED: "observed in recorded traffic or source code",
    Confidence.REPORTED: "reported in public issues",
    Confidence.INFERRED: "inferred, not confirmed",
}


@dataclass(frozen=True, slots=True)
class Claim:
    """What a rule's check says of one node; the rule's card makes a `Finding` of it."""

    pointer: str
    """As in `Finding`, and so are the others."""
    said: str
    """The message."""
    _: KW_ONLY
    fix: tuple[Edit, ...] | None = None
    signature: str | None = None
    worst: Severity | None = None
    """To say less than the card does, of a request that was not accepted; of one that
    was it is a remark in any case."""
    severity: Severity | None = None
    """How bad it is, whatever became of the request; None leaves it to card, `worst`
    and answer."""
    in_response: bool = False
    event: int | None = None
    candidates: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()


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
    is_echo: bool = False
    """Whether it only passes on what the answer says: no rule knows the cause."""
    spoken: tuple[str, ...] = ()
    """Ids of the rules in whose words the service refused, where that is all that is
    known: also ids of which there is no rule here."""

    @property
    def has_no_cure(self) -> bool:
        """Whether it names a fault of the request and nothing that is sure to mend it:
        what belongs there this recording does not tell, or only the client knows."""
        is_serious = self.severity is not Severity.INFO
        return is_serious and not self.in_response and not self.fix

    @property
    def basis(self) -> str:
        """What it rests on, for people."""
        if self.is_echo:
            return "the recorded answer's own words"
        if self.is_confirmed:
            return f"{BASIS[self.confidence]}; the recorded answer says the same"
        return BASIS[self.confidence]


def rules_of_fixes(
    findings: Iterable[Finding], edits: Collection[Edit]
) -> dict[Edit, str]:
    """The rule whose fix an edit belongs to, whoever made the edit; only of fixes that
    are among the edits as a whole."""
    made = frozenset(edits)
    return {
        edit: finding.rule
        for finding in findings
        if finding.fix and made.issuperset(finding.fix)
        for edit in finding.fix
    }
