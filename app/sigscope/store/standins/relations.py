"""A stand-in for every signature, such that they relate as the signatures do.

Characters are shifted within letters and digits by a key stream that belongs to the
signature. A text that was cut from a signature, or altered from it, uses the same key
stream at the same places: what agreed still agrees, what differed still differs. `+ / -
_ =` stay, so that a text in the other alphabet is still the same text in the other
alphabet, and base64 stays base64 of the same length.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from sigscope.fingerprints import guess_origin
from sigscope.store.agreement import common_prefix, common_suffix
from sigscope.store.standins.outline import outline
from sigscope.utf8 import to_bytes

LEAST = 24
"""Characters at one end that two signatures share only if one is a copy of the other.
Those of one issuer share about 16 (docs/wire/fingerprints.md)."""

_SHIFTED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_DIGIT = {char: digit for digit, char in enumerate(_SHIFTED)}
_TO_STANDARD = str.maketrans("-_", "+/")
_ATTEMPTS = 16


def plain(text: str) -> str:
    """A signature in the standard alphabet without padding: what is compared."""
    return text.rstrip("=").translate(_TO_STANDARD)


class Relations:
    """Stand-ins by plain signature. New ones may be added at any time."""

    def __init__(self, key: bytes, signatures: Iterable[str]) -> None:
        """`key` and the set of signatures decide all stand-ins; order does not."""
        self._key = key
        self._known: dict[str, str] = {}
        self._taken: set[str] = set()
        self._roots: dict[str, str] = {}
        """The signature that a copy was made from; a genuine one is its own root."""
        self._streams: dict[str, bytes] = {}
        self._heads: dict[str, list[str]] = {}
        self._tails: dict[str, list[str]] = {}
        for text in sorted(set(map(plain, signatures)), key=lambda s: (-len(s), s)):
            self.add(text)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def get(self, text: str) -> str | None:
        """The stand-in of a plain signature; None if it is not known."""
        return self._known.get(text)

    def is_stand_in(self, text: str) -> bool:
        """Whether a plain text is one of the stand-ins given so far."""
        return text in self._taken

    def maybe_original(self, text: str) -> str | None:
        """The known signature that a plain text was cut or altered from."""
        if len(text) < LEAST:
            starts = (known for known in self._known if known.startswith(text))
            return next(starts, None)
        best: str | None = None
        most = 0
        for known in (
            *self._heads.get(text[:LEAST], ()),
            *self._tails.get(text[-LEAST:], ()),
        ):
            common = max(_ends(known, text))
            if common > most and common >= min(len(text), len(known)) // 3:
                best, most = known, common
        return best

    def add(self, text: str) -> str:
        """Make a plain signature known, and give its stand-in."""
        known = self._known.get(text)
        if known is not None:
            return known
        original = self.maybe_original(text)
        root = self._roots[original] if original else text
        new = self._copy(text, root) if original else self._fresh(text)
        self._roots[text] = root
        self._known[text] = new
        self._taken.add(new)
        if len(text) >= LEAST:
            self._heads.setdefault(text[:LEAST], []).append(text)
            self._tails.setdefault(text[-LEAST:], []).append(text)
        return new

    def _fresh(self, text: str) -> str:
        """Another stream is tried while the stand-in would seem to come from elsewhere,
        as one in some thousand random texts does."""
        kept = outline(text)
        origin = guess_origin(text)
        for attempt in range(_ATTEMPTS):
            stream = self._stream(text, attempt)
            new = _shift(text, stream, kept)
            if new not in self._taken and guess_origin(new) == origin:
                break
        self._streams[text] = stream
        return new

    def _copy(self, text: str, root: str) -> str:
        stand_in = self._known[root]
        if root.startswith(text):
            return stand_in[: len(text)]
        stream = self._streams[root] + self._stream(text, 0)
        new = _shift(text, stream, outline(root))
        if len(text) == len(root):
            return new
        ahead, behind = _ends(root, text)
        middle = new[ahead : len(text) - behind]
        return stand_in[:ahead] + middle + stand_in[len(root) - behind :]

    def _stream(self, text: str, attempt: int) -> bytes:
        seed = hashlib.blake2b(
            to_bytes(text), key=self._key[:64], salt=attempt.to_bytes(16)
        )
        return hashlib.shake_256(seed.digest()).digest(len(text))


def _ends(one: str, other: str) -> tuple[int, int]:
    """How many characters agree at the start and at the end.

    Where the two would overlap, the longer one counts whole.
    """
    a, b = (text.encode("utf-32-le", "surrogatepass") for text in (one, other))
    shorter = min(len(one), len(other))
    ahead = common_prefix(a, 0, b, 0, 4 * shorter) // 4
    behind = common_suffix(a, len(a), b, len(b), 4 * shorter) // 4
    if ahead >= behind:
        return ahead, min(behind, shorter - ahead)
    return min(ahead, shorter - behind), behind


def _shift(text: str, stream: bytes, kept: frozenset[int]) -> str:
    """Shift each letter and digit by the stream, except those that are kept.

    The bits of the last character that base64 leaves unused keep their value, so that
    strict decoders still take it.
    """
    unused = {2: 4, 3: 2}.get(len(text) % 4, 0)
    last = len(text) - 1
    out = []
    for place, char in enumerate(text):
        digit = _DIGIT.get(char)
        if digit is None or place in kept:
            out.append(char)
            continue
        step = 1 << (unused if place == last else 0)
        same = range(digit % step, len(_SHIFTED), step)
        out.append(_SHIFTED[same[(digit // step + stream[place]) % len(same)]])
    return "".join(out)
