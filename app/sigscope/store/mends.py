"""What a client had sent, where the recorder sent another request in its place.

    "mended":{"request":{"method":"POST","url":"https://...","headers":[...]},
      "size":8120,"crc":"5f1d0c2a","text":"...","copies":[0,9000,4100,...],
      "remedies":[{"rule":"CPC-1","act":"put back","count":1,"at":"/messages/2",
                   "words":"9f3a21 of step 1, at /messages/2"}]}

It differs in little from what was sent on, and is told by that: `copies` are those of
`splices`, in a body space of these two, the request as sent on first. So it takes
little room, and whoever knows nothing of mended requests reads the file as before.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from sigscope.errors import InputError
from sigscope.exchange import Act, Body, Headers, Mended, Remedy, Request
from sigscope.store.agreement import common_prefix
from sigscope.store.lines import crc, pack, unpack
from sigscope.store.splices import assemble

Json = dict[str, Any]
KEY = 24
"""Bytes by which it is found where two bodies go on alike."""
LONGEST_STRIDE = 4096
"""What is in only one of them is passed in larger and larger steps."""
MOST_MISSES = 200
"""Searches in vain in a row, each through all that is left, after which no more are
made."""


def encode_mended(mended: Mended, sent: Body) -> Json:
    """The member; `sent` is the body that was sent on."""
    request, data = mended.request, mended.request.body.raw
    rest, copies = _told_by(data, sent.raw)
    told: Json = {
        "request": {
            "method": request.method,
            "url": request.url,
            "http_version": request.http_version,
            "headers": [list(pair) for pair in request.headers],
        },
        "size": len(data),
        "crc": crc(data),
        **pack(rest),
    }
    if copies:
        told["copies"] = copies
    told["remedies"] = [
        {
            "rule": remedy.rule,
            "act": remedy.act,
            "count": remedy.count,
            "at": remedy.at,
            "words": remedy.words,
        }
        for remedy in mended.remedies
    ]
    return told


def decode_mended(told: Mapping[str, Any], sent: Body) -> Mended:
    """What a member that fits its model says; its body is put together when it is
    looked at, which raises InputError where it is damaged."""
    request = told["request"]
    return Mended(
        request=Request(
            method=request.get("method", "POST"),
            url=request.get("url", ""),
            headers=_headers(request.get("headers", ())),
            http_version=request.get("http_version", ""),
            body=Body(load=lambda: _load(told, sent), size=told["size"], keep=False),
        ),
        remedies=tuple(
            Remedy(
                rule=each["rule"],
                act=each["act"],
                count=each["count"],
                at=each.get("at", ""),
                words=each.get("words", ""),
            )
            for each in told.get("remedies", ())
            if each["act"] in get_args(Act)
        ),
    )


def _told_by(data: bytes, base: bytes) -> tuple[bytes, list[int]]:
    """What of a body is not in another, and the copies of all that is.

    One came of the other by edits here and there: where they part, what follows in one
    is looked for further on in the other.
    """
    rest: list[bytes] = []
    copies: list[int] = []
    place = at = skipped = 0
    stride, misses = KEY, 0
    while place < len(data):
        if misses > MOST_MISSES:
            rest.append(data[place:])
            break
        found = base.find(data[place : place + KEY], at)
        if found < 0:
            misses += 1
            rest.append(data[place : place + stride])
            skipped += len(rest[-1])
            place += stride
            stride = min(2 * stride, LONGEST_STRIDE)
            continue
        length = common_prefix(data, place, base, found, len(data) - place)
        copies += (skipped, len(base) + place - found, length)
        place, at, skipped, stride = place + length, found + length, 0, KEY
        misses = 0
    return b"".join(rest), copies


def _headers(pairs: Sequence[Sequence[str]]) -> Headers:
    return tuple((name, value) for name, value in pairs)


def _load(told: Mapping[str, Any], sent: Body) -> bytes:
    base = sent.raw
    try:
        data = assemble(
            unpack(dict(told)),
            told.get("copies", ()),
            len(base),
            lambda start, length: _cut(base, start, length),
        )
    except ValueError as error:
        raise InputError(f"what the client had sent cannot be read: {error}") from error
    if told.get("crc") not in (None, f"{zlib.crc32(data):08x}"):
        raise InputError("what the client had sent was altered since it was written")
    return data


def _cut(base: bytes, start: int, length: int) -> bytes:
    piece = base[start : start + length]
    if start < 0 or len(piece) != length:
        raise ValueError("it repeats more than there is of what was sent on")
    return piece
