"""A signature that need not be sent back was left out.

Why it matters: accepted, and continuity suffers: the signature of a part that is no
call (an answer's last part), or any signature of a model before Gemini 3. Said once
in a session.
Bad:  {"text": "All done."}
Good: {"text": "All done.", "thoughtSignature": "EhkKFwHeWwZgyDYf..."}
False alarms: a remark, never more.
Fix: the signature, as it was received, on the part it came on.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.ledger import Fate
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.fixes import send_back
from sigscope.rules.gemini.gem_9_unsigned_call_in_closed_turn import signs_call
from sigscope.rules.losses import first_of_its_kind
from sigscope.rules.outcome import goes_on
from sigscope.rules.places import is_enforced
from sigscope.rules.subject import Loss
from sigscope.rules.words import told


def check(subject: Subject) -> Iterator[Claim]:
    """The first optional signature that the session left out."""
    loss = first_of_its_kind(subject, _is_optional)
    if loss is None:
        return
    yield Claim(
        subject.messages[loss.index].pointer,
        f"{told(loss.signature)} was left out: optional, but {goes_on(subject)}"
        " without the reasoning behind this message",
        fix=send_back(subject, loss),
        signature=loss.signature.sha256,
    )


def _is_optional(subject: Subject, loss: Loss) -> bool:
    if loss.fate is not Fate.DROPPED or subject.wire != "gemini":
        return False
    if "image" in subject.reading.model:
        return False
    return not (is_enforced(subject, loss.index) and signs_call(subject, loss))


RULE = Rule(
    code="GEM-10",
    name="optional-signature-left-out",
    page=__doc__,
    severity=Severity.INFO,
    confidence=Confidence.DOCUMENTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "ai.google.dev/gemini-api/docs/thought-signatures [docs, real traffic]; "
        "docs/wire/gemini.md#gem-10"
    ),
    check=check,
)
