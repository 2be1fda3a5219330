"""VCR cassettes: recordings of tests, in YAML or JSON, by many libraries.

vcrpy (Python), go-vcr (Go), VCR (Ruby), vcr (R), Betamax, PHP-VCR, ExVCR, ReqLLM,
test-server, seinfeld, Azure's test proxy, http-recorder, Mastra's llm-recorder and the
AI SDK's harness all write a list of interactions, each a request and a response, and
differ in the names of the parts and in how a body is kept (`cassette_bodies`). So there
is one reader, which takes whichever spelling it finds.

What no cassette holds: arrival times, HTTP version (but Go's and Ruby's), and the
moment a request began; `recorded_at`, where it is given, is taken for it.
Source: the serialisers of kevin1024/vcrpy (2026-06), dnaeon/go-vcr v4, vcr/vcr 6.4,
ropensci/vcr 1.x and 2.1, betamaxpy/betamax, google/test-server (2026-11), seinfeld in
braintrustdata/braintrust-sdk-javascript, Azure/azure-sdk-tools (test-proxy) as
openai/openai-dotnet records with it (2026-11), mastra-ai/mastra,
packages/_llm-recorder/src/llm-recorder.ts (2026-11).
"""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path

from sigscope.capture.base import Imported
from sigscope.capture.cassette_bodies import body_of, chunks_of
from sigscope.capture.modeljson import is_whole_body
from sigscope.capture.nested_calls import holds_call
from sigscope.capture.salvage import salvage_json
from sigscope.capture.shape import (
    Tree,
    kind_of,
    mapping,
    number,
    sequence,
    text,
    whole,
)
from sigscope.capture.source import Source
from sigscope.capture.values import epoch_time, go_duration_ms, headers_of, utc_time
from sigscope.capture.websocket import from_frames
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.records import dataclass
from sigscope.session import Problem
from sigscope.wire.headers import header

_KEYS = (
    "interactions",
    "http_interactions",
    "Interactions",
    "entries",
    "Entries",
    "recordings",
)
_TOLD_BY = {
    "exchanges": '"request"',
    "entries": '"matchKey"',
    "Entries": '"RequestUri"',
    "recordings": '"request"',
}
"""What else a torn file has near its begin, whose list is called as in others."""
_IN_YAML = re.compile(
    rb"^(?:\xef\xbb\xbf)?"
    rb"(?:['\"]?(?:interactions|http_interactions|Interactions)['\"]?:|requests:|"
    rb"-\s+['\"]?request['\"]?:|- +!ruby/struct:VCR)",
    re.MULTILINE,
)
_PARTS = ("request", "response")
"""Of an interaction; or, in the plural, one list of each."""
_URI = "RequestUri"
"""By which an entry of Azure's test proxy is known, whose members are all in one."""
_OF_GRPC = ("sample", "stream")
"""Methods of xAI's SDK, after which requests and responses are called."""
_STREAM: dict[str, Tree] = {"content-type": "text/event-stream"}
_NAMES_A_CALL = frozenset({"uri", "url", "method", "host"})
"""What a recorded request has, and a logged call of an SDK has not."""
_CODES = ("code", "status_code", "statusCode")
_MOMENTS = ("recorded_at", "captured_at", "recordedAt")
_OF_TEXT = re.compile(
    r"^text/|json|xml|x-www-form-urlencoded|javascript", re.IGNORECASE
)
_STATUS_LINE = re.compile(r"\s*(?:HTTP/[\d.]+\s+)?(\d{3})\b\s*(.*)")


def recognise(source: Source) -> bool:
    """Whether the file is a cassette, in JSON or in YAML."""
    if source.first in ("{", "["):
        if source.json_error:
            in_lines = _is_interaction(source.first_line)
            return in_lines or _torn_key(source) is not None
        return any(map(_has_parts, _interactions(source.json)))
    return _IN_YAML.search(source.data) is not None


def read(source: Source) -> Imported:
    """Read the interactions that are whole. Raises InputError where there are none."""
    problems: list[Problem] = []
    documents: list[Tree]
    if source.first in ("{", "["):
        documents, problems = _json_documents(source)
    else:
        documents, problems = source.read_yaml()
    found = [each for document in documents for each in _interactions(document)]
    exchanges: list[Exchange] = []
    for place, interaction in enumerate(found, start=1):
        read_one, problem = _exchanges(interaction, source.path.parent)
        exchanges += read_one
        if problem:
            problems.append(Problem(message=problem, where=f"interaction {place}"))
    if not exchanges:
        raise InputError(_nothing(problems), path=source.name)
    return Imported(
        exchanges=tuple(exchanges),
        title=_title(documents),
        problems=tuple(problems),
    )


