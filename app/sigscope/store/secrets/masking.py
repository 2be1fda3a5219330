"""Masking secrets in bodies and texts, each character by `*`.

The length stays, and so do the quotes and escapes around: offsets, spans and JSON hold.
What was masked before is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import replace

from sigscope.store.agreement import common_prefix, common_suffix
from sigscope.store.secrets.finding import LOOK_BACK, Secret, find_secrets

_RECENT = 4
"""Bodies remembered: a conversation, its side requests, and their answers."""
_WORTH_IT = 64 * 1024
"""Smaller bodies are searched whole."""
_IN_SECRET = re.compile(rb"\\u[0-9a-fA-F]{4}|\\/|\\+[a-z]|[^\s]")


class Masker:
    """Masks secrets in bodies, each of which mostly repeats one before.

    What agrees with a body masked lately, at its start and at its end, is not searched
    again; the margin between is as wide as what decides about a secret.
    """

    def __init__(self) -> None:
        self._recent: deque[tuple[bytes, list[Secret]]] = deque(maxlen=_RECENT)

    def mask(self, data: bytes) -> tuple[bytes, Counter[str]]:
        """The same body with secrets masked, and how many of each kind there were."""
        if len(data) < _WORTH_IT:
            return apply_stars(data, find_secrets(data))
        found = self._find(data)
        self._recent.append((data, found))
        return apply_stars(data, found)

    def _find(self, data: bytes) -> list[Secret]:
        best, known, ahead, behind = b"", list[Secret](), 0, 0
        for body, secrets in self._recent:
            start = common_prefix(data, 0, body, 0, len(data))
            room = min(len(data), len(body)) - start
            end = common_suffix(data, len(data), body, len(body), room)
            if start + end > ahead + behind:
                best, known, ahead, behind = body, secrets, start, end
        if any(secret.end - secret.start >= LOOK_BACK for secret in known):
            return find_secrets(data)
        lo = max(0, ahead - LOOK_BACK)
        hi = max(lo, min(len(data), len(data) - behind + LOOK_BACK))
        moved = len(data) - len(best)
        return [
            *(secret for secret in known if secret.start < lo),
            *find_secrets(data, lo, hi),
            *(
                replace(secret, start=secret.start + moved, end=secret.end + moved)
                for secret in known
                if secret.start >= hi - moved and secret.start >= lo
            ),
        ]


def mask_form(data: bytes) -> tuple[bytes, Counter[str]]:
    """A form (`a=1&b=2`) with its secrets masked."""
    return apply_stars(data, find_secrets(data, is_form=True))


def mask_text(text: str) -> tuple[str, Counter[str]]:
    """A text outside of bodies with its secrets masked: a title, a note, an error."""
    data = text.encode("utf-8", "surrogatepass")
    masked, removed = apply_stars(data, find_secrets(data))
    return (masked.decode("utf-8", "surrogatepass") if removed else text), removed


def apply_stars(data: bytes, secrets: Sequence[Secret]) -> tuple[bytes, Counter[str]]:
    """A text with these secrets masked, and how many of each kind there were."""
    if not secrets:
        return data, Counter()
    out = bytearray(data)
    for secret in secrets:
        out[secret.start : secret.end] = _stars(data[secret.start : secret.end])
    return bytes(out), Counter(secret.kind for secret in secrets)


def _stars(secret: bytes) -> bytes:
    """As many stars; line ends inside, escaped or not, stay (private keys)."""
    return _IN_SECRET.sub(_star, secret)


def _star(match: re.Match[bytes]) -> bytes:
    text = match[0]
    is_line_end = text[:1] == b"\\" and text[-1:] in b"nrt"
    return text if is_line_end else b"*" * len(text)
