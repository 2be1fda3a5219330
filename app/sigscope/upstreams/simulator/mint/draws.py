"""Bytes, numbers and ids that a seed determines."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

from sigscope.utf8 import to_bytes

T = TypeVar("T")

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
LOWER = "abcdefghijklmnopqrstuvwxyz0123456789"
HEX = "0123456789abcdef"


class Draws:
    """An endless row of bytes; equal keys give equal rows.

    HMAC-SHA256 in counter mode: not for secrets, but even and the same on every
    machine and Python version, which `random` does not promise.
    """

    __slots__ = ("_counter", "_key", "_pool")

    def __init__(self, *key: str | bytes) -> None:
        digest = hashlib.sha256()
        for part in key:
            data = to_bytes(part) if isinstance(part, str) else part
            digest.update(len(data).to_bytes(8, "big") + data)
        self._key = digest.digest()
        self._counter = 0
        self._pool = b""

    def child(self, label: str) -> Draws:
        """A row of its own: what is drawn here does not shift what is drawn there."""
        return Draws(self._key, label)

    def bytes(self, count: int) -> bytes:
        while len(self._pool) < count:
            block = hmac.digest(self._key, self._counter.to_bytes(8, "big"), "sha256")
            self._pool += block
            self._counter += 1
        taken, self._pool = self._pool[:count], self._pool[count:]
        return taken

    def below(self, limit: int) -> int:
        """A number from 0 up to, not including, `limit`."""
        return int.from_bytes(self.bytes(8), "big") % limit

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def word(self, length: int, alphabet: str = LETTERS) -> str:
        return "".join(alphabet[byte % len(alphabet)] for byte in self.bytes(length))

    def urlsafe(self, length: int) -> str:
        """That many characters of URL-safe base64."""
        return base64.urlsafe_b64encode(self.bytes(length)).decode()[:length]
