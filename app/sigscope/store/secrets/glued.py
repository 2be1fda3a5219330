"""Keys that stand behind other letters without a gap: `id-sk-proj-...`, two in a row.

What begins a key there is either long, so that no signature has it by chance, or it is
all of the rest of its word, as many letters as such keys have.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from sigscope.store.secrets.alphabet import Alphabet
from sigscope.store.secrets.carriers import is_carried
from sigscope.store.secrets.secret import Secret
from sigscope.store.secrets.shapes import BY_BEGINNING

_LONG = (
    *(b"sk-ant-", b"sk-proj-", b"sk-svcacct-", b"sk-admin-", b"sk-or-v1-"),
    *(b"github_pat_", b"lin_api_", b"lsv2_pt_", b"lsv2_sk_", b"sntrys_", b"sk_live_"),
    *(b"sk_test_", b"rk_live_", b"sb_secret_", b"dop_v1_", b"pcsk_", b"ops_eyJ"),
    *(b"nvapi-", b"tvly-", b"xoxb-", b"xoxp-", b"dp.pt.", b"hvs.", b"cfut_", b"cfat_"),
)
"""Each is told by its vendor alone (`vendors.toml`, `shapes.py`)."""
_EXACT = {
    **dict.fromkeys((b"ghp_", b"gho_", b"ghu_", b"ghs_"), rb"[A-Za-z0-9]{36}"),
    b"gsk_": rb"[A-Za-z0-9]{52}",
    b"hf_": rb"[A-Za-z]{34}",
    b"r8_": rb"[A-Za-z0-9]{37}",
    b"npm_": rb"[A-Za-z0-9]{36}",
    b"xai-": rb"[A-Za-z0-9]{80}",
    b"pplx-": rb"[A-Za-z0-9]{48}",
    b"AIza": rb"[\w-]{35}",
    **dict.fromkeys((b"AKIA", b"ASIA"), rb"[A-Z2-7]{16}"),
    **dict.fromkeys(
        (b"sk-lf-", b"pk-lf-"), rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    ),
    b"glpat-": rb"[\w-]{20}",
    b"ntn_": rb"[A-Za-z0-9]{46}",
    b"SG.": rb"[\w-]{22}\.[\w-]{43}",
    b"sk_": rb"[0-9a-f]{48}",
    b"dapi": rb"[0-9a-f]{32}(?:-[0-9])?",
    b"fc-": rb"[0-9a-f]{32}",
    b"e2b_": rb"[0-9a-f]{40}",
    b"csk-": rb"[a-z0-9]{48}",
    b"jina_": rb"[A-Za-z0-9]{60}",
    b"sk-": rb"(?:[0-9a-f]{32}|[A-Za-z0-9]{48}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})",
}
"""What follows a short one, to the end of the word."""
_PATTERNS = {text: re.compile(rest + rb"(?![\w+/=-])") for text, rest in _EXACT.items()}
_WORD = Alphabet((string.ascii_letters + string.digits + "_.~+/-").encode())
_LONGEST = 2048
"""Bytes of a word from which it is base64, of whatever."""
_REST = re.compile(rb"[\w.-]*+")
_RANDOM = re.compile(
    rb"(?=[a-zA-Z]*[0-9])(?=[a-z0-9]*[A-Z])(?=[A-Z0-9]*[a-z])[A-Za-z0-9]{16,}"
    rb"|[0-9a-f]{32,}"
)
"""What no name of words has in it."""


_SIGN = re.compile(rb"[-_]")
_WITHOUT_SIGN = tuple(text for text in (*_LONG, *_EXACT) if _SIGN.search(text) is None)


def _by_sign() -> dict[bytes, list[tuple[bytes, int]]]:
    found: dict[bytes, list[tuple[bytes, int]]] = {}
    for text in (*_LONG, *_EXACT):
        if sign := _SIGN.search(text):
            key = text[sign.end() - 3 : sign.end()]
            found.setdefault(key, []).append((text, sign.end()))
    return found


_BY_SIGN = _by_sign()
"""Beginnings by their first dash or underscore, with the two letters before it; each
with where it ends."""


def _kind_of(text: bytes) -> str:
    """That of the shape with the longest beginning of its own."""
    told = [(start, shape.kind) for start, shape in BY_BEGINNING[text[:2]]]
    within = [each for each in told if text.startswith(each[0])]
    within = within or [each for each in told if each[0].startswith(text)]
    return max(within, key=lambda each: len(each[0]))[1]


_KINDS = {text: _kind_of(text) for text in (*_LONG, *_EXACT)}


def find_glued(data: bytes, start: int, end: int) -> Iterator[tuple[int, Secret]]:
    """Those in a word, each with where what begins it stands."""
    for place, text in _beginnings(data, start, end):
        begin = _WORD.begin_of(data, place, max(0, place - _LONGEST))
        if (until := _end_of(data, begin, place, text)) > 0:
            for key in _before(data, begin, place):
                yield begin, key
            behind = place + len(text)
            yield place, Secret(start=behind, end=until, kind=_KINDS[text])


def _beginnings(data: bytes, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    for sign in _SIGN.finditer(data, start, end):
        for text, length in _BY_SIGN.get(data[sign.end() - 3 : sign.end()], ()):
            if data.startswith(text, sign.end() - length):
                yield sign.end() - length, text
    for text in _WITHOUT_SIGN:
        place = data.find(text, start, end)
        while place >= 0:
            yield place, text
            place = data.find(text, place + 1, end)


def _before(data: bytes, begin: int, end: int) -> Iterator[Secret]:
    """The key that is all of what stands before one."""
    for text, shape in BY_BEGINNING.get(data[begin : begin + 2], ()):
        match = data.startswith(text, begin) and shape.pattern.match(data, begin, end)
        if match and match.end() == end and shape.accept(match[0]):
            yield Secret(start=match.end("keep"), end=end, kind=shape.kind)
            return


def _end_of(data: bytes, begin: int, place: int, text: bytes) -> int:
    """The end of the key at a place in the word that begins there; 0 for none."""
    behind = place + len(text)
    if place - begin in (0, _LONGEST) or is_carried(data, begin):
        return 0
    if exact := _PATTERNS.get(text):
        match = exact.match(data, behind)
        return match.end() if match else 0
    match = _REST.match(data, behind, behind + _LONGEST)
    is_key = match is not None and _RANDOM.search(match[0]) is not None
    return match.end() if match is not None and is_key else 0