def _json_documents(source: Source) -> tuple[list[Tree], list[Problem]]:
    if not source.json_error:
        return [source.json], []
    key = _torn_key(source)
    if key is None:
        return source.read_lines()
    items, problems = salvage_json(source, key)
    return [{_KEYS[0]: items}], problems


def _nothing(problems: list[Problem]) -> str:
    reason = f" ({problems[0].where}: {problems[0].message})" if problems else ""
    return f"it looks like a VCR cassette, but no interaction can be read{reason}"


def _torn_key(source: Source) -> str | None:
    head = source.text[:4096]
    likely = (key for key in (*_KEYS, *_TOLD_BY) if f'"{key}"' in head)
    return next((key for key in likely if _TOLD_BY.get(key, "") in head), None)


def _interactions(document: Tree) -> list[Tree]:
    """The list of interactions of a document, by whichever name."""
    if _is_interaction(document):
        return [document]
    if isinstance(document, list):
        return document if any(map(_is_interaction, document)) else []
    root = mapping(document)
    for key in _KEYS:
        if isinstance(root.get(key), list):
            return sequence(root[key])
    for items in map(sequence, root.values()):
        if any(_is_interaction(item) or _holds_bodies(item) for item in items):
            return items
    found = (root.get(f"{part}s") for part in _PARTS)
    lists = [each for each in found if isinstance(each, list)]
    if len(lists) < len(_PARTS):
        return []
    return [dict(zip(_PARTS, pair, strict=True)) for pair in zip_longest(*lists)]


def _has_parts(value: Tree) -> bool:
    return bool({"request", "response", "transport", _URI} & mapping(value).keys())


def _is_interaction(value: Tree) -> bool:
    parts = mapping(value)
    asked, answered = mapping(parts.get("request")), mapping(parts.get("response"))
    if "body" in asked and "body" in answered:
        return True
    # A collection of Postman's has a list of saved answers there.
    is_one = "response" in parts and not isinstance(parts["response"], list)
    if not is_one or not _NAMES_A_CALL & asked.keys():
        return False
    # Kong's log has the bodies of models' calls beside them.
    beside = {key: parts[key] for key in parts if key not in _PARTS}
    return bool({"body"} & (asked.keys() | answered.keys())) or not holds_call(beside)


def _holds_bodies(value: Tree) -> bool:
    """Whether request and response are bodies, with nothing of HTTP around."""
    parts = mapping(value)
    return all(is_whole_body(parts.get(name)) for name in _PARTS)


def _title(documents: list[Tree]) -> str:
    heads = [
        mapping(mapping(document).get(key))
        for document in documents
        for key in ("metadata", "meta")
    ]
    names = [text(each.get("name")) for each in heads]
    return next((name for name in names if name), "")


@dataclass(slots=True)
class _Remarks:
    """What was found out about one exchange while it was read."""

    lines: list[str]

    def add(self, side: str, remark: str) -> None:
        if remark:
            self.lines.append(f"{side}: {remark}")


def _sides(parts: dict[str, Tree]) -> tuple[dict[str, Tree], dict[str, Tree]]:
    """Request and response; of Azure's test proxy, out of one mapping. There a text is
    base64 where the type of its body is none of text."""
    for method in _OF_GRPC:
        if f"request_{method}" in parts:
            return _messages(*(mapping(parts.get(f"{s}_{method}")) for s in _PARTS))
    if _URI not in parts:
        return mapping(parts.get("request")), mapping(parts.get("response"))
    sides: list[dict[str, Tree]] = []
    for side in ("Request", "Response"):
        headers, body = parts.get(f"{side}Headers"), parts.get(f"{side}Body")
        kind = header(headers_of(headers), "content-type") or ""
        is_packed = isinstance(body, str) and not _OF_TEXT.search(kind)
        told = {"headers": headers, "body": body}
        sides.append(told | {"bodyEncoding": "base64"} if is_packed else told)
    asked, answered = sides
    asked |= {"uri": parts[_URI], "method": parts.get("RequestMethod")}
    return asked, answered | {"status_code": parts.get("StatusCode")}


def _messages(
    asked: dict[str, Tree], answered: dict[str, Tree]
) -> tuple[dict[str, Tree], dict[str, Tree]]:
    """Those of xAI's gRPC, as the JSON that pydantic-ai's recorder keeps beside them;
    in `kwargs` where it kept the call of the SDK."""
    sent = mapping(asked.get("json"))
    chunks = [
        mapping(each).get("chunk") for each in sequence(answered.get("chunks_json"))
    ]
    streamed: dict[str, Tree] = {"bodySegments": chunks, "headers": _STREAM}
    told = streamed if chunks else {"parsed_body": answered.get("json")}
    return {"parsed_body": sent.get("kwargs", sent)}, told


