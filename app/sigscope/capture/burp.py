"""Items saved by Burp Suite ("Save items"): XML around raw HTTP messages.

    <items burpVersion="2026.1" exportTime="...">
      <item>
        <time>Sat Jan 31 10:00:00 UTC 2026</time>
        <url><![CDATA[https://h/v1/messages]]></url>
        <request base64="true"><![CDATA[UE9TVCAv...]]></request>
        <response base64="false"><![CDATA[HTTP/1.1 200 OK ...]]></response>
      </item>

By Burp's own word this is no XML where a message has bytes that XML forbids. So nothing
is parsed as XML: elements are found by name, their content as it stands.
Source: the note and the document type that Burp (2025.6) writes into each such file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from sigscope.capture.base import Imported
from sigscope.capture.rawhttp import call_of
from sigscope.capture.source import Source
from sigscope.capture.values import base64_bytes, rfc3339
from sigscope.errors import InputError
from sigscope.exchange import Exchange
from sigscope.session import Problem
from sigscope.utf8 import to_text

_HEAD = re.compile(rb"<items\s[^<>]*burpVersion=")
_LOOKED_AT = 8192
_ITEM = re.compile(rb"<item>|</items>")
_TAG = re.compile(rb"<(/?)([a-z]{3,16})(?:\s([^<>]{0,200}))?>")
_CDATA, _CDATA_END = b"<![CDATA[", b"]]>"
_ENTITIES = {b"amp": b"&", b"apos": b"'", b"gt": b">", b"lt": b"<", b"quot": b'"'}
_ENTITY = re.compile(rb"&(%b);" % b"|".join(_ENTITIES))
_ITEM_END = b"</item>"
_BASE64 = b'base64="true"'
_TIME = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2} +\d+ [\d:]{8}) (\S+) (\d{4})")
_UTC = ("GMT", "UTC", "Z")
_ZONE = "its times are those of a zone, {}, that is not known here; taken for UTC"


class _Element(NamedTuple):
    content: bytes
    is_base64: bool


def recognise(source: Source) -> bool:
    """Whether it begins as such a file does."""
    return source.first == "<" and _HEAD.search(source.data, 0, _LOOKED_AT) is not None


def read(source: Source) -> Imported:
    """Read each item. Raises InputError where there is none."""
    found: list[Exchange] = []
    problems: list[Problem] = []
    for number, (item, is_whole) in enumerate(_items(source.data), start=1):
        where = f"item {number}"
        exchange = _exchange(item)
        if not is_whole:
            problems.append(Problem(message="the file breaks off in it", where=where))
        if exchange is None:
            told = "holds no HTTP request that can be read; left out"
            problems.append(Problem(message=told, where=where))
        else:
            found.append(exchange)
    if not found:
        raise InputError("it holds no item with a request", path=source.name)
    return Imported(exchanges=tuple(found), problems=tuple(problems))


def _items(data: bytes) -> Iterator[tuple[Mapping[str, _Element], bool]]:
    """The elements of each item, and whether it ends."""
    begin = _ITEM.search(data)
    while begin is not None and begin[0] == b"<item>":
        item, end = _item(data, begin.end())
        yield item, end >= 0
        begin = _ITEM.search(data, end) if end >= 0 else None


def _item(data: bytes, at: int) -> tuple[dict[str, _Element], int]:
    """The elements of an item, and where it ends; -1 where the file ends first."""
    elements: dict[str, _Element] = {}
    while (tag := _TAG.search(data, at)) is not None:
        if tag[1]:
            if tag[0] == _ITEM_END:
                return elements, tag.end()
            at = tag.end()
            continue
        content, at = _content(data, tag.end(), b"</%b>" % tag[2])
        is_base64 = _BASE64 in (tag[3] or b"")
        elements[tag[2].decode()] = _Element(content, is_base64)
        if at < 0:
            break
    return elements, -1


def _content(data: bytes, at: int, close: bytes) -> tuple[bytes, int]:
    """What an element holds, and where it ends; -1 where the file ends first."""
    pieces: list[bytes] = []
    while data.startswith(_CDATA, at):
        end = data.find(_CDATA_END, at)
        if end < 0:
            return b"".join([*pieces, data[at + len(_CDATA) :]]), -1
        pieces.append(data[at + len(_CDATA) : end])
        at = end + len(_CDATA_END)
    end = data.find(close, at)
    if end < 0:
        return b"".join([*pieces, data[at:]]), -1
    if not pieces:
        pieces = [_ENTITY.sub(lambda found: _ENTITIES[found[1]], data[at:end])]
    return b"".join(pieces), end + len(close)


def _exchange(item: Mapping[str, _Element]) -> Exchange | None:
    found = call_of(_raw(item, "request"), _raw(item, "response"))
    if found is None or found.request is None:
        return None
    url = to_text(_raw(item, "url")).strip()
    request = replace(found.request, url=url) if "://" in url else found.request
    moment, zone = _moment(to_text(_raw(item, "time")).strip())
    remarks = (*found.remarks, *([_ZONE.format(zone)] if zone else []))
    return replace(found, request=request, started_at=moment, remarks=remarks)


def _raw(item: Mapping[str, _Element], name: str) -> bytes:
    element = item.get(name)
    if element is None:
        return b""
    decoded = base64_bytes(to_text(element.content)) if element.is_base64 else None
    return element.content if decoded is None else decoded


def _moment(spelled: str) -> tuple[str | None, str]:
    """The time, and the zone that it is of where that is not UTC."""
    found = _TIME.fullmatch(spelled)
    if found is None:
        return None, ""
    try:
        moment = datetime.strptime(f"{found[1]} {found[3]}", "%b %d %H:%M:%S %Y")
    except ValueError:
        return None, ""
    return rfc3339(moment), "" if found[2] in _UTC else found[2]
