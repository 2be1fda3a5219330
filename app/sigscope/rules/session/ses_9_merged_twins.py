"""Two equal parallel calls on their way to a model that gets no call ids.

Why it matters: the proxy makes one call of two with the same name and arguments where
no id tells them apart, that is for Gemini 2.5 and older; both results go up. Gemini
counts calls and results, and may answer 400 (GEM-18).
Bad:  ["assistant: ls {} and ls {}", "tool: 1", "tool: 2"]
Good: ["assistant: ls {}", "tool: 1"]
False alarms: Gemini 3 and newer get ids, and their twins stay two (1.90 and older
proxies merged them for every model). It warns until a refusal confirms it, and is a
remark where the request was accepted.
Fix: the second call and its result go, as the proxy makes of the call anyway, where
both results say the same. None where they differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Message, Part
from sigscope.dialects.litellm import LiteLLM
from sigscope.ledger.links import call_shape
from sigscope.ledger.models import enforces_signatures, is_gemini
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, drop
from sigscope.rules.places import signing
from sigscope.rules.words import called

LABEL = "make it one call of two that are equal"


def check(subject: Subject) -> Iterator[Claim]:
    """Calls that are equal to one before them in the same message."""
    model = subject.reading.model
    if not is_gemini(model) or enforces_signatures(model):
        return
    for index, message in enumerate(subject.messages):
        if len(message.calls) < 2:
            continue
        seen: dict[tuple[str, str], Part] = {}
        for call in message.calls:
            twin = seen.setdefault(call_shape(call), call)
            if twin is not call:
                yield Claim(
                    call.pointer,
                    f"{called(call)} is equal to {called(twin)}; {model!r} gets no ids,"
                    " so the proxy makes one call of both, and sends two results",
                    fix=_one(subject, index, call, twin),
                )


def _one(subject: Subject, index: int, call: Part, twin: Part) -> Fix | None:
    results = [_result(subject, each) for each in (call, twin)]
    ours, theirs = results
    is_signed = bool(signing(subject, index, call))
    if ours is None or theirs is None or is_signed:
        return None
    said = ["".join(part.text for part in each.results) for each in (ours, theirs)]
    if said[0] != said[1] or len(ours.results) != 1:
        return None
    return (drop(call.pointer, LABEL), drop(ours.pointer, LABEL))


def _result(subject: Subject, call: Part) -> Message | None:
    found = [
        message
        for message in subject.messages
        for result in message.results
        if result.call_id == call.call_id
    ]
    return found[0] if len(found) == 1 else None


RULE = Rule(
    code="SES-9",
    name="merged-twins",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=(LiteLLM.name,),
    checked_on="2026-11-22",
    source=(
        "google-gemini/gemini-cli#7705, google-gemini/gemini-cli#15568, "
        "BerriAI/litellm [source code, executed; issue report]; "
        "docs/wire/litellm.md#placements, docs/wire/gemini.md#gem-18"
    ),
    check=check,
)
