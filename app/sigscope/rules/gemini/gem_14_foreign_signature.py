"""A signature that this service did not issue: of the other Google surface, of another
vendor, or a bypass where a genuine one is known.

Why it matters: AI Studio and Vertex seal with different keys and refuse each other's
signatures: "Corrupted thought signature." or "Thought signature is not valid". A
bypass is meant to pass; the reasoning that the genuine signature carried is lost in
silence.
Bad:  {"thoughtSignature": "skip_thought_signature_validator"}
Good: {"thoughtSignature": "EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq9SV"}
False alarms: an error only where this session shows who issued it. Outer bytes are a
hint, never a proof: they warn, and are silent once the request was
accepted. Bypasses for calls that no recorded response signed are in order. A key id
that is merely old is not mentioned.
Fix: the genuine signature where it is known. For a foreign one the documented
bypass on the first call of the current turn's step, and nothing elsewhere:
validation passes, continuity does not come back.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Sighting
from sigscope.fingerprints import guess_origin
from sigscope.ledger import Signature
from sigscope.ledger.fates import surface
from sigscope.opaque import fingerprint
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, drop, put
from sigscope.rules.fixes import send_back
from sigscope.rules.gemini.unsigned_calls import STAND_IN, placed_at
from sigscope.rules.kinds.bypass import Replaced, replacement
from sigscope.rules.kinds.foreign import strangers
from sigscope.rules.outcome import Outcome, outcome_of
from sigscope.rules.places import is_enforced
from sigscope.rules.words import told

TITLES = {"ai-studio": "AI Studio", "vertex": "Vertex"}


def check(subject: Subject) -> Iterator[Claim]:
    """Signatures of known and of likely foreigners, and bypasses for genuine ones."""
    for signature, sighting in strangers(subject):
        if signature.received:
            yield _issued_elsewhere(subject, signature, sighting)
        elif not subject.is_accepted:
            yield from _looks_foreign(subject, sighting)
    yield from STAND_INS(subject)


STAND_INS = Replaced(
    words=lambda subject, loss: (
        f"{placed_at(subject, loss.index)}: {replacement(subject, loss)[1]}"
    )
)


def _issued_elsewhere(
    subject: Subject, signature: Signature, sighting: Sighting
) -> Claim:
    issuer = subject.readings[signature.received[0].step]
    host = issuer.probe.host or (issuer.dialect.title if issuer.dialect else "?")
    here = subject.reading.probe.host or "this service"
    where = placed_at(subject, sighting.anchor.message)
    return Claim(
        sighting.pointer,
        f"{where}: {told(signature)} was issued by {host}; {_effect(subject, here)}",
        fix=_without(subject, sighting),
        signature=signature.sha256,
    )


def _effect(subject: Subject, here: str) -> str:
    """What that means for the service, as far as the record agrees."""
    found = outcome_of(subject)
    if found is Outcome.ACCEPTED:
        return f"{here} accepted the request all the same"
    if found is Outcome.ANSWERED:
        return f"{here} answered all the same; no status was recorded"
    return f"{here} cannot verify it"


def _looks_foreign(subject: Subject, sighting: Sighting) -> Iterator[Claim]:
    origin = guess_origin(sighting.value)
    here = surface(subject.reading)
    is_other_vendor = origin.family in ("claude", "openai")
    is_other_surface = bool(here and origin.surface and origin.surface != here)
    if not is_other_vendor and not is_other_surface:
        return
    where = placed_at(subject, sighting.anchor.message)
    target = TITLES.get(here or "", "Gemini")
    yield Claim(
        sighting.pointer,
        f"{where}: signature {fingerprint(sighting.value)} looks like"
        f" {origin.detail}; the request goes to {target}, and no recorded response"
        " issued it",
        fix=_without(subject, sighting),
        severity=Severity.WARNING,
    )


def _without(subject: Subject, sighting: Sighting) -> Fix:
    """The one that it took the place of; else a bypass where one is demanded, and
    nothing where none is."""
    for loss in subject.losses:
        if loss.instead == sighting.pointer:
            genuine = send_back(subject, loss)
            if genuine is not None:
                return genuine
    index = sighting.anchor.message
    calls = subject.messages[index].calls if index >= 0 else ()
    is_demanded = (
        bool(calls)
        and sighting.anchor.part == calls[0].pointer
        and subject.reading.conversation.is_current(index)
        and is_enforced(subject, index)
    )
    if is_demanded:
        label = "put a bypass for a history that this service did not produce"
        return (put(sighting.pointer, STAND_IN, label),)
    return (drop(sighting.pointer, "take it away: it was issued elsewhere"),)


RULE = Rule(
    code="GEM-14",
    name="foreign-signature",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "google-gemini/gemini-cli#13467, OpenRouterTeam/ai-sdk-provider#491, "
        "ai.google.dev/gemini-api/docs/thought-signatures [issue report, source "
        "code]; docs/wire/gemini.md#gem-14, docs/wire/fingerprints.md"
    ),
    check=check,
)
