"""When DeepSeek insists on its reasoning (docs/wire/deepseek.md#policy)."""

from __future__ import annotations

from sigscope.ledger.policy import ANSWER, Case, Policy
from sigscope.ledger.records import Grade
from sigscope.reader import Reading


def grade(case: Case) -> tuple[Grade, str]:
    """Wherever the message has calls, in closed turns as well (DSK-1, DSK-2)."""
    message = case.reply.reply.message
    if message is None or not message.calls:
        return ANSWER
    if not case.scene.thinks:
        return Grade.OPTIONAL, "only a request that thinks insists on it"
    return Grade.REQUIRED, "it led to a tool call"


def thinks(request: Reading) -> bool:
    """Whether a request has the model think: unless it says otherwise, but for
    `deepseek-chat`, which has to be told."""
    body = request.request_json
    body = body if isinstance(body, dict) else {}
    asked = body.get("thinking")
    kind = asked.get("type") if isinstance(asked, dict) else None
    is_on = body.get("model") != "deepseek-chat" if kind is None else kind != "disabled"
    return bool(is_on)


POLICY = Policy(dialect="deepseek", grade=grade, thinks=thinks)
