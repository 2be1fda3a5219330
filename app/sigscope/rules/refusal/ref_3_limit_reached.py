"""A rate limit, a quota or a bill stopped the request: 429 or 402.

Why it matters: nothing was said about the messages or their signatures. Sent again
later, the request may pass, or may be refused for a reason of its own.
Bad:  {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "..."}}
Good: {"candidates": [{"content": {"role": "model", "parts": ["..."]}}]}
False alarms: gateways answer 429 for other errors too: where the words within are
known, or the code within says that the request is wrong, that is told instead. A
warning where the same messages were accepted in a later step (a retry), and for
requests that are no model calls.
Fix: none in the body; wait, or look at the account.
"""

from sigscope.refusals.grounds import Ground
from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.refusal.echo import Echo

RULE = Rule(
    code="REF-3",
    name="limit-reached",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=(),
    checked_on="2026-11-22",
    source="RFC 6585 section 4; docs.claude.com/en/api/errors, "
    "openrouter.ai/docs/api-reference/errors [docs]. REF-3 passes on the "
    "recorded answer",
    check=Echo(
        thoughts={
            Ground.LIMIT: "a limit or quota was reached; "
            "the request is not what it blames."
        }
    ),
    hears_all_errors=True,
    is_last_word=True,
)
