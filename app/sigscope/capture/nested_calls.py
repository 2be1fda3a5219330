"""JSON of any form in which request and answer of a call stand within one object.

    {"operation": "InvokeModel", "input": {"inputBodyJson": {"messages": [...]}},
     "output": {"outputBodyJson": {"type": "message", ...}}}
    {"op_name": "...", "inputs": {"messages": [...]}, "output": {"choices": [...]}}
    {"data": {"pairs": [{"request": {"path": [{"value": "/v1/x"}], "body": [{"matcher":
     "json", "value": "{...}"}]}, "response": {"status": 200, "body": "{...}"}}]}}
    {"attributes": {"input": {"value": "{...}"}, "output": {"value": "{...}"}}}
    {"httpRequest": {"path": "/v1/x", "body": {"json": {...}, "rawBytes": "ewog..."}},
     "httpResponse": {"statusCode": 200, "headers": {...}, "body": {"string": "..."}}}

Whatever the members are called: the bodies are known by their own shape, parsed, as
text or in base64, and the smallest object that holds one of each is a call. Address,
status and time are what stands in it beside the bodies; headers are of the body in
whose object they stand. Objects that hold more of both, and bodies that have no other
side, give no call of two sides: what is alone is read as alone. An object with messages
and the answer side by side is a call, too: its fields that requests have are one.
Such are Bedrock's log of invocations, exports of Weave, Opik and Phoenix, simulations
of Hoverfly, expectations of MockServer, tapes of talkback, collections of Postman with
saved answers, caches by hash, the logs of Kong and Cloudflare's AI Gateway. It is tried
after all forms that are known by name. Mocks of Keploy and collections of Insomnia are
the same in YAML. Collections without answers (Postman, Insomnia) give their requests.
Source: docs.aws.amazon.com, "Model invocation logging"; docs.wandb.ai, Weave, "Calls";
comet.com, Opik, "Log traces"; docs.hoverfly.io, "Simulations"; mock-server.com, "Record
and replay", and the expectations in n8n-io/n8n; ijpiantanida/talkback, README;
developer.konghq.com, "AI Gateway audit log reference"; developers.cloudflare.com, AI
Gateway, "Logging" (all read 2026-11).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field, replace
from itertools import count
from operator import attrgetter

from sigscope.capture.bare import response_of
from sigscope.capture.base import Imported
from sigscope.capture.bodies import noted, text_or_tree
from sigscope.capture.exported_calls import parsed
from sigscope.capture.flat import status_of
from sigscope.capture.history import NO_ANSWER
from sigscope.capture.kept_events import maybe_stream
from sigscope.capture.modeljson import (
    REQUEST_FIELDS,
    is_asking,
    is_message,
    is_streamed_json,
    is_whole_answer,
    is_whole_body,
)
from sigscope.capture.shape import Tree, mapping, sequence, text, whole
from sigscope.capture.source import Source, parse_json
from sigscope.capture.values import (
    base64_bytes,
    headers_of,
    moment_of,
    unfolds_too_far,
)
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request, Response, header
from sigscope.records import dataclass
from sigscope.session import Problem
from sigscope.utf8 import to_text

_DEEPEST = 24
"""Objects and texts within each other in which bodies are looked for."""
_STREAM = re.compile(r"\s*(?:event:[^\n]*\n)?data: ?[{\[]")
_CODED = re.compile(
    r"(?:eyJ|eyA|ewo|ew0|W1|W3|Wy|ZGF0YT|ZXZlbnQ6)[\w+/=-]{60,}", re.ASCII
)
"""Base64 of what begins like JSON or a stream."""
_HINT = re.compile(
    rb'\\*"(?:messages|contents|input)\\*"\s*:|"(?:eyJ|eyA|ewo|ew0)[\w+/=-]{60}'
)
_IN_YAML = re.compile(
    rb"(?:---\s+)?(?:type: collection\.insomnia|version: api\.keploy\.io)/?"
)
_LOOKED_AT = 200
_ADDRESS = re.compile(
    r"(?:https?://[^\s/]+)?/[^\s{}]*(?:completions|messages|responses|[gG]enerateContent"
    r"|/invoke\S*|/converse\S*)(?:\?\S*)?"
)
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?")
_HOSTS = frozenset({"destination", "host", "hostname"})
_TIMES = (
    "timestamp",
    "started_at",
    "startedAt",
    "start_time",
    "startTime",
    "created_at",
    "createdAt",
    "datetime_utc",
    "time",
    "ts",
)
_HEADERS = frozenset({"header", "headers"})
_VALUES = frozenset({"raw", "value"})
"""Members that say what the one around them is."""
_NO_ADDRESS = (
    "the recording names no address: if it is an export of a tracing tool, fields that"
    " were sent may not be in it"
)
_MODELS = ("assistant", "model")
_ERROR = frozenset({"error", "type", "request_id", "user_id"})
_ANSWERS = frozenset({"candidates", "choices", "output", "response"})


@dataclass(slots=True)
class _Call:
    """One or both sides of a call, and what stands beside them."""

    place: int
    """Grows from the beginning of a file to its end; that of the request, if any."""
    asked: Tree = None
    answered: Tree = None
    headers: Tree = None
    """Of the one side that it has; of two, of the request."""
    answered_headers: Tree = None
    beside: dict[str, Tree] = field(default_factory=dict)
    """Plain values of the objects that hold both sides, the innermost first."""

    @property
    def body(self) -> Tree:
        """That of the one side that it has; of two, the request."""
        return self.answered if self.asked is None else self.asked

    def with_answer(self, other: _Call) -> _Call:
        """A request with the answer of another."""
        return replace(self, answered=other.answered, answered_headers=other.headers)


@dataclass(slots=True)
class _Found:
    """What an object holds."""

    calls: list[_Call] = field(default_factory=list)
    asked: list[_Call] = field(default_factory=list)
    """Requests without an answer so far; in `answered` the other way round."""
    answered: list[_Call] = field(default_factory=list)
    plain: dict[str, Tree] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether there is no body in it."""
        return not (self.calls or self.asked or self.answered)

    def add(self, other: _Found, name: str = "") -> None:
        """Take in what a member of that name, or an item of a list, holds."""
        self.calls += other.calls
        self.asked += other.asked
        self.answered += other.answered
        for inner, value in other.plain.items():
            self.plain.setdefault(name if inner in _VALUES and name else inner, value)

    def give_headers(self, headers: Tree) -> None:
        """Headers that stand in an object with bodies of one side are of those."""
        if not self.calls and not (self.asked and self.answered):
            for call in (*self.asked, *self.answered):
                call.headers = headers if call.headers is None else call.headers

    def close(self) -> None:
        """Make a call of the two sides that an object has; tell the one call that it
        has what else is in it."""
        asked, answered = _only(self.asked), _only(self.answered)
        if asked is not None and answered is not None:
            self.calls.append(asked.with_answer(answered))
            self.asked, self.answered = [], []
        # Postman keeps the request beside each saved answer once more.
        paired = [call.asked for call in self.calls]
        self.asked = [call for call in self.asked if call.asked not in paired]
        if len(self.calls) == 1 and not self.asked and not self.answered:
            for name, value in self.plain.items():
                self.calls[0].beside.setdefault(name, value)
            self.plain = {}
        elif len(self.asked) == 1 and not self.calls and not self.answered:
            self.asked[0].beside = {**self.plain, **self.asked[0].beside}


