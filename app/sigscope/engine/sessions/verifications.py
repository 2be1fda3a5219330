"""A verification as words and as a JSON document."""

from __future__ import annotations

from typing import Any

from sigscope.comparison.gists import Likeness
from sigscope.verification import (
    Correspondence,
    ReviewedFinding,
    ReviewedSignature,
    Verification,
)


def matched_words(match: Correspondence) -> str:
    """How far two recordings agree: "4 of 5 steps are found again: 3 word for word, 1
    by place; step 5 is not; the new recording goes on with 2 more"."""
    counts = [
        f"{match.count(likeness)} {likeness}"
        for likeness in Likeness
        if match.count(likeness)
    ]
    told = f"{match.matched} of {match.total} steps are found again"
    told += f": {', '.join(counts)}" if counts else ""
    if match.missing and counts:
        numbers = ", ".join(map(str, match.missing))
        is_one = len(match.missing) == 1
        told += f"; step{'s' * (not is_one)} {numbers} {'is' if is_one else 'are'} not"
    if match.more:
        told += f"; the new recording has {len(match.more)} more"
    return told


def verification_table(found: Verification) -> dict[str, Any]:
    """What `verify --json` prints."""
    match = found.match
    return {
        "format": 1,
        "verdict": found.verdict.value,
        "is_fixed": found.is_fine,
        "why": found.why,
        "match": {
            "matched": match.matched,
            "of": match.total,
            "is_same_conversation": match.is_same,
            "words": matched_words(match),
            "steps": [
                {
                    "old": list(meeting.old),
                    "new": list(meeting.new),
                    "likeness": meeting.likeness.value,
                }
                for meeting in match.meetings
            ],
            "missing": list(match.missing),
            "more": list(match.more),
        },
        "findings": [_finding(row) for row in found.findings],
        "signatures": [_signature(row) for row in found.signatures],
    }


def _finding(row: ReviewedFinding) -> dict[str, Any]:
    finding = row.finding
    return {
        "state": row.state.value,
        "rule": finding.rule,
        "severity": finding.severity.value,
        "counts": row.counts,
        "old_steps": list(row.old),
        "new_steps": list(row.new),
        "pointer": finding.pointer,
        "in_response": finding.in_response,
        "message": finding.message,
        "why": row.why,
    }


def _signature(row: ReviewedSignature) -> dict[str, Any]:
    return {
        "state": row.state.value,
        "anchor": row.anchor,
        "is_required": row.is_required,
        "old": {
            "signature": row.old,
            "step": row.old_step,
            "fate": row.old_fate.value,
        },
        "new": {
            "signature": row.new or None,
            "step": row.new_step,
            "fate": row.new_fate.value if row.new_fate else None,
        },
        "why": row.why,
    }
