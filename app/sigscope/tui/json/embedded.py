"""What a string holds besides itself: JSON, base64, a data URL."""

from __future__ import annotations

import re
from typing import Literal

from sigscope import opaque
from sigscope.fingerprints import guess_origin
from sigscope.jsontext import JsonText
from sigscope.records import dataclass
from sigscope.utf8 import to_bytes

MOST_LOOKED_AT = 32 * 1024 * 1024
"""Characters of a string that are decoded at most; pictures are smaller."""

_SHORTEST_BASE64 = 24
"""Characters. Shorter words are base64 by accident too often."""

_DATA_URL = re.compile(r"data:([\w.+/-]*)((?:;[\w=.+-]+)*);base64,", re.ASCII)
_HEX_ONLY = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_WORDY = re.compile(r"[A-Za-z]+(?:[_-][A-Za-z]+)*")

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"%PDF-", "PDF"),
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "ZIP"),
    (b"OggS", "Ogg"),
    (b"ID3", "MP3"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedValue:
    """Something found inside a string."""

    kind: Literal["json", "text", "bytes"]
    coding: str
    """How it is wrapped: "" for JSON in a string, "base64", "base64, image/png"."""
    data: bytes
    """What is inside; for JSON the text of it."""
    note: str = ""
    """What the bytes seem to be: "PNG", "Gemini, AI Studio, key seen ..."."""


def held_in(text: str) -> EmbeddedValue | None:
    """What a string holds; None for plain text."""
    if len(text) > MOST_LOOKED_AT or len(text) < 2:
        return None
    return _maybe_json(text) or _maybe_base64(text)


def _maybe_json(text: str) -> EmbeddedValue | None:
    """JSON objects and arrays only: every number is JSON, and says nothing by it.
    Text that merely begins like JSON is text."""
    bare = text.strip()
    if bare[:1] + bare[-1:] not in ("{}", "[]") or len(bare) < 3:
        return None
    data = to_bytes(text)
    if JsonText(data).is_broken:
        return None
    return EmbeddedValue(kind="json", coding="", data=data)


def _maybe_base64(text: str) -> EmbeddedValue | None:
    head = _DATA_URL.match(text)
    body = text[head.end() :] if head else text
    if not head and (len(body) < _SHORTEST_BASE64 or _is_plain_word(body)):
        return None
    data = opaque.decode(body)
    if not data:
        return None
    coding = f"base64, {head[1]}" if head and head[1] else "base64"
    inner = _maybe_text(data)
    if inner is not None:
        as_json = _maybe_json(inner)
        kind: Literal["json", "text"] = "json" if as_json else "text"
        return EmbeddedValue(kind=kind, coding=coding, data=data)
    note = _name_of(data)
    if not note and not head:
        origin = guess_origin(body)
        note = "" if origin.family == "unknown" else origin.detail
    return EmbeddedValue(kind="bytes", coding=coding, data=data, note=note)


def _is_plain_word(text: str) -> bool:
    """Ids and names are made of the letters of base64 too."""
    if _HEX_ONLY.fullmatch(text) or _WORDY.fullmatch(text):
        return True
    return "_" in text[:6] and len(text) < 64  # call_..., toolu_..., chatcmpl_...


def _maybe_text(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return text if all(c.isprintable() or c in "\t\r\n" for c in text) else None


def _name_of(data: bytes) -> str:
    for magic, name in _MAGIC:
        if data.startswith(magic):
            return name
    return "WebP" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""
