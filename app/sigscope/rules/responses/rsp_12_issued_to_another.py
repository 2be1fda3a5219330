"""encrypted_content was issued by another service, or to another caller.

Why it matters: 400 "encrypted_content was not issued to this caller", or
invalid_encrypted_content. Account, key, region, resource or vendor changed within the
conversation; each can open only what it sealed.
Bad:  [{"type": "reasoning", "id": "rs_azure", "encrypted_content": "gAAAAABpVbkA"}]
Good: [{"role": "user", "content": "What did we say?"}]
False alarms: it warns until an answer confirms it. A service behind a gateway is not
seen; what came from before the recording is judged by its first bytes alone.
Fix: the item is taken out; what it led to goes on without its id.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Sighting
from sigscope.dialects.registry import SERVICES
from sigscope.dialects.services import AZURE, CODEX, OPENAI
from sigscope.fingerprints import guess_origin
from sigscope.ledger import Signature
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, drop
from sigscope.rules.kinds.foreign import strangers
from sigscope.rules.responses.items import bearer as bearer_of
from sigscope.rules.responses.items import is_output, text
from sigscope.rules.words import told

_FERNET = frozenset({OPENAI.name, AZURE.name, CODEX.name})
"""Services whose values begin as OpenAI's do."""
_TITLES = {service.name: service.title for service in SERVICES}


def check(subject: Subject) -> Iterator[Claim]:
    """One claim for each that another issued."""
    for signature, sighting in strangers(subject):
        problem = _problem(subject, signature, sighting)
        at, item = bearer_of(subject, sighting)
        if problem and item:
            yield Claim(
                sighting.pointer,
                problem,
                fix=_fix(subject, at),
                signature=signature.sha256,
            )


def _problem(subject: Subject, signature: Signature, sighting: Sighting) -> str:
    ours = subject.reading.service
    here = _TITLES.get(ours or "", "this service")
    if signature.received:
        issuer = subject.readings[signature.received[0].step]
        title = issuer.dialect.title if issuer.dialect else "another service"
        who = _TITLES.get(issuer.service or "", title)
        return f"{told(signature)} was issued by {who}, not by {here}"
    origin = guess_origin(sighting.value)
    if ours in _FERNET and origin.family not in ("unknown", "openai"):
        return f"by its first bytes the value is {origin.detail}'s, not {here}'s own"
    return ""


def _fix(subject: Subject, at: str) -> Fix:
    """Without the item, and without the id of what it led to."""
    messages = subject.messages
    place = next(i for i, message in enumerate(messages) if message.pointer == at)
    edits = [drop(at, "take another service's reasoning away")]
    for message in messages[place + 1 :]:
        item = subject.reading.entries[messages.index(message)]
        if message.bears_reasoning or not is_output(message):
            break
        if isinstance(item, dict) and text(item, "id"):
            edits.append(
                drop(f"{message.pointer}/id", "take another service's id away")
            )
    return tuple(edits)


RULE = Rule(
    code="RSP-12",
    name="issued-to-another",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.REPORTED,
    dialects=("responses",),
    checked_on="2026-11-22",
    source="Gentleman-Programming/gentle-ai#4595, openai/codex#13724 [issue report]",
    check=check,
)
