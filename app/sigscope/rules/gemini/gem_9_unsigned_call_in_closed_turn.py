"""A signature of an earlier turn's function call was not sent back.

Why it matters: it does not, for validation: only the current turn is checked. Said
once in a session, so that nobody takes it for the cause of an error.
Bad:  {"functionCall": {"name": "ls", "args": {}}}
Good: {"functionCall": {"name": "ls", "args": {}}, "thoughtSignature": "EhkKFwHe..."}
False alarms: a remark, never more. Calls of which no signature is known are not
mentioned.
Fix: the signature, as it was received, on the part it came on.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import PartKind
from sigscope.ledger import Fate
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.fixes import send_back
from sigscope.rules.losses import first_of_its_kind
from sigscope.rules.places import is_enforced, reply_of, signed_parts
from sigscope.rules.subject import Loss
from sigscope.rules.words import HAPPENED, told


def check(subject: Subject) -> Iterator[Claim]:
    """The first call signature that the session left out after its turn."""
    loss = first_of_its_kind(subject, _is_of_closed_turn)
    if loss is None:
        return
    yield Claim(
        subject.messages[loss.index].pointer,
        f"{told(loss.signature)} {HAPPENED[loss.fate]}: its turn is over, and only the"
        " current turn is checked",
        fix=send_back(subject, loss),
        signature=loss.signature.sha256,
    )


def _is_of_closed_turn(subject: Subject, loss: Loss) -> bool:
    if loss.is_current or subject.wire != "gemini":
        return False
    if loss.fate is not Fate.DROPPED or loss.instead:
        return False
    return is_enforced(subject, loss.index) and signs_call(subject, loss)


def signs_call(subject: Subject, loss: Loss) -> bool:
    """Whether a lost signature came on a function call."""
    reply = reply_of(subject, loss.index)
    parts = signed_parts(loss.signature, reply) if reply else ()
    return any(part.kind is PartKind.CALL for part in parts)


RULE = Rule(
    code="GEM-9",
    name="unsigned-call-in-closed-turn",
    page=__doc__,
    severity=Severity.INFO,
    confidence=Confidence.DOCUMENTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "ai.google.dev/gemini-api/docs/thought-signatures [docs, real traffic]; "
        "docs/wire/gemini.md#gem-9"
    ),
    check=check,
)
