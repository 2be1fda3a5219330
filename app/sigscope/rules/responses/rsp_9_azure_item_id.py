"""Azure is sent the id of a reasoning item that it does not keep.

Why it matters: 404 or 400 "Item with id 'rs_...' not found. Items are not persisted
when `store` is set to false." Clients leave the id out at Azure.
Bad:  [{"type": "reasoning", "id": "rs_1", "summary": []}]
Good: [{"type": "reasoning", "encrypted_content": "gAAAAABpVbkA", "summary": []}]
False alarms: beforehand only where nothing sealed is sent. With a sealed value only the
answer tells: such requests are accepted as well.
Fix: the item as it was received, or without its id; else it is taken out.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.dialects.services import AZURE
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop
from sigscope.rules.responses.items import reasoning, text
from sigscope.rules.responses.rsp_4_item_not_stored import claims


def check(subject: Subject) -> Iterator[Claim]:
    """Items that are named only; with the answer's word all that are named."""
    if subject.reading.service != AZURE.name:
        return
    yield from claims(subject)
    if "RSP-9" not in subject.heard and "RSP-4" not in subject.heard:
        return
    for index, item in reasoning(subject):
        at = subject.messages[index].pointer
        if text(item, "id") and item.get("encrypted_content"):
            yield Claim(
                f"{at}/id",
                f"Azure looks for {text(item, 'id')}, which it does not keep",
                fix=(drop(f"{at}/id", "take the id away: Azure does not keep it"),),
            )


RULE = Rule(
    code="RSP-9",
    name="azure-item-id",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("responses",),
    checked_on="2026-11-22",
    source="vercel/ai#12689 [issue report]",
    check=check,
    looks_ahead=True,
)
