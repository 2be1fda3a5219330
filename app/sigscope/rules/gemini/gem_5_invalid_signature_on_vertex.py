"""A signature was altered on the way back, or exchanged for another (Vertex).

Why it matters: 400 INVALID_ARGUMENT, "Unable to submit request because Thought
signature is not valid.." (two full stops). The base64 form of the bypass
skip_thought_signature_validator is reported to end in the same words; AI Studio
takes it, and LiteLLM sends it to both, so the form is contested and only warns.
Bad:  {"thoughtSignature": "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}
Good: {"thoughtSignature": "skip_thought_signature_validator"}
False alarms: as for GEM-4. A bypass that was accepted is not mentioned.
Fix: the signature as it was received; the plain literal where none was.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.opaque import maybe_bypass
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, put
from sigscope.rules.fixes import send_back
from sigscope.rules.gemini import damaged
from sigscope.rules.gemini.unsigned_calls import placed_at, surface_of
from sigscope.rules.losses import loss_at
from sigscope.rules.words import stand_in


def check(subject: Subject) -> Iterator[Claim]:
    """Altered signatures, and bypasses in base64, in requests to Vertex."""
    if surface_of(subject) != "vertex":
        return
    yield from damaged.report(subject)
    if not subject.is_accepted:
        yield from _encoded_stand_ins(subject)


def _encoded_stand_ins(subject: Subject) -> Iterator[Claim]:
    conversation = subject.reading.conversation
    for sighting in subject.sent:
        bypass = maybe_bypass(sighting.value) if sighting.is_read else None
        index = sighting.anchor.message
        if bypass is None or bypass.form == "raw" or not conversation.is_current(index):
            continue
        yield Claim(
            sighting.pointer,
            f"{placed_at(subject, index)}: {stand_in(bypass)} is reported to"
            " be refused by Vertex; the documented form is the plain literal",
            fix=_genuine(subject, sighting.pointer)
            or (put(sighting.pointer, bypass.literal, "set a plain bypass"),),
            severity=Severity.WARNING,
        )


def _genuine(subject: Subject, pointer: str) -> Fix | None:
    """The signature that the bypass took the place of, where it is known."""
    loss = loss_at(subject, pointer)
    return send_back(subject, loss) if loss else None


RULE = Rule(
    code="GEM-5",
    name="invalid-signature-on-vertex",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "langchain-ai/langchain-google#1570, googleapis/go-genai#711, "
        "ai.google.dev/gemini-api/docs/thought-signatures [issue report] [contested]"
    ),
    check=check,
)
