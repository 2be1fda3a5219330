"""The key, its rights, or the place it is used from was refused: 401 or 403.

Why it matters: nothing was said about the messages or their signatures; nobody looked
at them. The same request with a valid key may pass, or may be refused for a reason of
its own.
Bad:  {"error": {"type": "authentication_error", "message": "invalid x-api-key"}}
Good: {"type": "message", "role": "assistant", "content": ["..."]}
False alarms: a 403 about the content of the request (moderation) is told as REF-1.
A warning where the same messages were accepted in a later step, and for requests that
are no model calls.
Fix: none in the body; look at the key, its project, and its region.
"""

from sigscope.refusals.grounds import Ground
from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.refusal.echo import Echo

RULE = Rule(
    code="REF-2",
    name="access-refused",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=(),
    checked_on="2026-11-22",
    source="RFC 9110 sections 15.5.2 and 15.5.4; docs.claude.com/en/api/errors, "
    "platform.openai.com/docs/guides/error-codes [docs]. REF-2 passes on the "
    "recorded answer",
    check=Echo(
        thoughts={
            Ground.ACCESS: "the key or its rights were refused; "
            "the request is not what it blames."
        }
    ),
    hears_all_errors=True,
    is_last_word=True,
)
