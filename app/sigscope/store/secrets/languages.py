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
    *("ontraseña", "asło", "ösenord", "ароль"),
    *("密码", "密碼", "パスワード", "비밀번호"),
)
"""Without a first letter that may be a capital."""
_KEYS = ("lé API", "chlüssel", "люч API", "密钥", "密鑰", "APIキー")
_BETWEEN = (
    rb"""(?:\*\*)?\\*["'`]?\s?(?:[:=]|(?:es|to)(?=\s)|\xef\xbc\x9a|\\+uff1a)"""
    rb"""(?:\*\*)?\s?\\*["'`]?"""
)
_END = rb"""(?=\\|["'`\s;&|<,)}]|\Z)"""
_PASSWORD = re.compile(
    _BETWEEN
    + rb"""(?P<secret>(?=[^\s"'\\]{0,64}\d)(?=[^\s"'\\]{0,63}[@#!$%^*?A-Z])"""
    + rb"""[\w@#!$%^*+~.?-]{8,64})"""
    + _END
)
_KEY = re.compile(_BETWEEN + rb"(?P<secret>[\w+/~.-]{16,512}={0,2})" + _END)


_PLAIN = tuple(
    (tuple(word.encode() for word in words), pattern)
    for words, pattern in ((_PASSWORDS, _PASSWORD), (_KEYS, _KEY))
)
_FIRST = {
    text: next(bytes((byte,)) for byte in text if byte >= 0x80)
    for words, _ in _PLAIN
    for text in words
}
"""The first byte of each that is no ASCII: to see that it is nowhere costs nothing."""
_ESCAPED = re.compile(
    rb"\\u(?:00f1a|0142o|00f6sen|0430\\+u0440|5bc6|30d1|be44|00e9 API|00fcssel|"
    rb"044e\\+u0447|30ad\\+u30fc)"
)
"""What such a word has in it, as JSON in ASCII spells it at any depth: one look instead
of one for each."""


def _spelled(words: Sequence[str]) -> re.Pattern[bytes]:
    forms = (json.dumps(word)[1:-1].encode() for word in words)
    escaped = (re.escape(form).replace(rb"\\u", rb"\\+u") for form in forms)
    return re.compile(b"|".join(escaped))


_SPELLED = tuple(
    (_spelled(words), pattern)
    for words, pattern in ((_PASSWORDS, _PASSWORD), (_KEYS, _KEY))
)


def find_in_languages(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    """The secrets whose name begins in a part of a text. Costs nothing for one of
    English letters."""
    if _ESCAPED.search(data, lo, hi):
        for spelled, pattern in _SPELLED:
            for word in spelled.finditer(data, lo, hi):
                yield from _of(pattern, data, word.end())
    if data[lo:hi].isascii():
        return
    for words, pattern in _PLAIN:
        for text in words:
            first = _FIRST[text]
            place = data.find(first, lo, hi)
            place = data.find(text, lo, hi) if place >= 0 else -1
            while place >= 0:
                end = place + len(text)
                yield from _of(pattern, data, end)
                place = data.find(text, end, hi)


def _of(pattern: re.Pattern[bytes], data: bytes, end: int) -> Iterator[_Span]:
    """The secret whose name ends here."""
    found = pattern.match(data, end)
    if found and (pattern is _PASSWORD or looks_secret(found["secret"])):
        yield found.span("secret")