def _exchanges(interaction: Tree, folder: Path) -> tuple[list[Exchange], str]:
    """The exchange of an interaction, several for a WebSocket's; or why there is
    none."""
    parts = mapping(interaction)
    if parts.get("transport") == "websocket":
        return _from_websocket(parts), ""
    asked, answered = _sides(parts)
    if not asked and not answered:
        kind = kind_of(interaction)
        return [], f"holds neither a request nor a response ({kind}); left out"
    remarks = _Remarks([])
    request = _request(asked, folder, remarks) if asked else None
    response = None
    if answered:
        found = chunks_of(parts)
        body, remark = found if found[0] else body_of(answered, folder)
        remarks.add("response", remark)
        response = _response(answered, body)
    exchange = Exchange(
        request=request,
        response=response,
        started_at=_started_at(parts, asked),
        duration_ms=go_duration_ms(answered.get("duration")),
        remarks=tuple(remarks.lines),
    )
    return [exchange], ""


def _started_at(parts: dict[str, Tree], asked: dict[str, Tree]) -> str | None:
    recorded = next((parts[key] for key in _MOMENTS if parts.get(key)), None)
    milliseconds = number(asked.get("timestamp"))
    if recorded is None and milliseconds is not None:
        return epoch_time(milliseconds / 1000)
    return utc_time(recorded)


def _request(asked: dict[str, Tree], folder: Path, remarks: _Remarks) -> Request:
    body, remark = body_of(asked, folder)
    remarks.add("request", remark)
    method = text(asked.get("method")).lstrip(":").upper()
    return Request(
        method=method or "POST",
        url=_url(asked),
        headers=headers_of(asked.get("headers")),
        body=Body(body),
        http_version=_version(asked),
    )


def _url(asked: dict[str, Tree]) -> str:
    """The URL, whole or in parts: vcrpy before 1.0 kept `host` and `path`, test-server
    keeps the address apart from the path, which is called `url`."""
    whole_url = text(asked.get("uri")) or text(asked.get("url"))
    address = text(asked.get("serverAddress"))
    if whole_url and not (address and whole_url.startswith("/")):
        return whole_url
    host, path = (
        address or text(asked.get("host")),
        whole_url or text(asked.get("path")),
    )
    if not host:
        return path
    scheme = text(asked.get("protocol")) or "https"
    port = text(asked.get("port"))
    usual = {"https": "443", "http": "80"}.get(scheme)
    return f"{scheme}://{host}{'' if port in ('', usual) else ':' + port}{path}"


def _response(answered: dict[str, Tree], body: bytes) -> Response:
    status, reason = _status(answered)
    return Response(
        status=status,
        reason=reason,
        headers=headers_of(answered.get("headers")),
        body=Body(body),
        http_version=_version(answered),
    )


def _status(answered: dict[str, Tree]) -> tuple[int | None, str]:
    """Code and reason: `{code, message}`, a number, Go's "200 OK" beside its `code`,
    R's `{status_code, reason}`, a number beside `statusText`, or a bare
    `status_code`."""
    said = answered.get("status")
    parts = mapping(said)
    if parts:
        code = whole(parts.get("code", parts.get("status_code")))
        return code, text(parts.get("reason", parts.get("message")))
    code = next(
        (whole(answered[key]) for key in _CODES if answered.get(key) is not None), None
    )
    line = _STATUS_LINE.fullmatch(text(said))
    if line:
        reason = line[2] or text(answered.get("statusText"))
        return code if code is not None else int(line[1]), reason
    return code, ""


def _version(parts: dict[str, Tree]) -> str:
    version = text(parts.get("proto")) or text(parts.get("http_version"))
    return f"HTTP/{version}" if version[:1].isdigit() else version


def _from_websocket(parts: dict[str, Tree]) -> list[Exchange]:
    opened = mapping(parts.get("open", parts.get("connection")))
    frames = [
        (text(mapping(frame).get("direction")) == "client", frame)
        for frame in sequence(parts.get("events"))
    ]
    frames += [(True, frame) for frame in sequence(parts.get("client"))]
    frames += [(False, frame) for frame in sequence(parts.get("server"))]
    return from_frames(
        text(opened.get("url")),
        headers_of(opened.get("headers")),
        [
            (is_client, text(mapping(frame).get("body")), None)
            for is_client, frame in frames
        ],
    )
