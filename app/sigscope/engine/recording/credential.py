"""Whose requests are whose: by what they were sent with, and whether they are sealed.

A signature is worth something to the account that it was issued to. Two requests count
as of one account where all that opens something in them is the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from sigscope.exchange import Request, header
from sigscope.store.secrets.names import is_secret_header, is_secret_parameter
from sigscope.utf8 import to_bytes
from sigscope.wire.urls import split_url

_OF_ACCOUNT = frozenset(
    {"openai-organization", "openai-project", "chatgpt-account-id"}
    | {"x-goog-user-project", "x-ms-client-principal-id"}
)
"""Headers that tell which of a key's accounts is meant."""
_SEALS = frozenset(
    {"signature", "signature-input", "content-digest", "digest", "content-md5"}
)
"""Headers that hold a digest or a signature of the body (RFC 9421, 9530, 3230)."""


def credential_digest(request: Request) -> bytes:
    """What tells two accounts apart; nothing can be read from it. Cookies count only
    where nothing else does: services change them as they like."""
    found = sorted(_credentials(request))
    keys = [pair for pair in found if pair[0] != "cookie"] or found
    return hashlib.sha256(to_bytes(repr(keys))).digest()


def _credentials(request: Request) -> Iterator[tuple[str, str]]:
    for name, value in request.headers:
        lower = name.lower()
        if lower in _OF_ACCOUNT or is_secret_header(lower):
            yield lower, value
    for pair in split_url(request.url).query.split("&"):
        name, _, value = pair.partition("=")
        if is_secret_parameter(name):
            yield f"?{name}", value


def is_sealed(request: Request) -> bool:
    """Whether the request says what its body is, so that no other body can go with it:
    AWS Signature Version 4, a digest, a message signature."""
    if (header(request.headers, "authorization") or "").startswith("AWS4-"):
        return True
    names = {name.lower() for name, _ in request.headers}
    if not names.isdisjoint(_SEALS) or "x-amz-content-sha256" in names:
        return True
    return "x-amz-signature=" in split_url(request.url).query.lower()
