"""The envelope of a final text answer was not sent back.

Why it matters: it does not, for acceptance; VS Code never sends it. Said once in a
session, so that nobody takes it for the cause of an error.
Bad:  {"role": "assistant", "content": "You're welcome!"}
Good: {"content": "You're welcome!", "reasoning_opaque": "XLn4be0o..."}
False alarms: a remark, never more.
Fix: the field on the message, as received.
"""

from sigscope.ledger import Fate
from sigscope.rules.base import Confidence, Rule, Severity, Subject
from sigscope.rules.kinds.left_out import LeftOut
from sigscope.rules.subject import Loss


def is_of_answer(subject: Subject, loss: Loss) -> bool:
    """Whether it came on a reply without calls."""
    reply = subject.readings[loss.signature.received[0].step].reply.message
    return loss.fate is Fate.DROPPED and reply is not None and not reply.calls


RULE = Rule(
    code="CPC-7",
    name="answer-signature-left-out",
    page=__doc__,
    severity=Severity.INFO,
    confidence=Confidence.REPORTED,
    dialects=("copilot-chat",),
    checked_on="2026-11-21",
    source="github.com/aadishv/vscre [client's notes]",
    check=LeftOut(
        of=is_of_answer,
        words="{signature} of a final answer was not sent back: optional, VS Code"
        " leaves it out as well",
    ),
)
