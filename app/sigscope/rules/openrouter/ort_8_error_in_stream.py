"""A stream that began with status 200 brought an error.

Why it matters: a client that looks at the status alone shows an empty or half answer.
The chunk has a top-level `error` and the finish reason "error";
`native_finish_reason` may say MALFORMED_FUNCTION_CALL.
Bad:  {"error": {"message": "..."}, "choices": [{"finish_reason": "error"}]}
Good: {"choices": [{"finish_reason": "tool_calls"}]}
False alarms: none, it is the service's own word, and an error as such; a warning where
a later step sent the same messages again and was accepted.
Fix: none here; what the rules say of the request may be the cure.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.rules.answers import AnswerSpot, finish_spot
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import node
from sigscope.rules.words import short


def check(subject: Subject) -> Iterator[Claim]:
    """Errors inside a stream that was accepted at first."""
    reading = subject.reading
    status = reading.status
    if not reading.is_streamed or (status is not None and not 200 <= status < 300):
        return
    place, said = _error(subject)
    if place is None:
        return
    native = node(reading.response_json, "/choices/0/native_finish_reason")
    cause = f" (native_finish_reason {native})" if isinstance(native, str) else ""
    yield place.claim(f"the stream broke off with an error{cause}: {said}")


def _error(subject: Subject) -> tuple[AnswerSpot | None, str]:
    """The event with the error, and its message; None where the stream has none."""
    reading = subject.reading
    for number, data in enumerate(reading.event_data, start=1):
        error = data.get("error") if isinstance(data, dict) else None
        if error:
            told = error.get("message") if isinstance(error, dict) else error
            if subject.error is not None and subject.error.event == number:
                told = subject.error.text
            text = short(" ".join(str(told).split()), 600)
            return AnswerSpot(pointer="/error", event=number), text
    if reading.reply.finish == "error":
        return finish_spot(reading), "the finish reason is error"
    return None, ""


RULE = Rule(
    code="ORT-8",
    name="error-in-stream",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.DOCUMENTED,
    dialects=("openrouter",),
    checked_on="2026-11-21",
    source="openrouter.ai/docs/api-reference/errors [docs, issue report]",
    check=check,
)
