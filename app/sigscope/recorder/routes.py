"""Which upstream a request goes to, and under which path.

--upstream https://api.example/v1        /chat/completions → /v1/chat/completions
--map /openrouter=https://openrouter.ai  /openrouter/api/v1/… → /api/v1/…
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from urllib.parse import urlsplit

from sigscope.errors import UsageError
from sigscope.records import dataclass

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteOrigin:
    """A server: where connections go."""

    scheme: str
    """"http" or "https"."""
    host: str
    """Without brackets."""
    port: int
    authority: str = field(init=False, repr=False, compare=False)
    """As in a URL and in `Host`; a usual port is left out."""

    def __post_init__(self) -> None:
        host = f"[{self.host}]" if ":" in self.host else self.host
        is_usual = self.port == _PORTS[self.scheme]
        whole = host if is_usual else f"{host}:{self.port}"
        object.__setattr__(self, "authority", whole)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderRoute:
    """One upstream."""

    prefix: str = ""
    """Path under which the recorder takes its requests; "" takes what is left."""
    origin: RouteOrigin
    base: str = ""
    """Path before that of each request: "/v1"."""

    def serves(self, target: str) -> bool:
        """Whether a request target lies under the prefix, at a whole segment."""
        if not target.startswith(self.prefix):
            return False
        return not self.prefix or target[len(self.prefix) :][:1] in ("", "/", "?")

    def target(self, target: str) -> str:
        """What is asked of the upstream; `OPTIONS *` is about the server itself."""
        if target == "*":
            return target
        moved = self.base + target[len(self.prefix) :]
        return moved if moved.startswith("/") else f"/{moved}"

    def __str__(self) -> str:
        return f"{self.prefix or '/'} → {self.origin}{self.base}"


class Routes:
    """All upstreams of a recorder."""

    def __init__(self, routes: Sequence[RecorderRoute]) -> None:
        """Raises UsageError for none, and for two under one prefix."""
        if not routes:
            raise UsageError("name an upstream: --upstream URL or --map /PREFIX=URL")
        prefixes = [route.prefix for route in routes]
        for prefix in prefixes:
            if prefixes.count(prefix) > 1:
                raise UsageError(f"two upstreams are mapped to {prefix or '/'}")
        self.all = tuple(sorted(routes, key=lambda route: -len(route.prefix)))
        """The longest prefix first."""

    def find(self, target: str) -> RecorderRoute | None:
        """The route for a request target: that with the longest prefix."""
        for route in self.all:
            if route.serves(target):
                return route
        return None


def parse_route(url: str, prefix: str = "") -> RecorderRoute:
    """An upstream by its URL. Raises UsageError."""
    origin, target = split_target(url)
    if "?" in target or "#" in url:
        raise UsageError(f"upstream {url!r}: leave out the query and the fragment")
    prefix = prefix.rstrip("/")
    return RecorderRoute(prefix=prefix, origin=origin, base=target.rstrip("/"))


def parse_map(text: str) -> RecorderRoute:
    """`/PREFIX=URL`. Raises UsageError."""
    prefix, equals, url = text.partition("=")
    if not equals or not prefix.startswith("/") or prefix == "/":
        raise UsageError(f"write --map as /PREFIX=URL, not {text!r}")
    return parse_route(url, prefix)


def split_target(url: str) -> tuple[RouteOrigin, str]:
    """The server of an absolute URL, and the rest. Raises UsageError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"{url!r} is no URL: {error}") from None
    is_clean = parts.netloc.isprintable() and " " not in parts.netloc
    if parts.scheme not in _PORTS or not parts.hostname or not is_clean:
        raise UsageError(f"an upstream is http://... or https://..., not {url!r}")
    if parts.username or parts.password:
        raise UsageError("leave user and password out of the URL of an upstream")
    origin = RouteOrigin(
        scheme=parts.scheme,
        host=parts.hostname,
        port=_PORTS[parts.scheme] if port is None else port,
    )
    query = f"?{parts.query}" if parts.query else ""
    return origin, (parts.path or "") + query
