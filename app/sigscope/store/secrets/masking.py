"""Masking secrets in bodies and texts, each character by `*`.

The length stays, and so do the quotes and escapes around: offsets, spans and JSON hold.
What was masked before is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sigscope.store.secrets.names import is_secret_name, is_secret_parameter
from sigscope.store.secrets.shapes import SHAPES, Shape, looks_random

Span = tuple[int, int]

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
_LOOK_BACK = 16 * 1024

# --- What may follow a name -----------------------------------------------------------

_NAME_ENDS = tuple(
    b"key token secret password passwd passphrase authorization cookie signature"
    b" credential assertion".split()
)
_NAME = re.compile(rb"[\w-]{1,64}\Z")
_QUOTED = re.compile(
    rb"""\\*["']\s*[:=]\s*\\*["']"""
    rb"""(?:(?:Bearer|Basic|Token|token|AWS4-HMAC-SHA256)\s+)?"""
    rb"""(?P<secret>(?:[^"'\\\s]|\\u[0-9a-fA-F]{4}|\\/){4,})(?=\\*["'])"""
)
_QUOTED_VALUE = re.compile(
    rb"""\s*[:=]\s*\\*["'](?P<secret>[^"'\\\s]{8,})(?=\\*["'])"""
)
_BARE_VALUE = re.compile(rb"\s?[:=]\s?(?P<secret>[\w+/~%-]{12,}={0,2})(?![\w(\[.])")
_PARAMETER = re.compile(rb"(?:^|&)([^=&]+)=([^&\r\n]+)")
_NO_SECRETS = re.compile(
    rb"[*$<{\[%].*|string|boolean|number|object|required|optional|redacted|removed",
    re.DOTALL | re.IGNORECASE,
)


def mask(data: bytes, *, is_form: bool = False) -> tuple[bytes, Counter[str]]:
    """The same text with secrets masked, and how many of each kind there were.

    `is_form`: the text is a form (`a=1&b=2`), in which short names count too.
    """
    masker = _Masker(data)
    for shape in SHAPES:
        masker.apply(_find_shape(masker.data, shape), shape.kind)
    masker.apply(_find_named(masker.data), "secret by its name")
    if is_form:
        masker.apply(_find_parameters(masker.data), "form field")
    return masker.data, masker.removed


def mask_text(text: str) -> tuple[str, Counter[str]]:
    """The same for a text outside of bodies: a title, a note, an error."""
    data = text.encode("utf-8", "surrogatepass")
    masked, removed = mask(data)
    return (masked.decode("utf-8", "surrogatepass") if removed else text), removed


class _Masker:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.removed: Counter[str] = Counter()

    def apply(self, spans: Iterator[Span], kind: str) -> None:
        found = list(spans)
        if not found:
            return
        out = bytearray(self.data)
        for start, end in found:
            out[start:end] = _stars(self.data[start:end])
        self.removed[kind] += len(found)
        self.data = bytes(out)


def _stars(secret: bytes) -> bytes:
    """As many stars; line ends inside, escaped or not, stay (private keys)."""
    if b"\\" not in secret and not secret.isspace() and len(secret.split()) == 1:
        return b"*" * len(secret)
    return re.sub(rb"\\u[0-9a-fA-F]{4}|\\/|\\+[a-z]|[^\s]", _keep_line_ends, secret)


def _keep_line_ends(match: re.Match[bytes]) -> bytes:
    text = match[0]
    is_line_end = text[:1] == b"\\" and text[-1:] in b"nrt"
    return text if is_line_end else b"*" * len(text)


def _find_shape(data: bytes, shape: Shape) -> Iterator[Span]:
    for text in shape.starts:
        place = data.find(text)
        while place >= 0:
            match = shape.pattern.match(data, place)
            if match and _stands_alone(data, match, shape):
                keeps = "keep" in shape.pattern.groupindex
                yield (match.end("keep") if keeps else match.start(), match.end())
                place = match.end()
            place = data.find(text, place + 1)


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
    before = data[max(0, start - _LOOK_BACK) : start]
    return _CARRIER.search(before) is not None


def _find_named(data: bytes) -> Iterator[Span]:
    lower = data.lower()
    found: set[Span] = set()
    for ending in _NAME_ENDS:
        place = lower.find(ending)
        while place >= 0:
            span = _maybe_named(data, place + len(ending))
            if span:
                found.add(span)
            place = lower.find(ending, place + 1)
    return iter(sorted(found))


def _maybe_named(data: bytes, end: int) -> Span | None:
    """The secret whose name ends here, if it is one."""
    after = data[end : end + 1]
    if after not in (b'"', b"'", b"\\", b"=", b":", b" "):
        return None
    name = _NAME.search(data, max(0, end - 64), end)
    if name is None or not is_secret_name(name[0].decode("ascii", "replace")):
        return None
    is_quoted = after in (b'"', b"'", b"\\")
    if is_quoted:
        match = _QUOTED.match(data, end)
        least = 4 if name[0].lower().endswith((b"password", b"passwd")) else 8
    else:
        match = _QUOTED_VALUE.match(data, end) or _BARE_VALUE.match(data, end)
        least = 12
    if match is None:
        return None
    secret = match["secret"]
    if len(secret) < least or MASKED in secret or _NO_SECRETS.fullmatch(secret):
        return None
    if not is_quoted and not looks_random(secret):
        return None
    return match.span("secret")


def _find_parameters(data: bytes) -> Iterator[Span]:
    for match in _PARAMETER.finditer(data):
        name = match[1].decode("ascii", "replace")
        if is_secret_parameter(name) and MASKED not in match[2]:
            yield match.span(2)
