"""Where recorded text becomes bytes and bytes become text.

Recorded bytes that are no UTF-8 live in text as the lone surrogates U+DC80 to U+DCFF
(PEP 383); JSON's `"\\ud83d"` gives lone surrogates too. A plain `str.encode` raises on
both. Text that came from a recording passes through here, in either direction; our own
words need not.

    to_text(b"a\\xff")      "a\\udcff"     and `to_bytes` gives b"a\\xff" again
    to_bytes("\\ud83d")     b"\\xed\\xa0\\xbd"
    readable(b"a\\xff")     "a\\ufffd"     for showing; there is no way back
"""

from __future__ import annotations

import codecs
import re

_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATES = "sigscope-surrogates"


def to_text(data: bytes) -> str:
    """UTF-8 as text; each byte that is none as a lone surrogate. Nothing is lost."""
    return data.decode("utf-8", "surrogateescape")


def to_bytes(text: str, *, pairs: bool = False) -> bytes:
    """The bytes that `to_text` made a text of. Other lone surrogates become the three
    bytes that UTF-8 would have for them. Never raises.

    `pairs`: two halves side by side are one character, as where YAML or PowerShell
    spelled them one by one.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        text = _HALVES.sub(_joined, text) if pairs else text
    try:  # fast, and enough where all that is odd is bytes that were no UTF-8
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", _SURROGATES)


def is_utf8(data: bytes) -> bool:
    """Whether these bytes are valid UTF-8."""
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def readable(data: bytes) -> str:
    """UTF-8 as text that can be encoded again by anybody; what is none is U+FFFD."""
    return data.decode("utf-8", "replace")


def _joined(found: re.Match[str]) -> str:
    return found[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _surrogate_bytes(error: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    part = error.object[error.start : error.end]
    out = b"".join(
        bytes((ord(char) - 0xDC00,))
        if "\udc80" <= char <= "\udcff"
        else char.encode("utf-8", "surrogatepass")
        for char in part
    )
    return out, error.end


codecs.register_error(_SURROGATES, _surrogate_bytes)
