"""Who may talk to a server of ours on loopback: programs of this machine, no web pages.

Any page that a browser shows can send requests to loopback, and read the answers if a
name of its own is made to resolve there (DNS rebinding). What it cannot do is hide
where it comes from: `Host` is the name it asked for, `Origin` and `Sec-Fetch-Site` are
set by the browser. Programs send `Host` with the address they were given, and neither
of the others. Sources: RFC 6454, section 7; W3C Fetch Metadata, section 2.1.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache

from sigscope.records import dataclass

_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/@?#\[\]]+)(?::(\d*))?")
_PORT = re.compile(r":\d*\Z")
_LONGEST = 300
"""Characters of a name that are told; names of DNS have 253 (RFC 1035, 2.3.4)."""
_FOREIGN_SITES = ("cross-site", "same-site")


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a request must say of itself to be served."""

    hosts: tuple[str, ...] = ()
    """Names besides those of loopback, with a port or for any: "host.docker.internal".
    `*` stands for any characters."""
    origins: tuple[str, ...] = ()
    """Origins besides our own: "app://editor", "null"; `*` as above."""
    port: int | None = None
    """The only port that a request may name; None: any, as ports get forwarded."""
    takes_links: bool = False
    """Serve those who follow a link on another page: for servers of pages."""
    is_open: bool = False
    """Take any host: for servers that other machines may reach, and that want a key."""

    def maybe_refuse(self, headers: Iterable[tuple[str, str]]) -> str | None:
        """Why a request is not served, with what to do about it; None if it is."""
        host = site = None
        origins: list[str] = []
        for name, value in headers:
            lower = name.lower()
            if lower == "host":
                host = value.strip()
                if host and not self._is_known_host(host):
                    return (
                        f"it asks for the host {host[:_LONGEST]!r}, which is not this"
                        " machine; where the client is yours, allow it with"
                        f" --allow-host {_PORT.sub('', host[:_LONGEST])}"
                    )
            elif lower == "origin":
                origins.append(value.strip())
            elif lower == "sec-fetch-site":
                site = value.strip().lower()
        if not origins and site in _FOREIGN_SITES and not self.takes_links:
            return "a web page of another origin sends it"
        for origin in origins:
            if not self._is_known_origin(origin, host):
                said = origin[:_LONGEST]
                return (
                    f"it comes from {said!r}, which is another web page or application;"
                    f" where that is yours, allow it with --allow-origin {said}"
                )
        return None

    def _is_known_host(self, host: str) -> bool:
        host = host.lower()
        match = _AUTHORITY.fullmatch(host)
        if match is None:
            return False
        name, port = match[1].rstrip("."), match[2]
        if any(_is_like(way, each) for way in (host, name) for each in self.hosts):
            return True
        if self.port is not None and port != str(self.port):
            return False
        return self.is_open or is_loopback(name)

    def _is_known_origin(self, origin: str, host: str | None) -> bool:
        lower = origin.lower()
        if host and lower == f"http://{host.lower()}":
            return True
        return any(_is_like(lower, each) for each in self.origins)


def _is_like(text: str, allowed: str) -> bool:
    """Only `*` is a sign: addresses of IPv6 stand in brackets."""
    pattern = ".*".join(map(re.escape, allowed.lower().split("*")))
    return re.fullmatch(pattern, text) is not None


@lru_cache(maxsize=16)
def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address. Names other than localhost
    are not looked up, and do not count."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
