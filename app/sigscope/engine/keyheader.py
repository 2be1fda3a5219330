"""The header that takes a user's key, where neither target nor profile names one."""

from __future__ import annotations

from sigscope.dialects.base import Dialect
from sigscope.dialects.registry import named
from sigscope.ledger.fates import surface_at
from sigscope.wire.urls import split_url


def key_header(dialect: Dialect | str | None, surface: str | None) -> str:
    """Of a dialect, or of the one of this name, on a surface of its service."""
    found = named(dialect) if isinstance(dialect, str) else dialect
    return found.key_header(surface) if found else "authorization"


def key_header_at(url: str, dialect: Dialect | None) -> str:
    """The same of the service at a URL."""
    host = split_url(url).host.partition(":")[0].lower()
    return key_header(dialect, surface_at(host))
