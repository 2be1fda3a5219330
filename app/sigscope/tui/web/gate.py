"""Who may come in: the one who has the link, once.

The link's token is taken by the first `GET /` that brings it and is then worth nothing;
that browser gets a cookie, which every other request must bring. A request must also
name this server as its host, so that no foreign name that resolves to loopback (DNS
rebinding) is served, and a WebSocket must come from our own page: cookies know neither
ports nor who asks.
"""

from __future__ import annotations

import secrets
from dataclasses import field
from hmac import compare_digest

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from sigscope.records import dataclass
from sigscope.utf8 import to_bytes
from sigscope.wire.access import Access

TOKEN_BYTES = 32
"""As much as cannot be guessed; more than the 16 that OWASP asks of a session id."""
PARAMETER = "token"
HTTP = 80

USED = (
    "This link does not open sigscope: it was used already, or is not complete.\n\n"
    "The link that `sigscope serve` prints works once, in one browser. Press Ctrl+C\n"
    "where it runs, and start it again for a new one.\n"
)
FOREIGN = "This request does not come from sigscope's own page.\n"


@dataclass(slots=True)
class Gate:
    """Keeps the secrets of one server."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    """Taken by the first browser; then empty."""
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))

    @property
    def origin(self) -> str:
        """Scheme, host and port of our page."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def link(self) -> str:
        """What the user opens."""
        return f"{self.origin}/?{PARAMETER}={self.token}"

    @property
    def cookie_name(self) -> str:
        """Of this server alone: cookies of one host are shared by all its ports."""
        return f"sigscope-{self.port}"

    def middleware(self) -> Middleware:
        """Stands before every route."""

        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            is_first = self._admit(request)
            response = await handler(request)
            if is_first:
                response.set_cookie(
                    self.cookie_name, self.cookie, httponly=True, samesite="Strict"
                )
            return response

        return guard

    def _admit(self, request: web.Request) -> bool:
        """Whether the request brings the token and so takes it. Raises HTTPForbidden
        for one that brings nothing."""
        # Browsers leave the usual port of HTTP out.
        port = None if self.port == HTTP else self.port
        access = Access(port=port, takes_links=True)
        if not request.headers.get("Host", "").strip() or access.maybe_refuse(
            request.headers.items()
        ):
            raise web.HTTPForbidden(text=FOREIGN)
        brought = request.cookies.get(self.cookie_name, "")
        if compare_digest(to_bytes(brought), self.cookie.encode()):
            return False
        if request.method == "GET" and request.path == "/" and self._take(request):
            return True
        raise web.HTTPForbidden(text=USED)

    def _take(self, request: web.Request) -> bool:
        given = request.query.get(PARAMETER, "")
        is_right = bool(self.token) and compare_digest(
            to_bytes(given), self.token.encode()
        )
        if is_right:
            self.token = ""
        return is_right
