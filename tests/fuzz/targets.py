"""What is tried: each a public entry, the inputs it begins with, and what must hold."""

from __future__ import annotations

import asyncio
import atexit
import gzip
import io
import json
import os
import shutil
import tempfile
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests import builders

if TYPE_CHECKING:  # a target imports what it tries
    from sigscope.exchange import Exchange

ROOT = Path(__file__).resolve().parents[2]
SESSIONS = ROOT / "sessions"
REAL = ROOT / "tests" / "real"
_MOST = 24 * 1024
"""Bytes of a seed: of longer ones the beginning."""

Seeds = Callable[[], list[bytes]]


@dataclass(frozen=True, kw_only=True)
class Target:
    """One entry."""

    name: str
    about: str
    run: Callable[[bytes], Hashable]
    """Tries an input; gives what kind of thing came of it."""
    seeds: Seeds
    share: int
    """Inputs in a thousand of a whole campaign."""
    passes: int = 1
    """How often an input is read from one end to the other; time is bound for each."""


# --- Seeds ----------------------------------------------------------------------------


@cache
def files() -> list[bytes]:
    """Recordings of every format that we have made ourselves."""
    made = [path.read_bytes() for path in sorted(REAL.iterdir()) if path.is_file()]
    return [data[:_MOST] for data in made] + copied_calls()


def copied_calls() -> list[bytes]:
    """Calls as people copy them, and documents of the smaller formats."""
    body = '{"model":"gemini-3-pro-preview","messages":[{"role":"user","content":"é"}]}'
    texts = [
        f"curl 'https://h/v1/chat/completions' -H 'a: b' --data-raw $'{body}\\u00e9'",
        'curl ^"https://h/v1/chat^" -H ^"a: b^" --data-raw ^"{^\\^"a^\\^":1}^"',
        f'fetch("https://h/v1/chat/completions", {{"headers":{{"a":"b"}},'
        f'"body":{json.dumps(body)},"method":"POST"}});',
        '$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n'
        'Invoke-WebRequest -UseBasicParsing -Uri "https://h/v1/chat" -Method "POST" '
        '-Headers @{"a"="b"} -ContentType "application/json" -Body "{`"a`":1}"',
        f"POST /v1/chat/completions?a=b HTTP/1.1\r\nHost: h\r\nContent-Length:"
        f" {len(body.encode())}\r\n\r\n{body}HTTP/1.1 200 OK\r\nContent-Type:"
        ' application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
        "when:\n  path: /v1/chat\n  method: POST\n  query_param:\n  - name: a\n"
        f"    value: b\n  body: '{body}'\nthen:\n  status: 200\n  header:\n"
        "  - name: content-type\n    value: application/json\n  body: '{}'\n",
        json.dumps([{"scope": "https://h:443", "method": "POST", "path": "/v1/chat",
                     "body": json.loads(body), "status": 200, "response": {},
                     "rawHeaders": ["a", "b"]}]),
        json.dumps([{"status": "COMPLETE", "method": "POST", "protocolVersion": "1.1",
                     "scheme": "https", "host": "h", "path": "/v1", "query": "a=b",
                     "request": {"body": {"text": body}}, "times": {},
                     "response": {"status": 200, "body": {"text": "{}"}}}]),
        json.dumps({"mappings": [{"request": {"url": "/v1", "method": "POST",
                    "bodyPatterns": [{"equalToJson": body}]},
                    "response": {"status": 200, "body": "{}"}}]}),
        "\n".join(json.dumps(line) for line in (
            {"timestamp": "2026-01-01T00:00:00Z", "request": {"messages": []},
             "response": {"choices": []}},) * 2),
        "request {'method': 'post', 'url': '/v1', 'json_data': {'a': b'\\xff'}}\n"
        "DEBUG:openai._base_client:Request options: {'json_data': {'a': None}}\n",
        "REQUEST {\n  \"contents\": []\n}\nRESPONSE 200 {\n}\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n",
        '{"type":"response.create"}\n{"type":"response.completed"}\n',
        '<items burpVersion="1"><item><time>Sat Jan 31 10:00:00 UTC 2026</time>'
        "<url><![CDATA[https://h/v1]]></url>"
        '<request base64="false"><![CDATA[POST /v1 HTTP/1.1\r\nHost: h\r\n\r\n'
        f'{body}]]></request>'
        '<response base64="true"><![CDATA[SFRUUC8xLjEgMjAwIE9LDQoNCnt9]]>'
        "</response></item></items>",
        json.dumps({"hrTime": [1769853600, 1], "attributes": {
            "event.name": "gemini_cli.api_request", "prompt_id": "p", "model": "m",
            "request_text": '[{"role":"user","parts":[{"text":"a"}]}]'}}, indent=2)
        + json.dumps({"attributes": {"event.name": "gemini_cli.api_error",
                      "prompt_id": "p", "status_code": 400, "error": "no {"}}),
        '{"gptel": "request config", "timestamp": "2026-01-31 10:00:00"}\n'
        'header = "a: b\\""\nurl = "https://h/v1"\n'
        f'{{"gptel": "request body", "timestamp": "2026-01-31 10:00:00"}}\n{body}\n'
        '{"gptel": "response headers", "timestamp": "2026-01-31 10:00:00"}\n'
        '"HTTP/2 200 \\r\\na: b\\r\\n"\n'
        '{"gptel": "response body", "timestamp": "2026-01-31 10:00:00"}\ndata: {}\n',
        "id,status,request_body,response_body\n"
        '1,200,"{""messages"":[{""role"":""user"",""content"":""a""}]}","{}"\n',
        "type: collection.insomnia.rest/5.0\ncollection:\n  - url: https://h/v1\n"
        f"    headers: [{{name: a, value: b}}]\n    body: {{text: '{body}'}}\n",
        json.dumps({"httpRequest": {"path": "/v1", "headers": {"a": ["b"]}, "body": {
            "json": json.loads(body), "rawBytes": b64encode(body.encode()).decode()}},
            "httpResponse": {"statusCode": 200, "body": {"choices": []}}}),
    ]  # fmt: skip
    plain = [text.encode() for text in texts]
    plain += [_sessions_of_fiddler(body)]
    return [*plain, gzip.compress(plain[0]), "\ufeffPOST / HTTP/1.1".encode("utf-16")]