def recognise(source: Source) -> bool:
    """Whether an object in it holds both sides of a call."""
    return any(found.calls for found in _looked_at(source))


def recognise_alone(source: Source) -> bool:
    """Whether a request of a model's API is kept in it as text, as clients for HTTP
    keep what they are to send."""
    return any(
        isinstance(call.asked, str)
        for found in _looked_at(source)
        for call in found.asked
    )


def _looked_at(source: Source) -> Iterator[_Found]:
    if source.is_folder or not _may_hold(source):
        return
    if source.first != "{" or not is_whole_body(source.json):
        yield from (found for _, found, _ in _walked(source))


def _may_hold(source: Source) -> bool:
    is_json = source.first in ("{", "[") or _is_yaml(source)
    return is_json and _HINT.search(source.data) is not None


def _is_yaml(source: Source) -> bool:
    return _IN_YAML.match(source.data, 0, _LOOKED_AT) is not None


def holds_call(tree: Tree) -> bool:
    """Whether an object in the tree holds both sides of a call."""
    return bool(_walk(tree, count()).calls)


def read(source: Source) -> Imported:
    """Read each call. Raises InputError where there is none."""
    imported = read_alone(source)
    if not any(each.request and each.response for each in imported.exchanges):
        raise InputError("no object in it holds both sides of a call", path=source.name)
    return imported


