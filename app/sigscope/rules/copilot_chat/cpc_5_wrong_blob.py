"""What stands in `reasoning_opaque` is not the envelope that Copilot issued.

Why it matters: for Claude, 400 "messages.N.content.M: Invalid signature in thinking
block". The field's *name* stored in place of its value, an envelope that was cut or
altered, a UUID made up by the client, another vendor's or account's signature.
Bad:  {"role": "assistant", "reasoning_opaque": "reasoning_opaque"}
Good: {"role": "assistant", "reasoning_opaque": "XLn4be0o..."}
False alarms: what Copilot does with a wrong envelope for Gemini is not known: it
warns there. A value that no recorded response issued is not judged unless its looks
betray it. An accepted request earns a remark.
Fix: the envelope as received; none where the session does not hold it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.conversation import Sighting
from sigscope.ledger import Fate, Signature
from sigscope.ledger.models import is_claude
from sigscope.opaque import sha256
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.kinds.altered import Altered
from sigscope.rules.kinds.foreign import Foreign, strangers
from sigscope.rules.phrases import said
from sigscope.rules.subject import Loss
from sigscope.rules.words import HAPPENED, short, told

NAMES = frozenset({"reasoning_opaque", "cot_id", "signature", "thinking"})
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
ENVELOPE = "copilot.reasoning_opaque"
DAMAGED = (Fate.ALTERED, Fate.CUT, Fate.BYPASS)
UNKNOWN = (Fate.EARLIER, Fate.FOREIGN, Fate.BYPASS)
"""Not issued here, as far as was recorded."""
SHOWN = 24
"""Characters of a value that is another from its beginning."""


def check(subject: Subject) -> Iterator[Claim]:
    """Damaged envelopes, then values that cannot be envelopes."""
    yield from ENVELOPES(subject)
    told_of = {loss.instead for loss in subject.losses}
    for loss in subject.losses:
        if loss.fate in DAMAGED:
            told_of.update(s.pointer for s in subject.placed(loss.signature))
    for signature, sighting in strangers(subject, *UNKNOWN):
        problem = _problem(subject, signature, sighting)
        if problem is not None and sighting.pointer not in told_of:
            yield Claim(
                sighting.pointer,
                problem,
                signature=sha256(sighting.value),
                worst=_worst(subject),
            )


def _worst(subject: Subject) -> Severity:
    return Severity.ERROR if is_claude(subject.reading.model) else Severity.WARNING


def _story(subject: Subject, loss: Loss) -> str:
    spots = subject.placed(loss.signature)
    begun = loss.signature.value[:SHOWN]
    if loss.fate is Fate.ALTERED and spots and not spots[0].value.startswith(begun):
        value = short(spots[0].value, SHOWN)
        return f"{told(loss.signature)} {HAPPENED[loss.fate]} to {value!r}"
    return said("{signature} {damaged}", subject, loss)


ENVELOPES = Altered(
    fates=DAMAGED,
    words=_story,
    exchanged="another value stands where {signature} belongs, and is no damaged copy"
    " of it",
    worst=_worst,
)


def _problem(subject: Subject, signature: Signature, sighting: Sighting) -> str | None:
    """Why a value cannot be an envelope of Copilot's; None where it may be one."""
    value = sighting.value
    if value in NAMES:
        return f"the value is the field's name, {value!r}"
    if not signature.received:
        if sighting.carrier != ENVELOPE:
            return None
        if _UUID.fullmatch(value):
            return "the value is a UUID, which a client makes up where only text came"
    return COPILOTS.problem(subject, signature, sighting)


COPILOTS = Foreign(title="Copilot")


RULE = Rule(
    code="CPC-5",
    name="wrong-blob",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("copilot-chat",),
    checked_on="2026-11-21",
    source=(
        "caozhiyuan/copilot-api#73, ericc-ch/copilot-api#166, badlogic/pi-mono#1502 "
        "[issue report, source code]; docs/wire/copilot-chat.md#cpc-5, "
        "docs/wire/fingerprints.md"
    ),
    check=check,
)
