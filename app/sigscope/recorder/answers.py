"""What the recorder answers by itself, where no upstream did."""

from __future__ import annotations

import json
from http import HTTPStatus

from sigscope.recorder.heads import HeadField, RequestHead, ResponseHead
from sigscope.recorder.routes import RecorderRoute, RouteOrigin, Routes
from sigscope.records import dataclass
from sigscope.sockets import is_untrusted, no_connection


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayedAnswer:
    """A refusal with its reason."""

    status: int
    code: str
    """For programs: "upstream_unreachable"."""
    message: str
    """For people: what, where, and what to do."""

    @property
    def body(self) -> bytes:
        """The shape that SDKs show the message of."""
        error = {
            "message": self.message,
            "type": "sigscope_recorder",
            "code": self.code,
        }
        return json.dumps({"error": error}, ensure_ascii=False).encode() + b"\n"

    @property
    def head(self) -> ResponseHead:
        reason = HTTPStatus(self.status).phrase
        headers = [
            ("Content-Type", "application/json; charset=utf-8"),
            ("Content-Length", str(len(self.body))),
        ]
        return ResponseHead(
            line=f"HTTP/1.1 {self.status} {reason}\r\n".encode(),
            version="HTTP/1.1",
            status=self.status,
            reason=reason,
            fields=tuple(
                HeadField(f"{name}: {value}\r\n".encode(), name, value)
                for name, value in headers
            ),
        )


NO_PROXY = (
    "it is for a forward proxy (HTTP_PROXY, HTTPS_PROXY), which this is none: give the"
    " recorder's address to the client as the base URL of the API instead"
)


def is_for_proxy(head: RequestHead) -> bool:
    """Whether a client takes the recorder for a forward proxy."""
    is_absolute = not head.target.startswith("/") and "://" in head.target
    return head.method == "CONNECT" or is_absolute


def maybe_refuse(
    head: RequestHead, route: RecorderRoute | None, routes: Routes
) -> RelayedAnswer | None:
    """Why a request is not passed on; None if it is. `route`: its own of them."""
    if is_for_proxy(head):
        return RelayedAnswer(
            status=501,
            code="not_a_forward_proxy",
            message=f"sigscope record refuses this request: {NO_PROXY}",
        )
    if head.target[:1] != "/" and head.target != "*":
        # Behind the upstream's name it would be recorded as another host's.
        return malformed(f"its target {head.target[:60]!r} is no path")
    if "websocket" in head.members("upgrade"):
        return RelayedAnswer(
            status=426,
            code="websocket_not_recorded",
            message="sigscope record does not pass WebSockets on: have the client use"
            " plain HTTP (streaming by server-sent events is fine). Codex does so by"
            " itself when refused; at once with supports_websockets = false on a"
            " model_providers entry of your own",
        )
    if route is None:
        known = ", ".join(str(route) for route in routes.all)
        return RelayedAnswer(
            status=404,
            code="no_upstream",
            message=f"sigscope record has no upstream for {head.target!r}; it knows:"
            f" {known}",
        )
    return None


def no_access(reason: str) -> RelayedAnswer:
    """It comes from a web page, or asks for another machine."""
    return RelayedAnswer(
        status=403,
        code="no_access",
        message=f"sigscope record refuses this request: {reason}",
    )


def malformed(reason: str) -> RelayedAnswer:
    """The request is no HTTP."""
    return RelayedAnswer(
        status=400,
        code="malformed_request",
        message=f"sigscope record cannot pass this request on: {reason}",
    )


def unreachable(origin: RouteOrigin, error: Exception) -> RelayedAnswer:
    """No connection."""
    is_late = isinstance(error, TimeoutError) and not error.args
    reason = no_connection(error, str(origin))
    if is_untrusted(error):
        reason += (
            "; where the server is yours, give `sigscope record` its authority's with"
            " --ca-file PEM"
        )
    return RelayedAnswer(
        status=504 if is_late else 502,
        code="upstream_timeout" if is_late else "upstream_unreachable",
        message=f"sigscope record cannot connect to {origin}: {reason}; the request was"
        " not sent",
    )


def unanswered(origin: RouteOrigin, reason: str) -> RelayedAnswer:
    """A connection, but no answer that is one."""
    return RelayedAnswer(
        status=502,
        code="upstream_gave_no_answer",
        message=f"{origin} gave no answer: {reason} (sigscope record)",
    )


def dropped(reason: str) -> RelayedAnswer:
    """The user dropped it. Not a 5xx: SDKs would send it again."""
    return RelayedAnswer(
        status=400,
        code="dropped",
        message=f"sigscope record did not send this request: {reason}",
    )