def read_alone(source: Source) -> Imported:
    """Read each call, and each body without its other side. Raises InputError where
    there is none."""
    calls: list[_Call] = []
    problems: list[Problem] = []
    for where, found, error in _walked(source):
        if error:
            problems.append(Problem(message=f"{error}; left out", where=where))
        alone = found.asked + found.answered
        # An object is read after those in it, which may have followed on its call.
        calls += sorted(found.calls + alone, key=attrgetter("place"))
    if not calls:
        raise InputError("it holds no body of a model's API", path=source.name)
    return Imported(exchanges=tuple(map(_exchange, calls)), problems=tuple(problems))


def _walked(source: Source) -> Iterator[tuple[str, _Found, str]]:
    places = count()
    entries = _yaml_entries(source) if _is_yaml(source) else source.entries()
    for where, tree, error in entries:
        found = _Found() if error else _walk(tree, places)
        yield where, found, error


def _yaml_entries(source: Source) -> Iterator[tuple[str, Tree, str]]:
    documents, problems = source.read_yaml()
    for number, tree in enumerate(documents, start=1):
        is_bomb = unfolds_too_far(tree)
        told = "its aliases unfold to more than any recording has" if is_bomb else ""
        yield f"document {number}", None if is_bomb else tree, told
    for problem in problems:
        yield problem.where, None, problem.message.removesuffix("; left out")


def _walk(tree: Tree, places: Iterator[int], depth: int = 0) -> _Found:
    """What an entry of a file holds. `places`: numbers for the bodies in it."""
    found = _Found()
    if depth > _DEEPEST:
        return found
    if isinstance(tree, str):
        return _walk_text(tree, places, depth)
    if _is_answer(tree):
        found.answered.append(_Call(next(places), answered=tree))
    elif isinstance(tree, dict):
        if _is_request(tree):
            found.asked.append(_Call(next(places), asked=tree))
            return found
        place = next(places)
        for name, value in tree.items():
            inner = _walk(value, places, depth + 1)
            is_plain = isinstance(value, str | int | float) and inner.is_empty
            if is_plain:
                found.plain.setdefault(text(name), value)
            found.add(inner, text(name))
        for name, value in tree.items():
            if text(name).lower() in _HEADERS and isinstance(value, dict | list):
                found.give_headers(value)
        if len(found.answered) == 1 and not (found.asked or found.calls):
            strewn = _strewn(tree)
            found.asked += [_Call(place, asked=strewn)] if strewn else []
        found.close()
    elif isinstance(tree, list):
        for item in tree:
            found.add(_walk(item, places, depth + 1))
    return found


def _walk_text(value: str, places: Iterator[int], depth: int) -> _Found:
    found = _Found()
    if _CODED.fullmatch(value):
        plain = base64_bytes(value)
        return found if plain is None else _walk_text(to_text(plain), places, depth)
    begin = value.lstrip()[:1]
    if _STREAM.match(value):
        found.answered.append(_Call(next(places), answered=value))
    elif begin in ("{", "["):
        tree, error = parse_json(value)
        if not error and isinstance(tree, dict | list):
            found = _walk(tree, places, depth + 1)
            for call in (*found.asked, *found.answered):
                # The text itself is nearer to the wire than what was parsed of it.
                if call.asked is tree:
                    call.asked = value
                elif call.answered is tree:
                    call.answered = value
    return found


