"""A signature goes to another of Google's surfaces than the one that issued it, or a
bypass goes in its place.

Why it matters: OpenRouter routes each request anew. AI Studio and Vertex refuse each
other's signatures: the text of GEM-4 or GEM-5 inside `metadata.raw`. Replacing every
genuine entry by the bypass cures that, and destroys continuity in silence.
Bad:  {"provider": {"only": ["google-vertex"]}}
Good: {"provider": {"only": ["google-ai-studio"]}}
False alarms: an error only where the failing answer names the other surface; a
request that merely asks for it warns, and a switch that was accepted earns a remark. A
bypass where no recorded response brought an entry is in order.
Fix: the request is pinned to the surface that issued the signature; the genuine
entries come back for a bypass.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Json
from sigscope.ledger import Fate, Signature
from sigscope.ledger.records import FateStretch
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, node, put
from sigscope.rules.kinds.bypass import Replaced, is_misspelt
from sigscope.rules.openrouter.details import SLUGS, Surface, google_surface
from sigscope.rules.words import told

TITLES: dict[Surface, str] = {"ai-studio": "Google AI Studio", "vertex": "Vertex"}


def check(subject: Subject) -> Iterator[Claim]:
    """Signatures sent across, and bypasses for genuine entries."""
    target, _, _ = subject.once(_target)
    kept = (Fate.EXACT, Fate.DUPLICATED) if target is not None else ()
    for signature, stretch in subject.met(*kept):
        finding = _across(subject, signature, stretch)
        if finding is not None:
            yield finding
            break
    yield from STAND_INS(subject)


STAND_INS = Replaced(
    grave=lambda subject, loss: loss.is_current or is_misspelt(subject, loss)
)


def _across(
    subject: Subject, signature: Signature, stretch: FateStretch
) -> Claim | None:
    """One finding tells of all signatures: they go where the request goes."""
    if not signature.received:
        return None
    issuer = google_surface(subject.readings[signature.received[0].step].reply.provider)
    target, evidence, severity = subject.once(_target)
    if issuer is None or target is None or issuer == target:
        return None
    if _is_pinned(subject, issuer):
        return None
    return Claim(
        stretch.sightings[0].pointer,
        f"{told(signature)} was issued by {TITLES[issuer]}, and {evidence}"
        f" {TITLES[target]}",
        fix=_pin(subject, issuer),
        signature=signature.sha256,
        severity=severity,
    )


def _target(subject: Subject) -> tuple[Surface | None, str, Severity]:
    """Where the request went, or asks to go; how that is known; what it is worth."""
    if subject.is_accepted:
        provider = subject.reading.reply.provider
        is_told = subject.reading.status is not None
        how = "was accepted by" if is_told else "was answered by"
        return google_surface(provider), how, Severity.INFO
    provider = subject.error.provider if subject.error else ""
    if google_surface(provider):
        return google_surface(provider), "was refused by", Severity.ERROR
    asked = {google_surface(name) for name in _asked(subject.reading.request_json)}
    target = asked.pop() if len(asked) == 1 else None
    return target, "the request asks for", Severity.WARNING


def _asked(body: Json) -> list[str]:
    """Providers that the request insists on, else the one it asks for first."""
    only = _names(node(body, "/provider/only"))
    return only or _names(node(body, "/provider/order"))[:1]


def _names(value: Json) -> list[str]:
    found = value if isinstance(value, list) else []
    return [name for name in found if isinstance(name, str)]


def _is_pinned(subject: Subject, issuer: Surface) -> bool:
    """Whether the request may only go to the surface that issued the signature."""
    only = _names(node(subject.reading.request_json, "/provider/only"))
    return bool(only) and all(google_surface(name) == issuer for name in only)


def _pin(subject: Subject, issuer: Surface) -> Fix:
    label = f"stay with {TITLES[issuer]}"
    body = subject.reading.request_json
    if isinstance(node(body, "/provider"), dict):
        return (put("/provider/only", [SLUGS[issuer]], label),)
    return (put("/provider", {"only": [SLUGS[issuer]]}, label),)


RULE = Rule(
    code="ORT-6",
    name="other-surface",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("openrouter",),
    checked_on="2026-11-21",
    source=(
        "OpenRouterTeam/ai-sdk-provider#491, RooCodeInc/Roo-Code "
        "(src/api/providers/openrouter.ts), "
        "openrouter.ai/docs/guides/best-practices/reasoning-tokens [issue report]"
    ),
    check=check,
)
