"""A function call that opens a step of the current turn has no signature (Vertex).

Why it matters: Gemini 3 and newer answer 400 INVALID_ARGUMENT, "Unable to submit
request because function call `default_api:NAME` in the N. content block is missing a
`thought_signature`". N counts `contents` from 1.
Bad:  {"functionCall": {"name": "ls", "args": {}}}
Good: {"functionCall": {"name": "ls", "args": {}}, "thoughtSignature": "EhkKFwHe..."}
False alarms: as for GEM-1. The bypass context_engineering_is_the_way_to_go is
documented for AI Studio only and is reported to count as missing here; that warns.
Fix: the signature, as it was received, on the part it came on.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.opaque import maybe_bypass
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import put
from sigscope.rules.fixes import send_back
from sigscope.rules.gemini.unsigned_calls import (
    STAND_IN,
    Unsigned,
    lost_signature,
    placed_at,
    surface_of,
)
from sigscope.rules.places import current_calls, is_enforced, signing
from sigscope.rules.words import stand_in


def check(subject: Subject) -> Iterator[Claim]:
    """First calls without a signature in requests to Vertex."""
    yield from Unsigned(surface="vertex")(subject)
    if surface_of(subject) == "vertex" and not subject.is_accepted:
        yield from _foreign_stand_ins(subject)


def _foreign_stand_ins(subject: Subject) -> Iterator[Claim]:
    """Bypasses that only AI Studio documents."""
    for index, message in current_calls(subject):
        call = message.calls[0]
        for sighting in signing(subject, index, call):
            bypass = maybe_bypass(sighting.value)
            if not bypass or bypass.literal == STAND_IN:
                continue
            if not is_enforced(subject, index):
                continue
            loss = lost_signature(subject, index, call)
            label = "put the bypass that Vertex documents"
            yield Claim(
                sighting.pointer,
                f"{placed_at(subject, index)}: function call"
                f" {call.name or '?'} is signed with {stand_in(bypass)}, which Vertex"
                " is reported to take for a missing signature",
                fix=send_back(subject, loss, index)
                if loss
                else (put(sighting.pointer, STAND_IN, label),),
                severity=Severity.WARNING,
            )


RULE = Rule(
    code="GEM-2",
    name="unsigned-call-on-vertex",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures, "
        "n8n-io/n8n#31303, ai.google.dev/gemini-api/docs/thought-signatures [client's "
        "notes, issue report]"
    ),
    check=check,
)
