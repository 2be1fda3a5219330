"""What can be said about one opaque string without any key.

A signature travels as text. Two texts are the same signature when they decode to the
same bytes: services answer in the standard base64 alphabet, some SDKs send the
URL-safe one back, and padding comes and goes (docs/wire/gemini.md#policy, [real
traffic]).
Nothing here trims, wraps or normalises: a string that is not base64 is compared as it
stands.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from sigscope.characters import first_difference
from sigscope.records import dataclass
from sigscope.utf8 import to_bytes

FINGERPRINT_DIGITS = 6
"""Hex digits of SHA-256 that name a signature on screen."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_TO_STANDARD = str.maketrans("-_", "+/")
_HEAD = 16
"""Characters that values are looked up by."""
_RUN = re.compile(rf"[\w+/=-]{{{_HEAD},}}", re.ASCII)


def sha256(text: str) -> str:
    """SHA-256 of the text's UTF-8, as 64 hex digits."""
    return hashlib.sha256(to_bytes(text)).hexdigest()


def fingerprint(text: str) -> str:
    """The short name of a signature: "9f3a21"."""
    return sha256(text)[:FINGERPRINT_DIGITS]


@lru_cache(maxsize=4096)
def decode(text: str) -> bytes | None:
    """The bytes behind base64 of either alphabet, padded or not; None if it is not.

    A length of 1 modulo 4 cannot be base64: the text was cut.
    """
    if not _BASE64.fullmatch(text):
        return None
    bare = text.rstrip("=").translate(_TO_STANDARD)
    if len(bare) % 4 == 1:
        return None
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def comparison_key(text: str) -> bytes:
    """Equal for two texts exactly when they are the same signature."""
    data = decode(text)
    return b"b" + data if data is not None else b"t" + to_bytes(text)


def mark(text: str) -> int:
    """Equal for texts that are the same signature, and by chance for few others: what
    differs is another one. Small, and the same only within one process."""
    return hash(comparison_key(text))


class Keys(dict[str, bytes]):
    """Comparison keys by text, for texts that come again and again."""

    def __missing__(self, text: str) -> bytes:
        key = self[text] = comparison_key(text)
        return key


class ValueIndex:
    """Which of many values occur in a text. Costs the text, not their number, where
    they are runs of base64, as signatures are."""

    def __init__(self, values: Iterable[str]) -> None:
        self._order = {value: at for at, value in enumerate(dict.fromkeys(values))}
        self._by_head: dict[str, list[str]] = {}
        self._others: list[str] = []
        for value in self._order:
            if _RUN.fullmatch(value):
                self._by_head.setdefault(value[:_HEAD], []).append(value)
            elif value:
                self._others.append(value)
        runs = (value for alike in self._by_head.values() for value in alike)
        self._shortest = min(map(len, runs), default=_HEAD)

    def within(self, text: str) -> list[str]:
        """Those that do, in the order given."""
        found = {value for value in self._others if value in text}
        for run in _RUN.findall(text):
            for at in range(len(run) - self._shortest + 1):
                alike = self._by_head.get(run[at : at + _HEAD], ())
                found.update(value for value in alike if run.startswith(value, at))
        return sorted(found, key=self._order.__getitem__)


def is_cut_of(text: str, whole: str) -> bool:
    """Whether `text` is what remains of `whole` after its end was cut off.

    An ellipsis at the end, as compaction leaves it, counts as cutting
    (openclaw/openclaw#82995).
    """
    bare = text.removesuffix("...").removesuffix("…").rstrip("=")
    if not bare or bare == whole.rstrip("="):
        return False
    standard, other = bare.translate(_TO_STANDARD), whole.translate(_TO_STANDARD)
    return len(standard) < len(other.rstrip("=")) and other.startswith(standard)


def is_altered_from(text: str, whole: str) -> bool:
    """Whether `text` looks like a damaged copy of `whole`, not like another one.

    Signatures of one issuer share their first dozen characters, so a short common
    start proves nothing; a long common run at either end, or the same bytes encoded
    once more or once less, does.
    """
    if text == whole or not text:
        return False
    shorter = min(len(text), len(whole))
    if shorter < 16:
        return False
    ours, theirs = text.translate(_TO_STANDARD), whole.translate(_TO_STANDARD)
    common = first_difference(ours, theirs)
    tail = first_difference(ours[::-1].lstrip("="), theirs[::-1].lstrip("="))
    return max(common, tail) >= max(24, shorter // 3) or _is_recoded(text, whole)


def is_another(text: str, whole: str) -> bool:
    """Whether `text` is a signature of its own rather than `whole`, damaged.

    Where the start that all of an issuer share is kept and the rest is not, or where
    even that differs and the rest is well formed. What decodes to nothing, is short or
    differs in case only, somebody has made of `whole`.
    """
    if is_altered_from(text, whole) or is_cut_of(text, whole):
        return False
    data = decode(text)
    is_formed = data is not None and len(data) >= SHORTEST
    return is_formed and text.casefold() != whole.casefold()


_LONGEST_MASK = 80
_MASK = re.compile(
    r"(?i)…|(.)\1{2,}|(?:.*[^a-z0-9])?(?:redacted|masked|filtered|scrubbed|hidden|removed"
    r"|omitted|sanitized|sanitised|truncated)(?:[^a-z0-9].*)?"
)


def is_mask(text: str) -> bool:
    """Whether a recorder wrote this in place of a value: "[REDACTED]", "***", "EoQ...".
    No signature ends in dots."""
    if not 0 < len(text) <= _LONGEST_MASK:
        return False
    return text.endswith(("...", "…")) or _MASK.fullmatch(text) is not None


SHORTEST = 12
"""Bytes below which base64 is taken for a word, not for a signature."""


def _is_recoded(text: str, whole: str) -> bool:
    """Base64 put around the text once more, or taken off once too often."""
    outer, inner = decode(text), decode(whole)
    return outer == to_bytes(whole) or inner == to_bytes(text)


# --- Values that mean "do not check" -------------------------------------------------

BYPASS_LITERALS = (
    "skip_thought_signature_validator",
    "context_engineering_is_the_way_to_go",
    "context_engineering_is_the_way to_go",
)
"""Documented bypasses, and a misspelt one that circulates
(docs/wire/gemini.md#bypass)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bypass:
    """A bypass that makes a validator pass, and carries no reasoning."""

    literal: str
    form: Literal["raw", "base64"]


def maybe_bypass(text: str) -> Bypass | None:
    """The bypass this text is, in either of its two forms on the wire."""
    if len(text) > 64:
        return None
    for literal in BYPASS_LITERALS:
        if text == literal:
            return Bypass(literal=literal, form="raw")
        if decode(text) == literal.encode():
            return Bypass(literal=literal, form="base64")
    return None


# --- Middlemen that hide a signature in a tool call id --------------------------------

THOUGHT_SEPARATOR = "__thought__"
"""LiteLLM puts the signature behind it (docs/wire/litellm.md#carriers, [source
code])."""
_VSCODE_SUFFIX = re.compile(r"__vscode-[\w-]+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallId:
    """A tool call id, taken apart."""

    plain: str
    """The id without what middlemen appended."""
    signature: str | None
    """What LiteLLM hid in it; None if nothing."""


def split_call_id(call_id: str) -> CallId:
    """Take off what LiteLLM, VS Code and Roo append to tool call ids."""
    bare = _VSCODE_SUFFIX.sub("", call_id)
    plain, separator, signature = bare.partition(THOUGHT_SEPARATOR)
    return CallId(plain=plain, signature=signature if separator else None)
