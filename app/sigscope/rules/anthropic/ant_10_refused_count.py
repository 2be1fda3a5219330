"""Tokens were to be counted, and the request was refused for its thinking.

Why it matters: `count_tokens` stands behind the same checks as the messages
themselves: a client that counts first sees the errors of ANT-1 to ANT-9 there, and may
take them for a fault of counting.
Bad:  [{"path": "/v1/messages/count_tokens", "status": 400}]
Good: [{"path": "/v1/messages/count_tokens", "status": 200}]
False alarms: none known; it speaks only where the answer is in the words of those.
Fix: that of the rule whose words it has.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.words import named

_COUNT = "/count_tokens"


def check(subject: Subject) -> Iterator[Claim]:
    """A refused count."""
    if not subject.reading.probe.path.rstrip("/").endswith(_COUNT):
        return
    matches = subject.error.matches if subject.error else ()
    rules = [match.rule for match in matches if match.rule.startswith("ANT-")]
    if rules:
        yield Claim(
            "",
            f"counting was refused in the words of {named(rules)}: the message itself"
            " would be, too",
        )


RULE = Rule(
    code="ANT-10",
    name="refused-count",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=("anthropic",),
    checked_on="2026-11-22",
    source="docs.claude.com/en/docs/build-with-claude/token-counting [docs]",
    check=check,
)
