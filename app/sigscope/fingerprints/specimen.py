"""What one opaque string is made of, though it may be damaged."""

from __future__ import annotations

import base64
import re
from functools import cached_property

from sigscope.fingerprints.keys import KEYS
from sigscope.fingerprints.protobuf import ProtobufMessage, read_message, read_varint
from sigscope.opaque import decode


class Specimen:
    """A string, and what can be read of its bytes though it may be damaged."""

    def __init__(self, text: str, carrier: str = "") -> None:
        self.text = text
        self.carrier = carrier
        self.is_whole = decode(text) is not None
        """Whether it is base64 from end to end."""

    @cached_property
    def digits(self) -> str:
        """Its base64 from the start: to the padding, or to what is none. Blanks where
        "+" stood and percent signs are taken back."""
        found = _DIGITS.match(_unescaped(self.text))
        return found[0] if found else ""

    @cached_property
    def data(self) -> bytes:
        """What these digits hold; a last one that holds no byte is left out."""
        bare = self.digits[: len(self.digits) - (len(self.digits) % 4 == 1)]
        return base64.b64decode(
            bare.translate(_TO_STANDARD) + "=" * (-len(bare) % 4), validate=True
        )

    @cached_property
    def message(self) -> ProtobufMessage:
        return read_message(self.data)

    @cached_property
    def payload(self) -> bytes:
        """`01` + key id + ciphertext of Gemini, out of any of its forms; else nothing.

        Bare, only a known key tells it from random bytes.
        """
        if self.data[:1] == b"\x01":
            return self.data if self.data[1:5].hex() in KEYS else b""
        if self.message.is_torn:
            return self._torn_payload
        fields = self.message.fields
        if self.message.is_broken or not fields:
            return b""
        if all(number == 1 for number, _ in fields):
            return _sealed(fields[0][1])
        if fields[0][0] != 2 or len(fields) > 1:
            return b""
        inner = read_message(fields[0][1])
        return next(filter(None, (_sealed(v) for _, v in reversed(inner.fields))), b"")

    @cached_property
    def _torn_payload(self) -> bytes:
        """The same of a message that ends too early: only with a known key."""
        rest = self.data
        for _ in range(3):
            if rest[:1] == b"\x01":
                return rest if rest[1:5].hex() in KEYS else b""
            if rest[:1] not in (b"\x0a", b"\x12"):
                return b""
            size = read_varint(rest, 1)
            if size is None:
                return b""
            rest = rest[size[1] :]
        return b""

    @property
    def key_id(self) -> str:
        return self.payload[1:5].hex()

    @cached_property
    def channel(self) -> dict[int, bytes]:
        """Claude's channel block by field; empty where there is none."""
        for number, value in self.message.fields:
            if number == 2:
                for inside, block in read_message(value).fields:
                    if inside == 1 and block[:1] == b"\x08":
                        found = read_message(block)
                        return {} if found.is_torn else dict(found.fields)
        return {}


def _sealed(value: bytes) -> bytes:
    return value if value[:1] == b"\x01" and len(value) >= 5 else b""


_DIGITS = re.compile(r"[A-Za-z0-9+/_-]*")
_TO_STANDARD = str.maketrans("-_", "+/")
PERCENT = re.compile(r"%(2[BbFf]|3[Dd])")


def _unescaped(text: str) -> str:
    text = text.replace(" ", "+")
    if "%" not in text:
        return text
    return PERCENT.sub(lambda found: chr(int(found[1], 16)), text)
