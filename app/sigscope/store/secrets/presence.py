"""What a part of a text cannot have in it, told by less than a search for each.

A search costs half a nanosecond a byte, whatever is found, and some 130 texts are
searched for. Where a word that several have in them (`token`, `login`) is not there,
none of them is. Nor is one of capitals and signs (`BW_SESSION`, `Private-Lines: `)
where what is left of the whole text without common letters, a fifth, does not have what
is left of that one. Nor is what has a letter that stands nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from operator import or_

from sigscope.records import dataclass

_SHARED = (
    *(b"secret", b"token", b"pass", b"key", b"auth", b"credential", b"session", b"psk"),
    *(b"login", b"curl", b"echo", b"vault", b"sql", b"client", b"user "),
    *(b"poetry", b"nemonic", b" /p", b" <<<", b"proxy", b"community"),
)
"""In small letters; the first that a text has in it stands for it."""
_COMMON = b'etaoinsrhldumcpfgwyb \n,."'
_EVERY = bytes(range(256))
_RARE_ENOUGH = 2
"""Bytes of what is left of a text without common ones."""


_LETTERS = tuple(1 << byte for byte in range(256))
"""A bit for each; a set of letters is a number then, and told from another at once."""


@dataclass(frozen=True, slots=True)
class _Sign:
    """What has to be there for a text to be there."""

    is_rare: bool
    """It is looked for among what is not common; else in small letters."""
    text: bytes
    letters: int
    """Its letters, in the lower half where it is one in small letters, else in the
    upper one."""


@cache
def _sign_of(text: bytes) -> _Sign:
    rare = text.translate(None, _COMMON)
    if len(rare) >= _RARE_ENOUGH:
        return _Sign(True, rare, _letters_of(rare) << 256)
    lower = text.lower()
    return _word(next((word for word in _SHARED if word in lower), lower))


@cache
def _word(text: bytes) -> _Sign:
    """It itself, in small letters."""
    return _Sign(False, text, _letters_of(text))


@cache
def _signs_of(texts: tuple[bytes, ...]) -> tuple[tuple[bytes, _Sign, int], ...]:
    signs = [(text, _sign_of(text)) for text in texts]
    return tuple((text, sign, sign.letters) for text, sign in signs)


def _letters_of(part: bytes) -> int:
    """Each once; two passes in C, however long it is."""
    there = _EVERY.translate(None, _EVERY.translate(None, part))
    return reduce(or_, map(_LETTERS.__getitem__, there), 0)


class Presence:
    """What stands in a part of a text; each sign is looked for once."""

    def __init__(self, part: bytes, lower: bytes) -> None:
        self._places = lower, part.translate(None, _COMMON)
        self._absent = ~(_letters_of(lower) | _letters_of(part) << 256)
        self._known: dict[bytes, bool] = {}
        """Of signs in small letters, of which many are asked for twice."""

    def may_have(self, text: bytes) -> bool:
        """False where it stands nowhere in the part."""
        sign = _sign_of(text)
        return not sign.letters & self._absent and self._has(sign)

    def among(self, texts: tuple[bytes, ...]) -> Iterable[bytes]:
        """Those that it may have."""
        absent = self._absent
        signs = [each for each in _signs_of(texts) if not each[2] & absent]
        return [text for text, sign, _ in signs if self._has(sign)]

    def has(self, word: bytes) -> bool:
        """Whether it stands there, in any letters; it is given in small ones."""
        sign = _word(word)
        return not sign.letters & self._absent and self._has(sign)

    def _has(self, sign: _Sign) -> bool:
        """Of one whose letters are there."""
        if sign.is_rare:
            return sign.text in self._places[1]
        known = self._known.get(sign.text)
        if known is None:
            known = self._known[sign.text] = sign.text in self._places[0]
        return known
