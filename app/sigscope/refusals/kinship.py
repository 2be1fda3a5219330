"""Rules that share their words with others.

One text stands for several causes: which of them it was, the request must show.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from sigscope.refusals.dialects import WORDINGS
from sigscope.refusals.records import Refusal
from sigscope.refusals.words import MISSING


def _kin() -> Mapping[str, frozenset[str]]:
    """A rule is said in its own words, or in those of the services behind it."""
    found: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for wording in WORDINGS:
        for behind, rule in wording.behind.items():
            found[rule] |= {behind}
        for rule, words in wording.kin.items():
            found[rule] |= words
    return found


KIN: Mapping[str, frozenset[str]] = {
    **_kin(),
    "SES-6": frozenset({"GEM-18", "CPC-6"}),
    "SES-7": frozenset({"GEM-18"}),
    "SES-8": frozenset({"GEM-18"}),
    "SES-9": frozenset({"GEM-18"}),
    "SES-2": frozenset({*MISSING, "CPC-1", "ORT-1", "LLM-2"}),
}
"""Rule → rules whose words would be said if it were broken."""


WANTED = frozenset[str]().union(*(wording.wants for wording in WORDINGS))
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
