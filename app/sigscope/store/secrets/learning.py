"""The keys that requests were sent with, to be found where something quotes them.

An error answer may say `Incorrect API key provided: ...`, a tool may print its
environment: such a key need not look like one. It is known from the header or the URL
that carried it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, unquote

from sigscope.exchange import Request
from sigscope.store.secrets.marking import MARK, URL_MARK
from sigscope.store.secrets.names import is_secret_header, is_secret_parameter
from sigscope.store.secrets.shapes import is_user_and_password, looks_random

MOST = 64
"""Keys that are kept in mind; of short-lived ones the latest matter."""
_SHORTEST = 12
"""Characters from which a key is one: `sk-1234` is a word that people write."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9-]*[ \t]+(\S+)\s*\Z")
_USER = re.compile(r"://([^/?#@\s]+)@")
_COOKIE = re.compile(r"[^=;\s]+=([^;]*)")


class Known:
    """Secrets that are known, whatever they look like."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._given = tuple(secret for secret in secrets if secret)
        self._learned: dict[str, None] = {}

    @property
    def secrets(self) -> tuple[str, ...]:
        """Those given and those learned, the longer ones first."""
        return tuple(sorted((*self._given, *self._learned), key=len, reverse=True))

    def learn(self, request: Request | None) -> None:
        """Remember what a request was sent with."""
        if request is None:
            return
        for secret in (*_in_headers(request), *_in_url(request.url)):
            if _is_key(secret):
                self._learned.pop(secret, None)
                self._learned[secret] = None
        for old in [*self._learned][:-MOST]:
            del self._learned[old]


def _is_key(secret: str) -> bool:
    """Whether it can be told from a word: a stand-in for a key is none."""
    if len(secret) < _SHORTEST or MARK in secret or URL_MARK in secret:
        return False
    return "**" not in secret and looks_random(secret.encode("utf-8", "replace"))


def _in_headers(request: Request) -> Iterator[str]:
    for name, value in request.headers:
        if name.lower() == "cookie":
            yield from _COOKIE.findall(value)
        elif is_secret_header(name):
            scheme = _SCHEME.match(value)
            secret = scheme[1] if scheme else value.strip()
            yield secret
            if is_user_and_password(secret.encode("ascii", "replace")):
                plain = base64.b64decode(secret + "=" * (-len(secret) % 4))
                yield plain.decode().partition(":")[2]


def _in_url(url: str) -> Iterator[str]:
    for user in _USER.findall(url):
        yield unquote(user.partition(":")[2])
    query = url.partition("?")[2].partition("#")[0]
    for name, value in parse_qsl(query):
        if is_secret_parameter(name):
            yield value
