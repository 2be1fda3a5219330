"""Finding secrets in bodies and texts, by look and by name."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sigscope.store.secrets.names import (
    is_secret_name,
    is_secret_parameter,
    is_vague_name,
)
from sigscope.store.secrets.shapes import SHAPES, Shape, looks_random

_Span = tuple[int, int]

MASKED = b"****"
"""What tells that a value was masked before."""

# --- Where a shape may stand ----------------------------------------------------------

_BASE64 = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
)
_ESCAPE = re.compile(rb"(?:\\(?:[bfnrt]|u[0-9a-fA-F]{4})|%(?:20|22|26|3D|3d))\Z")
_CARRIER = re.compile(
    rb"(?:thought_?signatures?|signature|data|reasoning_opaque|encrypted_content|"
    rb'redacted_?content|cot_id)\\*["\']\s*:\s*'
    rb'(?:\[\s*(?:\\*["\'][\w+/=-]*\\*["\']\s*,\s*)*)?\\*["\']\Z',
    re.IGNORECASE,
)
LOOK_BACK = 16 * 1024
"""Bytes before a secret that decide whether it is one."""

# --- What may follow a name -----------------------------------------------------------

_NAME_ENDS = tuple(
    b"key token secret password passwd passphrase passcode pwd authorization auth"
    b" cookie assertion credential credentials jwt".split()
)
_NAME = re.compile(rb"[\w-]{1,64}\Z")
_ESCAPE_BEFORE = re.compile(rb"[bfnrt]|u[0-9a-fA-F]{4}")
"""What belongs to a backslash before a name, and not to the name."""
_VAGUE_LEAST = 20
"""Bytes from which the value of a name that is not telling enough may be a secret."""
_QUOTED = re.compile(
    rb"""\\*["']\s*[:=]\s*\\*["']"""
    rb"""(?:(?:Bearer|Basic|Token|token|AWS4-HMAC-SHA256)\s+)?"""
    rb"""(?P<secret>(?:[^"'\\\s]|\\u[0-9a-fA-F]{4}|\\/){4,})(?=\\*["'])"""
)
_QUOTED_VALUE = re.compile(
    rb"""\s*[:=]\s*\\*["'](?P<secret>[^"'\\\s]{8,})(?=\\*["'])"""
)
_BARE_VALUE = re.compile(
    rb"\s?[:=]\s?(?:(?:Bearer|Basic|Token|token)\s+)?"
    rb"(?P<secret>[\w+/~%-]{12,}={0,2})(?![\w(\[.])"
)
_USER = re.compile(
    rb"""://[^\s/?#@"'\\<>:]{0,64}:(?P<secret>[^\s/?#@"'\\<>*$]{6,128})@"""
)
_PARAMETER = re.compile(rb"(?:^|&)([^=&]+)=([^&\r\n]+)")
_NO_SECRETS = re.compile(
    rb"[*$<{\[%].*|arn:.*|https?:.*|AWS4-HMAC-SHA256|"
    rb"string|boolean|number|object|required|optional|redacted|removed",
    re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Secret:
    """Where a secret stands in a text."""

    start: int
    end: int
    kind: str
    """What the report calls it."""


def find_secrets(
    data: bytes, start: int = 0, end: int | None = None, *, is_form: bool = False
) -> list[Secret]:
    """The secrets that begin in a part of a text, in order, none overlapping.

    `is_form`: the text is a form (`a=1&b=2`), in which short names count too. Costs
    about 60 ns a byte.
    """
    hi = len(data) if end is None else end
    found: list[Secret] = []
    for shape in SHAPES:
        for text in shape.starts:
            if data.find(text, start, hi) >= 0:
                _add(found, _find_shape(data, shape, start, hi), shape.kind)
                break
    _add(found, _find_named(data, start, hi), "secret by its name")
    _add(found, _find_users(data, start, hi), "password in URL")
    if is_form:
        _add(found, _find_parameters(data), "form field")
    return found


def _add(found: list[Secret], spans: Iterator[_Span], kind: str) -> None:
    merged(found, (Secret(start=start, end=end, kind=kind) for start, end in spans))


def merged(found: list[Secret], others: Iterable[Secret]) -> None:
    """Add others, where there is room: what was found first stands, it knows the
    secret best. `found` stays in order."""
    for new in others:
        place = bisect_left(found, new)
        is_free_before = place == 0 or found[place - 1].end <= new.start
        is_free_after = place == len(found) or found[place].start >= new.end
        if is_free_before and is_free_after:
            found.insert(place, new)


def _find_shape(data: bytes, shape: Shape, lo: int, hi: int) -> Iterator[_Span]:
    for text in shape.starts:
        place = data.find(text, lo, hi)
        while place >= 0:
            match = shape.pattern.match(data, place)
            if match and _stands_alone(data, match, shape):
                groups = shape.pattern.groupindex
                start = match.end("keep") if "keep" in groups else match.start()
                end = match.start("end") if "end" in groups else match.end()
                yield (start, end)
                place = match.end()
            place = data.find(text, place + 1, hi)


def _stands_alone(data: bytes, match: re.Match[bytes], shape: Shape) -> bool:
    start, end = match.span()
    if end < len(data) and (data[end] in _BASE64 or data[end : end + 1] == b"="):
        return False
    if (
        start
        and data[start - 1] in _BASE64
        and not _ESCAPE.search(data, max(0, start - 6), start)
    ):
        return False
    if not shape.accept(match[0]):
        return False
    return not (shape.is_weak and _is_carried(data, start))


def _is_carried(data: bytes, start: int) -> bool:
    """Whether a value beginning here is that of a member that carries signatures."""
    if data[start - 1 : start] not in (b'"', b"'"):
        return False
    before = data[max(0, start - LOOK_BACK) : start]
    return _CARRIER.search(before) is not None


def _find_named(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    lower = data[lo:hi].lower()
    for ending in _NAME_ENDS:
        place = lower.find(ending)
        while place >= 0:
            span = _maybe_named(data, lo + place + len(ending))
            if span:
                yield span
            place = lower.find(ending, place + 1)


def _maybe_named(data: bytes, end: int) -> _Span | None:
    """The secret whose name ends here, if it is one."""
    after = data[end : end + 1]
    if after not in (b'"', b"'", b"\\", b"=", b":", b" "):
        return None
    start, name = _name_before(data, end)
    is_telling = is_secret_name(name)
    if not is_telling and not is_vague_name(name):
        return None
    is_quoted = after in (b'"', b"'", b"\\")
    if is_quoted:
        if data[start - 1 : start] not in (b'"', b"'"):
            return None
        match = _QUOTED.match(data, end)
        least = 4 if name.lower().endswith(("password", "passwd", "pwd")) else 8
    else:
        match = _QUOTED_VALUE.match(data, end) or _BARE_VALUE.match(data, end)
        least = 12
    if match is None:
        return None
    secret = match["secret"]
    if not is_telling:
        least = _VAGUE_LEAST
    if len(secret) < least or MASKED in secret or _NO_SECRETS.fullmatch(secret):
        return None
    if not (is_quoted and is_telling) and not looks_random(secret):
        return None
    return match.span("secret")


def _name_before(data: bytes, end: int) -> tuple[int, str]:
    """Where the name that ends here begins, and the name; empty if there is none."""
    name = _NAME.search(data, max(0, end - 64), end)
    if name is None:
        return end, ""
    start = name.start()
    if data[start - 1 : start] == b"\\":
        escape = _ESCAPE_BEFORE.match(data, start, end)
        start = escape.end() if escape else start
    return start, data[start:end].decode("ascii", "replace")


def _find_users(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    """Passwords in URLs: `postgres://me:s3cr3t@host`."""
    place = data.find(b"://", lo, hi)
    while place >= 0:
        match = _USER.match(data, place)
        if match and not match["secret"].islower():
            yield match.span("secret")
        place = data.find(b"://", place + 3, hi)


def _find_parameters(data: bytes) -> Iterator[_Span]:
    for match in _PARAMETER.finditer(data):
        name = match[1].decode("ascii", "replace")
        if is_secret_parameter(name) and MASKED not in match[2]:
            yield match.span(2)
