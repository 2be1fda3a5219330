"""The header that takes a user's key, where neither target nor profile names one."""

from __future__ import annotations

from sigscope.dialects.base import Dialect
from sigscope.dialects.registry import named, service_at
from sigscope.wire.urls import split_url


def key_header(dialect: Dialect | str | None, service: str | None) -> str:
    """Of a dialect, or of the one of this name, at the service of this name."""
    found = named(dialect) if isinstance(dialect, str) else dialect
    return found.key_header(service) if found else "authorization"


def key_header_at(url: str, dialect: Dialect | None) -> str:
    """The same of the service at a URL."""
    host = split_url(url).host.partition(":")[0].lower()
    service = service_at(host, dialect.services if dialect else ())
    return key_header(dialect, service.name if service else None)
