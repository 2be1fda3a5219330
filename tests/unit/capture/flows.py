"""Flow files as mitmproxy writes them, built by hand."""

from __future__ import annotations

from typing import Any


def dump(value: Any) -> bytes:
    """A value as a typed netstring."""
    kind, content = _spelled(value)
    return b"%d:%b%b" % (len(content), content, kind)


def _spelled(value: Any) -> tuple[bytes, bytes]:
    if value is None:
        return b"~", b""
    if isinstance(value, bool):
        return b"!", b"true" if value else b"false"
    if isinstance(value, int):
        return b"#", str(value).encode()
    if isinstance(value, float):
        return b"^", repr(value).encode()
    if isinstance(value, bytes):
        return b",", value
    if isinstance(value, str):
        return b";", value.encode()
    if isinstance(value, dict):
        return b"}", b"".join(dump(k) + dump(v) for k, v in value.items())
    return b"]", b"".join(map(dump, value))


def flow(
    request: dict[str, Any] | None = None,
    response: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A flow of format 21 (mitmproxy 11 and 12) with these fields changed."""
    asked = {
        "host": "api.example.com",
        "port": 443,
        "method": b"POST",
        "scheme": b"https",
        "authority": b"",
        "path": b"/chat/completions",
        "http_version": b"HTTP/1.1",
        "headers": ((b"Content-Type", b"application/json"), (b"X-A", b"\xe9")),
        "content": b'{"messages":[]}',
        "trailers": None,
        "timestamp_start": 1_700_000_000.0,
        "timestamp_end": 1_700_000_000.25,
        **(request or {}),
    }
    answered = {
        "http_version": b"HTTP/1.1",
        "status_code": 200,
        "reason": b"OK",
        "headers": ((b"content-type", b"application/json"),),
        "content": b"{}",
        "trailers": None,
        "timestamp_start": 1_700_000_000.5,
        "timestamp_end": 1_700_000_002.0,
        **(response or {}),
    }
    return {
        "websocket": None,
        "response": answered,
        "request": asked,
        "backup": None,
        "version": 21,
        "type": "http",
        "id": "0b1c",
        "error": None,
        "client_conn": {"id": "c", "sni": None},
        "server_conn": {"id": "s"},
        "is_replay": None,
        "comment": "",
        **more,
    }
