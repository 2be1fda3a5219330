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
