"""The envelope of a final text answer was not sent back.

Why it matters: it does not, for acceptance; VS Code never sends it. Said once in a
session, so that nobody takes it for the cause of an error.
Bad:  {"role": "assistant", "content": "You're welcome!"}
Good: {"content": "You're welcome!", "reasoning_opaque": "XLn4be0o..."}
False alarms: a remark, never more.
Fix: the field on the message, as received.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.ledger import Fate
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.fixes import send_back
from sigscope.rules.losses import first_of_its_kind
from sigscope.rules.subject import Loss
from sigscope.rules.words import told


def check(subject: Subject) -> Iterator[Claim]:
    """The session's first answer without its envelope."""
    loss = first_of_its_kind(subject, _is_of_answer)
    if loss is None:
        return
    yield Claim(
        subject.messages[loss.index].pointer,
        f"{told(loss.signature)} of a final answer was not sent back: optional, VS Code"
        " leaves it out as well",
        fix=send_back(subject, loss),
        signature=loss.signature.sha256,
    )


def _is_of_answer(subject: Subject, loss: Loss) -> bool:
    if subject.wire != "copilot-chat" or loss.fate is not Fate.DROPPED:
        return False
    reply = subject.readings[loss.signature.received[0].step].reply.message
    return reply is not None and not reply.calls


RULE = Rule(
    code="CPC-7",
    name="answer-signature-left-out",
    page=__doc__,
    severity=Severity.INFO,
    confidence=Confidence.REPORTED,
    dialects=("copilot-chat",),
    checked_on="2026-11-21",
    source=(
        "github.com/aadishv/vscre [client's notes]; docs/wire/copilot-chat.md#cpc-7"
    ),
    check=check,
)