def _sessions_of_fiddler(body: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("raw/1_c.txt", f"POST https://h/v1 HTTP/1.1\r\n\r\n{body}")
        archive.writestr("raw/1_s.txt", "HTTP/1.1 200 OK\r\n\r\n{}")
        archive.writestr(
            "raw/1_m.xml", '<T ClientBeginRequest="2026-01-31T10:00:00Z"/>'
        )
    return made.getvalue()


@cache
def sessions() -> list[bytes]:
    """Session files of ours: the shortest whole, of the others some lines."""
    found = []
    for path in sorted(SESSIONS.glob("*.jsonl")):
        lines = path.read_bytes().splitlines(True)
        short = [line for line in lines if len(line) < 8_000]
        found.append(b"".join(lines) if len(b"".join(lines)) < _MOST else b"")
        found.append(b"".join(short)[:_MOST])
    return [*filter(None, found), (REAL / "litellm.session.jsonl").read_bytes()]


@cache
def bodies() -> list[bytes]:
    """Request bodies of the four services, signed."""
    call, other = builders.LS, builders.READ
    chat = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": None, "reasoning_opaque": builders.OPAQUE,
         "tool_calls": builders.chat_calls(call, other)},
        builders.result(call), builders.result(other),
    ]  # fmt: skip
    details = [{"type": "reasoning.encrypted", "data": builders.SIG, "index": 0}]
    routed = [dict(each) for each in chat]
    routed[1] = {**chat[1], "reasoning_details": details}
    parts = [{"functionCall": {"name": "ls", "args": {}},
              "thoughtSignature": builders.SIG}]  # fmt: skip
    gemini = {"contents": [{"role": "user", "parts": [{"text": "a"}]},
                           {"role": "model", "parts": parts}]}  # fmt: skip
    odd = {"a": 1.0, "b": [1, [2, {"é": None}]], "c": "\ud83d", "d": -0.0}
    trees = [
        {"model": "gemini-3-pro-preview", "messages": chat, "stream": True},
        {"model": "google/gemini-3-pro-preview", "messages": routed, "tools": []},
        gemini, odd,
    ]  # fmt: skip
    texts = [json.dumps(tree) for tree in trees]
    texts += [json.dumps(tree, indent=2) for tree in trees[-2:]]
    return [*(text.encode() for text in texts), b'{"a":"\\u', b'["\xff", 1e999]']


