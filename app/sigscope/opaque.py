"""What can be said about one opaque string without any key.

A signature travels as text. Two texts are the same signature when they decode to the
same bytes: services answer in the standard base64 alphabet, some SDKs send the
URL-safe one back, and padding comes and goes (docs/wire/gemini.md#policy, [real
traffic]).
Nothing here trims, wraps or normalises: a string that is not base64 is compared as it
stands.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal

from sigscope.utf8 import to_bytes

FINGERPRINT_DIGITS = 6
"""Hex digits of SHA-256 that name a signature on screen."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_TO_STANDARD = str.maketrans("-_", "+/")


def sha256(text: str) -> str:
    """SHA-256 of the text's UTF-8, as 64 hex digits."""
    return hashlib.sha256(to_bytes(text)).hexdigest()


def fingerprint(text: str) -> str:
    """The short name of a signature: "9f3a21"."""
    return sha256(text)[:FINGERPRINT_DIGITS]


@lru_cache(maxsize=4096)
def decode(text: str) -> bytes | None:
    """The bytes behind base64 of either alphabet, padded or not; None if it is not.

    A length of 1 modulo 4 cannot be base64: the text was cut.
    """
    if not _BASE64.fullmatch(text):
        return None
    bare = text.rstrip("=").translate(_TO_STANDARD)
    if len(bare) % 4 == 1:
        return None
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def comparison_key(text: str) -> bytes:
    """Equal for two texts exactly when they are the same signature."""
    data = decode(text)
    return b"b" + data if data is not None else b"t" + to_bytes(text)


class Keys(dict[str, bytes]):
    """Comparison keys by text, for texts that come again and again."""

    def __missing__(self, text: str) -> bytes:
        key = self[text] = comparison_key(text)
        return key


def is_cut_of(text: str, whole: str) -> bool:
    """Whether `text` is what remains of `whole` after its end was cut off.

    An ellipsis at the end, as compaction leaves it, counts as cutting
    (openclaw/openclaw#82995).
    """
    bare = text.removesuffix("...").removesuffix("…").rstrip("=")
    if not bare or bare == whole.rstrip("="):
        return False
    standard, other = bare.translate(_TO_STANDARD), whole.translate(_TO_STANDARD)
    return len(standard) < len(other.rstrip("=")) and other.startswith(standard)


