"""Secrets that are arguments of calls without a name.

    jwt.sign(payload, "...")   NetworkCredential("me", "...")   smtp.login("me", "...")

Which argument it is, is what the documentation of each library says of that call. Read
on 2026-11-24: jsonwebtoken's `sign` and `verify` (github.com/auth0/node-jsonwebtoken).
The others are from memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.store.secrets.looks import (
    has_all_kinds,
    is_given_by_hand,
    looks_secret,
)

_Span = tuple[int, int]

_CALLS = (
    # The end of its name, what may go before that, and the argument.
    (b".sign(", rb"jwt|JWT|jsonwebtoken", 2),
    (b".verify(", rb"jwt|JWT|jsonwebtoken", 2),
    (b".encode(", rb"jwt|JWT", 2),
    (b".decode(", rb"jwt|JWT", 2),
    (b"reateHmac(", rb"c", 2),
    (b"hmac.new(", rb"", 1),
    (b"Fernet(", rb"", 1),
    (b"ookieParser(", rb"c", 1),
    (b"TOTP(", rb"pyotp\.|", 1),
    (b"TeleBot(", rb"telebot\.|", 1),
    (b"redential(", rb"(?:[\w.]*\.)?(?:Network|SharedKey|StorageSharedKey)C", 2),
    (b"redential(", rb"(?:[\w.]*\.)?ClientSecretC", 3),
    (b"redential(", rb"(?:[\w.]*\.)?UsernamePasswordC", 4),
    (b"redentials(", rb"[\w.:]*C", 2),
    (b"redentials.create(", rb"[\w.:]*C", 2),
    (b"redentials.basic(", rb"C", 2),
    (b"Auth(", rb"[\w.]*Basic", 2),
    (b"ogin(", rb"[\w.>-]{0,64}[lL]", 2),
    (b"username_pw_set(", rb"", 2),
    (b"set_password(", rb"[\w.]{0,64}", 3),
    # docs.djangoproject.com/en/5.1/ref/contrib/auth
    (b"set_password(", rb"[\w.]{0,64}", 1),
    (b"create_user(", rb"", 3),
    (b"create_superuser(", rb"", 3),
    (b"etPassword(", rb"keytar\.[sg]", 3),
    (b"onnect(", rb"[\w.>-]{0,64}[cC]", 3),
    (b"etConnection(", rb"[\w.]{0,64}g", 3),
    (b"PDO(", rb"", 3),
    (b"PDO->__construct(", rb"", 3),
    (b"Twilio(", rb"", 2),
    (b"WiFi.begin(", rb"", 2),
    # Of the documentation of Java, and of python-ldap.
    (b"thentication(", rb"PasswordAu", 2),
    (b"simple_bind_s(", rb"[\w.]{0,64}", 2),
    (b".auth(", rb"redis|db|client|r|conn", 1),
    (b".auth(", rb"db", 2),
)
_BEFORE = 80
_OTHER = (
    rb"""\s?(?:\{[^{}\n]{0,200}\}|\\*["'][^"'\\\n]{0,160}\\*["']"""
    rb"""|[^\s,(){}"'\\][^,(){}"'\\\n]{0,80}(?:\([^()\n]{0,80}\))?),\s?"""
)
_VALUE = rb"""\s?[brfu@]?\\*["'`](?P<secret>[^\s"'`\\,]{8,512})(?=\\*["'`])"""


def _by_ending() -> dict[bytes, list[tuple[re.Pattern[bytes], re.Pattern[bytes]]]]:
    found: dict[bytes, list[tuple[re.Pattern[bytes], re.Pattern[bytes]]]] = {}
    for end, before, number in _CALLS:
        name = re.compile(
            rb"(?:(?<!\w)|(?<=\\[nrt]))(?:%b)%b\Z" % (before, re.escape(end))
        )
        arguments = re.compile(_OTHER * (number - 1) + _VALUE)
        found.setdefault(end[-4:-1], []).append((name, arguments))
    return found


_BY_ENDING = _by_ending()
"""The calls by the three letters before their bracket."""


def find_in_calls(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    """The secrets of the calls whose bracket is in a part of a text. Costs a look at
    each bracket."""
    place = data.find(b"(", lo, hi)
    while place >= 0:
        stop = place + 1
        for name, arguments in _BY_ENDING.get(data[place - 3 : place], ()):
            value = arguments.match(data, stop)
            if (
                value
                and name.search(data, max(0, place - _BEFORE), stop)
                and _is_secret(value["secret"])
            ):
                yield value.span("secret")
                break
        place = data.find(b"(", stop, hi)


def _is_secret(value: bytes) -> bool:
    """Whether it is no name, path or address."""
    if value[:1] in b"$<{[%*/." or b"://" in value or b"****" in value:
        return False
    if is_given_by_hand(value) or has_all_kinds(value):
        return True
    return len(value) >= 16 and looks_secret(value)