def streams() -> list[bytes]:
    """Streamed answers in every framing."""
    sse = b'id: 1\r\nevent: a\ndata: {"choices":[]}\ndata: b\n\n: c\r\rdata: [DONE]\n\n'
    head = b"\x0b:event-type\x07\x00\x05chunk"
    size = (len(head) + 16 + 2).to_bytes(4, "big")
    prelude = size + len(head).to_bytes(4, "big")
    frame = prelude + zlib.crc32(prelude).to_bytes(4, "big") + head + b"{}"
    amazon = frame + zlib.crc32(frame).to_bytes(4, "big")
    return [
        sse, amazon * 2, b'[{"a":1}\n,\n{"b":[2]}]', b'{"a":1}\n{"b":2}\n',
        "data: é\u2028\n\n".encode(), b"\xef\xbb\xbfdata: a\n\n",
    ]  # fmt: skip


def coded() -> list[bytes]:
    """Bodies under each coding, a byte before them that chooses it."""
    plain = b'{"a": "' + b"b" * 300 + b'"}'
    packed = gzip.compress(plain)
    found = [b"\x00" + packed, b"\x01" + zlib.compress(plain), b"\x02" + plain]
    found += [b"\x00" + packed + packed, b"\x01" + zlib.compress(plain)[2:-4]]
    try:
        import brotli

        found.append(b"\x02" + brotli.compress(plain))
    except ImportError:
        pass
    try:
        from backports import zstd

        found.append(b"\x03" + zstd.compress(plain))
    except ImportError:
        pass
    return [*found, b"\x04" + gzip.compress(zlib.compress(plain))]


def errors() -> list[bytes]:
    """Errors as people paste them."""
    inner = '{"error":{"code":400,"message":"Corrupted thought signature."}}'
    texts = [
        f"API Error: 400 {inner}",
        "litellm.BadRequestError: VertexAIException BadRequestError - "
        + json.dumps(inner),
        '{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":'
        + json.dumps(inner) + "}}}",
        "│ Error code: 400 - {'error': {'message': 'invalid request body', │\n"
        "│ 'code': 'invalid_request_body'}}                               │",
        "Function call is missing a thought_signature in functionCall parts.",
        "\x1b[31mError\x1b[0m: b'{\\n \"error\": 1}'",
    ]  # fmt: skip
    return [text.encode() for text in texts] + [texts[0].encode("utf-16")]


# --- Entries --------------------------------------------------------------------------


@cache
def workshop() -> Path:
    """A folder of this process, in memory where there is one; also its state."""
    shelf = Path("/dev/shm")
    base = str(shelf) if os.access(shelf, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="sigscope-fuzz-", dir=base))
    for name in ("DATA", "CONFIG", "STATE"):
        os.environ[f"SIGSCOPE_{name}_DIR"] = str(folder / name.lower())
    atexit.register(clear)
    return folder


def clear() -> None:
    """Remove the folder, where there is one."""
    if workshop.cache_info().currsize:
        shutil.rmtree(workshop(), ignore_errors=True)


def cut_of(data: bytes) -> int:
    """A place in the input that follows from it."""
    return zlib.crc32(data) % (len(data) + 1)


def run_sse(data: bytes) -> Hashable:
    """How the bytes were cut must not matter; no byte may be outside of a span."""
    from sigscope.wire.sse import SseDecoder

    whole, pieces = SseDecoder(), SseDecoder()
    cut = cut_of(data)
    one = [*whole.feed(data), *whole.finish()]
    other = [*pieces.feed(data[:cut]), *pieces.feed(data[cut:]), *pieces.finish()]
    assert one == other, "cutting matters"
    return (len(one), *(event.flags for event in one[:4]))


