"""Whose requests are whose: by what they were sent with, and whether they are sealed.

A signature is worth something to the account that it was issued to. Two requests count
as of one account where all that opens something in them is the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from urllib.parse import unquote

from sigscope.exchange import Request
from sigscope.store.secrets.names import is_secret_header, is_secret_parameter
from sigscope.utf8 import to_bytes
from sigscope.wire.urls import split_url

_OF_ACCOUNT = frozenset(
    {"openai-organization", "openai-project", "chatgpt-account-id"}
    | {"x-goog-user-project", "x-ms-client-principal-id"}
)
"""Headers that tell which of a key's accounts is meant."""
_SEALS = frozenset({"signature", "digest", "hmac", "checksum", "md5", "sha256"})
"""Words of headers that hold a digest or a signature of the body (RFC 9421, 9530, 3230;
`x-amz-content-sha256`, `x-amz-checksum-crc32`, `x-content-sha256` of Oracle's cloud,
`x-hub-signature-256` of GitHub)."""
_SEALING = re.compile(
    r"\s*(?:AWS4?|GOOG4|TC3|ACS3|SDK|HMAC|Signature|bce-auth)\b", re.I
)
"""Schemes that sign what is sent: of AWS, Google's HMAC keys, Tencent, Alibaba, Huawei,
Volcengine, draft-cavage-http-signatures, Baidu."""
_SIGNED_URL = re.compile(
    r"(?:^|[&;])(?:x-(?:amz|goog|tos|oss|bce)-(?:signature|credential)|signature"
    r"|authorization)=",
    re.IGNORECASE,
)


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
    AWS Signature Version 4 in a header or in the address, its kin at other clouds, a
    digest, a message signature. What only looks so is left alone as well."""
    for name, value in request.headers:
        low = name.lower()
        if _SEALS & {*re.split(r"[^a-z0-9]+", low)}:
            return True
        is_credential = low.endswith("authorization") or is_secret_header(low)
        if is_credential and _SEALING.match(value):
            return True
    return _SIGNED_URL.search(unquote(split_url(request.url).query)) is not None
