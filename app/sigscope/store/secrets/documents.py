r"""Secrets that documents of a known form have, whatever their names are.

    {"kty":"EC","x":"...","y":"...","d":"..."}       the private numbers of a JSON Web
        Key (RFC 7518, section 6) and of .NET's RSAKeyValue
    apiVersion: v1\ndata:\n  x: ...\nkind: Secret    all values of a Secret
        https://kubernetes.io/docs/concepts/configuration/secret/
    {"key1": "...", "key2": "..."}                   the two keys of Azure's resources
        https://learn.microsoft.com/cli/azure/cognitiveservices/account/keys
    {"type":"oauth","refresh":"...","access":"..."}  of an agent's auth.json
        https://opencode.ai/docs/providers
    MNEMONIC="twelve words ..."                      a recovery phrase
        https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki
    AKIA...", "wJalrXUtnFEMI..."                     what follows the id of an AWS key
        https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html

Read on 2026-11-24: kubernetes.io/docs/tasks/configmap-secret/
managing-secret-using-config-file. The other pages were not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.store.secrets.looks import is_given_by_hand, looks_secret
from sigscope.store.secrets.names import (
    is_secret_name,
    is_secret_variable,
    is_vague_name,
)
from sigscope.store.secrets.presence import Presence
from sigscope.store.secrets.secret import Secret
from sigscope.store.secrets.values import is_kept_back, is_made_of_words

_Span = tuple[int, int]

_NEAR = 4096
"""Bytes around a mark in which the document is."""
_PRIVATE_NUMBER = re.compile(
    rb"""(?:[{,]|\n|\\n)\s{0,40}+\\*["']?(?:d|k|p|q|dp|dq|qi)\\*["']?\s*:\s*\\*["']?"""
    rb"""(?P<secret>[\w-]{16,})(?=\\|["'\s]|\Z)"""
)
_KTY = re.compile(rb"""kty\\*["']?\s?:\s?\\*["']?(?:RSA|EC|OKP|oct|AKP)\b""")
_PRIVATE_ELEMENT = re.compile(
    rb"<(?P<name>D|P|Q|DP|DQ|InverseQ)>(?P<secret>[\w+/]{16,4096}={0,2})<\\?/(?P=name)>"
)
_KIND = re.compile(rb"""(?:\\n|\b)kind\\*["']?\s?:\s{0,4}\\*["']?\Z""")
_DATA = re.compile(rb"""(?:\\n|\\*"|\b)(?:data|stringData)\\*"?\s?:""")
_LINE_END = rb"(?:\r?\n|(?:\\+r)?\\+n)"
_LINE = re.compile(
    _LINE_END + rb"""[ ]{2,16}[\w.-]{1,253}:[ ]{1,4}\\*["']?"""
    rb"""(?P<secret>[^\s"'\\|>{}]{4,65536})\\*["']?(?=\s|\\|"|\Z)"""
)
_MEMBER = re.compile(
    rb"""(?:\s|\\+[rnt]|,|\{){1,64}\\*"[\w.-]{1,253}\\*"\s?:\s{0,4}\\*"""
    rb""""(?P<secret>[^\s"\\]{4,65536})(?=\\*")"""
)
_KEY = rb"""[A-Za-z0-9+/]{32,86}={0,2}"""
_TWO_KEYS = re.compile(
    rb"""key1\\*"\s{0,9}:\s{0,9}\\*"(?P<one>%b)\\*"\s{0,9},(?:\s|\\+[rnt]){0,40}"""
    rb"""\\*"key2\\*"\s{0,9}:\s{0,9}\\*"(?P<two>%b)(?=\\*")""" % (_KEY, _KEY)
)
_NAMED_KEY = re.compile(
    rb"""keyName\\*"\s{0,9}:\s{0,9}\\*"key[12]\\*"[^{}]{1,120}?"value\\*"\s{0,9}:\s{0,9}"""
    rb"""\\*"(?P<secret>%b)(?=\\*")""" % _KEY
)
_PRIMARY = re.compile(
    rb"""aryKey\\*"\s{0,9}:\s{0,9}\\*"(?P<secret>(?:%b){43}=|(?:%b){86}==)(?=\\*")"""
    % (b"[A-Za-z0-9+/]", b"[A-Za-z0-9+/]")
)
_SECRET_OF_AWS = re.compile(rb"(?<![\w+/=-])[A-Za-z0-9+/]{40}(?![\w+/=-])")
_BESIDE = 100
"""Bytes behind the id of an AWS key in which its secret is."""


def find_in_documents(
    data: bytes, lo: int, hi: int, seen: Presence
) -> Iterator[Secret]:
    """The secrets of the documents whose mark is in a part of a text. Costs a search
    for each mark, and what the documents found cost."""
    for kind, spans in _by_kind(data, lo, hi, seen):
        for start, end in spans:
            yield Secret(start=start, end=end, kind=kind)


def _by_kind(
    data: bytes, lo: int, hi: int, seen: Presence
) -> Iterator[tuple[str, Iterator[_Span]]]:
    has_key = seen.has(b"key")
    if has_key or seen.has(b"kty"):
        yield "private key", _numbers(data, lo, hi)
    if seen.has(b"secret"):
        yield "value of a Secret", _of_kubernetes(data, lo, hi)
    if has_key:
        yield "key of a service", _of_azure(data, lo, hi)
    if seen.has(b"nemonic") or seen.has(b"phrase"):
        yield "recovery phrase", _phrases(data, lo, hi)
    if seen.may_have(b"authorization_code"):
        yield "code of a login", _of_oauth(data, lo, hi)
    if seen.may_have(b"input_value="):
        yield "secret by its name", _of_validation(data, lo, hi)
    if seen.may_have(b"INSERT INTO"):
        yield "secret by its column", _of_rows(data, lo, hi)
    if has_key or seen.has(b"data"):
        yield "secret of a vault", _of_vault(data, lo, hi)


def find_after_id(data: bytes, end: int) -> _Span | None:
    """The secret key that follows the id of an AWS key, which ends here."""
    for word in _SECRET_OF_AWS.finditer(data, end, end + _BESIDE):
        text = word[0]
        has_digit = any(byte in b"0123456789" for byte in text)
        if has_digit and text not in (text.lower(), text.upper()):
            return word.span()
    return None


def _numbers(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    place = data.find(b"kty", lo, hi)
    while place >= 0:
        begin = data.rfind(b"{", max(lo, place - _NEAR), place)
        end = data.find(b"}", place, place + _NEAR)
        if _KTY.match(data, place):
            # Of YAML, and of a key that has no braces, the lines around.
            low = begin if begin >= 0 else max(lo, place - 512)
            high = end if end >= 0 else min(len(data), place + 1024)
            for number in _PRIVATE_NUMBER.finditer(data, low, high):
                yield number.span("secret")
        place = data.find(b"kty", end if end >= 0 else place + _NEAR, hi)
    place = data.find(b"<RSAKeyValue>", lo, hi)
    while place >= 0:
        end = data.find(b"RSAKeyValue>", place + 13, place + 4 * _NEAR)
        for number in _PRIVATE_ELEMENT.finditer(data, place, max(place, end)):
            yield number.span("secret")
        place = data.find(b"<RSAKeyValue>", place + 13, hi)


def _of_kubernetes(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    place = data.find(b"Secret", lo, hi)
    done = lo
    while place >= 0:
        end = place + 6
        after = data[end : end + 1]
        is_whole = after in b"\"'\\ \r\n,}"
        if is_whole and _KIND.search(data, max(0, place - 24), place):
            low = max(done, place - _NEAR)
            low = max(low, data.rfind(b"apiVersion", low, place))
            high = data.find(b"apiVersion", end, end + _NEAR)
            high = high if high >= 0 else min(len(data), end + _NEAR)
            for block in _DATA.finditer(data, low, high):
                yield from _values(data, block.end(), high)
            done = end = high
        place = data.find(b"Secret", end, hi)


def _values(data: bytes, place: int, high: int) -> Iterator[_Span]:
    """Those of the lines or members that follow each other here."""
    line = _LINE.match(data, place, high)
    if line is None and data[place : place + 4].lstrip()[:1] == b"{":
        place = data.index(b"{", place)
    pattern = _LINE if line else _MEMBER
    while value := pattern.match(data, place, high):
        yield value.span("secret")
        place = value.end()
        if pattern is _MEMBER:
            closing = data.find(b'"', place)
            place = closing + 1


def _of_azure(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    place = data.find(b"key2", lo, hi)
    while place >= 0:
        low = max(0, place - 256)
        for pair in _TWO_KEYS.finditer(data, low, place + 256):
            yield pair.span("one")
            yield pair.span("two")
        place = data.find(b"key2", place + 256, hi)
    place = data.find(b"keyName", lo, hi)
    while place >= 0:
        named = _NAMED_KEY.match(data, place)
        if named:
            yield named.span("secret")
        place = data.find(b"keyName", place + 7, hi)
    place = data.find(b"aryKey", lo, hi)
    while place >= 0:
        key = _PRIMARY.match(data, place)
        if key:
            yield key.span("secret")
        place = data.find(b"aryKey", place + 6, hi)


_VERSIONED = re.compile(
    rb"""data\\*"\s?:(?:\s|\\+[rnt]){0,40}\{(?:\s|\\+[rnt]){0,40}\\*"data\\*"\s?:"""
    rb"""(?:\s|\\+[rnt]){0,40}\{"""
)
"""What Vault's second engine of keys and values answers
(developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2)."""
_METADATA = re.compile(
    rb"""\}\s{0,40}(?:\\+[rnt]|\s){0,40},(?:\s|\\+[rnt]){0,40}\\*"metadata\\*"\s?:"""
    rb"""(?:\s|\\+[rnt]){0,40}\{[^{}]{0,300}?\\*"(?:created_time|deletion_time|version)\\*\""""
)
"""Other services answer with data of data and metadata, too."""
_UNSEAL = re.compile(
    rb"""nseal Key (?:\d{1,2}|\(will be hidden\)): (?P<secret>[\w+/]{30,88}={0,2})"""
)


def _of_vault(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    place = data.find(b"nseal Key ", lo, hi)
    while place >= 0:
        key = _UNSEAL.match(data, place)
        if key:
            yield key.span("secret")
        place = data.find(b"nseal Key ", place + 9, hi)
    if data.find(b"metadata", lo) < 0:
        return
    place = data.find(b"data", lo, hi)
    while place >= 0:
        begin = _VERSIONED.match(data, place)
        end = data.find(b"}", begin.end(), begin.end() + _NEAR) if begin else -1
        if begin and end >= 0 and _METADATA.match(data, end):
            place = begin.end() - 1
            while value := _MEMBER.match(data, place, end):
                if any(byte in b"0123456789" for byte in value["secret"]):
                    yield value.span("secret")
                place = data.find(b'"', value.end()) + 1
        place = data.find(b"data", place + 4, hi)


_TOKEN = re.compile(
    rb"""\\*"\s{0,9},(?:\s|\\+[rnt]){0,40}\\*"(?:refresh|access)\\*"\s{0,9}:\s{0,9}"""
    rb"""\\*"(?P<secret>[^\s"\\]{16,4096})(?=\\*")"""
)
_PHRASE = re.compile(
    rb"""(?i:nemonic|phrase)\\*["']?\s{0,2}[:=]\s{0,2}\\*["']?"""
    rb"""(?P<secret>[a-z]{3,8}(?:[ ][a-z]{3,8}){11,23})(?=\s?(?:\\|["']|\n|\Z))"""
)
_WORDS = (12, 15, 18, 21, 24)
"""Of a recovery phrase (BIP 39)."""


def find_after_oauth(data: bytes, end: int) -> Iterator[_Span]:
    """The tokens of an agent's login: `"type":"oauth"` ends here."""
    while token := _TOKEN.match(data, end):
        yield token.span("secret")
        end = token.end()


_ROWS = re.compile(
    rb"""INSERT INTO \\*[`"']?(?:\w{1,40}\.)?\w{0,40}(?:user|account|credential"""
    rb"""|secret|token|admin|login|api_?key|password)s?\\*[`"']?\s(?:VALUES|values)\s?\("""
)
_CELL = re.compile(rb"""'(?P<secret>[^'"\\\s]{8,256})'""")
"""Rows without names of columns (dev.mysql.com/doc/refman/8.4/en/insert.html)"""


_INPUT = re.compile(rb"""input_value=\\*["'](?P<secret>[^\s"'\\]{6,512})\\*["']""")
_FIELD = re.compile(
    rb"(?:(?<!\w)|(?<=\\n))(?P<name>\w{2,64})(?:\n|\\+n)[ ]{2}[^\n]{1,200}?"
    rb"\[type=\w+, \Z"
)
"""A field, and below it what was given for it (docs.pydantic.dev/latest/errors)."""


def _of_validation(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    place = data.find(b"input_value=", lo, hi)
    while place >= 0:
        value = _INPUT.match(data, place)
        field = value and _FIELD.search(data, max(0, place - 300), place)
        if value and field:
            name = field["name"].decode("ascii", "replace")
            if is_secret_name(name) or is_secret_variable(name) or is_vague_name(name):
                yield value.span("secret")
        place = data.find(b"input_value=", place + 12, hi)


def _of_rows(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    place = data.find(b"INSERT INTO", lo, hi)
    while place >= 0:
        yield from _of_columns(data, place + 7)
        rows = _ROWS.match(data, place)
        end = rows.end() if rows else place + 11
        if rows:
            stop = data.find(b";", end, end + _NEAR)
            for cell in _CELL.finditer(data, end, stop if stop >= 0 else end + _NEAR):
                if is_given_by_hand(cell["secret"]):
                    yield cell.span("secret")
        place = data.find(b"INSERT INTO", end, hi)


_INTO = re.compile(
    rb"""(?:INTO|into) \\*[`"']?[\w.]{1,80}\\*[`"']? ?"""
    rb"""\((?P<names>[\w`"\\, ]{1,600})\)\s{0,4}(?:VALUES|values)\s{0,4}\("""
)
_ROW_CELL = re.compile(
    rb"""\s{0,4}(?:[NEB]?'(?P<secret>[^'\s]{4,512})'|'[^']{0,512}'|[^,()']{1,80})"""
)
_MOST_ROWS = 50


def _of_columns(data: bytes, place: int) -> Iterator[_Span]:
    """Of `INSERT INTO t (a, password) VALUES (1, '...'), (2, '...')`."""
    into = _INTO.match(data, place)
    if into is None:
        return
    names = [name.strip(b' `"\\').decode() for name in into["names"].split(b",")]
    told = {
        n for n, each in enumerate(names) if is_secret_name(each) or is_vague_name(each)
    }
    if not told:
        return
    at = into.end()
    for _ in range(_MOST_ROWS):
        for number in range(len(names)):
            cell = _ROW_CELL.match(data, at)
            if cell is None:
                return
            if (
                number in told
                and cell["secret"]
                and _is_kept_in(names[number], cell["secret"])
            ):
                yield cell.span("secret")
            at = cell.end() + 1
        following = _NEXT_ROW.match(data, at)
        if following is None:
            return
        at = following.end()


_NEXT_ROW = re.compile(rb",?(?:\s|\\+[rnt]){0,20}\(")


def _is_kept_in(name: str, value: bytes) -> bool:
    is_sure = is_secret_name(name) and any(byte in b"0123456789" for byte in value)
    return is_kept_back(value, 6) and (is_sure or looks_secret(value))


_CODE = re.compile(
    rb"""(?<![\w-])code(?:_verifier)?(?:=|\\*"\s?:\s?\\*")"""
    rb"""(?P<secret>[\w%./~+-]{16,2048})(?=[&"\\\s]|\Z)"""
)
"""What a login is exchanged for (RFC 6749, section 4.1.3; RFC 7636)."""


def _of_oauth(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    place = data.find(b"authorization_code", lo, hi)
    while place >= 0:
        for code in _CODE.finditer(data, max(0, place - 700), place + 700):
            has_digit = any(byte in b"0123456789" for byte in code["secret"])
            if has_digit and not is_made_of_words(code["secret"]):  # an error's code
                yield code.span("secret")
        place = data.find(b"authorization_code", place + 700, hi)


def _phrases(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    for mark in (b"nemonic", b"NEMONIC", b"phrase"):
        place = data.find(mark, lo, hi)
        while place >= 0:
            phrase = _PHRASE.match(data, place)
            if phrase and phrase["secret"].count(b" ") + 1 in _WORDS:
                yield phrase.span("secret")
            place = data.find(mark, place + 5, hi)
