"""A message with tool calls of the current turn lacks usable `reasoning_details`.

Why it matters: for Gemini 3 and newer, 400 "Provider returned error", and inside
`metadata.raw`: "Gemini models require OpenRouter reasoning details to be preserved in
each request. ... Upstream error: {...}" with the text of GEM-1 or GEM-2.
Data that was altered or cut is unusable too; the text is then that of GEM-4 or GEM-5,
by inference. Whether that is verified in closed turns, on text answers and by older
models is not known, so there it warns. An entry whose `id` names another call than
the first, or none, warns, as GEM-11.
Bad:  {"role": "assistant", "tool_calls": ["..."], "reasoning_details": null}
Good: {"reasoning_details": [{"type": "reasoning.encrypted", "data": "EhkKFwHe..."}]}
False alarms: earlier turns, text answers, other upstreams (ORT-7), and responses that
brought no encrypted entry are left alone. A field in another place (`reasoning`,
`thought_signature` on the call or in `function`, camelCase) does not count, the
service does not read it. An accepted request earns a warning if the entry is known,
else a remark.
Fix: the whole list as it was received, on the message.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Message, SignatureKind
from sigscope.ledger import Fate
from sigscope.ledger.links import plain
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import node
from sigscope.rules.fixes import send_back
from sigscope.rules.losses import told_as_one
from sigscope.rules.openrouter.details import ENCRYPTED, entries, received_entries
from sigscope.rules.outcome import all_the_same
from sigscope.rules.places import content_number, covering, current_calls, is_enforced
from sigscope.rules.relocation import found_elsewhere
from sigscope.rules.subject import Loss, happened
from sigscope.rules.words import calling, told

USELESS = (Fate.ALTERED, Fate.CUT, Fate.MOVED)
"""Fates in which an entry is there, and does not sign the call."""
CARRIER = "openrouter.reasoning_details.encrypted"


def check(subject: Subject) -> Iterator[Claim]:
    """Messages of the current turn that Gemini finds unsigned, then damaged entries
    elsewhere."""
    found = [*_unsigned(subject)]
    yield from told_as_one(subject, found)
    told_of = {finding.signature for finding in found}
    elsewhere = (
        _damaged(subject, loss)
        for loss in subject.losses
        if (loss.instead or loss.fate in (Fate.ALTERED, Fate.CUT))
        and loss.signature.sha256 not in told_of
    )
    yield from told_as_one(subject, elsewhere)


def _unsigned(subject: Subject) -> Iterator[Claim]:
    for index, message in current_calls(subject):
        if not is_enforced(subject, index):
            continue
        loss = _lost(subject, index, message)
        if not _is_useless(subject, index, message, loss):
            if _is_usable(subject, index) or _lacks_payload(subject, index):
                continue
            if loss is None and received_entries(subject, index) is not None:
                continue
        yield _finding(subject, index, message, loss)


def _is_useless(
    subject: Subject, index: int, message: Message, loss: Loss | None
) -> bool:
    """Whether entries are there, and none of them signs the first call."""
    if loss is None or loss.fate in USELESS or loss.instead:
        return loss is not None
    first = plain(message.calls[0].call_id or "")
    sealed = [e for e in entries(subject, index) if e.type == ENCRYPTED]
    is_named = any(plain(entry.id or "") == first for entry in sealed)
    return loss.fate is Fate.DROPPED and _is_usable(subject, index) and not is_named


def _is_usable(subject: Subject, index: int) -> bool:
    return any(s.carrier == CARRIER for s in covering(subject, index))


def _lacks_payload(subject: Subject, index: int) -> bool:
    """An entry without its data is refused in other words (ORT-2)."""
    return any(entry.type == ENCRYPTED for entry in entries(subject, index))


def _lost(subject: Subject, index: int, message: Message) -> Loss | None:
    """The lost entry of the first call, the one that Gemini looks for."""
    first = plain(message.calls[0].call_id or "")
    for loss in subject.losses_at.get(index, ()):
        if loss.signature.kind is SignatureKind.SEALED:
            signed = {plain(call_id) for call_id in loss.signature.call_ids}
            if not signed or first in signed:
                return loss
    return None


def _finding(
    subject: Subject, index: int, message: Message, loss: Loss | None
) -> Claim:
    said = (
        f"reasoning_details {_form(subject, index)} on the message that"
        f" {calling(message)}"
    )
    if loss is not None:
        said += f": {told(loss.signature)} {happened(loss)}"
        fix = send_back(subject, loss, index)
    else:
        where, fix = found_elsewhere(subject, index)
        said += f"; {where}"
    said += f" (Google counts it as content {content_number(subject, index)})"
    said += all_the_same(subject)
    return Claim(
        message.pointer,
        said,
        fix=fix,
        signature=loss.signature.sha256 if loss else None,
        severity=_severity(subject, index, loss),
    )


def _damaged(subject: Subject, loss: Loss) -> Claim:
    spots = subject.placed(loss.signature)
    message = subject.messages[loss.index]
    what = f"the message that {calling(message)}" if message.calls else "an answer"
    said = (
        f"{told(loss.signature)} {happened(loss)} in the reasoning_details of"
        f" {what}: it is not what was issued"
    )
    said += all_the_same(subject)
    return Claim(
        loss.instead or (spots[0].pointer if spots else message.pointer),
        said,
        fix=send_back(subject, loss),
        signature=loss.signature.sha256,
        worst=Severity.WARNING,
    )


def _form(subject: Subject, index: int) -> str:
    raw = node(subject.reading.request_json, subject.messages[index].pointer)
    if not isinstance(raw, dict) or "reasoning_details" not in raw:
        return "are missing"
    value = raw["reasoning_details"]
    if value is None:
        return "are null"
    if value == []:
        return "are empty"
    is_there = _is_usable(subject, index)
    return "are unusable" if is_there else "hold no encrypted entry"


def _severity(subject: Subject, index: int, loss: Loss | None) -> Severity:
    """An entry that names a sibling is Gemini's GEM-11: its outcome is inferred."""
    is_on_sibling = loss is not None and loss.fate in (Fate.MOVED, Fate.DROPPED)
    if not subject.is_accepted:
        is_contested = is_on_sibling and _is_usable(subject, index)
        return Severity.WARNING if is_contested else Severity.ERROR
    return Severity.WARNING if loss else Severity.INFO


RULE = Rule(
    code="ORT-1",
    name="details-missing",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("openrouter",),
    checked_on="2026-11-21",
    source=(
        "openrouter.ai/docs/guides/best-practices/reasoning-tokens, "
        "microsoft/vscode#279676, janhq/jan#7009 [client's notes, issue report]; "
        "docs/wire/openrouter.md#ort-1"
    ),
    check=check,
)
