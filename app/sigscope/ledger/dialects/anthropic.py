"""When Claude insists on its thinking, over the Messages API.

Source: https://docs.claude.com/en/docs/build-with-claude/extended-thinking ("Preserving
thinking blocks"), and .../adaptive-thinking, where no turn has to begin with one.
"""

from __future__ import annotations

from sigscope.ledger.policy import ANSWER, CLOSED, Case, Policy
from sigscope.ledger.records import Grade
from sigscope.reader import Reading


def grade(case: Case) -> tuple[Grade, str]:
    """The blocks of a reply with calls, as long as its turn goes on and the request
    thinks with a budget (ANT-2, ANT-3). Blocks of closed turns may be left out; whether
    one that is sent is right is checked everywhere."""
    message = case.reply.reply.message
    if message is None or not message.calls:
        return ANSWER
    if not case.is_current:
        return CLOSED
    if not case.scene.thinks:
        return Grade.OPTIONAL, "only a request that thinks with a budget insists on it"
    return Grade.REQUIRED, "it belongs to a tool call of the current turn"


def _thinks_with_budget(request: Reading) -> bool:
    """`"thinking": {"type": "enabled", "budget_tokens": 2048}`"""
    body = request.request_json
    thinking = body.get("thinking") if isinstance(body, dict) else None
    return isinstance(thinking, dict) and thinking.get("type") == "enabled"


POLICY = Policy(dialect="anthropic", grade=grade, thinks=_thinks_with_budget)
