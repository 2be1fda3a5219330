"""The service failed, was too busy, or took too long: 5xx, 408, 529.

Why it matters: such an answer speaks of the service, not of the messages or their
signatures. Sent again, the request may pass. If it fails so each time while others
pass, something in it may still be the cause: compare the two, or bisect.
Bad:  {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
Good: {"type": "message", "role": "assistant", "content": ["..."]}
False alarms: gateways answer 500 and 503 for what the service behind them refused with
400: where the words within are known, or the code within says that the request is
wrong, that is told instead. A warning where the same messages were accepted in a later
step (a retry), for requests that are no model calls, and where the recorder was told to
drop the request. Nothing where the recorder refused a WebSocket and its client went on
over plain HTTP. No answer at all is no refusal, and is not told here.
Fix: none in the body; send it again.
"""

from sigscope.refusals.grounds import Ground
from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.refusal.echo import Echo

RULE = Rule(
    code="REF-4",
    name="service-failed",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=(),
    checked_on="2026-11-22",
    source="RFC 9110 section 15.6; docs.claude.com/en/api/errors, "
    "ai.google.dev/gemini-api/docs/troubleshooting [docs]. REF-4 passes on the "
    "recorded answer",
    check=Echo(
        thoughts={
            Ground.SERVICE: "the service failed or was busy; "
            "the request is not what it blames.",
            Ground.RECORDER: "no service answered; `sigscope record` did in its place.",
        }
    ),
    hears_all_errors=True,
    is_last_word=True,
)