def run_framing(data: bytes) -> Hashable:
    """Spans lie in the data, in order."""
    from sigscope.wire.frames import FRAMERS, choose_framing, frame

    seen: list[Hashable] = [choose_framing((), data)]
    for framing in FRAMERS:
        framed = frame(data, framing)
        done = 0
        for event in framed.events:
            assert done <= event.start <= event.end <= len(data), "spans overlap"
            done = event.end
        seen.append(min(len(framed.events), 9))
    return tuple(seen)


_CODINGS = ("gzip", "deflate", "br", "zstd", "deflate, gzip", "x-odd", "gzip,br,zstd")


def run_codings(data: bytes) -> Hashable:
    """Whatever comes, it comes back, at least as it was."""
    from sigscope.wire.arrivals import Chunk
    from sigscope.wire.bodies import decode

    coding = _CODINGS[data[0] % len(_CODINGS)] if data else ""
    raw = data[1:]
    chunks = [Chunk(end=cut_of(raw), at_ms=1.0), Chunk(end=len(raw), at_ms=2.0)]
    found = decode(raw, (("content-encoding", coding),), chunks)
    ends = [chunk.end for chunk in found.chunks]
    assert ends == sorted(ends), "chunks go backwards"
    return (coding, found.codings, len(found.data) > len(raw), len(found.remarks))


def run_json(data: bytes) -> Hashable:
    """Every pointer resolves; what Python reads, we read alike."""
    from sigscope.jsontext import JsonText

    document = JsonText(data)
    nodes = []
    stack = [document.root]
    while stack and len(nodes) < 400:
        node = stack.pop()
        nodes.append(node)
        stack += document.children(node)
    for node in nodes[:60]:
        found = document.locate(document.pointer(node))
        assert found == node, "a pointer names another node"
        document.value(node)
    problems = document.check()
    try:
        json.loads(data.decode("utf-8"), parse_constant=lambda _: 1 / 0)
        assert not document.is_broken, "sound JSON is called broken"
    except (ValueError, RecursionError, ZeroDivisionError):
        pass
    return (document.is_broken, *sorted({each.flaw for each in problems}))


_LINES = (
    "drop /messages/1/reasoning_opaque", "set /a 1.0",
    'set /messages/1/content "\\u00e9"',
    "insert /messages/- {\"role\":\"user\"}", "move /messages/0 /messages/2",
    "copy /messages/0 /b", "type /messages/0/content list", "header A: b", "unheader A",
    "url https://h/v1", 'set "/a b" null', '{"op":"set","pointer":"/c","value":[1]}',
)  # fmt: skip


def edit_seeds() -> list[bytes]:
    """Edits, a line each, above the body they are for."""
    lines = [line.encode() for line in _LINES]
    found = []
    for number, body in enumerate(bodies()):
        chosen = lines[number % 4 : number % 4 + 4]
        found.append(b"\n".join((*chosen, b"\0" + body)))
    return [*found, b"\n".join((*lines, b"\0" + bodies()[0]))]


def run_edits(data: bytes) -> Hashable:
    """Nothing changes without an edit, and a difference is what makes it."""
    from sigscope.edits.apply import apply, diff
    from sigscope.edits.asjson import from_json, to_json
    from sigscope.edits.notation import describe, parse
    from sigscope.errors import SigscopeError

    head, _, body = data.partition(b"\0")
    assert apply((), body) == body, "an edit was made of none"
    edits, refused = [], 0
    for line in head.decode("utf-8", "surrogateescape").splitlines()[:6]:
        try:
            edit = parse(line, body)
            describe(edit)
            assert from_json(json.loads(json.dumps(to_json(edit)))) == edit
            apply((edit,), body)
            edits.append(edit)
        except SigscopeError:
            refused += 1
    try:
        changed = apply(edits, body)
    except SigscopeError:
        return (len(edits), refused, "contradiction")
    try:
        there = diff(body, changed)
    except SigscopeError:
        return (len(edits), refused, "no diff")
    assert apply(there, body) == changed or is_same(apply(there, body), changed)
    return (len(edits), refused, changed != body, min(len(there), 9))


