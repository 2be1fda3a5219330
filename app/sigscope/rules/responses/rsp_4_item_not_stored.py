"""An item is named by its id, and the service does not keep it.

Why it matters: 404 "Item with id 'rs_...' not found. Items are not persisted when
`store` is set to false." Without `include: ["reasoning.encrypted_content"]` nothing
sealed comes that could be sent instead.
Bad:  [{"type": "reasoning", "id": "rs_1", "summary": []}]
Good: [{"type": "reasoning", "id": "rs_1", "encrypted_content": "gAAAAABpVbkA"}]
False alarms: only where the answer tells that it is not stored, or nothing tells and
the request asks for that. Readable reasoning of open models is not judged.
Fix: the sealed value, where the recording has it; else the item is taken out.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.dialects.services import AZURE
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, drop, put
from sigscope.rules.fixes import send_back
from sigscope.rules.responses.items import CHECKS_ITEMS, bare, issued, issued_id, text


def check(subject: Subject) -> Iterator[Claim]:
    """One claim for each; Azure's are another rule's."""
    if subject.reading.service in CHECKS_ITEMS - {AZURE.name}:
        yield from claims(subject)


def claims(subject: Subject) -> Iterator[Claim]:
    """One claim for each item that is named only."""
    for message, item in bare(subject):
        name = text(item, "id")
        yield Claim(
            message.pointer,
            f"{item.get('type')} {name} is sent by its id alone, and nothing keeps it:"
            " store is false",
            fix=_fix(subject, message.pointer, name),
        )


def _fix(subject: Subject, pointer: str, name: str) -> Fix | None:
    for loss in subject.losses:
        if issued_id(subject, loss.signature) == name:
            back = send_back(subject, loss)
            if back is not None:
                return back
    known = subject.once(issued).get(name)
    sealed = text(known.data, "encrypted_content") if known else ""
    if known is not None and sealed:
        return (
            put(
                pointer, known.data, f"put back {name} as received in step {known.step}"
            ),
        )
    if known is None and subject.readings.keys() - {subject.step}:
        return None  # some item of the recording under another id, it seems
    return (drop(pointer, f"take away {name}, which nothing keeps"),)


RULE = Rule(
    code="RSP-4",
    name="item-not-stored",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("responses",),
    checked_on="2026-11-22",
    source="platform.openai.com/docs/guides/reasoning [docs], vercel/ai#12689"
    " [issue report]",
    check=check,
    looks_ahead=True,
)
