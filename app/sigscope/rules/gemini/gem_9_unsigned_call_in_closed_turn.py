"""A signature of an earlier turn's function call was not sent back.

Why it matters: it does not, for validation: only the current turn is checked. Said
once in a session, so that nobody takes it for the cause of an error.
Bad:  {"functionCall": {"name": "ls", "args": {}}}
Good: {"functionCall": {"name": "ls", "args": {}}, "thoughtSignature": "EhkKFwHe..."}
False alarms: a remark, never more. Calls of which no signature is known are not
mentioned.
Fix: the signature, as it was received, on the part it came on.
"""

from sigscope.ledger import Fate
from sigscope.rules.base import Confidence, Rule, Severity, Subject
from sigscope.rules.gemini.unsigned_calls import signs_call
from sigscope.rules.kinds.left_out import LeftOut
from sigscope.rules.places import is_enforced
from sigscope.rules.subject import Loss


def is_of_closed_turn(subject: Subject, loss: Loss) -> bool:
    """Whether it came on a call whose turn is over."""
    if loss.is_current or loss.fate is not Fate.DROPPED or loss.instead:
        return False
    return is_enforced(subject, loss.index) and signs_call(subject, loss)


RULE = Rule(
    code="GEM-9",
    name="unsigned-call-in-closed-turn",
    page=__doc__,
    severity=Severity.INFO,
    confidence=Confidence.DOCUMENTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source="ai.google.dev/gemini-api/docs/thought-signatures [docs, real traffic]",
    check=LeftOut(
        of=is_of_closed_turn,
        words="{signature} {fate}: its turn is over, and only the current turn is"
        " checked",
    ),
)
