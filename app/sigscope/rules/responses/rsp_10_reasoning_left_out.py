"""Reasoning items were left out, and the ids of what they led to with them.

Why it matters: it is accepted, and each step of the tool loop starts cold: more
reasoning tokens, weaker answers, fewer cache hits. Said once in a session.
Bad:  [{"type": "function_call", "call_id": "call_1"}]
Good: [{"type": "reasoning", "encrypted_content": "gAAAAABpVbkA"}, {"type": "message"}]
False alarms: a remark, never more. Items of closed turns are not needed.
Fix: none; the whole item would have to come back, before what it led to.
"""

from collections.abc import Set

from sigscope.ledger import Fate
from sigscope.rules.base import Confidence, Rule, Severity, Subject
from sigscope.rules.kinds.left_out import LeftOut
from sigscope.rules.responses.items import issued, issued_id
from sigscope.rules.subject import Loss


def is_left_out(subject: Subject, loss: Loss) -> bool:
    """Whether nothing of its item was sent, in the turn it belongs to. What keeps ids
    is another rule's."""
    if loss.fate is not Fate.DROPPED or not loss.is_current or loss.instead:
        return False
    link = subject.held.get(loss.index)
    if link and any(subject.messages[i].bears_reasoning for i in link.messages):
        return False
    sent = subject.once(_sent_ids)
    name = issued_id(subject, loss.signature)
    if name in sent or subject.is_accepted:
        return name not in sent
    led = {i for i, item in subject.once(issued).items() if item.reasoning == name}
    return led.isdisjoint(sent)


def _sent_ids(subject: Subject) -> Set[str]:
    return {name for message in subject.messages for name in message.item_ids}


RULE = Rule(
    code="RSP-10",
    name="reasoning-left-out",
    page=__doc__,
    severity=Severity.INFO,
    confidence=Confidence.DOCUMENTED,
    dialects=("responses",),
    checked_on="2026-11-22",
    source="platform.openai.com/docs/guides/reasoning [docs]",
    check=LeftOut(
        of=is_left_out,
        words="{signature} was not sent back: {goes_on} without the reasoning behind"
        " it",
    ),
)
