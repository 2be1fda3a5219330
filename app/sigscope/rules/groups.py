"""Findings of one fault, told once.

A client that loses a signature loses all of them: what differs from step to step are
ids, numbers and names. Such findings make one group, of which the first is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from sigscope.ledger.unjudged import in_steps
from sigscope.records import dataclass
from sigscope.rules.findings import Finding
from sigscope.rules.words import LIKEWISE

ALIKE = 4
"""Findings from which on they are told as one; fewer are read sooner than counted."""

_PARTICULAR = re.compile(r"\S*[0-9_./][^\s,;)]*|(?<!\S)[a-f]{6}(?!\S)")
"""A word with a digit, an underscore, a stop or a stroke in it: an id, a number, a
pointer, the name of a tool or a file. And a fingerprint of letters alone, which one in
360 is."""
_ALSO = re.compile(rf"; {LIKEWISE} \S+(, \S+)*( and [0-9]+ more)?\Z")
"""What names the other messages of which a finding says the same (`told_as_one`): every
step has one more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingGroup:
    """Findings that say the same."""

    first: Finding
    others: tuple[Finding, ...] = ()
    """In the order of their steps; empty for a finding that stands alone."""

    @property
    def steps(self) -> tuple[int, ...]:
        """Steps of the others, ascending, each once."""
        return tuple(sorted({finding.step for finding in self.others}))

    @property
    def likewise(self) -> str:
        """ "997 more like it, in steps 3-999"; empty where it stands alone."""
        if not self.others:
            return ""
        return f"{len(self.others)} more like it, in {in_steps(self.steps)}"


def group_findings(findings: Iterable[Finding]) -> tuple[FindingGroup, ...]:
    """Put together what is alike but for ids and numbers; each group stands where its
    first finding did."""
    found: dict[object, list[Finding]] = {}
    for finding in findings:
        found.setdefault(_fault(finding), []).append(finding)
    groups: list[FindingGroup] = []
    for alike in found.values():
        if len(alike) < ALIKE:
            groups += [FindingGroup(first=finding) for finding in alike]
        else:
            groups.append(FindingGroup(first=alike[0], others=tuple(alike[1:])))
    groups.sort(key=lambda group: group.first.step)
    return tuple(groups)


def _fault(finding: Finding) -> object:
    return (
        finding.rule,
        finding.severity,
        finding.confidence,
        finding.is_confirmed,
        finding.in_response,
        finding.fix is None,
        _common_words(finding.message),
    )


@lru_cache(maxsize=4096)
def _common_words(message: str) -> str:
    """Kept: what is said of a signature is said in each step behind it."""
    return _PARTICULAR.sub("#", _ALSO.sub("", message))
