"""One origin, for those that compare."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

from sigscope.fingerprints.forms import Family, recognise
from sigscope.fingerprints.keys import KEYS, SURFACES, Surface
from sigscope.fingerprints.specimen import Specimen
from sigscope.opaque import maybe_bypass
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginHint:
    """Where a signature seems to come from. Undocumented; a hint, never a proof."""

    family: Family
    detail: str
    """One line for people: "Gemini, AI Studio, key of February 2026"."""
    surface: Surface | None = None
    key_id: str | None = None
    """Hex of the four bytes that name the sealing key (Gemini)."""
    minted_at: str | None = None
    """RFC 3339, UTC, where the text tells its time (OpenAI)."""


_UNKNOWN = OriginHint(family="unknown", detail="no pattern known")


@lru_cache(maxsize=4096)
def guess_origin(text: str) -> OriginHint:
    """The origin of a whole signature; of a damaged one nothing is said here."""
    bypass = maybe_bypass(text)
    if bypass:
        return OriginHint(family="bypass", detail=f"bypass, {bypass.form} form")
    it = Specimen(text)
    found = recognise(it) if it.is_whole and not it.message.is_torn else None
    if found is None or found.family == "unknown":
        return _UNKNOWN
    if found.family == "openai":
        when = minted_at(it)
        return OriginHint(
            family="openai", detail=f"OpenAI, sealed {when}", minted_at=when
        )
    if found.family == "google":
        return _as_google(it)
    return OriginHint(family=found.family, detail="Claude")


def _as_google(it: Specimen) -> OriginHint:
    known = KEYS.get(it.key_id)
    if known is None:
        return OriginHint(
            family="google", detail="Gemini, key not known", key_id=it.key_id
        )
    return OriginHint(
        family="google",
        detail=f"Gemini, {SURFACES[known.surface]}, key seen {known.seen}",
        surface=known.surface,
        key_id=it.key_id,
    )


def minted_at(it: Specimen) -> str:
    seconds = int.from_bytes(it.data[1:9], "big")
    when = datetime.fromtimestamp(seconds, UTC).isoformat()
    return when.replace("+00:00", "Z")
