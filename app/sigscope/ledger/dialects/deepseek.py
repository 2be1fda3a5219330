"""When DeepSeek insists on its reasoning (docs/wire/deepseek.md#policy)."""

from sigscope.ledger.policy import Policy, on_every_call
from sigscope.reader import Reading


def thinks(request: Reading) -> bool:
    """Whether a request has the model think: unless it says otherwise, but for
    `deepseek-chat`, which has to be told."""
    body = request.request_json
    body = body if isinstance(body, dict) else {}
    asked = body.get("thinking")
    kind = asked.get("type") if isinstance(asked, dict) else None
    is_on = body.get("model") != "deepseek-chat" if kind is None else kind != "disabled"
    return bool(is_on)


POLICY = Policy(dialect="deepseek", grade=on_every_call, thinks=thinks)
