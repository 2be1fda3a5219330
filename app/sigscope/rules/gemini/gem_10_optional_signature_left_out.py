"""A signature that need not be sent back was left out.

Why it matters: accepted, and continuity suffers: the signature of a part that is no
call (an answer's last part), or any signature of a model before Gemini 3. Said once
in a session.
Bad:  {"text": "All done."}
Good: {"text": "All done.", "thoughtSignature": "EhkKFwHeWwZgyDYf..."}
False alarms: a remark, never more.
Fix: the signature, as it was received, on the part it came on.
"""

from sigscope.ledger import Fate
from sigscope.rules.base import Confidence, Rule, Severity, Subject
from sigscope.rules.gemini.unsigned_calls import signs_call
from sigscope.rules.kinds.left_out import LeftOut
from sigscope.rules.places import is_enforced
from sigscope.rules.subject import Loss


def is_optional(subject: Subject, loss: Loss) -> bool:
    """Whether it is no signature of a call that Gemini insists on."""
    if loss.fate is not Fate.DROPPED or "image" in subject.reading.model:
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
    source="ai.google.dev/gemini-api/docs/thought-signatures [docs, real traffic]",
    check=LeftOut(
        of=is_optional,
        words="{signature} was left out: optional, but {goes_on} without the reasoning"
        " behind this message",
    ),
)
