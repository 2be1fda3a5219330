"""A call went upstream unsigned: this proxy added no bypass.

Why it matters: 400 "litellm.BadRequestError: Vertex_ai_betaException BadRequestError -
{...}" or "GeminiException" with the text of GEM-2 or GEM-1, sometimes wrapped once
more as 503 MidStreamFallbackError. 1.106.2 adds "model group 'NAME' failed with the
error above", older ones "Received Model Group=NAME". Versions before 1.106 add no
bypass where the model goes by a name of the proxy's own.
Bad:  {"tool_calls": [{"id": "call_7"}]}
Good: {"tool_calls": [{"provider_specific_fields": {"thought_signature": "S"}}]}
False alarms: none, it needs the answer's word; which version and which name stand
behind a proxy cannot be told from outside.
Fix: the signature, as it was received, in the field of the call it came on.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.exchange import header
from sigscope.refusals import confirms
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.litellm.proxy import signs_call
from sigscope.rules.losses import about
from sigscope.rules.places import content_number, current_calls, signing
from sigscope.rules.words import called, told


def check(subject: Subject) -> Iterator[Claim]:
    """Unsigned first calls in a request that was refused for one."""
    if subject.error is None or not confirms(subject.error, RULE.code):
        return
    for index, message in current_calls(subject):
        call = message.calls[0]
        if signing(subject, index, call):
            continue
        losses = subject.losses_at.get(index, ())
        loss = next((each for each in losses if signs_call(subject, each)), None)
        said = (
            f"{called(call)} went upstream without a signature"
            f" ({content_number(subject, index)}. content block); this proxy"
            f"{_version(subject)} added no bypass for {subject.reading.model!r}"
        )
        if loss is None:
            yield Claim(call.pointer, said)
            continue
        said += f"; {told(loss.signature)} belongs there"
        yield about(subject, loss, lambda *_, said=said: said, at=call.pointer)


def _version(subject: Subject) -> str:
    response = subject.reading.exchange.response
    found = header(response.headers, "x-litellm-version") if response else None
    return f" (version {found})" if found else ""


RULE = Rule(
    code="LLM-2",
    name="no-bypass-added",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("litellm",),
    checked_on="2026-11-21",
    source="BerriAI/litellm#16893, BerriAI/litellm#22598 [issue report]",
    check=check,
)
