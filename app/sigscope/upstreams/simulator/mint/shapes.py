"""The outer form of signatures, by origin (docs/wire/fingerprints.md).

Key ids are the newest ones recorded per Google surface; everything behind them is
sealed by us, so these look real and are worth nothing at the real services.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Literal

from sigscope.records import dataclass

Form = Literal["field-2", "field-1", "bare", "claude", "fernet", "padded", "unpadded"]
"""`field-2`: Gemini 3 on AI Studio. `field-1`: Gemini 2.5, and Vertex. `bare`: Vertex
through gateways. `fernet`: OpenAI. `padded`: Copilot. `unpadded`: xAI."""

KEY_IDS = {"ai-studio": bytes.fromhex("114d320f"), "vertex": bytes.fromhex("8f3d6b5f")}
RECORD = 160
"""Bytes of ciphertext in one record of the field-1 form, where it repeats."""

BYPASS_RAW = "skip_thought_signature_validator"
BYPASS_2_RAW = "context_engineering_is_the_way_to_go"
BYPASS_B64 = base64.b64encode(BYPASS_RAW.encode()).decode()
BYPASS_2_B64 = base64.b64encode(BYPASS_2_RAW.encode()).decode()

_INFRASTRUCTURE = {"bedrock": b"\x10\x01", "vertex": b"\x10\x02"}
"""Field 2 of Claude's channel block; at Anthropic's own API there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undressed:
    """What was inside an outer form, as far as it is there."""

    sealed: bytes
    key_id: bytes = b""
    torn: bool = False
    """A length inside said there should be more."""


def dress(form: Form, sealed: bytes, surface: str, unix: int) -> str:
    """Put sealed bytes into the outer form of an origin, as text for JSON.

    The same input gives the same text, so a changed outer form can be noticed.
    """
    payload = b"\x01" + KEY_IDS.get(surface, KEY_IDS["ai-studio"]) + sealed
    if form == "field-2":
        data = _field(2, _field(1, payload))
    elif form == "field-1":
        pieces = range(0, len(sealed), RECORD)
        data = b"".join(
            _field(1, payload[:5] + sealed[at : at + RECORD]) for at in pieces
        )
    elif form == "bare":
        data = payload
    elif form == "claude":
        nonce = hashlib.sha256(sealed).digest()[:12]
        channel = b"\x08\x0b" + _INFRASTRUCTURE.get(surface, b"") + b"\x18\x02"
        inner = _field(1, channel) + _field(2, nonce) + _field(5, sealed)
        data = _field(2, inner) + bytes.fromhex("1801")
    elif form == "fernet":
        data = b"\x80" + unix.to_bytes(8, "big") + sealed
        return base64.urlsafe_b64encode(data).decode()
    else:
        data = sealed
    text = base64.b64encode(data).decode()
    return text.rstrip("=") if form == "unpadded" else text


def undress(data: bytes) -> list[Undressed]:
    """Every way these bytes may hold something sealed, likeliest first."""
    found: list[Undressed] = []
    fields, torn = _fields(data)
    if fields and fields[0][0] == 2:
        inner, inner_torn = _fields(fields[0][1])
        torn = torn or inner_torn
        for number, value in inner:
            if number == 1 and value[:1] == b"\x01" and len(inner) == 1:
                found.append(_payload(value, torn))
            elif number == 5:
                found.append(Undressed(sealed=value, torn=torn))
    elif fields and all(number == 1 for number, _ in fields):
        records = [value for _, value in fields if value[:1] == b"\x01"]
        sealed = b"".join(value[5:] for value in records)
        if records:
            found.append(Undressed(sealed=sealed, key_id=records[0][1:5], torn=torn))
    if data[:1] == b"\x01":
        found.append(_payload(data, torn=False))
    if data[:1] == b"\x80":
        found.append(Undressed(sealed=data[9:]))
    found.append(Undressed(sealed=data))
    return found


def decode(text: str) -> bytes | None:
    """Base64 in either alphabet, padded or not, or None. Mixed alphabets are none.

    Google's parser takes both alphabets and needs no padding: requests with the
    URL-safe one are recorded with 200 (docs/wire/gemini.md#policy, real traffic).
    """
    bare = text.rstrip("=")
    if len(text) - len(bare) > 2 or len(bare) % 4 == 1:
        return None
    if re.fullmatch(r"[A-Za-z0-9_-]*", bare):
        bare = bare.replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _payload(value: bytes, torn: bool) -> Undressed:
    return Undressed(sealed=value[5:], key_id=value[1:5], torn=torn)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _field(number: int, value: bytes) -> bytes:
    return bytes([number << 3 | 2]) + _varint(len(value)) + value


def _fields(data: bytes) -> tuple[list[tuple[int, bytes]], bool]:
    """Length-delimited and varint fields, and whether the last one is torn."""
    fields: list[tuple[int, bytes]] = []
    at = 0
    while at < len(data):
        number, kind = data[at] >> 3, data[at] & 7
        length, after = _read_varint(data, at + 1)
        if number == 0 or kind not in (0, 2) or length is None:
            return fields, True
        if kind == 0:
            at = after
            continue
        fields.append((number, data[after : after + length]))
        at = after + length
    return fields, at > len(data)


def _read_varint(data: bytes, at: int) -> tuple[int | None, int]:
    value = shift = 0
    while at < len(data) and shift < 35:
        value |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            return value, at
        shift += 7
    return None, at
