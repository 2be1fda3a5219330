"""The calls of one response are spread over several assistant messages.

Why it matters: only the first of parallel calls is signed. In a message of its own the
next one counts as the first call of a step, and is refused as unsigned (GOC-1).
Bad:  [{"tool_calls": ["A signed"]}, {"tool_calls": ["B"]}]
Good: [{"tool_calls": ["A signed", "B"]}]
False alarms: calls whose response was recorded are known to be parallel; of others only
messages in a row are meant. That it counts here as in Gemini's own API is inferred, so
it warns until a refusal says so.
Fix: the calls join those of the first message, in the response's order.
"""

from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.session.ses_2_spread_calls import check

RULE = Rule(
    code="GOC-4",
    name="calls-apart",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=("gemini-openai",),
    checked_on="2026-11-22",
    source=(
        "ai.google.dev/gemini-api/docs/thought-signatures [docs, inferred here]; "
        "docs/wire/gemini-openai.md#goc-4, docs/wire/gemini.md#gem-8"
    ),
    check=check,
)
