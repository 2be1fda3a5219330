"""A tool message answers no call of the history, or a call is left without an answer.

Why it matters: Gemini through Copilot answers 400; VS Code strips such orphans before
it sends. Trimming a long history at the wrong place makes them.
Bad:  [{"role": "user"}, {"role": "tool", "tool_call_id": "call_gone"}]
Good: [{"role": "user"}]
False alarms: calls of the last message may still wait for their answers. Only Gemini
models are judged. An accepted request earns a remark.
Fix: the orphaned tool message goes; for an unanswered call there is none.
Source: dialects.md 4(d) CPC-6 [source code].
Confidence: observed.
Checked on: 2026-11-21.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.ledger.models import is_gemini
from sigscope.rules.base import Confidence, Finding, Rule, Severity, Subject
from sigscope.rules.editing import drop
from sigscope.rules.wording import called, short


def check(subject: Subject) -> Iterator[Finding]:
    """Orphaned results and unanswered calls."""
    if is_gemini(subject.reading.model):
        yield from _orphans(subject)
        yield from _unanswered(subject)


def _orphans(subject: Subject) -> Iterator[Finding]:
    known: set[str] = set()
    for message in subject.messages:
        if message.calls:
            known.update(call.call_id for call in message.calls if call.call_id)
        for result in message.results:
            if result.call_id is None or result.call_id in known:
                continue
            yield RULE.finding(
                subject,
                message.pointer,
                f"tool message answers {short(result.call_id)}, which no message before"
                " it calls",
                fix=(drop(message.pointer, "answers no call", RULE.code),),
                severity=Severity.INFO if subject.is_accepted else None,
            )


def _unanswered(subject: Subject) -> Iterator[Finding]:
    answered = {r.call_id for message in subject.messages for r in message.results}
    for message in subject.messages[:-1]:
        for call in message.calls:
            if call.call_id is None or call.call_id in answered:
                continue
            yield RULE.finding(
                subject,
                call.pointer,
                f"call {called(call)} has no tool message that answers it",
                severity=Severity.INFO if subject.is_accepted else None,
            )


RULE = Rule(
    code="CPC-6",
    name="unpaired-call",
    severity=Severity.ERROR,
    confidence=Confidence.OBSERVED,
    dialects=("copilot-chat",),
    checked_on="2026-11-21",
    source="dialects.md 4(d) CPC-6",
    check=check,
)