def is_same(one: bytes, other: bytes) -> bool:
    """Whether two texts hold the same values, however they are laid out."""
    from sigscope.jsontext import JsonText

    a, b = JsonText(one), JsonText(other)
    if a.is_broken or b.is_broken:
        return True  # nothing is promised of these
    return repr(a.parsed) == repr(b.parsed)


def run_import(data: bytes) -> Hashable:
    """Any file opens, or is refused in a sentence."""
    from sigscope.engine.engine import Engine

    path = workshop() / "input"
    path.write_bytes(data)
    document = Engine().open(path)
    session = document.session
    told = sorted({problem.message[:12] for problem in session.problems})
    return (session.format, min(len(session.steps), 4), *told[:3])


def run_forced(data: bytes) -> Hashable:
    """The same where the user names the format."""
    from sigscope.capture.detect import FORMATS
    from sigscope.engine.engine import Engine

    name = FORMATS[cut_of(data) % len(FORMATS)].name
    path = workshop() / "input"
    path.write_bytes(data)
    session = Engine().open(path, name).session
    return (name, min(len(session.steps), 4), len(session.problems) > 0)


def run_check(data: bytes) -> Hashable:
    """Opening, ledger, findings and all that the command line prints of them."""
    from sigscope.cli.console import Console
    from sigscope.engine.engine import Engine
    from sigscope.engine.sessions.tables import (
        findings_table,
        ledger_table,
        unjudged_rows,
    )

    path = workshop() / "input"
    path.write_bytes(data)
    document = Engine().open(path)
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    console = Console(out, out)
    table: Any = ledger_table(document)
    console.json(table)
    console.json(findings_table(document.findings))
    console.json(unjudged_rows(document))
    found = sorted({finding.rule for finding in document.findings})
    names = sorted({r.dialect.name for r in document.readings if r.dialect})
    return (document.session.format, min(len(document.steps), 4), *found, *names)


def run_redact(data: bytes) -> Hashable:
    """A copy for sharing holds no planted key, and can be read."""
    from sigscope.engine.engine import Engine

    path, copy = workshop() / "input", workshop() / "copy.session.jsonl"
    path.write_bytes(data)
    engine = Engine()
    document = engine.open(path)
    levels = cut_of(data) % 4
    removed = engine.save_as(
        document, copy, force=True, stand_ins=bool(levels & 1), content=bool(levels & 2)
    )
    again = engine.open(copy)
    assert len(again.steps) == len(document.steps), "steps were lost"
    return (document.session.format, levels, *sorted(removed))


KEY = b"sk-proj-0123456789abcdefghijABCDEFGHIJ"


def run_masking(data: bytes) -> Hashable:
    """A body alone, whatever bytes: the key that was sent with it goes, all else
    keeps its place."""
    from sigscope.exchange import Body, Exchange, Request, Response
    from sigscope.session import Step
    from sigscope.store.redact import Redactor

    head, _, body = data.partition(b"\n")
    text = head.decode("utf-8", "surrogateescape")
    sent = Request(
        method="POST",
        url=f"https://h/v1?key={KEY.decode()}&{text}",
        headers=(("Authorization", f"Bearer {KEY.decode()}"), ("X-Odd", text)),
        body=Body(body + KEY),
    )
    got = Response(
        status=200, headers=(("content-type", text),), body=Body(KEY + b"\n" + body)
    )
    step = Step(
        number=1,
        id="s1",
        title=text,
        source="fuzz",
        exchange=Exchange(request=sent, response=got, remarks=(text,)),
    )
    kept, removed = Redactor().step(step)
    assert kept.exchange.request is not None
    assert kept.exchange.response is not None
    if not _is_unread(kept.exchange):
        assert len(kept.exchange.request.body.raw) == len(body + KEY), "bytes moved"
    return tuple(sorted(removed))


def _is_unread(exchange: Exchange) -> bool:
    """Whether it is said that some of its bytes could not be searched, and so are not
    stored."""
    return any("cannot be searched" in remark for remark in exchange.remarks)


