"""The cure of a step: the fixes of its findings, as far as they go together.

Two rules that find fault with one place may each mend it in a way of their own. The
more serious finding has its way, then the earlier one; the fix of the other is set
aside whole, and that is said: half of it might be worse than none.
"""

from __future__ import annotations

from collections.abc import Iterable

from sigscope.edits.apply import conflicts
from sigscope.edits.records import Edit
from sigscope.jsontext import JsonText
from sigscope.records import dataclass
from sigscope.rules.findings import Finding, Severity

_GRAVEST_FIRST = tuple(Severity)


@dataclass(frozen=True, slots=True)
class SetAside:
    """A fix that cannot be made together with another."""

    finding: Finding
    other: Finding
    """The one whose fix is made."""

    @property
    def words(self) -> str:
        """ "the fix of ANT-9 at /messages/1 gives way to that of ANT-2, which ..."."""
        place = self.finding.pointer or "the whole body"
        return (
            f"the fix of {self.finding.rule} at {place} gives way to that of"
            f" {self.other.rule}, which changes the same place; if it is still needed"
            " then, a check of the run that comes of this one says so"
        )


@dataclass(frozen=True, slots=True)
class Cure:
    """Edits that can all be made at once."""

    edits: tuple[Edit, ...]
    """Each once, in the order of the findings."""
    set_aside: tuple[SetAside, ...] = ()


def cure_of(findings: Iterable[Finding], body: JsonText | bytes) -> Cure:
    """The fixes of findings about one request body, none against another.

    Raises EditError for an edit that does not fit the body.
    """
    offering = [finding for finding in findings if finding.fix]
    document = body if isinstance(body, JsonText) else JsonText(body)
    left: dict[Finding, Finding] = {}
    if conflicts(_edits(offering), document):
        left = _left(offering, document)
    made = [finding for finding in offering if finding not in left]
    return Cure(_edits(made), tuple(SetAside(*pair) for pair in left.items()))


def _edits(findings: Iterable[Finding]) -> tuple[Edit, ...]:
    return tuple(dict.fromkeys(e for found in findings for e in found.fix or ()))


def _left(offering: list[Finding], document: JsonText) -> dict[Finding, Finding]:
    """The findings whose fixes are set aside, each with the one it gives way to."""
    left: dict[Finding, Finding] = {}
    made: list[Finding] = []
    for finding in sorted(offering, key=lambda f: _GRAVEST_FIRST.index(f.severity)):
        against = conflicts(_edits([*made, finding]), document)
        if not against:
            made.append(finding)
            continue
        met = {edit for pair in against for edit in pair}
        # A fix that contradicts itself gives way to itself: nothing else is to blame.
        others = (other for other in made if met.intersection(other.fix or ()))
        left[finding] = next(others, finding)
    return left
