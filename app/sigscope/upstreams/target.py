"""Turning a recorded request towards the place the user named.

Nothing here knows of connections; `live` sends what comes out.
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from sigscope.dialects.registry import KEY_HEADERS
from sigscope.errors import UsageError
from sigscope.exchange import Headers, Request
from sigscope.wire.urls import split_url

SIMULATOR = "simulator"
"""The target that is no URL: the strict simulator, in this process."""
CREDENTIALS = KEY_HEADERS | {"cookie", "proxy-authorization"}
"""Headers that tell a service who asks."""
KEY_PARAMETERS = frozenset({"key", "api_key", "api-key", "access_token"})
_UNWANTED = frozenset(map(chr, (*range(0x21), 0x7F)))


def parse_target(target: str) -> SplitResult:
    """The parts of a URL to send to. Raises UsageError, saying what is wrong."""
    shown = without_password(target)
    wanted = "give 'simulator' or a URL like https://api.example.com/chat/completions"
    try:
        place = urlsplit(target)
        host, port = place.hostname, place.port
    except ValueError as error:
        raise UsageError(f"{shown!r} is no target ({error}); {wanted}") from None
    if place.scheme not in ("http", "https") or not host or _UNWANTED & {*target}:
        raise UsageError(f"{shown!r} is no target; {wanted}")
    if port == 0:
        raise UsageError(f"{shown!r} is no target (port 0); {wanted}")
    return place


def without_password(url: str) -> str:
    """A URL fit to be shown: without user, password and query, which may hold keys."""
    head, mark, rest = url.partition("://")
    if not mark:
        return url.partition("?")[0]
    place, slash, path = rest.partition("?")[0].partition("/")
    return f"{head}://{place.rpartition('@')[2]}{slash}{path}"


def aim(
    request: Request, target: str, default_path: str, *, is_own: bool = False
) -> Request:
    """The same request at another place.

    A target with the recorded path, or with an API path of its own, is taken whole; a
    bare one ("https://host:port/prefix") gets the recorded path behind it.

    What the recording holds to identify the user (keys, cookies) goes to the recorded
    host only: another host gets none of it. `is_own`: nobody recorded it; the user
    wrote it for this target.
    """
    place = parse_target(target)
    recorded = split_url(request.url)
    path = recorded.path or default_path
    prefix = place.path.rstrip("/")
    query = recorded.query
    is_elsewhere = _place(recorded.host) != _place(place.netloc.rpartition("@")[2])
    if is_elsewhere and not is_own:
        request = replace(request, headers=_without_credentials(request.headers))
        query = _without_keys(query)
    if _is_endpoint(prefix):
        query = place.query or query
        path = prefix
    else:
        path = prefix + (path if path.startswith("/") or not path else f"/{path}")
    url = f"{place.scheme}://{place.netloc}{path}" + (f"?{query}" if query else "")
    return replace(request, url=url)


def _place(host: str) -> str:
    """A host with its port, unless that is the usual one."""
    return host.lower().removesuffix(":443").removesuffix(":80")


def _is_endpoint(path: str) -> bool:
    return path.endswith(("/completions", "/messages", "/responses")) or ":" in path


def _without_credentials(headers: Headers) -> Headers:
    return tuple((n, v) for n, v in headers if n.lower() not in CREDENTIALS)


def _without_keys(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(n, v) for n, v in pairs if n.lower() not in KEY_PARAMETERS]
    return query if len(kept) == len(pairs) else urlencode(kept)


def with_key(headers: Headers, key: str, header: str) -> Headers:
    """Headers with the user's key in place of what the recording had there.

    `header` is the service's own: "authorization" (as a bearer) or "x-goog-api-key".
    """
    kept = tuple((n, v) for n, v in headers if n.lower() not in KEY_HEADERS)
    value = f"Bearer {key}" if header == "authorization" else key
    return (*kept, (header, value))


def is_loopback_name(host: str) -> bool:
    """Whether a host's name means this machine."""
    return host in ("localhost", "::1") or host.startswith("127.")
