"""One response brought more than one `reasoning_opaque`.

Why it matters: no server says anything, and clients differ. VS Code keeps the last
and joins the texts, CodeCompanion keeps the first, OpenCode stopped with "Multiple
reasoning_opaque values received in a single response", a fork joined them. Seen with
interleaved thinking.
Bad:  [{"delta": {"reasoning_opaque": "A"}}, {"delta": {"reasoning_opaque": "B"}}]
Good: [{"delta": {"reasoning_opaque": "A"}}]
False alarms: one value that is repeated is one; a remark, never more.
Fix: none, the response is what it is; keep the last, as VS Code does.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Sighting
from sigscope.opaque import comparison_key, fingerprint, sha256
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject

CARRIER = "copilot.reasoning_opaque"


def check(subject: Subject) -> Iterator[Claim]:
    """Responses with several different envelopes."""
    found: dict[bytes, Sighting] = {}
    for sighting in subject.reading.received:
        if sighting.carrier == CARRIER:
            found.setdefault(comparison_key(sighting.value), sighting)
    if len(found) < 2:
        return
    last = list(found.values())[-1]
    names = ", ".join(
        f"{fingerprint(s.value)} (event {s.event})" for s in found.values()
    )
    yield Claim(
        last.pointer,
        f"{len(found)} envelopes in one response: {names}; VS Code keeps the last,"
        " other clients the first, or fail",
        in_response=True,
        event=last.event,
        signature=sha256(last.value),
    )


RULE = Rule(
    code="CPC-8",
    name="several-envelopes",
    page=__doc__,
    severity=Severity.INFO,
    confidence=Confidence.REPORTED,
    dialects=("copilot-chat",),
    checked_on="2026-11-21",
    source=(
        "anomalyco/opencode#20434, anomalyco/opencode#51466, zed-industries/zed#43024 "
        "[issue report, source code] [contested]"
    ),
    check=check,
)
