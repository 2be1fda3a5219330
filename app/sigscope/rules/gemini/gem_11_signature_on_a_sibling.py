"""Of parallel calls the first is unsigned, and a later one is signed.

Why it matters: only the first call of a step is looked at, so the request counts as
unsigned: 400 in the words of GEM-1 or GEM-2. Typical of a client that keeps "the last
signature" in one variable.
Bad:  {"parts": ["FC1", "FC2 signed"]}
Good: {"parts": ["FC1 signed", "FC2"]}
False alarms: the documentation's rule about first calls covers this; no refusal of
exactly this has been recorded, so it only warns until the answer confirms it.
Fix: the signature goes to the first call, if it came on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import SignatureKind
from sigscope.opaque import fingerprint
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.fixes import send_back
from sigscope.rules.gemini.unsigned_calls import lost_signature, placed_at
from sigscope.rules.places import current_calls, is_enforced, signing
from sigscope.rules.relocation import homecoming
from sigscope.rules.words import called


def check(subject: Subject) -> Iterator[Claim]:
    """Contents of the current turn whose first signed call is not the first call."""
    for index, message in current_calls(subject):
        if len(message.calls) < 2:
            continue
        first, *others = message.calls
        if signing(subject, index, first) or not is_enforced(subject, index):
            continue
        for call in others:
            signs = signing(subject, index, call)
            if not signs or signs[0].kind is SignatureKind.BYPASS:
                continue
            loss = lost_signature(subject, index, first)
            yield Claim(
                signs[0].pointer,
                f"{placed_at(subject, index)}: signature"
                f" {fingerprint(signs[0].value)} stands on {called(call)}, but the"
                f" step begins with {called(first)}, which has none",
                fix=send_back(subject, loss, index)
                if loss
                else homecoming(subject, signs[0]),
                signature=loss.signature.sha256 if loss else None,
            )
            break


RULE = Rule(
    code="GEM-11",
    name="signature-on-a-sibling",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "ai.google.dev/gemini-api/docs/thought-signatures, pydantic/pydantic-ai, "
        "microsoft/vscode-copilot-chat [docs for the rule, inferred for the outcome]"
    ),
    check=check,
)
