"""Passwords and keys that are called so in other languages than English.

    Пароль: ...    密码：...    contraseña: ...    clé API : ...    API-Schlüssel: ...

The words are what programs and people write before one; those of ASCII letters alone
are names among others (`names`). A value has digits and signs, or looks random.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from sigscope.store.secrets.looks import looks_secret

_Span = tuple[int, int]

_PASSWORDS = (
    *(
        "ontraseña",
        "asło",
        "ösenord",
        "ароль",
        "密码",
        "密碼",
        "パスワード",
        "비밀번호",
    ),
)
"""Without a first letter that may be a capital."""
_KEYS = ("lé API", "chlüssel", "люч API", "密钥", "密鑰", "APIキー")
_BETWEEN = (
    rb"""(?:\*\*)?\\*["'`]?\s?(?:[:=]|\xef\xbc\x9a|\\uff1a)(?:\*\*)?\s?\\*["'`]?"""
)
_END = rb"""(?=\\|["'`\s;&|<,)}]|\Z)"""
_PASSWORD = re.compile(
    _BETWEEN
    + rb"""(?P<secret>(?=[^\s"'\\]{0,64}\d)(?=[^\s"'\\]{0,63}[@#!$%^*?A-Z])"""
    + rb"""[\w@#!$%^*+~.?-]{8,64})"""
    + _END
)
_KEY = re.compile(_BETWEEN + rb"(?P<secret>[\w+/~.-]{16,512}={0,2})" + _END)


def _spelled(words: Sequence[str], is_escaped: bool) -> tuple[bytes, ...]:
    forms = (json.dumps(word)[1:-1] if is_escaped else word for word in words)
    return tuple(form.encode() for form in forms)


_TABLES = tuple(
    (is_escaped, _spelled(words, is_escaped), pattern)
    for is_escaped in (False, True)
    for words, pattern in ((_PASSWORDS, _PASSWORD), (_KEYS, _KEY))
)
"""As they are, and as JSON in ASCII spells them, which the first says."""
_ESCAPED = re.compile(
    rb"\\u(?:00f1a|0142o|00f6sen|0430\\u0440|5bc6|30d1|be44|00e9 API|00fcssel|"
    rb"044e\\u0447|30ad\\u30fc)"
)
"""What such a word has in it: one look instead of one for each."""


def find_in_languages(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    """The secrets whose name begins in a part of a text. Costs nothing for one of
    English letters."""
    is_escaped = _ESCAPED.search(data, lo, hi) is not None
    is_ascii = data[lo:hi].isascii()
    for is_for_escaped, words, pattern in _TABLES:
        if (is_ascii or is_for_escaped) and not (is_escaped and is_for_escaped):
            continue
        for word in words:
            place = data.find(word, lo, hi)
            while place >= 0:
                end = place + len(word)
                found = pattern.match(data, end)
                if found and (pattern is _PASSWORD or looks_secret(found["secret"])):
                    yield found.span("secret")
                place = data.find(word, end, hi)
