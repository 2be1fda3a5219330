"""What a part of a text cannot have in it, told by less than a search for each.

A search costs half a nanosecond a byte, whatever is found, and some 130 texts are
searched for. Where a word that several have in them (`token`, `login`) is not there,
none of them is. Nor is one of capitals and signs (`BW_SESSION`, `Private-Lines: `)
where what is left of the whole text without common letters, a fifth, does not have what
is left of that one. Nor is what has a letter that stands nowhere.
"""

from __future__ import annotations

from functools import cache

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


@cache
def _sign_of(text: bytes) -> tuple[bool, bytes]:
    """What has to be there for a text to be there: among what is not common, or in
    small letters."""
    rare = text.translate(None, _COMMON)
    if len(rare) >= _RARE_ENOUGH:
        return True, rare
    lower = text.lower()
    return False, next((word for word in _SHARED if word in lower), lower)


class Presence:
    """What stands in a part of a text; each sign is looked for once."""

    def __init__(self, part: bytes, lower: bytes) -> None:
        self._places = lower, part.translate(None, _COMMON)
        self._absent = _EVERY.translate(None, lower), _EVERY.translate(None, part)
        self._known: dict[tuple[bool, bytes], bool] = {}

    def may_have(self, text: bytes) -> bool:
        """False where it stands nowhere in the part."""
        return self._has(_sign_of(text))

    def has(self, word: bytes) -> bool:
        """Whether it stands there, in any letters; it is given in small ones."""
        return self._has((False, word))

    def _has(self, sign: tuple[bool, bytes]) -> bool:
        known = self._known.get(sign)
        if known is None:
            is_rare, text = sign
            known = self._known[sign] = (
                len(text.translate(None, self._absent[is_rare])) == len(text)
                and self._places[is_rare].find(text) >= 0
            )
        return known
