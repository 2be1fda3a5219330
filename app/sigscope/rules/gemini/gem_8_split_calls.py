"""The parallel calls of one step are spread over several model contents.

Why it matters: the first call of the second content has no signature, since only the
first of parallel calls ever gets one: 400 in the words of GEM-1 or GEM-2 for it. A
response has to stay a single content.
Bad:  [{"role": "model", "parts": ["FC1 signed"]}, {"role": "model", "parts": ["FC2"]}]
Good: [{"role": "model", "parts": ["FC1 signed", "FC2"]}]
False alarms: two model contents in a row are one step, whoever split them; where the
second one is signed, or stamped with a bypass, nothing is said.
Fix: the parts join those of the first content, in order; the emptied content goes.
"""

from __future__ import annotations

from sigscope.rules.base import Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, copy_to_end, drop, joined
from sigscope.rules.gemini.unsigned_calls import Late, UnsignedCall, placed_at
from sigscope.rules.words import called


def _words(subject: Subject, late: UnsignedCall, before: int) -> str:
    return (
        f"{placed_at(subject, late.index)}: {called(late.call)} belongs to the step of"
        f" {placed_at(subject, before)}; in a content of its own it counts as a first"
        " call, and has no signature"
    )


def _together(subject: Subject, call: UnsignedCall, before: int) -> Fix:
    late, first = subject.messages[call.index], subject.messages[before]
    label = "make it one content for one response"
    return joined(
        (
            copy_to_end(part.pointer, f"{first.pointer}/parts", label)
            for part in late.parts
        ),
        [drop(late.pointer, label)],
    )


RULE = Rule(
    code="GEM-8",
    name="split-calls",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "ai.google.dev/gemini-api/docs/thought-signatures, googleapis/js-genai#1275, "
        "google/adk-go#764 [docs, issue report]"
    ),
    check=Late(cause="split", words=_words, fix=_together),
)