def _is_request(tree: Tree) -> bool:
    parts = mapping(tree)
    is_short = isinstance(parts.get("input"), str) and "model" in parts
    return is_asking(tree) or (is_short and not _ANSWERS & parts.keys())


def _strewn(tree: Tree) -> Tree:
    """The fields of a request, of an object with the answer beside them; None where it
    has no messages, or the answer is the last of them."""
    parts = mapping(tree)
    said = (sequence(parts.get(name)) for name in ("messages", "contents", "input"))
    last = next((items[-1] for items in said if any(map(is_message, items))), None)
    is_told = any(_is_answer(parsed(value)) for value in parts.values())
    if last is None or not is_told or mapping(last).get("role") in _MODELS:
        return None
    return {name: parts[name] for name in REQUEST_FIELDS if parts.get(name) is not None}


def _is_answer(tree: Tree) -> bool:
    if isinstance(tree, list):
        # What an agent keeps has a `message` or an `error`, too.
        items = [{**mapping(item), "message": None, "error": None} for item in tree[:8]]
        is_stream = bool(items) and all(map(is_streamed_json, items))
        is_stream = is_stream and not any(map(is_whole_answer, items))
        return is_stream or maybe_stream(sequence(tree)) is not None
    parts = mapping(tree)
    told = mapping(parts.get("error"))
    if told and parts.keys() <= _ERROR:
        return bool(told.keys() & {"code", "status", "type"}) and "message" in told
    is_listed = any(isinstance(parts.get(k), list) for k in ("candidates", "choices"))
    return is_whole_answer(tree) or is_listed


def _only(calls: list[_Call]) -> _Call | None:
    """The one that all others repeat; None where there are several, or none. Some forms
    keep a body twice, often parsed and as text, which is nearer to the wire."""
    texts = [call for call in calls if isinstance(call.body, str)]
    are_mixed = len(texts) < len(calls)

    def body_of(call: _Call) -> Tree:
        if not are_mixed or not isinstance(call.body, str):
            return call.body
        tree, error = parse_json(call.body)
        return call.body if error else tree

    nearest = next(iter(texts or calls), None)
    if nearest is None:
        return None
    said = body_of(nearest)
    return nearest if all(body_of(call) == said for call in calls) else None


def _exchange(call: _Call) -> Exchange:
    remarks: list[str] = []
    request = response = None
    if call.asked is not None:
        asked = noted(text_or_tree(call.asked), "request", remarks)
        headers = headers_of(call.headers)
        url = _url(call.beside, header(headers, "host") or "")
        request = Request(url=url, headers=headers, body=Body(asked))
        if not request.url:
            remarks.append(_NO_ADDRESS)
    if call.answered is not None:
        response = _response(call, remarks)
    else:
        remarks.append(NO_ANSWER)
    moments = (call.beside.get(name) for name in _TIMES)
    return Exchange(
        request=request,
        response=response,
        started_at=next(filter(None, map(moment_of, moments)), None),
        remarks=tuple(remarks),
    )


def _response(call: _Call, remarks: list[str]) -> Response:
    stream = maybe_stream(sequence(call.answered))
    found = text_or_tree(call.answered) if stream is None else stream
    response = response_of(noted(found, "response", remarks))
    status = status_of(call.beside) or whole(call.beside.get("code"))
    is_status = status is not None and 100 <= status <= 599
    headers = headers_of(call.headers if call.asked is None else call.answered_headers)
    return replace(response, status=status if is_status else None, headers=headers)


def _url(beside: dict[str, Tree], host: str) -> str:
    """The address, as far as one stands beside the bodies."""
    said = [value for value in beside.values() if isinstance(value, str)]
    found = [each for each in said if _ADDRESS.fullmatch(each)]
    url = next((each for each in found if "://" in each), next(iter(found), ""))
    hosts = [text(beside.get(name)) for name in _HOSTS]
    host = next((each for each in (*hosts, host) if _HOST.fullmatch(each)), "")
    return f"https://{host}{url}" if host and url.startswith("/") else url
