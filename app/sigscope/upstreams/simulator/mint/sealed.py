"""A small record under a key, of any wanted length, that nobody else can read.

Layout: nonce (12) | stream-enciphered body | tag (16). The body begins with a mark,
the length of the whole and the length of the record, so that a cut can be told from
a change: the mark still reads, and the length says what is missing.

Standard library only (SHAKE-256 as the stream, HMAC-SHA256 over nonce and ciphertext
as the tag). It protects nothing of value: the key comes from the configured seed.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Literal

from sigscope.records import dataclass

NONCE = 12
TAG = 16
MARK = b"sgsc"
HEAD = len(MARK) + 4
OVERHEAD = NONCE + HEAD + TAG


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsealed:
    """What became of something that may have been sealed here."""

    state: Literal["whole", "cut", "altered", "unknown"]
    record: bytes = b""
    """What was sealed; only if `whole`."""


def seal(key: bytes, record: bytes, nonce: bytes, size: int = 0) -> bytes:
    """Seal a record in `size` bytes (or as few as it takes)."""
    total = max(size, OVERHEAD + len(record))
    head = MARK + total.to_bytes(2, "big") + len(record).to_bytes(2, "big")
    plain = (head + record).ljust(total - NONCE - TAG, b"\0")
    hidden = nonce + _xor(key, nonce, plain)
    return hidden + hmac.digest(key, b"tag" + hidden, "sha256")[:TAG]


def unseal(key: bytes, sealed: bytes) -> Unsealed:
    """Open it again, or say what is wrong with it. Never raises."""
    nonce = sealed[:NONCE]
    head = _xor(key, nonce, sealed[NONCE : NONCE + HEAD])
    if len(head) < HEAD or not head.startswith(MARK):
        return Unsealed(state="unknown")
    total = int.from_bytes(head[4:6], "big")
    if len(sealed) < total:
        return Unsealed(state="cut")
    hidden, tag = sealed[:-TAG], sealed[-TAG:]
    expected = hmac.digest(key, b"tag" + hidden, "sha256")[:TAG]
    if len(sealed) > total or not hmac.compare_digest(tag, expected):
        return Unsealed(state="altered")
    length = int.from_bytes(head[6:8], "big")
    plain = _xor(key, nonce, hidden[NONCE:])
    return Unsealed(state="whole", record=plain[HEAD : HEAD + length])


def _xor(key: bytes, nonce: bytes, data: bytes) -> bytes:
    stream = hashlib.shake_256(b"stream" + key + nonce).digest(len(data))
    number = int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")
    return number.to_bytes(len(data), "big")