def is_altered_from(text: str, whole: str) -> bool:
    """Whether `text` looks like a damaged copy of `whole`, not like another one.

    Signatures of one issuer share their first dozen characters, so a short common
    start proves nothing; a long common run at either end, or the same bytes encoded
    once more or once less, does.
    """
    if text == whole or not text:
        return False
    shorter = min(len(text), len(whole))
    if shorter < 16:
        return False
    ours, theirs = text.translate(_TO_STANDARD), whole.translate(_TO_STANDARD)
    common = _common_prefix(ours, theirs)
    tail = _common_prefix(ours[::-1].lstrip("="), theirs[::-1].lstrip("="))
    return max(common, tail) >= max(24, shorter // 3) or _is_recoded(text, whole)


def is_another(text: str, whole: str) -> bool:
    """Whether `text` is a signature of its own rather than `whole`, damaged.

    Where the start that all of an issuer share is kept and the rest is not, or where
    even that differs and the rest is well formed. What decodes to nothing, is short or
    differs in case only, somebody has made of `whole`.
    """
    if is_altered_from(text, whole) or is_cut_of(text, whole):
        return False
    data = decode(text)
    is_formed = data is not None and len(data) >= SHORTEST
    return is_formed and text.casefold() != whole.casefold()


SHORTEST = 12
"""Bytes below which base64 is taken for a word, not for a signature."""


def _common_prefix(one: str, other: str) -> int:
    for count, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return count
    return min(len(one), len(other))


def _is_recoded(text: str, whole: str) -> bool:
    """Base64 put around the text once more, or taken off once too often."""
    outer, inner = decode(text), decode(whole)
    return outer == to_bytes(whole) or inner == to_bytes(text)


# --- Values that mean "do not check" -------------------------------------------------

BYPASS_LITERALS = (
    "skip_thought_signature_validator",
    "context_engineering_is_the_way_to_go",
    "context_engineering_is_the_way to_go",
)
"""Documented stand-ins, and a misspelt one that circulates
(docs/wire/gemini.md#bypass)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bypass:
    """A stand-in that makes a validator pass, and carries no reasoning."""

    literal: str
    form: Literal["raw", "base64"]


def maybe_bypass(text: str) -> Bypass | None:
    """The stand-in this text is, in either of its two forms on the wire."""
    if len(text) > 64:
        return None
    for literal in BYPASS_LITERALS:
        if text == literal:
            return Bypass(literal=literal, form="raw")
        if decode(text) == literal.encode():
            return Bypass(literal=literal, form="base64")
    return None


# --- Middlemen that hide a signature in a tool call id --------------------------------

THOUGHT_SEPARATOR = "__thought__"
"""LiteLLM puts the signature behind it (docs/wire/litellm.md#carriers, [source
code])."""
_VSCODE_SUFFIX = re.compile(r"__vscode-[\w-]+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallId:
    """A tool call id, taken apart."""

    plain: str
    """The id without what middlemen appended."""
    signature: str | None
    """What LiteLLM hid in it; None if nothing."""


def split_call_id(call_id: str) -> CallId:
    """Take off what LiteLLM, VS Code and Roo append to tool call ids."""
    bare = _VSCODE_SUFFIX.sub("", call_id)
    plain, separator, signature = bare.partition(THOUGHT_SEPARATOR)
    return CallId(plain=plain, signature=signature if separator else None)


# --- Who made it? ---------------------------------------------------------------------

Surface = Literal["ai-studio", "vertex"]

GEMINI_KEYS: dict[str, tuple[Surface, str]] = {
    "d1ed8a6f": ("ai-studio", "September to November 2025"),
    "72c8da7c": ("ai-studio", "November 2025 to January 2026"),
    "be3ef6fb": ("ai-studio", "February 2026 to spring 2026"),
    "0c39d6c7": ("ai-studio", "April to July 2026"),
    "114d320f": ("ai-studio", "July to August 2026"),
    "8f3d6b5f": ("vertex", "February to July 2026"),
}
"""Key ids seen in recorded traffic, and when (docs/wire/fingerprints.md, [real
traffic])."""


LAST_SECOND = 4_102_444_800
"""Year 2100: a later minting time is not a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a signature seems to come from. Undocumented; a hint, never a proof."""

    family: Literal["google", "claude", "openai", "bypass", "unknown"]
    detail: str
    """One line for people: "Gemini, AI Studio, key of February 2026"."""
    surface: Surface | None = None
    key_id: str | None = None
    """Hex of the four bytes that name the sealing key (Gemini)."""
    minted_at: str | None = None
    """RFC 3339, UTC, where the text tells its time (OpenAI)."""


@lru_cache(maxsize=4096)
def guess_origin(text: str) -> Origin:
    """Read the outer bytes of a signature (docs/wire/fingerprints.md)."""
    bypass = maybe_bypass(text)
    if bypass:
        return Origin(family="bypass", detail=f"stand-in, {bypass.form} form")
    data = decode(text)
    if not data or len(data) < 8:
        return Origin(family="unknown", detail="no pattern known")
    return (
        _maybe_openai(text, data)
        or _maybe_gemini(data)
        or _maybe_claude(data)
        or Origin(family="unknown", detail="no pattern known")
    )


def _maybe_openai(text: str, data: bytes) -> Origin | None:
    if not text.startswith("gAAAA"):
        return None
    seconds = int.from_bytes(data[1:9], "big")
    if seconds > LAST_SECOND:
        return Origin(family="openai", detail="OpenAI")
    when = datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    return Origin(family="openai", detail=f"OpenAI, sealed {when}", minted_at=when)


def _maybe_gemini(data: bytes) -> Origin | None:
    payload = _gemini_payload(data)
    if payload is None or len(payload) < 5 or payload[0] != 1:
        return None
    key_id = payload[1:5].hex()
    known = GEMINI_KEYS.get(key_id)
    if known is None:
        return Origin(family="google", detail="Gemini, key not known", key_id=key_id)
    surface, seen = known
    name = "Vertex" if surface == "vertex" else "AI Studio"
    detail = f"Gemini, {name}, key seen {seen}"
    return Origin(family="google", detail=detail, surface=surface, key_id=key_id)


def _gemini_payload(data: bytes) -> bytes | None:
    """`01` + key id + ciphertext, from any of the three outer forms."""
    if data[0] == 0x01:
        return data
    fields = read_fields(data)
    if not fields:
        return None
    number, value = fields[0]
    if number == 1 and all(n == 1 for n, _ in fields):
        return value
    if number != 2 or len(fields) > 1:
        return None
    inner = read_fields(value)
    if not inner:
        return None
    return next((v for _, v in reversed(inner) if v[:1] == b"\x01"), None)


def _maybe_claude(data: bytes) -> Origin | None:
    fields = read_fields(data)
    numbers = {number for number, _ in fields or ()}
    if {2, 3} <= numbers or (data[0] == 0x08 and 2 in numbers):
        return Origin(family="claude", detail="Claude")
    return None


def read_fields(data: bytes) -> list[tuple[int, bytes]] | None:
    """The fields of one protobuf message, or None where the bytes are no message.

    Varint fields come as their bytes; groups and fixed fields end the reading.
    """
    fields: list[tuple[int, bytes]] = []
    at = 0
    while at < len(data):
        tag = _read_varint(data, at)
        if tag is None:
            return None
        key, at = tag
        number, wire = key >> 3, key & 7
        if number == 0 or wire not in (0, 2):
            return None
        size = _read_varint(data, at)
        if size is None:
            return None
        length, start = size
        if wire == 0:
            fields.append((number, data[at:start]))
            at = start
        else:
            if start + length > len(data):
                return None
            fields.append((number, data[start : start + length]))
            at = start + length
    return fields


def _read_varint(data: bytes, at: int) -> tuple[int, int] | None:
    value = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7
    return None
