"""What proxies with windows save: raw HTTP messages, in XML or in an archive."""

from __future__ import annotations

import gzip
import json
import zipfile
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from tests.importer import answered, asked, read_as
from tests.unit.capture.signed_talk import (
    FIRST,
    MODEL,
    SIGNED,
    answer,
    content,
    following,
)

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import InputError
from sigscope.ledger.records import Fate

URL = "https://api.anthropic.com/v1/messages"
CONTENT = content("a < b ]]> & c")
ANSWER = answer(CONTENT)
SECOND = answer([{"type": "text", "text": "seen"}])
NEXT = following(CONTENT)


def request(messages: list[Any], target: str = "/v1/messages") -> bytes:
    body = json.dumps({"model": MODEL, "messages": messages}).encode()
    head = f"POST {target} HTTP/2\r\nHost: api.anthropic.com\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def response(tree: Any) -> bytes:
    return b"HTTP/2 200 OK\r\nContent-Type: application/json\r\n\r\n" + (
        json.dumps(tree).encode()
    )


def chunked(tree: Any) -> bytes:
    """As it came: packed, and in two chunks, behind a provisional answer."""
    packed = gzip.compress(json.dumps(tree).encode())
    cuts = (packed[:20], packed[20:], b"")
    body = b"".join(b"%x\r\n%b\r\n" % (len(cut), cut) for cut in cuts)
    head = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
    return head + b"Transfer-Encoding: chunked\r\n\r\n" + body


CALLS = ((FIRST, ANSWER), (NEXT, SECOND))


def element(name: str, raw: bytes, *, coded: bool) -> bytes:
    text = b64encode(raw) if coded else raw.replace(b"]]>", b"]]]]><![CDATA[>")
    is_coded = b"true" if coded else b"false"
    return b'<%b base64="%b"><![CDATA[%b]]></%b>' % (
        name.encode(),
        is_coded,
        text,
        name.encode(),
    )


def items(*, coded: bool, zone: str = "UTC") -> bytes:
    told = [
        b"<item><time>Sat Jan 31 10:00:0%d %b 2026</time>"
        b"<url>%b?a=1&amp;b=2</url><path>/v1?a=1&amp;b=2</path>"
        % (number, zone.encode(), URL.encode())
        + element("request", request(history), coded=coded)
        + b"<status>200</status>"
        + element("response", response(said), coded=coded)
        + b"<comment>a &lt;item&gt;</comment></item>"
        for number, (history, said) in enumerate(CALLS, start=1)
    ]
    head = b'<?xml version="1.1"?>\n<!DOCTYPE items [\n<!ELEMENT items (item*)>\n]>\n'
    return head + b'<items burpVersion="2026.1" exportTime="x">\n%b\n</items>\n' % (
        b"\n".join(told)
    )


def archive(files: dict[str, bytes]) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, held in files.items():
            file.writestr(name, held)
    return made.getvalue()


def sessions() -> dict[str, bytes]:
    began = '<Session SID="{0}"><SessionTimers ClientBeginRequest="{1}"/></Session>'
    files = {"_index.htm": b"<html>", "raw/01_c.txt": b"CONNECT h:443 HTTP/1.1\r\n\r\n"}
    for number, (history, said) in enumerate(CALLS, start=9):
        when = f"2026-01-31T11:00:{number:02}.1234567+01:00"
        files |= {
            f"raw/{number}_c.txt": request(history, URL),
            f"raw/{number}_s.txt": chunked(said),
            f"raw/{number}_m.xml": began.format(number, when).encode(),
        }
    return files


@pytest.mark.parametrize("coded", [True, False])
def test_items_of_burp_are_read_byte_for_byte(tmp_path: Path, coded: bool) -> None:
    path = tmp_path / "items"

    imported = read_as("burp", path, items(coded=coded))

    assert [asked(each)["messages"] for each in imported.exchanges] == [FIRST, NEXT]
    assert [answered(each) for each in imported.exchanges] == [ANSWER, SECOND]
    assert imported.problems == ()
    first = imported.exchanges[0]
    assert first.request is not None
    url = f"{URL}?a=1&b=2"
    assert (first.request.url, first.started_at) == (url, "2026-01-31T10:00:01Z")
    assert first.request.body.raw in request(FIRST)
    signature = Document(open_file(path)).ledger.signatures[0]
    assert (signature.value, signature.fates[0].fate) == (SIGNED, Fate.EXACT)


def test_a_zone_that_is_not_known_is_told(tmp_path: Path) -> None:
    imported = read_as("burp", tmp_path / "x", items(coded=True, zone="IDT"))

    first = imported.exchanges[0]
    assert first.started_at == "2026-01-31T10:00:01Z"
    assert any("a zone, IDT" in remark for remark in first.remarks)


@pytest.mark.parametrize("behind", [b"<response", b"<status>", b"<request"])
def test_items_that_break_off_give_what_is_whole(tmp_path: Path, behind: bytes) -> None:
    whole = items(coded=False)
    cut = whole[: whole.rindex(behind) + 25]

    imported = read_as("burp", tmp_path / "x", cut)

    assert answered(imported.exchanges[0]) == ANSWER
    assert imported.problems[0].message == "the file breaks off in it"
    assert imported.problems[0].where == "item 2"


def test_sessions_of_fiddler_are_read_in_order_of_number(tmp_path: Path) -> None:
    path = tmp_path / "x.saz"

    imported = read_as("saz", path, archive(sessions()))

    assert [asked(each)["messages"] for each in imported.exchanges] == [FIRST, NEXT]
    assert [each.started_at for each in imported.exchanges] == [
        "2026-01-31T10:00:09.123Z",
        "2026-01-31T10:00:10.123Z",
    ]
    assert imported.exchanges[0].request is not None
    assert imported.exchanges[0].request.url == URL
    assert [each.message.partition(":")[0] for each in imported.problems] == [
        "1 session left out"
    ]
    signature = Document(open_file(path)).ledger.signatures[0]
    assert (signature.value, signature.fates[0].fate) == (SIGNED, Fate.EXACT)


def test_what_of_an_archive_cannot_be_read_is_told(tmp_path: Path) -> None:
    files = sessions() | {"raw/11_c.txt": b"no HTTP", "raw/11_s.txt": b""}

    imported = read_as("saz", tmp_path / "x.saz", archive(files))

    assert len(imported.exchanges) == 2
    assert imported.problems[0].where == "session 11"


def test_an_encrypted_archive_says_what_to_do(tmp_path: Path) -> None:
    made = bytearray(archive(sessions()))
    at = 0
    while (at := made.find(b"PK\x01\x02", at)) >= 0:
        made[at + 8] |= 1
        at += 4

    with pytest.raises(InputError, match="without a password"):
        read_as("saz", tmp_path / "x.saz", bytes(made))
