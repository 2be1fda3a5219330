"""Header lines as recorded, and the few questions the wire asks of them."""

from __future__ import annotations

Headers = tuple[tuple[str, str], ...]
"""Header lines in wire order, names in wire case, values as latin-1 text."""


def header(headers: Headers, name: str) -> str | None:
    """The first value of a header, whatever the case of its name."""
    wanted = name.lower()
    for key, value in headers:
        if key.lower() == wanted:
            return value
    return None


def header_list(headers: Headers, name: str) -> tuple[str, ...]:
    """The members of a comma-separated header, all its lines together, in order.

    Source: RFC 9110, section 5.3 (several lines mean one joined list).
    """
    wanted = name.lower()
    return tuple(
        member.strip()
        for key, value in headers
        if key.lower() == wanted
        for member in value.split(",")
        if member.strip()
    )


def media_type(headers: Headers) -> str:
    """The content type without parameters, in lower case; empty if none is given."""
    value = header(headers, "content-type") or ""
    return value.partition(";")[0].strip().lower()
