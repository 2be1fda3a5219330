"""Readable reasoning fades in the course of the conversation, while visible text grows.

Why it matters: HTTP 200 throughout. A model that does not get its signatures back
cannot continue its chain of thought: summaries get shorter from turn to turn, then raw
reasoning arrives as ordinary text. Said once in a session, at the reply where the
share of reasoning first falls below half.
Bad:  [{"reasoning": 267, "content": 40}, {"reasoning": 96, "content": 603}]
Good: [{"reasoning": 267, "content": 40}, {"reasoning": 251, "content": 71}]
False alarms: answers are compared with answers, tool steps with tool steps, of one
model that is asked for reasoning in the same words; the share must fall from reply to
reply, over three of a kind, to a third, and the first must be a sentence long. Models
think less about less, so it is a remark where no signature was lost; it warns where
some were.
Fix: none here; the findings about the signatures that were lost before have theirs.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import PartKind
from sigscope.dialects.registry import DIALECTS
from sigscope.ledger.records import LOST
from sigscope.rules.answers import finish_spot, spot
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.session.course import Fading, fading
from sigscope.rules.subject import is_lost
from sigscope.rules.words import number_of


def check(subject: Subject) -> Iterator[Claim]:
    """The reply with which the session's reasoning begins to fade."""
    found = fading(subject)
    if found is None or found.change.step != subject.step:
        return
    lost = _lost_before(subject, found)
    said = _told(found)
    if lost:
        said += f"; {number_of(lost, 'signature')} did not go back as received by then"
    else:
        said += "; no signature was lost by then, so the cause is another one"
    message = subject.reading.reply.message
    texts = [p for p in message.parts if p.kind is PartKind.TEXT] if message else []
    place = (
        spot(subject.reading, texts[0].pointer)
        if texts
        else finish_spot(subject.reading)
    )
    yield place.claim(said, severity=None if lost else Severity.INFO)


def _told(found: Fading) -> str:
    first, change, last = found.first, found.change, found.last
    after = (
        ""
        if change.step == last.step
        else f", {last.part:.0%} in step {last.step} ({last.thoughts:,} characters)"
    )
    return (
        f"readable reasoning fades from turn {change.turn} (step {change.step}) on:"
        f" {first.part:.0%} of what step {first.step} said ({first.thoughts:,}"
        f" characters), {change.part:.0%} here ({change.thoughts:,}){after}, while"
        f" visible text grew from {first.text:,} to {last.text:,}"
    )


def _lost_before(subject: Subject, found: Fading) -> int:
    """Signatures that requests up to here did not give back as they came."""
    thread = subject.ledger.thread_of.get(subject.step)
    steps = set(thread.steps if thread else ())
    return sum(
        any(
            fate.step in steps and fate.step <= found.change.step and is_lost(fate)
            for fate in signature.fates
            if fate.fate in LOST
        )
        for signature in subject.ledger.signatures
    )


RULE = Rule(
    code="SES-1",
    name="reasoning-fades",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=tuple(dialect.name for dialect in DIALECTS),
    checked_on="2026-11-22",
    source=(
        "Zoo-Code-Org/Zoo-Code#736, ai.google.dev/gemini-api/docs/thought-signatures, "
        "openrouter.ai/docs/guides/best-practices/reasoning-tokens [client's notes; "
        "detection inferred]; docs/wire/litellm.md#silent, "
        "docs/wire/gemini.md#silent, docs/wire/openrouter.md#silent"
    ),
    check=check,
    looks_ahead=True,
)
