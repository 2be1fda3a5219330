"""Ports that cannot be had, and servers that cannot be reached, in words."""

from __future__ import annotations

import asyncio
import socket
import ssl

import pytest

from sigscope.errors import UpstreamError, UsageError
from sigscope.sockets import is_untrusted, listen, no_connection

URL = "https://api.example/v1"


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def test_a_port_is_taken_once() -> None:
    with listen(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        port = listener.getsockname()[1]
        with pytest.raises(UpstreamError, match=f"127.0.0.1:{port}: .*--port, or 0"):
            listen(port)
    for port in (-1, 65536):
        with pytest.raises(UsageError, match="not between 0 and 65535"):
            listen(port)


def certificate(code: int, words: str) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, f"[SSL: CERTIFICATE_VERIFY_FAILED] {words}")
    error.verify_code, error.verify_message = code, words
    return error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ConnectionRefusedError(111, "Connect call failed ('::1', 9)"), "refused"),
        (socket.gaierror(-2, "Name or service not known"), "Name or service not known"),
        (TimeoutError(), "no answer in time"),
        (ConnectionResetError(), "before TLS was agreed on"),
        (UnicodeError("label empty or too long"), "no name of a host"),
        (certificate(10, "certificate has expired"), "or the clock of this machine"),
        (certificate(62, "Hostname mismatch"), "is for another name"),
        (certificate(20, "unable to get local issuer"), "is not trusted (unable"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Exception) else each,
)
def test_why_there_is_no_connection(error: Exception, words: str) -> None:
    assert words in no_connection(error, URL)
    assert is_untrusted(error) is ("not trusted" in words)


def test_a_name_of_several_addresses_is_told_without_them() -> None:
    text = "Multiple exceptions: [Errno 111] Connect call failed ('::1', 9), " * 2
    assert no_connection(OSError(text), URL).lower() == "connection refused"


async def test_what_speaks_no_tls_is_perhaps_meant_to() -> None:
    def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(say, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(ssl.SSLError) as caught:
            await asyncio.open_connection(
                "127.0.0.1", port, ssl=ssl.create_default_context()
            )
    assert "is it http://?" in no_connection(caught.value, URL)


@pytest.mark.parametrize(
    ("url", "bypassed", "is_told"),
    [
        (URL, "", True),
        (URL, "localhost,.example", False),
        ("http://api.example", "", False),
        ("https://127.0.0.1:9", "", False),
    ],
)
def test_a_proxy_that_is_not_asked_is_named(
    url: str, bypassed: str, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", bypassed)
    words = no_connection(socket.gaierror(-2, "Name or service not known"), url)
    assert ("HTTPS_PROXY names a proxy" in words) is is_told
    assert "HTTPS_PROXY" not in no_connection(certificate(10, "x"), url)
