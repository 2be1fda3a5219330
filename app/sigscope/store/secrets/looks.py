"""Whether a value looks like what services give out as keys."""

from __future__ import annotations

import re

from sigscope.store.secrets.shapes import is_uuid, looks_random

_HEX = re.compile(rb"[0-9a-fA-F]{16,}")


def looks_secret(secret: bytes, is_named: bool = False) -> bool:
    """Tells what services give out, a UUID or hexadecimal digits too, from names.
    `is_named`: it stands where an environment has a key, so words with digits do."""
    if looks_random(secret) or is_uuid(secret) or _HEX.fullmatch(secret):
        return True
    first, colon, second = secret.partition(b":")
    if colon and is_uuid(first) and _HEX.fullmatch(second):
        return True  # of fal.ai
    return is_named and any(byte in b"0123456789" for byte in secret)


_PHRASE = re.compile(rb"(?:[A-Za-z]{2,}[-_.])+[A-Za-z]{2,}[-_.]?\d{1,6}")
_EXAMPLES = re.compile(
    rb"[^\W\d_]*(?:test|base\d|sha\d|utf\d|oauth|hash|argon)", re.IGNORECASE
)
"""What names and algorithms with digits begin with."""


def is_phrase(value: bytes) -> bool:
    """Whether it is a password of words: `tundra-velvet-maple34`."""
    return len(value) >= 12 and _PHRASE.fullmatch(value) is not None


def is_mixed(value: bytes) -> bool:
    """Whether it is a password of one word: capitals, small letters and digits, and no
    name of a thing."""
    digits = sum(byte in b"0123456789" for byte in value)
    word = value.translate(None, b"-_")
    is_one = word.isalnum() and len(word) + 1 >= len(value)
    is_both = value not in (value.lower(), value.upper())
    return digits >= 2 and is_both and is_one and not _EXAMPLES.match(value)


_SIGN = re.compile(rb"[@#!$%^&*?]")
_ADDRESS = re.compile(rb"[\w.+-]{1,64}@[\w-]+\.")


def is_given_by_hand(value: bytes) -> bool:
    """Whether it looks like what a person took for a password, where one stands."""
    if not any(byte in b"0123456789" for byte in value) or _ADDRESS.match(value):
        return False
    has_letters = any(chr(byte).isalpha() for byte in value)
    is_signed = _SIGN.search(value) is not None and has_letters
    return is_signed or is_mixed(value) or is_phrase(value)


def has_all_kinds(value: bytes) -> bool:
    """Whether it may be a password where nothing else stands: `Copper.8lNC`."""
    kinds = (bytes.isupper, bytes.islower, bytes.isdigit)
    letters = [bytes((byte,)) for byte in value]
    return (
        len(value) >= 8
        and all(any(map(kind, letters)) for kind in kinds)
        and not (_EXAMPLES.match(value) or _ADDRESS.match(value))
    )
