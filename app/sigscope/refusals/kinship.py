"""Rules that share their words with others.

One text stands for several causes: which of them it was, the request must show.
"""

from __future__ import annotations

from collections.abc import Mapping

from sigscope.refusals.records import Refusal
from sigscope.refusals.words import MISSING

KIN: Mapping[str, frozenset[str]] = {
    "GEM-1": frozenset(MISSING),
    "GEM-2": frozenset(MISSING),
    "GEM-3": frozenset(MISSING),
    "GEM-7": frozenset(MISSING),
    "GEM-8": frozenset(MISSING),
    "GEM-11": frozenset(MISSING),
    "GEM-12": frozenset({"GEM-4", "GEM-5"}),
    "GEM-14": frozenset({"GEM-2", "GEM-4", "GEM-5"}),
    "GEM-16": frozenset({"GEM-4"}),
    "GOC-1": frozenset(MISSING),
    "GOC-2": frozenset({"GEM-4", "GEM-5", "GEM-6"}),
    "GOC-4": frozenset(MISSING),
    "ORT-1": frozenset(MISSING),
    "ORT-4": frozenset({"RSP-4"}),
    "ORT-5": frozenset({"ANT-1", "ANT-2", "ANT-3", "ANT-4"}),
    "ORT-6": frozenset({"GEM-4", "GEM-5"}),
    "CPC-1": frozenset({*MISSING, "CPC-2"}),
    "CPC-5": frozenset({"ANT-1"}),
    "CPC-6": frozenset({"GEM-18"}),
    "SES-6": frozenset({"GEM-18", "CPC-6"}),
    "SES-7": frozenset({"GEM-18"}),
    "SES-8": frozenset({"GEM-18"}),
    "SES-9": frozenset({"GEM-18"}),
    "LLM-2": frozenset(MISSING),
    "SES-2": frozenset({*MISSING, "CPC-1", "ORT-1", "LLM-2"}),
    "LLM-4": frozenset({"GEM-4", "GEM-6", "RSP-6"}),
    "LLM-5": frozenset({"GEM-6"}),
    "KIM-2": frozenset({"KIM-1"}),
    "BED-1": frozenset({"ANT-1", "ANT-2", "ANT-3", "ANT-4"}),
    "BED-2": frozenset({"LLM-6"}),
}
"""Rule → rules whose words would be said if it were broken."""


WANTED = frozenset({*MISSING, "GOC-1", "ORT-1", "CPC-1", "LLM-2", "ANT-2"})
"""Rules whose words say that a signature, or the block that has it, is not there."""


def speaks_of_missing(refusal: Refusal) -> bool:
    """Whether an error says that a signature is missing."""
    return any(match.rule in WANTED for match in refusal.matches)


def confirms(refusal: Refusal, rule: str) -> bool:
    """Whether an error is what the service says when this rule is broken.

    It tells that the rule *may* be the cause; a finding of the rule in the same request
    makes the two one.
    """
    spoken = {match.rule for match in refusal.matches}
    return rule in spoken or not spoken.isdisjoint(KIN.get(rule, ()))