def run_kept(data: bytes) -> Hashable:
    """A session that is written and read holds the same bytes, without a word of
    doubt."""
    from sigscope.exchange import Body, Exchange, Request, Response
    from sigscope.session import Step
    from sigscope.store import Header, SessionWriter, open_session

    half = cut_of(data)
    bodies_ = (data, data[:half], data[half:], data[:half] + data)
    path = workshop() / "kept.session.jsonl"
    path.unlink(missing_ok=True)
    url = "https://h/" + data[:40].decode("utf-8", "surrogateescape")
    with SessionWriter.create(str(path), Header(id="a", title=url)) as writer:
        for number, body in enumerate(bodies_, start=1):
            writer.append_step(
                Step(
                    number=number,
                    id=f"s{number}",
                    source="fuzz",
                    exchange=Exchange(
                        request=Request(method="POST", url="/", body=Body(body)),
                        response=Response(status=200, body=Body(body[::-1])),
                    ),
                )
            )
        removed = +writer.removed
    session = open_session(str(path))
    assert len(session.steps) == len(bodies_), "steps were lost"
    for step, body in zip(session.steps, bodies_, strict=True):
        sent, got = step.exchange.request, step.exchange.response
        assert sent is not None
        assert got is not None
        if _is_unread(step.exchange):
            continue
        assert removed or sent.body.raw == body, "a request changed"
        assert removed or got.body.raw == body[::-1], "an answer changed"
    return (session.problems == (), *sorted(removed))


_PATHS = (
    "/chat/completions", "/api/v1/chat/completions", "/v1/chat/completions",
    "/v1beta/models/gemini-3-pro-preview:generateContent",
    "/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse",
)  # fmt: skip


def simulator_seeds() -> list[bytes]:
    """A path to each body."""
    return [
        path.encode() + b"\n" + body
        for path in (*_PATHS, "/é?a=%ff")
        for body in bodies()
    ]


def run_simulator(data: bytes) -> Hashable:
    """It answers every request, and as it foretells."""
    from sigscope.upstreams.simulator import SimConfig, create_app, fetch, judge

    line, _, body = data.partition(b"\n")
    target = line.decode("utf-8", "surrogateescape")
    config = SimConfig(pace_ms=0)
    said = judge(config, target, body)
    head, answer = asyncio.run(
        fetch(create_app(config, clock=lambda: 0.0), "POST", target, (), body)
    )
    if said is not None:
        assert said.status == head.status, "it does not do what it foretells"
    return (head.status, said and said.rule, answer[:12])


def run_explain(data: bytes) -> Hashable:
    """Any pasted text."""
    from sigscope.refusals.pasted import decode
    from sigscope.rules.explanation import (
        explain,
        explanation_table,
        format_explanation,
    )

    found = explain(decode(data))
    format_explanation(found, 72)
    json.dumps(explanation_table(found))
    return (found.is_known, found.pasted.status, *found.pasted.layers[:3])


def run_heads(data: bytes) -> Hashable:
    """What the recorder reads of a request and of an answer."""
    from sigscope.recorder.heads import (
        HeadError,
        find_end,
        parse_request,
        parse_response,
    )

    seen: list[Hashable] = []
    for parse in (parse_request, parse_response):
        try:
            end = find_end(data)
            seen.append((end >= 0, len(parse(data[:end]).fields) if end >= 0 else -1))
        except HeadError as error:
            seen.append(str(error)[:16])
    return tuple(seen)


def run_transfer(data: bytes) -> Hashable:
    """Where a body in chunks ends does not depend on how it was cut; what is sound in
    a request is so in an answer."""
    from sigscope.recorder.transfer import Chunked, TransferError

    def read(*pieces: bytes, is_strict: bool) -> tuple[bytes, bytes, bool] | None:
        decoder, payload, rest = Chunked(is_strict=is_strict), b"", b""
        try:
            for piece in pieces:
                found, behind = (b"", piece) if decoder.done else decoder.feed(piece)
                payload, rest = payload + found, rest + behind
        except TransferError:
            return None
        return payload, rest, decoder.done

    cut = cut_of(data)
    strict = read(data, is_strict=True)
    loose = read(data, is_strict=False)
    for is_strict, whole in ((True, strict), (False, loose)):
        cuts = read(data[:cut], data[cut:], is_strict=is_strict)
        assert cuts == whole, "cutting matters"
    assert strict in (None, loose), "strictness reads something else"
    return (strict is None, loose is None, loose is not None and loose[2])


