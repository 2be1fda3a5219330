"""Calls that were made in parallel are sent back one by one, each with its result.

Why it matters: the second call now opens a step of its own, and has no signature:
400 in the words of GEM-1 or GEM-2 for that call. All calls of a step come first,
then all results.
Bad:  ["FC1 signed", "FR1", "FC2", "FR2"]
Good: ["FC1 signed, FC2", "FR1, FR2"]
False alarms: only calls that the session knows to come from one response; sequential
rounds look the same and are GEM-1's.
Fix: call and result join those of the step, the emptied contents go.
"""

from __future__ import annotations

from sigscope.conversation import PartKind
from sigscope.rules.base import Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, copy_to_end, drop, joined
from sigscope.rules.gemini.unsigned_calls import Late, UnsignedCall, placed_at
from sigscope.rules.words import called


def _words(subject: Subject, late: UnsignedCall, before: int) -> str:
    first = subject.messages[before].calls[0]
    return (
        f"{placed_at(subject, late.index)}: {called(late.call)} was called in parallel"
        f" with {called(first)}, but comes after a result; so it opens a step of its"
        " own, and has no signature"
    )


def _together(subject: Subject, unsigned: UnsignedCall, before: int) -> Fix | None:
    """Calls to the step's first content, results to its first results."""
    messages = subject.messages
    late = messages[unsigned.index]
    results = unsigned.index + 1
    is_plain = (
        all(part.kind is PartKind.CALL for part in late.parts)
        and results < len(messages)
        and bool(messages[results].results)
        and all(part.kind is PartKind.RESULT for part in messages[results].parts)
        and bool(messages[before + 1].results)
    )
    if not is_plain:
        return None
    label = "put all calls of a step first, then all results"
    moved = [(late, messages[before]), (messages[results], messages[before + 1])]
    return joined(
        (
            copy_to_end(part.pointer, f"{to.pointer}/parts", label)
            for source, to in moved
            for part in source.parts
        ),
        (drop(source.pointer, label) for source, _ in moved),
    )


RULE = Rule(
    code="GEM-7",
    name="interleaved-results",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "ai.google.dev/gemini-api/docs/thought-signatures, googleapis/js-genai#1275, "
        "pipecat-ai/pipecat#3420 [docs, issue report]"
    ),
    check=Late(cause="interleaved", words=_words, fix=_together),
)
