"""A live API over HTTP.

The request goes out byte for byte as it was recorded or edited: httpx adds nothing but
Host and Content-Length (dependencies.md 4). Left out are the headers of one connection
and the pseudo-headers (`:authority` ...) that browsers list in the recording of an
HTTP/2 request: we speak HTTP/1.1, where they are no headers.

It is sent to the host the user named and to no other: a redirect comes back as the
answer. Proxy settings of the environment are not obeyed, so that loopback stays
loopback.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator

import httpx

from sigscope.exchange import Headers, Request
from sigscope.records import dataclass
from sigscope.sockets import no_connection, unasked_proxy
from sigscope.upstreams.base import AnswerHead, Arrival, Clock, Data, End
from sigscope.upstreams.target import without_password
from sigscope.utf8 import to_bytes
from sigscope.wire.urls import ascii_url, split_url

CONNECT_SECONDS = 10.0
HOP_BY_HOP = frozenset(
    {
        "connection",
        "content-length",
        "host",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers of one connection (RFC 9110, 7.6.1), and those that httpx must set."""


@dataclass(frozen=True, slots=True)
class Live:
    """One URL, and how to reach it."""

    url: str
    """What to ask; requests carry their own URL, made with `aim`."""
    clock: Clock
    read_seconds: float = 120.0
    """The longest silence before an answer is given up."""

    @property
    def name(self) -> str:
        """The URL without what may be secret in it: query, user, password."""
        return without_password(self.url)

    async def send(self, request: Request) -> AsyncIterator[Arrival]:
        """Send; yield what arrives when it arrives."""
        started = self.clock()

        def now() -> float:
            return (self.clock() - started) * 1000

        try:
            async with self._client() as client:
                message = _build(request)
                answer = await client.send(message, stream=True)
                try:
                    yield _head(answer, now())
                    async for piece in answer.aiter_raw():
                        yield Data(data=piece, at_ms=now())
                finally:
                    await answer.aclose()
            problem = explain_redirect(answer)
            yield End(ending="complete", at_ms=now(), problem=problem)
        except httpx.InvalidURL as error:
            problem = f"{self.name} is no URL that can be asked: {error}"
            yield End(ending="upstream-aborted", at_ms=now(), problem=problem)
        except httpx.HTTPError as error:
            problem = explain(error, request.url, self.read_seconds)
            yield End(ending="upstream-aborted", at_ms=now(), problem=problem)
        except (ssl.SSLError, OSError) as error:
            problem = f"{self.name}: {error.strerror or error}"
            yield End(ending="upstream-aborted", at_ms=now(), problem=problem)

    def _client(self) -> httpx.AsyncClient:
        timeout = httpx.Timeout(self.read_seconds, connect=CONNECT_SECONDS)
        client = httpx.AsyncClient(
            timeout=timeout, trust_env=False, follow_redirects=False
        )
        client.headers.clear()
        return client


def sendable(headers: Headers) -> Headers:
    """The header lines that are sent again, without those of one connection and the
    pseudo-headers of HTTP/2 (RFC 9113, 8.3)."""
    return tuple(
        (name, value)
        for name, value in headers
        if name and not name.startswith(":") and name.lower() not in HOP_BY_HOP
    )


def _build(request: Request) -> httpx.Request:
    headers = [(_wire(n), _wire(v)) for n, v in sendable(request.headers)]
    return httpx.Request(
        request.method,
        ascii_url(request.url),
        headers=headers,
        content=request.body.raw,
    )


def _wire(text: str) -> bytes:
    """A recorded header as bytes; what is not Latin-1 was UTF-8 before the recorder
    read it as text."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return to_bytes(text)


def _head(answer: httpx.Response, at_ms: float) -> AnswerHead:
    return AnswerHead(
        status=answer.status_code,
        reason=answer.reason_phrase,
        http_version=answer.http_version,
        headers=tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in answer.headers.raw
        ),
        at_ms=at_ms,
    )


def explain_redirect(answer: httpx.Response) -> str:
    """Why a redirect is where it ends; empty for any other answer."""
    place = answer.headers.get("location")
    if not answer.is_redirect or not place:
        return ""
    return (
        f"redirected to {without_password(place)}, which was not followed: requests go"
        " to the named host only. If it is right, give it with --to"
    )


def explain(error: httpx.HTTPError, url: str, read_seconds: float) -> str:
    """Say in one sentence why no (whole) answer came."""
    where = split_url(url).host or url
    if isinstance(error, httpx.ConnectTimeout):
        return (
            f"no connection to {where} within {CONNECT_SECONDS:g} s{unasked_proxy(url)}"
        )
    if isinstance(error, httpx.ReadTimeout):
        return f"{where} was silent for {read_seconds:g} s; given up"
    if isinstance(error, httpx.ConnectError):
        return f"cannot connect to {where}: {no_connection(_cause(error), url)}"
    if isinstance(error, httpx.LocalProtocolError):
        # httpx quotes the header's value, which may be a key.
        return f"not sent to {where}: a header is no legal HTTP"
    if isinstance(error, httpx.RemoteProtocolError):
        if "illegal" in str(error) and "chunk" not in str(error):
            return f"{where} did not answer in HTTP: {error}"
        return f"{where} broke off: {error}"
    return f"{where}: {error or type(error).__name__}"


def _cause(error: BaseException) -> BaseException:
    """The innermost one: httpx wraps the one that tells."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    return error
