"""Hints: what a signature tells of itself, each as sure as its row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Literal

from sigscope.fingerprints.forms import (
    PAGE,
    Fingerprint,
    HowSure,
    inner_text,
    recognise,
)
from sigscope.fingerprints.keys import KEYS, SURFACES
from sigscope.fingerprints.origin import minted_at
from sigscope.fingerprints.specimen import PERCENT, Specimen
from sigscope.records import dataclass

About = Literal["origin", "surface", "model", "minted", "cut", "alphabet"]

_INFRASTRUCTURE = {1: ("bedrock", "Amazon Bedrock"), 2: ("vertex", "Google's cloud")}
"""Where Claude ran, as the second field of its channel block numbers it (fp-claude)."""
_ALPHABETS = {"google": "+/", "claude": "+/", "openai": "-_"}
"""The two characters beside letters and digits that each issuer writes (co-3)."""
_ALPHABET_NAMES = {"+/": "standard", "-_": "URL-safe"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """One thing that a string tells of itself."""

    about: About
    says: str
    """For people: "sealed 2026-01-01T00:00:00Z"."""
    value: str
    """For programs: "google", "vertex", "2026-01-01T00:00:00Z"."""
    confidence: HowSure
    source: str
    """The row of docs/wire that it rests on."""


@lru_cache(maxsize=4096)
def read_hints(text: str, carrier: str = "") -> tuple[Hint, ...]:
    """What a signature tells of itself; nothing where nothing is known.

    `carrier` is where it was read ("copilot.reasoning_opaque"). Any text will do.
    """
    it = Specimen(text, carrier)
    found = recognise(it)
    if found is None:
        return ()
    origin = Hint(
        about="origin",
        says=found.says,
        value=found.vendor,
        confidence=found.confidence,
        source=found.source,
    )
    return (origin, *_details(it, found))


def _details(it: Specimen, found: Fingerprint) -> Iterator[Hint]:
    inner = inner_text(it) if found.says.endswith("twice") else None
    if inner is not None:
        yield from _claude_details(Specimen(inner), found)
        return
    if found.surface:
        yield _surface("bedrock", "Amazon Bedrock", found.confidence, found.row)
    if found.family == "google":
        yield from _key_hint(it)
    elif found.family == "claude":
        yield from _claude_details(it, found)
    elif found.family == "openai":
        when = minted_at(it)
        yield Hint(
            about="minted",
            says=f"sealed {when}",
            value=when,
            confidence="inferred",
            source=found.source,
        )
    if found.family in _ALPHABETS:
        cut = _maybe_cut(it, found)
        yield from [cut] if cut else []
        alphabet = _maybe_alphabet(it, _ALPHABETS[found.family], found)
        yield from [alphabet] if alphabet else []


def _surface(value: str, name: str, confidence: HowSure, row: str) -> Hint:
    return Hint(
        about="surface",
        says=name,
        value=value,
        confidence=confidence,
        source=f"{PAGE}#{row}",
    )


def _key_hint(it: Specimen) -> Iterator[Hint]:
    known = KEYS.get(it.key_id)
    if known is not None:
        name = f"{SURFACES[known.surface]}, key {it.key_id} seen {known.dates}"
        yield _surface(known.surface, name, "inferred", known.row)


def _claude_details(it: Specimen, found: Fingerprint) -> Iterator[Hint]:
    number = int.from_bytes(it.channel.get(2, b""), "little")
    known = _INFRASTRUCTURE.get(number)
    if known is not None:
        yield _surface(*known, found.confidence, found.row)
    name = it.channel.get(6, b"")
    if _MODEL.fullmatch(name):
        yield Hint(
            about="model",
            says=name.decode(),
            value=name.decode(),
            confidence=found.confidence,
            source=found.source,
        )


_MODEL = re.compile(rb"claude-[a-z0-9@.:-]{1,64}")


def _maybe_cut(it: Specimen, found: Fingerprint) -> Hint | None:
    """Whether its own form says that more should be there."""
    cut = Hint(about="cut", says="", value="cut", confidence="documented", source="")
    if it.text.endswith(("...", "…")):
        said = "cut: it ends in an ellipsis"
        return replace(cut, says=said, confidence="reported", source=f"{PAGE}#co-7")
    if len(it.digits) % 4 == 1:
        said = f"cut: no base64 has {len(it.digits):,} characters"
        return replace(cut, says=said, source=f"{PAGE}#co-2")
    if found.family == "openai" and (len(it.data) - _FERNET_FRAME) % _BLOCK:
        said = "cut or patched: no whole number of sealed blocks"
        return replace(cut, says=said, confidence="inferred", source=f"{PAGE}#co-4")
    if found.family != "openai" and it.message.is_torn and it.data[:1] != b"\x01":
        said = "cut: the lengths in it ask for more bytes"
        return replace(cut, says=said, confidence="inferred", source=f"{PAGE}#co-5")
    return None


_FERNET_FRAME = 1 + 8 + 16 + 32
"""Version, time, initialisation vector, HMAC
(https://github.com/fernet/spec/blob/master/Spec.md)."""
_BLOCK = 16


def _maybe_alphabet(it: Specimen, own: str, found: Fingerprint) -> Hint | None:
    """Whether it is written otherwise than its issuer writes it."""
    row, confidence, said = "co-3", "observed", ""
    strange = [pair for pair in ("+/", "-_") if set(pair) & set(it.text)]
    if " " in it.text or PERCENT.search(it.text):
        how = "%-escapes" if "%" in it.text else 'blanks where "+" stood'
        row, confidence = "co-6", "documented"
        said = f"wrong alphabet: {how}; it went through a URL or a form"
    elif not it.is_whole and len(it.digits) < len(it.text.rstrip("=.…")):
        char = it.text[len(it.digits)]
        said = f"wrong alphabet: {char!a} at {len(it.digits):,} is no base64"
        row, confidence = "co-1", "documented"
    elif len(strange) == 2:
        said = "wrong alphabet: both of base64's in one string"
    elif strange and strange[0] != own:
        said = (
            f"{_ALPHABET_NAMES[strange[0]]} base64, where {found.says} writes the"
            f" {_ALPHABET_NAMES[own]} one; the bytes are the same"
        )
    if not said:
        return None
    return Hint(
        about="alphabet",
        says=said,
        value=strange[0] if len(strange) == 1 else "mixed" if strange else "other",
        confidence="documented" if confidence == "documented" else "observed",
        source=f"{PAGE}#{row}",
    )


# --- Words --------------------------------------------------------------------------


def told(hints: Sequence[Hint]) -> str:
    """ "Gemini 3 (observed); AI Studio, key 114d320f seen ... (inferred)"."""
    return "; ".join(f"{hint.says} ({hint.confidence})" for hint in hints)


def hint_rows(hints: Sequence[Hint]) -> list[dict[str, str]]:
    """[{"about":"surface","value":"vertex","says":"Vertex, key 8f3d6b5f ...",
    "confidence":"inferred","source":"docs/wire/fingerprints.md#key-6"}]"""
    return [asdict(hint) for hint in hints]
