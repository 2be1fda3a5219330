"""Taking secrets out of headers and URLs, where length does not matter.

    Authorization: Bearer [removed]
    Set-Cookie: session=[removed]; Path=/; HttpOnly
    https://REMOVED@host/v1/models?key=REMOVED&alt=sse

In URLs the mark has no brackets, so that they can still be taken apart.
"""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import unquote_plus

from sigscope.exchange import Headers
from sigscope.store.secrets.looks import looks_secret
from sigscope.store.secrets.masker import mask_text
from sigscope.store.secrets.names import (
    is_opaque_header,
    is_secret_header,
    is_secret_parameter,
)

MARK = "[removed]"
URL_MARK = "REMOVED"

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s+\S")
_USER = re.compile(r"(?<=://)[^/?#@\s]+(?=@)")
_PARAMETER = re.compile(r"(?<=[?&#;])([^=&#;\s]+)=([^&#;\s\"'<>]+)")
_MATRIX = re.compile(r"(?<=;)([^=&#;\s/?]+)=([^&#;\s\"'<>/?]+)")
_PATH_END = re.compile(r"[?#]")
_PATH_KEY = re.compile(
    r"(?<=/)((?:api[-_]?)?(?:key|token|secret)s?)/([^/?#;\s]{8,})", re.IGNORECASE
)
_COOKIE = re.compile(r"([^=;\s]+)=([^;]*)")
_LONG_NAME = 24
"""Characters from which a header's name may hold a key."""
_COUNT = re.compile(r"\s*\d{0,9}\s*")


def mark_headers(headers: Headers) -> tuple[Headers, Counter[str]]:
    """Headers without their secrets; names and order stay."""
    removed: Counter[str] = Counter()
    marked = tuple(
        (_mark_name(name, removed), _mark_header(name, value, removed))
        for name, value in headers
    )
    return (marked if removed else headers), removed


def _mark_name(name: str, removed: Counter[str]) -> str:
    """A name without the key that it ends in; `*` may stand in one."""
    if len(name) < _LONG_NAME:
        return name
    first, dash, rest = name.partition("-")
    for before, key in (("", name), (first + dash, rest)):
        marked, found = mask_text(key)
        if found:
            removed.update(found)
            return before + marked
    return name


def mark_header(name: str, value: str) -> str:
    """One header's value without its secret."""
    return _mark_header(name, value, Counter())


def _mark_header(name: str, value: str, removed: Counter[str]) -> str:
    lower = name.lower()
    if not is_secret_header(lower) and not is_opaque_header(lower, value):
        return _mark_plain(value, removed)
    if MARK in value or _COUNT.fullmatch(value):
        return value
    if lower == "cookie":
        removed["cookie"] += 1
        return _COOKIE.sub(rf"\1={MARK}", value) if "=" in value else MARK
    if lower == "set-cookie":
        removed["cookie"] += 1
        return _COOKIE.sub(rf"\1={MARK}", value, count=1) if "=" in value else MARK
    removed[f"{lower} header"] += 1
    scheme = _SCHEME.match(value) if "authorization" in lower else None
    return f"{scheme[1]} {MARK}" if scheme else MARK


def _mark_plain(value: str, removed: Counter[str]) -> str:
    if "://" in value or "?" in value:
        value, found = mark_url(value)
        removed.update(found)
    value, found = mask_text(value)
    removed.update(found)
    return value


def shown_url(url: str) -> str:
    """A URL as it may be said: on stderr, in lists, of a file that is not ours."""
    return mark_url(url)[0]


def mark_url(url: str) -> tuple[str, Counter[str]]:
    """A URL without user, password, keys and tokens; what is not secret stays."""
    removed: Counter[str] = Counter()

    def user(match: re.Match[str]) -> str:
        if match[0] != URL_MARK:
            removed["user in URL"] += 1
        return URL_MARK

    def parameter(match: re.Match[str]) -> str:
        name, value = match[1], match[2]
        if value == URL_MARK or not is_secret_parameter(unquote_plus(name)):
            return match[0]
        removed["key in URL"] += 1
        return f"{name}={URL_MARK}"

    def segment(match: re.Match[str]) -> str:
        value = match[2].encode("utf-8", "replace")
        if match[2] == URL_MARK or not looks_secret(value):
            return match[0]
        removed["key in URL"] += 1
        return f"{match[1]}/{URL_MARK}"

    url = _USER.sub(user, url)
    end = _PATH_END.search(url)
    path, rest = (url[: end.start()], url[end.start() :]) if end else (url, "")
    path = _PATH_KEY.sub(segment, _MATRIX.sub(parameter, path))
    url = path + _PARAMETER.sub(parameter, rest)
    url, found = mask_text(url)
    return url, removed + found
