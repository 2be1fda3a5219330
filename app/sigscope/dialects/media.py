"""Images, audio and files in messages: what they are, and how large.

Blocks of chat completions: `image_url` with a URL or a data URL in it, `input_image`,
`input_audio`, `file`; Anthropic's `image` with a `source`, which gateways pass on.
Gemini: `inlineData` and `fileData`. Never the content itself: only the beginning of it
is looked at, for the pixels.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

from sigscope.conversation import Part, PartKind
from sigscope.dialects.leaves import text_of

Json = Any

BLOCKS = frozenset({"image_url", "input_image", "input_audio", "file", "image"})
"""Types of blocks that hold media."""
_LOOKED_AT = 48_000
"""Characters of base64 in which the size of an image is looked for: a JPEG may have a
preview and a colour profile before it."""


def media_block(block: dict[str, Json], at: str) -> Part:
    """A block of a chat message."""
    kind = text_of(block.get("type"))
    inner = block.get(kind)
    where = inner if isinstance(inner, dict) else block
    places = (where.get("url"), inner, block.get("image_url"), where.get("file_data"))
    url = next((place for place in places if isinstance(place, str) and place), "")
    source = block.get("source")
    if url.startswith("data:"):
        head, _, data = url.partition(",")
        return _part(head[5:].split(";")[0] or kind, data, at)
    if isinstance(source, dict):
        mime = text_of(source.get("media_type"))
        return _part(mime or kind, text_of(source.get("data")), at, source.get("url"))
    if kind == "input_audio":
        form = text_of(where.get("format"))
        return _part(f"audio/{form}" if form else kind, text_of(where.get("data")), at)
    named = text_of(where.get("filename")) or text_of(where.get("file_id"))
    return _part(named or kind.removesuffix("_url"), "", at, url)


def gemini_media(media: dict[str, Json], at: str) -> Part:
    """The value of `inlineData` or `fileData`."""
    mime = text_of(media.get("mimeType", media.get("mime_type")))
    uri = media.get("fileUri", media.get("file_uri"))
    return _part(mime, text_of(media.get("data")), at, uri)


def told(part: Part) -> str:
    """ "[image/png 640×480]": media inside of a text."""
    return f"[{part.text or 'media'}]"


def _part(kind: str, data: str, at: str, url: Json = None) -> Part:
    size = len(data.rstrip("=")) * 3 // 4
    words = [kind]
    pixels = _pixels(data) if data else None
    if pixels is not None:
        words.append(f"{pixels[0]}×{pixels[1]}")
    if isinstance(url, str) and url:
        words.append(f"at {url}")
    return Part(kind=PartKind.MEDIA, pointer=at, text=" ".join(words), size=size)


# --- How large an image is ------------------------------------------------------------


def _pixels(data: str) -> tuple[int, int] | None:
    """Width and height as the head of a PNG, GIF, WebP or JPEG tells them."""
    head = data[:_LOOKED_AT]
    try:
        raw = base64.b64decode(head[: len(head) // 4 * 4], validate=False)
    except (binascii.Error, ValueError):
        return None
    if raw[:8] == b"\x89PNG\r\n\x1a\n" and raw[12:16] == b"IHDR":
        return _big(raw[16:20]), _big(raw[20:24])
    if raw[:6] in (b"GIF87a", b"GIF89a"):
        return _little(raw[6:8]), _little(raw[8:10])
    if raw[:4] == b"RIFF" and raw[8:16] == b"WEBPVP8X":
        return _little(raw[24:27]) + 1, _little(raw[27:30]) + 1
    if raw[:2] == b"\xff\xd8":
        return _jpeg(raw)
    return None


def _jpeg(raw: bytes) -> tuple[int, int] | None:
    """From the first frame header: marker FFC0 to FFCF but for C4, C8 and CC (ITU-T
    T.81, B.1.1.3)."""
    at = 2
    while at + 9 < len(raw) and raw[at] == 0xFF:
        marker = raw[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return _big(raw[at + 7 : at + 9]), _big(raw[at + 5 : at + 7])
        at += 2 + _big(raw[at + 2 : at + 4])
    return None


def _big(raw: bytes) -> int:
    return int.from_bytes(raw, "big")


def _little(raw: bytes) -> int:
    return int.from_bytes(raw, "little")
