"""One request and its answer, on the way between a client and an upstream.

States follow from three questions: is the request here whole (`_request.done`), is the
answer's head known (`_response`), is it over (`_is_over`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from sigscope.errors import SigscopeError
from sigscope.exchange import Body, Ending, Request
from sigscope.recorder import answers, rewriting
from sigscope.recorder.answers import Answer
from sigscope.recorder.gate import Drop, Gate
from sigscope.recorder.heads import (
    HeadError,
    RequestHead,
    ResponseHead,
    find_end,
    parse_response,
)
from sigscope.recorder.journal import Journal
from sigscope.recorder.routes import Origin, Routes, split_target
from sigscope.recorder.tape import Tape
from sigscope.recorder.transfer import Chunked, Decoder, Sized, UntilClose
from sigscope.recorder.upstream import Pool, UpstreamSide

RETRY_SECONDS = 2.0
"""A kept connection that breaks sooner than this, without a byte of answer, was closed
by the server while it was idle: the request goes out again on a new one. Later it may
have been worked on, and is not sent twice."""
RETRY_SIZE = 32 * 1024 * 1024
"""Larger requests are not kept for that."""
UNSENT = 1024 * 1024
"""Bytes of a body that wait for a connection before the client is told to wait."""


@dataclass(slots=True, kw_only=True)
class Hub:
    """What all relays of a recorder share."""

    routes: Routes
    journal: Journal
    pool: Pool
    clock: Callable[[], float]
    gate: Gate | None = None


class Client(Protocol):
    """The connection to the client, as a relay needs it."""

    def write(self, data: bytes) -> None: ...
    def read(self, *, is_wanted: bool) -> None: ...
    def done(self, *, closes: bool) -> None:
        """The answer is written; the next request may come."""
        ...

    def cut(self) -> None:
        """The answer breaks off here."""
        ...


class Relay:
    """Carries one exchange."""

    def __init__(
        self, hub: Hub, client: Client, head: RequestHead, began: float
    ) -> None:
        """`began`: when the head's first byte came."""
        self._hub = hub
        self._client = client
        self._head = head
        self._refusal = answers.maybe_refuse(head, hub.routes)
        route = hub.routes.find(head.target)
        self._origin = (route or hub.routes.all[0]).origin
        self._target = route.target(head.target) if route else head.target
        url = f"{self._origin}{self._target}" if route else head.target
        self._tape: Tape = hub.journal.begin(
            method=head.method,
            url=url,
            version=head.version,
            headers=head.headers,
            began=began,
        )
        self._request: Decoder = Sized(0)
        self._response: Decoder | None = None
        self._response_head = b""
        self._status = 0
        self._unsent: list[bytes] = []
        self._unsent_size = 0
        self._held_body: list[bytes] = []
        """Payload of a request that a gate is to be asked about."""
        self._replay: list[bytes] | None = None
        """What went out on a kept connection, until it is known to work."""
        self._replay_size = 0
        self._sent_at = 0.0
        self._upstream: UpstreamSide | None = None
        self._task: asyncio.Task[None] | None = None
        self._closes = head.wants_close
        self._is_gated = False
        self._is_answered = False
        """The answer is written; only the rest of the request is still to come."""
        self._is_over = False
        self._is_reusable = False
        self._is_unchunked = False
        self._remarks: list[str] = []

    # --- The request -----------------------------------------------------------------

    def start(self) -> None:
        """Begin, when the head is known."""
        head = self._head
        try:
            self._request = _request_decoder(head)
        except HeadError as error:
            self._closes = True
            self._answer(answers.malformed(str(error)))
            return
        if self._refusal is not None:
            self._answer(self._refusal)
            return
        if self._hub.gate is not None:
            self._is_gated = True
            if "100-continue" in head.members("expect"):
                self._client.write(rewriting.CONTINUE)
            if self._request.done:
                self._ask()
            return
        out = rewriting.request_head(head, self._origin, self._target)
        self._send(out)
        self._open(self._origin)

    def request_data(self, data: bytes) -> bytes:
        """Some more of the request; gives what lies behind it."""
        if self._request.done:
            return data
        try:
            payload, rest = self._request.feed(data)
        except SigscopeError as error:
            self._closes = True
            self._answer(answers.malformed(str(error)))
            return b""
        raw = data[: len(data) - len(rest)] if rest else data
        if self._is_gated:
            self._unsent.append(raw)
            self._held_body.append(payload)
        elif not self._is_answered:
            self._send(raw)
        self._tape.sent(payload)
        if self._has_request():
            if self._is_answered:
                self._conclude()
            elif self._is_gated:
                self._ask()
        return rest

    def _has_request(self) -> bool:
        return self._request.done

    def client_is_full(self, is_full: bool) -> None:
        """The client reads more slowly than the upstream writes, or again as fast."""
        if self._upstream is not None:
            self._upstream.read(is_wanted=not is_full)

    def client_lost(self) -> None:
        """The client has gone. The upstream is told by closing its connection."""
        if self._is_answered:
            self._remarks.append("the answer came before the whole request was sent")
            self._end("complete")
        else:
            self._end("client-aborted")

    def stop(self) -> None:
        """The recorder ends."""
        self._remarks.append("the recorder was stopped before this exchange ended")
        self._end("open")

    def _send(self, data: bytes) -> None:
        if self._upstream is None:
            self._unsent.append(data)
            self._unsent_size += len(data)
            if self._unsent_size > UNSENT:
                self._client.read(is_wanted=False)
            return
        self._upstream.write(data)
        self._remember(data)

    def _remember(self, data: bytes) -> None:
        if self._replay is not None:
            self._replay.append(data)
            self._replay_size += len(data)
            if self._replay_size > RETRY_SIZE:
                self._replay = None

    # --- The gate --------------------------------------------------------------------

    def _ask(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._pass_gate())

    async def _pass_gate(self) -> None:
        gate = self._hub.gate
        assert gate is not None
        request = Request(
            method=self._head.method,
            url=f"{self._origin}{self._target}",
            headers=self._head.headers,
            body=Body(b"".join(self._held_body)),
            http_version=self._head.version,
        )
        try:
            decision = await gate(request)
        except Exception as error:  # noqa: BLE001 - a broken gate stops no traffic
            self._tape.on_fault(error)
            self._release()
            return
        if isinstance(decision, Drop):
            self._answer(answers.dropped(decision.reason))
        elif decision.request is None or decision.request is request:
            self._release()
        else:
            self._release_edited(decision.request, decision.note)

    def _release(self) -> None:
        head = self._head
        without = ("expect",) if "100-continue" in head.members("expect") else ()
        out = rewriting.request_head(head, self._origin, self._target, *without)
        self._unsent.insert(0, out)
        self._open(self._origin)

    def _release_edited(self, request: Request, note: str) -> None:
        """The request as it came stays a step of its own, without an answer."""
        try:
            origin, target = split_target(request.url)
            out = rewriting.edited_message(request, origin, target or "/")
        except (SigscopeError, UnicodeEncodeError) as error:
            self._answer(answers.dropped(f"its edited form cannot be sent: {error}"))
            return
        self._tape.end(
            "complete", "held; the next step is what was sent in its place", note
        )
        self._tape = self._hub.journal.begin(
            method=request.method,
            url=request.url,
            version="HTTP/1.1",
            headers=request.headers,
            began=self._hub.clock(),
            source="edited while held",
        )
        self._tape.sent(request.body.raw)
        self._unsent = [out]
        self._origin = origin
        self._open(origin)

    # --- The upstream ----------------------------------------------------------------

    def _open(self, origin: Origin) -> None:
        upstream = self._hub.pool.take(origin)
        if upstream is not None:
            self._replay, self._replay_size = [], 0
            self._attach(upstream)
        else:
            self._task = asyncio.get_running_loop().create_task(self._connect(origin))

    async def _connect(self, origin: Origin) -> None:
        try:
            upstream = await self._hub.pool.connect(origin)
        except OSError as error:  # TimeoutError and ssl.SSLError are of its kin
            self._answer(answers.unreachable(origin, error))
            return
        self._task = None
        self._attach(upstream)

    def _attach(self, upstream: UpstreamSide) -> None:
        self._upstream = upstream
        upstream.listener = self
        data = b"".join(self._unsent)
        self._unsent.clear()
        self._sent_at = self._hub.clock()
        upstream.write(data)
        self._remember(data)
        if self._unsent_size > UNSENT:
            self._client.read(is_wanted=True)
        self._unsent_size = 0

    def upstream_is_full(self, is_full: bool) -> None:
        """The upstream reads more slowly than the client writes, or again as fast."""
        self._client.read(is_wanted=not is_full)

    def upstream_lost(self, error: Exception | None) -> None:
        """Its connection is closed, in the middle of things."""
        self._upstream = None
        reason = f" ({error})" if error is not None and str(error) else ""
        if self._response is not None:
            self._break_off(f"the upstream closed the connection{reason}", error)
            return
        is_early = self._hub.clock() - self._sent_at < RETRY_SECONDS
        if self._replay is not None and is_early and not self._response_head:
            self._unsent, self._replay = self._replay, None
            self._remarks.append(
                "sent again on a new connection: the upstream had closed the kept one"
            )
            self._task = asyncio.get_running_loop().create_task(
                self._connect(self._origin)
            )
            return
        self._answer(
            answers.unanswered(self._origin, f"it closed the connection{reason}")
        )

    # --- The response ----------------------------------------------------------------

    def response_data(self, data: bytes) -> None:
        """Some of the answer."""
        self._replay = None
        if self._response is not None:
            self._pass_body(b"", data)
            return
        self._response_head += data
        try:
            self._pass_heads()
        except HeadError as error:
            self._answer(answers.unanswered(self._origin, str(error)))

    def _pass_heads(self) -> None:
        """The head when it is whole; before it, interim ones (100, 103)."""
        while (end := find_end(self._response_head)) >= 0:
            raw, rest = self._response_head[:end], self._response_head[end:]
            head = parse_response(raw)
            if head.status == 101:
                raise HeadError("it switches protocols, which was not asked of it")
            if head.status < 200:
                self._response_head = rest
                self._client.write(raw)
                continue
            out = self._begin_response(head)
            self._response_head = b""
            self._pass_body(out, rest)
            return

    def _begin_response(self, head: ResponseHead) -> bytes:
        self._response = _response_decoder(head, self._head.method)
        is_endless = isinstance(self._response, UntilClose)
        self._is_unchunked = self._head.version != "HTTP/1.1" and isinstance(
            self._response, Chunked
        )
        self._is_reusable = not is_endless and not head.wants_close
        self._closes = self._closes or is_endless or head.version != "HTTP/1.1"
        self._tape.head(head)
        return rewriting.response_head(
            head, closes=self._closes, unchunked=self._is_unchunked
        )

    def _pass_body(self, before: bytes, data: bytes) -> None:
        response = self._response
        assert response is not None
        try:
            payload, rest = response.feed(data)
        except SigscopeError as error:
            self._client.write(before + data)
            self._break_off(f"the answer is no HTTP: {error}", error)
            return
        if self._is_unchunked:
            out = before + payload
        else:
            out = before + (data[: len(data) - len(rest)] if rest else data)
        if not response.done:
            self._client.write(out)
            self._tape.received(payload)
            return
        # First into the recording: what a client has whole must be there.
        self._tape.received(payload)
        self._finish(out, has_rest=bool(rest))

    def _finish(self, out: bytes, *, has_rest: bool = False) -> None:
        """The answer is whole; `out` is the last of it."""
        if isinstance(self._response, Chunked) and self._response.trailer:
            trailer = self._response.trailer.decode("latin-1").strip()
            self._remarks.append(f"header lines behind the body: {trailer}")
        if self._request.done:
            self._tape.end("complete", *self._remarks)
        self._client.write(out)
        upstream, self._upstream = self._upstream, None
        if upstream is not None:
            if self._is_reusable and self._request.done and not has_rest:
                self._hub.pool.give(upstream)
            else:
                upstream.abort()
        self._is_answered = True
        if self._request.done:
            self._conclude()
        elif self._closes or "100-continue" in self._head.members("expect"):
            self._closes = True  # whether the body still comes, nobody can tell
            self._conclude()

    def _conclude(self) -> None:
        self._tape.end("complete", *self._remarks)
        self._is_over = True
        self._client.done(closes=self._closes)

    def _break_off(self, reason: str, error: Exception | None) -> None:
        """The upstream ended the answer before it was whole, if it was not."""
        response = self._response
        if isinstance(response, UntilClose) and error is None:
            response.done = True
            self._finish(b"")
            return
        missing = response.missing() if response is not None else ""
        self._remarks.append(f"{reason}; missing: {missing}" if missing else reason)
        self._end("upstream-aborted")
        self._client.cut()

    def _answer(self, answer: Answer) -> None:
        """Answer in the upstream's place."""
        if self._is_over or self._is_answered:
            return
        self._task = None
        self._is_gated = False
        self._unsent.clear()
        self._remarks.append(f"answered by the recorder itself: {answer.message}")
        upstream, self._upstream = self._upstream, None
        if upstream is not None:
            upstream.abort()
        body = b"" if self._head.method == "HEAD" else answer.body
        self._tape.head(answer.head)
        self._tape.received(body)
        head = rewriting.response_head(
            answer.head, closes=self._closes, unchunked=False
        )
        self._response = None
        self._finish(head + body)

    def _end(self, ending: Ending) -> None:
        """Stop everything, and keep what there is."""
        if self._is_over:
            return
        self._is_over = True
        if self._task is not None:
            self._task.cancel()
        upstream, self._upstream = self._upstream, None
        if upstream is not None:
            upstream.abort()
        self._tape.end(ending, *self._remarks)


def _request_decoder(head: RequestHead) -> Decoder:
    is_chunked, length = head.is_chunked, head.length
    if is_chunked and length is not None:
        # Two readers may disagree about where it ends (RFC 9112, 6.1).
        raise HeadError("it has both Content-Length and Transfer-Encoding")
    return Chunked() if is_chunked else Sized(length or 0)


def _response_decoder(head: ResponseHead, method: str) -> Decoder:
    if method == "HEAD" or head.status in (204, 304):
        return Sized(0)
    if head.is_chunked:
        return Chunked()
    return UntilClose() if head.length is None else Sized(head.length)
