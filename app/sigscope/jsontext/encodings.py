"""JSON in other encodings than UTF-8: recognised, flagged, shown, written back.

RFC 8259 section 8.1 allows only UTF-8 between systems; older texts (RFC 4627
section 3) may be UTF-16 or UTF-32, recognisable by their zero bytes since JSON
begins with two ASCII characters (one, for a document of one digit).
"""

from __future__ import annotations

import codecs

from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """How the bytes of a document spell its characters."""

    codec: str
    """Name for `bytes.decode`: "utf-8", "utf-16-le" ..."""
    bom: bytes = b""
    """The byte order mark the document begins with; empty if it has none."""

    @property
    def is_utf8(self) -> bool:
        """Whether spans can refer to the recorded bytes themselves."""
        return self.codec == "utf-8"

    def to_utf8(self, raw: bytes) -> bytes:
        """The document as UTF-8, without byte order mark. What is no character in
        this encoding becomes U+FFFD."""
        text = raw[len(self.bom) :].decode(self.codec, "replace")
        return text.encode("utf-8", "surrogatepass")

    def from_utf8(self, data: bytes) -> bytes:
        """The inverse of `to_utf8` where that lost nothing."""
        text = data.decode("utf-8", "surrogatepass")
        return self.bom + text.encode(self.codec, "surrogatepass")


UTF8 = Encoding(codec="utf-8")

_MARKED = (
    # UTF-32 first: its little-endian mark begins like that of UTF-16.
    Encoding(codec="utf-32-le", bom=codecs.BOM_UTF32_LE),
    Encoding(codec="utf-32-be", bom=codecs.BOM_UTF32_BE),
    Encoding(codec="utf-16-le", bom=codecs.BOM_UTF16_LE),
    Encoding(codec="utf-16-be", bom=codecs.BOM_UTF16_BE),
    Encoding(codec="utf-8", bom=codecs.BOM_UTF8),
)

_BY_ZEROS = {
    (True, True, True, False): Encoding(codec="utf-32-be"),
    (False, True, True, True): Encoding(codec="utf-32-le"),
    (True, False, True, False): Encoding(codec="utf-16-be"),
    (False, True, False, True): Encoding(codec="utf-16-le"),
    (True, False): Encoding(codec="utf-16-be"),
    (False, True): Encoding(codec="utf-16-le"),
}


def detect(raw: bytes) -> Encoding:
    """The encoding of a JSON text, by its first four bytes."""
    for encoding in _MARKED:
        if raw.startswith(encoding.bom):
            return encoding
    head = raw[:4]
    if 0 not in head:
        return UTF8
    return _BY_ZEROS.get(tuple(byte == 0 for byte in head), UTF8)