def transfer_seeds() -> list[bytes]:
    """Bodies in chunks."""
    chunk = b"10;a=b\r\n" + b"a" * 16 + b"\r\n"
    return [
        b"3\r\nabc\r\n0\r\nX: y\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        chunk * 4 + b"0\r\n\r\n",
        b"3\nabc\r\n0;x\r\n\n",
        b"0\r\n" + b"a: b\r\n" * 20,
    ]


def head_seeds() -> list[bytes]:
    """Heads of HTTP/1.1."""
    return [
        b"POST http://h/v1 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}",
        b"OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close, Host\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA:b\r\n c\r\n\r\n2\r\n",
        b"HTTP/1.1 400\nx y: z\n\n",
    ]


def run_terminal(data: bytes) -> Hashable:
    """Nothing that is printed drives a terminal."""
    from sigscope.characters import UNSEEN
    from sigscope.cli.console import Console

    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="utf-8", newline="\n")
    console = Console(out, out)
    text = data.decode("utf-8", "surrogateescape")
    console.data(console.style(text, "bad"))
    console.talk(text)
    console.json({text: text})
    out.flush()
    for line in raw.getvalue().decode("utf-8").split("\n"):
        assert not UNSEEN.search(line.replace("\t", "")), "something unseen was printed"
    raw.seek(0)
    raw.truncate()
    console.json({text: text})
    out.flush()
    back = json.loads(raw.getvalue())
    assert list(back.items()) == [(text, text)], "JSON is not exact"
    return (len(data) > 9, text.isascii(), text.isprintable())


def own_seeds() -> list[bytes]:
    """Files that the user writes, or that we keep for the user: the name of its kind
    above each."""
    from sigscope.converse.loader import FOLDER
    from sigscope.engine.settings.profiles import SHIPPED

    draft = {
        "drafts": [
            {"step": 1, "run": None, "edits": [{"op": "drop", "pointer": "/a"}]},
            {"step": 2, "run": 1, "edits": []},
        ]
    }
    settings = b"[serve]\nport = 8920\n[decode]\nmost = 512\nratio = 1e3\n"
    keys = b'[debugger]\nquit = "q"\n"json.find" = ["/", "ctrl+f"]\n'
    own = b'[own]\nurl = "https://h/v1"\nkey_env = "K"\nheaders = { x-a = "b" }\n'
    return [
        *(b"policy\n" + path.read_bytes() for path in sorted(FOLDER.glob("*.toml"))),
        b"settings\n" + settings,
        b"profiles\n" + SHIPPED.read_bytes(),
        b"profiles\n" + own,
        b"keys\n" + keys,
        b"recent\n" + json.dumps(["/a/b.session.jsonl", "rel", "x" * 300]).encode(),
        b"drafts\n" + json.dumps(draft).encode(),
        *(b"words\n" + word for word in _WORDS),
    ]


_WORDS = (
    b"30d", b"1.5 GB", b"3,7-9", b"litellm:2,5-7", b"sig lost", b"body TEXT",
    b"rule CPC-1", b"/openrouter=https://openrouter.ai/x?y#z", b"calls,parallel,long",
    b"https://[::1%25lo]:8910/v1", b"re:(a|b)+\\d{1,3}", b"header X: y", b"zed copilot",
)  # fmt: skip


