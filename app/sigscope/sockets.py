"""Ports of this machine, and why another machine cannot be reached, in words."""

from __future__ import annotations

import os
import re
import socket
import ssl
from urllib.parse import urlsplit

from sigscope.errors import UpstreamError, UsageError
from sigscope.wire.access import is_loopback

LOOPBACK = "127.0.0.1"
_NUMBERED = re.compile(r"\[Errno (\d+)\]")
_CERTIFICATES = {
    9: "is not valid yet, or the clock of this machine is wrong",
    10: "has expired, or the clock of this machine is wrong",
    62: "is for another name: give the name that it is for",
    64: "is for another address: give the name that it is for",
}
"""What is wrong with a certificate that no other authority mends (`X509_V_ERR_` in
OpenSSL's x509_vfy.h)."""
_TLS = {
    "WRONG_VERSION_NUMBER": "what answers there speaks no TLS: is it http://?",
    "HTTP_REQUEST": "what answers there speaks no TLS: is it http://?",
    "UNSUPPORTED_PROTOCOL": "it speaks no TLS that is still in use (1.2 and newer)",
    "TLSV1_ALERT_PROTOCOL_VERSION": "it speaks another version of TLS",
}


def listen(port: int, host: str = LOOPBACK, *, backlog: int = 128) -> socket.socket:
    """Take a port; 0 takes a free one. `backlog`: connections that wait to be taken,
    and are not refused. Raises UpstreamError where it cannot be had, UsageError where
    it is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host.strip("[]"), port))
        listener.listen(backlog)
    except OSError as error:
        listener.close()
        raise UpstreamError(
            f"cannot listen on {host}:{port}: {error.strerror or error}; choose another"
            " --port, or 0 for a free one"
        ) from error
    except OverflowError:
        listener.close()
        raise UsageError(f"port {port} is not between 0 and 65535") from None
    return listener


def is_untrusted(error: BaseException) -> bool:
    """Whether a server's certificate comes from an authority that is not known."""
    return (
        isinstance(error, ssl.SSLCertVerificationError)
        and error.verify_code not in _CERTIFICATES
    )


def no_connection(error: BaseException, url: str) -> str:
    """Why none was made, or not in time, to the server of a URL: "Connection
    refused"."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return _why(error)
    return f"{_why(error)}{unasked_proxy(url)}"


def unasked_proxy(url: str) -> str:
    """That the environment names a proxy for this URL: where there is one, nothing else
    may lead out, and sigscope asks none, so that loopback stays loopback."""
    from urllib.request import proxy_bypass  # dear to import

    parts = urlsplit(url)
    wanted = (f"{parts.scheme}_proxy", "all_proxy")
    names = [name for name in os.environ if name.lower() in wanted and os.environ[name]]
    host = parts.hostname or ""
    if not names or is_loopback(host) or proxy_bypass(parts.netloc):
        return ""
    return f"; {names[0]} names a proxy, but sigscope asks none"


def _why(error: BaseException) -> str:
    if isinstance(error, TimeoutError) and not error.args:
        return "no answer in time"
    if isinstance(error, ssl.SSLCertVerificationError):
        wrong = f"is not trusted ({error.verify_message})"
        return f"its certificate {_CERTIFICATES.get(error.verify_code, wrong)}"
    if isinstance(error, ssl.SSLError):
        return _TLS.get(error.reason or "", str(error))
    if isinstance(error, UnicodeError):
        return "this can be no name of a host"
    if isinstance(error, ConnectionError) and not error.args:
        return "it closed the connection before TLS was agreed on"
    if not isinstance(error, OSError) or isinstance(error, socket.gaierror):
        return getattr(error, "strerror", None) or str(error) or type(error).__name__
    # asyncio puts the address in place of the system's words, and all of them in one
    # error where a name has several.
    numbers = _NUMBERED.findall(str(error)) if error.errno is None else [error.errno]
    words = dict.fromkeys(os.strerror(int(number)) for number in numbers)
    return "; ".join(words) or str(error) or type(error).__name__
