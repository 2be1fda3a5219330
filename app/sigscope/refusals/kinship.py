"""Rules that share their words with others.

A service's error may pass through a gateway: then the gateway's own rule is meant as
well as the service's. And one text stands for several causes: which of them it was,
the request must show.
"""

from __future__ import annotations

from collections.abc import Mapping

from sigscope.refusals.records import Refusal

_MISSING = ("GEM-1", "GEM-2", "GEM-3")

BEHIND: Mapping[tuple[str, str], str] = {
    **{("copilot-chat", rule): "CPC-1" for rule in _MISSING},
    **{("litellm", rule): "LLM-2" for rule in _MISSING},
    **{("gemini-openai", rule): "GOC-1" for rule in _MISSING},
    **{("gemini-openai", rule): "GOC-2" for rule in ("GEM-4", "GEM-5", "GEM-6")},
    **{("openrouter", rule): "ORT-1" for rule in _MISSING},
    ("openrouter", "ANT-1"): "ORT-5",
    ("openrouter", "ANT-3"): "ORT-5",
    ("openrouter", "RSP-4"): "ORT-4",
    ("copilot-chat", "ANT-1"): "CPC-5",
    ("copilot-chat", "GEM-18"): "CPC-6",
    **{("bedrock", rule): "BED-1" for rule in ("ANT-1", "ANT-2", "ANT-3", "ANT-4")},
    ("bedrock", "LLM-6"): "BED-2",
    ("azure", "RSP-4"): "RSP-9",
}
"""(dialect spoken, rule of the service behind it) → the dialect's own rule: the rows of
docs/wire/*.md#rules that say "the text of ..."."""

KIN: Mapping[str, frozenset[str]] = {
    "GEM-1": frozenset(_MISSING),
    "GEM-2": frozenset(_MISSING),
    "GEM-3": frozenset(_MISSING),
    "GEM-7": frozenset(_MISSING),
    "GEM-8": frozenset(_MISSING),
    "GEM-11": frozenset(_MISSING),
    "GEM-12": frozenset({"GEM-4", "GEM-5"}),
    "GEM-14": frozenset({"GEM-2", "GEM-4", "GEM-5"}),
    "GEM-16": frozenset({"GEM-4"}),
    "GOC-1": frozenset(_MISSING),
    "GOC-2": frozenset({"GEM-4", "GEM-5", "GEM-6"}),
    "GOC-4": frozenset(_MISSING),
    "ORT-1": frozenset(_MISSING),
    "ORT-4": frozenset({"RSP-4"}),
    "ORT-5": frozenset({"ANT-1", "ANT-2", "ANT-3", "ANT-4"}),
    "ORT-6": frozenset({"GEM-4", "GEM-5"}),
    "CPC-1": frozenset({*_MISSING, "CPC-2"}),
    "CPC-5": frozenset({"ANT-1"}),
    "CPC-6": frozenset({"GEM-18"}),
    "SES-6": frozenset({"GEM-18", "CPC-6"}),
    "SES-7": frozenset({"GEM-18"}),
    "SES-8": frozenset({"GEM-18"}),
    "SES-9": frozenset({"GEM-18"}),
    "LLM-2": frozenset(_MISSING),
    "SES-2": frozenset({*_MISSING, "CPC-1", "ORT-1", "LLM-2"}),
    "LLM-4": frozenset({"GEM-4", "GEM-6", "RSP-6"}),
    "LLM-5": frozenset({"GEM-6"}),
    "KIM-2": frozenset({"KIM-1"}),
    "BED-1": frozenset({"ANT-1", "ANT-2", "ANT-3", "ANT-4"}),
    "BED-2": frozenset({"LLM-6"}),
}
"""Rule → rules whose words would be said if it were broken."""


WANTED = frozenset({*_MISSING, "GOC-1", "ORT-1", "CPC-1", "LLM-2", "ANT-2"})
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