def run_own(data: bytes) -> Hashable:
    """What the user's own files say, and values of the command line, as it gives
    them."""
    from sigscope.converse.loader import load_policy
    from sigscope.engine.sessions.drafts import Drafts
    from sigscope.engine.sessions.library import Library
    from sigscope.engine.settings.profiles import load_profiles
    from sigscope.engine.settings.sources import load_settings
    from sigscope.errors import SigscopeError
    from sigscope.session import Session
    from sigscope.tui.keymap import load_keys

    kind, _, body = data.partition(b"\n")
    if kind == b"words":
        return _own_words(body)
    if kind == b"drafts":
        folder, session = workshop() / "drafts", Session(id="own", path="own")
        shutil.rmtree(folder, ignore_errors=True)
        path = Drafts(folder)._path(session)
        path.parent.mkdir(parents=True)
        path.write_bytes(body)
        Drafts(folder).found(session)
        return ("drafts",)
    if kind == b"recent":
        path = workshop() / "state" / "recent.json"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(body)
        return ("recent", len(Library().recent()))
    path = workshop() / "config" / "profiles.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(body)
    try:
        match kind:
            case b"policy":
                return ("policy", str(load_policy(str(path)))[:40])
            case b"keys":
                return ("keys", len(load_keys(path).problems))
            case b"settings":
                return ("settings", len(load_settings(user=path).problems))
            case _:
                return ("profiles", len(load_profiles()))
    except SigscopeError as error:
        return (kind, str(error).replace(str(path), "")[:24])
    finally:
        path.unlink()


def _own_words(data: bytes) -> Hashable:
    from sigscope.cli.options import read_turns
    from sigscope.engine.recording.breakpoints import parse_breakpoint
    from sigscope.engine.sessions.library import read_tags
    from sigscope.engine.sessions.namings import parse_namings, step_numbers
    from sigscope.engine.sessions.retention import age_of, size_of
    from sigscope.errors import SigscopeError
    from sigscope.recorder.routes import parse_map, parse_route
    from sigscope.search.text import BadPattern, make_query

    text = data.decode("utf-8", "surrogateescape")
    taken = []
    for read in (
        age_of, size_of, step_numbers, lambda text: parse_namings([text], (1, 2)),
        read_tags, read_turns, parse_breakpoint, parse_map, parse_route, make_query,
    ):  # fmt: skip
        try:
            read(text)
            taken.append(True)
        except (SigscopeError, BadPattern):
            taken.append(False)
    return tuple(taken)


TARGETS: tuple[Target, ...] = (
    Target(name="sse", about="server-sent events", run=run_sse, seeds=streams, passes=2,
           share=200),
    Target(name="framing", about="every framing", run=run_framing, seeds=streams,
           passes=5, share=140),
    Target(name="codings", about="gzip, deflate, br, zstd", run=run_codings,
           seeds=coded, share=140),
    Target(name="json", about="bodies as JSON", run=run_json, seeds=bodies,
           passes=4, share=60),
    Target(name="edits", about="edits: read, apply, compare", run=run_edits, passes=8,
           seeds=edit_seeds, share=50),
    Target(name="import", about="any file, recognised", run=run_import, seeds=files,
           share=50),
    Target(name="forced", about="any file as any format", run=run_forced, seeds=files,
           share=60),
    Target(name="session", about="session files: open, ledger, rules, tables",
           run=run_check, seeds=sessions, share=6),
    Target(name="check", about="recordings: open, ledger, rules, tables",
           run=run_check, seeds=files, share=8),
    Target(name="redact", about="copies for sharing", run=run_redact,
           seeds=lambda: [*sessions(), *files()], share=3),
    # A body goes through twice, the first line five times.
    Target(name="masking", about="secrets in any bytes", run=run_masking, passes=2,
           seeds=lambda: [*bodies(), *streams(), *errors()], share=40),
    Target(name="kept", about="bodies written and read", run=run_kept, passes=6,
           seeds=lambda: [*bodies(), *streams()], share=10),
    Target(name="simulator", about="requests to it", run=run_simulator,
           seeds=simulator_seeds, share=60),
    Target(name="explain", about="pasted errors", run=run_explain, seeds=errors,
           share=50),
    Target(name="heads", about="the recorder's HTTP heads", run=run_heads,
           seeds=head_seeds, share=43),
    Target(name="transfer", about="the recorder's bodies in chunks", passes=4,
           run=run_transfer, seeds=transfer_seeds, share=40),
    # Words of the command line are read in ten ways.
    Target(name="own", about="the user's own files, and words of the command line",
           run=run_own, seeds=own_seeds, passes=10, share=20),
    Target(name="terminal", about="what is printed", run=run_terminal, passes=5,
           seeds=lambda: [*errors(), *streams()], share=20),
)  # fmt: skip
