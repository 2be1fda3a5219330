"""An item's id belongs to another connection.

Why it matters: 401 "input item ID does not belong to this connection". GitHub Copilot
seals the ids of its items for one connection; those of an earlier session or account
are refused.
Bad:  [{"type": "function_call", "id": "k8Yq9AtWmVu", "call_id": "call_1"}]
Good: [{"type": "function_call", "call_id": "call_1"}]
False alarms: none, only the answer tells.
Fix: the ids are left out, and reasoning items with them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop
from sigscope.rules.responses.items import entry, text


def check(subject: Subject) -> Iterator[Claim]:
    """One claim for all items: the answer does not say which one is meant."""
    if "RSP-7" not in subject.heard:
        return
    items = [(m, entry(subject, m)) for m in subject.messages]
    named = [(m, item) for m, item in items if text(item, "id")]
    fix = tuple(
        drop(m.pointer, "take the reasoning of another connection away")
        if m.bears_reasoning
        else drop(f"{m.pointer}/id", "take the id of another connection away")
        for m, _ in named
    )
    if named:
        yield Claim(
            "",
            f"one of the {len(named)} item ids sent was issued to another connection",
            fix=fix,
            candidates=tuple(f"{m.pointer}/id" for m, _ in named),
        )


RULE = Rule(
    code="RSP-7",
    name="other-connection",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("responses",),
    checked_on="2026-11-22",
    source="anomalyco/opencode#31236 [issue report]",
    check=check,
)
