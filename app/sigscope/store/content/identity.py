"""Who somebody is: what tells it in headers, in bodies, and in error answers.

Headers are kept by name: what a client or a gateway adds may say which machine, which
account or which proxy it was, and nobody can list all of that.
"""

from __future__ import annotations

import re

from sigscope.exchange import Headers
from sigscope.utf8 import to_bytes, to_text

REMOVED = "[removed]"

_KEPT = frozenset(
    {
        "accept",
        "accept-encoding",
        "accept-language",
        "anthropic-beta",
        "anthropic-version",
        "cache-control",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "copilot-integration-id",
        "copilot-vision-request",
        "date",
        "editor-plugin-version",
        "editor-version",
        "expires",
        "host",
        "keep-alive",
        "openai-beta",
        "openai-intent",
        "openai-processing-ms",
        "openai-version",
        "pragma",
        "retry-after",
        "retry-after-ms",
        "server",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "user-agent",
        "vary",
        "x-accel-buffering",
        "x-content-type-options",
        "x-github-api-version",
        "x-goog-api-client",
        "x-initiator",
        "x-litellm-version",
        "x-should-retry",
    }
)
"""Headers that say how something is sent, and with which program."""
_KEPT_BEGINNINGS = ("x-stainless-", "x-ratelimit-", "anthropic-ratelimit-")
"""Of programs and of limits: numbers, versions and names of systems."""
_EMAIL = r"[\w.+%-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}"
_ADDRESS = r"(?:\d{1,3}\.){3}\d{1,3}(?!\.\d)|(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}"
_IN_TEXT = re.compile(_EMAIL)
_IN_ERRORS = re.compile(
    rf"(?<![\w+/=-])(?:{_EMAIL}|{_ADDRESS}|(?:org|proj|req|user|acct|account|team|cus)[_-]"
    r"(?=[A-Za-z]*\d)[A-Za-z0-9-]{6,64})(?![\w+/=-])"
    r'|(?<="request_id":")[^"\\]+|(?<="request_id": ")[^"\\]+'
    r'|(?<="requestId":")[^"\\]+|(?<="user_id":")[^"\\]+|(?<="user_id": ")[^"\\]+'
)
_OF_ACCOUNTS = re.compile(
    r"(?<=/)((?:account|project|organization|org|workspace|user|subscription|tenant|team"
    r"|customer|resourceGroup)s?)/([^/?#]+)|(?<=gateway\.ai\.cloudflare\.com/v1)()/([^/]+)"
)
"""Segments of paths that say whose it is: of Google, Azure, Cloudflare."""
_IN_QUERIES = re.compile(r"(?<=[?&])([^=&#]+)=([^&#]+)")
_KEPT_IN_QUERIES = frozenset(
    ("alt", "api-version", "api_version", "beta", "fields", "key", "model", "stream")
)
"""Parameters that say how something is asked for."""
_WORD = re.compile(r"[A-Za-z0-9]")


def masked_headers(headers: Headers) -> tuple[Headers, int]:
    """Headers with only what is kept by name; how many values went. Names and order
    stay, and what says of itself that a secret was removed."""
    gone = 0
    lines = []
    for name, value in headers:
        lower = name.lower()
        kept = value
        if lower in _KEPT or lower.startswith(_KEPT_BEGINNINGS):
            kept = _IN_TEXT.sub(REMOVED, value)
        elif value and REMOVED not in value:
            kept = REMOVED
        gone += kept != value
        lines.append((name, kept))
    return tuple(lines), gone


def masked_url(url: str) -> str:
    """A URL without accounts in its path, and without what its query says but for how
    something is asked for. The length stays."""

    def segment(match: re.Match[str]) -> str:
        name, text = (match[1], match[2]) if match[2] else ("", match[4])
        return f"{name}/{_WORD.sub('x', text)}"

    def parameter(match: re.Match[str]) -> str:
        if match[1].lower() in _KEPT_IN_QUERIES or match[2] == "REMOVED":
            return match[0]
        return f"{match[1]}={_WORD.sub('x', match[2])}"

    start = url.find("://") + 3 if "://" in url else 0
    return url[:start] + _IN_QUERIES.sub(
        parameter, _OF_ACCOUNTS.sub(segment, url[start:])
    )


def masked_error(data: bytes) -> tuple[bytes, int]:
    """An error answer, which is kept, without e-mail addresses and ids of accounts and
    requests; and how many there were. The length stays."""
    text = to_text(data)
    masked, count = _IN_ERRORS.subn(lambda found: _WORD.sub("*", found[0]), text)
    return to_bytes(masked), count


IDENTITY = frozenset(
    {
        "user",
        "user_id",
        "userId",
        "metadata",
        "safety_identifier",
        "prompt_cache_key",
        "promptCacheKey",
        "session_id",
        "client_metadata",
        "labels",
        "litellm_metadata",
        "requestMetadata",
    }
)
"""Members at the top of a body that say for whom it is."""
OF_SERVICES = frozenset({"usage", "metrics", "trace", "provider_name"})
"""Members of `metadata` that are the service's own: Bedrock streams one."""


def mask_identity(literal: bytes) -> bytes:
    """A string of which nothing stays but its length and punctuation."""
    units = re.sub(rb"\\u[0-9a-fA-F]{4}", b"xxxxxx", literal)
    units = re.sub(rb"\\.", b"xx", units)
    return re.sub(rb"[A-Za-z0-9\x80-\xff]", b"x", units)
