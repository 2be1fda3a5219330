"""A stored signature is replayed in damaged form.

Why it matters: the text of GEM-6 ("Base64 decoding failed") or GEM-4 behind the
proxy's prefix. Reported for the Responses bridge with `previous_response_id`, where the
proxy itself stores the signature; in a field of the call it is the client's doing.
Bad:  {"provider_specific_fields": {"thought_signature": "EhkKFwHe..."}}
Good: {"provider_specific_fields": {"thought_signature": "EhkKFwHeWwZgVZrq0IJk"}}
False alarms: the report is about the bridge; for fields of chat completions it is
inferred from the shared upstream, and warns until the answer confirms it. Damage inside
an id is LLM-4's.
Fix: the signature as received; for the bridge none, the state is the proxy's.
Source: dialects.md 6(d) LLM-5, 11 bug 46 [issue report; inferred for fields].
Confidence: inferred.
Checked on: 2026-11-21.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.dialects.litellm import IN_CALL_ID
from sigscope.ledger import Fate
from sigscope.rules.base import Confidence, Finding, Rule, Severity, Subject
from sigscope.rules.editing import node
from sigscope.rules.litellm.proxy import is_geminis
from sigscope.rules.mending import send_back
from sigscope.rules.subject import Loss
from sigscope.rules.wording import HAPPENED, told


def check(subject: Subject) -> Iterator[Finding]:
    """Damaged fields, and the bridge's own complaint."""
    if subject.wire == "litellm":
        yield from _fields(subject)
    elif subject.wire == "":
        yield from _bridge(subject)


def _fields(subject: Subject) -> Iterator[Finding]:
    for loss in subject.losses:
        if loss.instead and is_geminis(loss.signature):
            yield _replaced(subject, loss)
        if loss.fate not in (Fate.ALTERED, Fate.CUT) or not is_geminis(loss.signature):
            continue
        spots = subject.placed(loss.signature)
        if not spots or spots[0].carrier == IN_CALL_ID:
            continue
        yield RULE.finding(
            subject,
            spots[0].pointer,
            f"{told(loss.signature)} {HAPPENED[loss.fate]} on the way:"
            f" {len(spots[0].value)} of {len(loss.signature.value)} characters",
            fix=send_back(subject, loss.signature, loss.index, RULE.code),
            signature=loss.signature.sha256,
            severity=Severity.INFO if subject.is_accepted else None,
        )


def _replaced(subject: Subject, loss: Loss) -> Finding:
    return RULE.finding(
        subject,
        loss.instead,
        f"another signature stands where {told(loss.signature)} belongs; no recorded"
        " response issued it for this call",
        fix=send_back(subject, loss.signature, loss.index, RULE.code),
        signature=loss.signature.sha256,
        severity=Severity.INFO if subject.is_accepted else None,
    )


def _bridge(subject: Subject) -> Iterator[Finding]:
    """A request of the Responses shape whose history the proxy holds."""
    error = subject.error
    if error is None or not any(m.rule == "GEM-6" for m in error.matches):
        return
    is_proxy = any(text.lstrip().startswith("litellm.") for text in error.texts)
    before = node(subject.reading.request_json, "/previous_response_id")
    if is_proxy and isinstance(before, str):
        yield RULE.finding(
            subject,
            "/previous_response_id",
            f"the proxy replayed the signature it stored for {before} in damaged form",
        )


RULE = Rule(
    code="LLM-5",
    name="damaged-signature",
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=("litellm",),
    checked_on="2026-11-21",
    source="dialects.md 6(d) LLM-5",
    check=check,
    hears_all_errors=True,
)
