"""When Acme insists: wherever a message has calls."""

from sigscope.ledger.policy import ANSWER, Case, Policy
from sigscope.ledger.records import Grade


def grade(case: Case) -> tuple[Grade, str]:
    message = case.reply.reply.message
    if message is None or not message.calls:
        return ANSWER
    return Grade.REQUIRED, "it led to a tool call"


POLICY = Policy(dialect="acme", grade=grade)
