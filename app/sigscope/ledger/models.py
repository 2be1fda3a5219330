"""What a model's name tells about the rules it stands under."""

from __future__ import annotations

import re
from functools import lru_cache

_NAMED = re.compile(r"(?i)gemini")
_GEMINI = re.compile(r"gemini-(\d+)")
_ENFORCED_FROM = 3


def is_gemini(model: str) -> bool:
    """Whether a Gemini model is named, with or without a vendor before it."""
    return _NAMED.search(model) is not None


@lru_cache(maxsize=256)
def names_family(model: str) -> bool:
    """Whether the name tells which family of Gemini it is: then no other counts."""
    return _GEMINI.search(model.lower()) is not None


@lru_cache(maxsize=256)
def enforces_signatures(*models: str) -> bool:
    """Whether one of these names a Gemini of the third family or newer, for which the
    signature of a call is compulsory in the current turn (docs/wire/gemini.md#policy,
    [docs])."""
    for model in models:
        name = model.lower()
        found = _GEMINI.search(name)
        if found:
            return int(found[1]) >= _ENFORCED_FROM and "image" not in name
    return False


def is_older_gemini(*models: str) -> bool:
    """Whether the first of these names that tells a family tells one before the third:
    no service puts a bypass for these, and none is needed."""
    found = (_GEMINI.search(model.lower()) for model in models)
    first = next(filter(None, found), None)
    return first is not None and int(first[1]) < _ENFORCED_FROM


def is_claude(model: str) -> bool:
    """Whether a Claude model is named."""
    return "claude" in model.lower()
