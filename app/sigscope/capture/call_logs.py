"""Logs that SDKs and their users write: calls and answers without HTTP around them.

    {"messages": [...], "tools": [...], "kwargs": {...}, "response": {...}}
    {"request": {...}, "response": {...}}
    {"method": "generateContentStream", "response": [{...}, {...}]}      one a line
    {"key": "r1", "request": {...}}     {"key": "r1", "response": {...}} one a line

    {"messages": [...], "model_parameters": {...}, "response": null,
     "error_str": "litellm.BadRequestError: ...", "error_information": {"error_code":
     "400"}, "startTime": 1.5, "endTime": 2.5, "api_base": "https://h/v1"}

They stand alone, in a JSON list, or one a line. The third is what gemini-cli replays in
its tests: answers only. The fourth are input and output of Gemini's batches
(ai.google.dev, "Batch API"): no side knows the other. The last is LiteLLM's
StandardLoggingPayload (litellm/types/utils.py of BerriAI/litellm, read 2026-11), which
has the words of an error instead of its body. None has headers; address and status
stand in home-made ones, beside the bodies. Where the request is kept whole, and for
every answer, the bytes of the log are taken; a request whose parts are strewn over the
log is put together, and said to be. An answer that is not an error counts as status
200 where the log tells none, with a remark.
"""

from __future__ import annotations

from sigscope.capture.base import Imported
from sigscope.capture.flat import status_of, url_of
from sigscope.capture.shape import Tree, mapping, number, sequence, text
from sigscope.capture.source import JsonLine, Source
from sigscope.capture.values import epoch_time, json_bytes, text_bytes
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Framing, Request, Response
from sigscope.session import Problem
from sigscope.wire.jsonspan import item_spans, member_span, skip_space

_ASKS = frozenset({"messages", "contents", "input", "request", "prompt"})

_BODY_FIELDS = (
    "model",
    "messages",
    "contents",
    "input",
    "prompt",
    "system",
    "systemInstruction",
    "system_instruction",
    "generationConfig",
    "tools",
    "tool_choice",
    "toolConfig",
    "stream",
)
"""Fields of a log that are fields of the request too."""
_PARAMETERS = ("kwargs", "model_parameters", "optional_params", "extra_body")
"""Objects of a log whose members are fields of the request."""

_ERRORS = ("error_str", "error_information")
_IN_WORDS = (
    "response: the log keeps only the words of the error; the body is put together"
)
_ASSUMED = "response: the log tells no status; 200 is assumed, as it holds an answer"
_STREWN = "request: put together from the parts that the log keeps"


def recognise(source: Source) -> bool:
    """Whether there are calls with answers, or answers by method."""
    return _is_call(source.first_entry)


def read(source: Source) -> Imported:
    """Read each call. Raises InputError where there is none."""
    exchanges: list[Exchange] = []
    problems: list[Problem] = []
    for line in _entries(source):
        if line.error:
            message = f"not JSON: {line.error}; left out"
            problems.append(Problem(message=message, where=line.where))
        elif not _is_call(line.tree):
            message = "holds no call with an answer; left out"
            problems.append(Problem(message=message, where=line.where))
        else:
            exchanges.append(_exchange(line))
    if not exchanges:
        raise InputError("it is no log of calls with their answers", path=source.name)
    return Imported(exchanges=tuple(exchanges), problems=tuple(problems))


def _entries(source: Source) -> tuple[JsonLine, ...]:
    """The calls: the lines of the file, the items of a list, or the one document."""
    if source.json_error:
        return source.json_lines
    start = source.data.index(source.first.encode())
    if source.first == "{":
        return (JsonLine(1, start, source.data[start:], source.json, ""),)
    return tuple(
        JsonLine(number, at, source.data[at:end], tree, "", "entry")
        for number, (tree, (at, end)) in enumerate(
            zip(sequence(source.json), item_spans(source.data, start), strict=True),
            start=1,
        )
    )


def _is_call(tree: Tree) -> bool:
    parts = mapping(tree)
    if _is_batched(parts):
        return True
    if not isinstance(parts.get("response"), dict | list):
        return bool(_ASKS & parts.keys()) and any(parts.get(key) for key in _ERRORS)
    return isinstance(parts.get("method"), str) or bool(_ASKS & parts.keys())


def _is_batched(parts: dict[str, Tree]) -> bool:
    """A line of a batch; `key` may be missing where a request stands alone."""
    sides = [parts[key] for key in ("request", "response", "error") if key in parts]
    return isinstance(parts.get("key"), str) and any(isinstance(s, dict) for s in sides)


def _exchange(line: JsonLine) -> Exchange:
    parts = mapping(line.tree)
    remarks: list[str] = []
    request = _request(line, parts, remarks)
    response: Response | None
    if any(parts.get(key) for key in _ERRORS) and not parts.get("response"):
        response = _refusal(parts, remarks)
    elif "response" in parts:
        response = _answer(line, parts, request, remarks)
    else:
        response = Response(body=Body(line.raw)) if "error" in parts else None
    began, latency = _times(parts)
    return Exchange(
        request=request,
        response=response,
        started_at=epoch_time(began),
        duration_ms=round(latency * 1000, 3) if latency is not None else None,
        remarks=tuple(remarks),
    )


def _answer(
    line: JsonLine,
    parts: dict[str, Tree],
    request: Request | None,
    remarks: list[str],
) -> Response:
    answer = _slice(line, "response")
    framing: Framing = "json-list" if answer.startswith(b"[") else "json"
    status = status_of(parts)
    if status is None and request is not None and not _is_error(parts["response"]):
        status = 200
        remarks.append(_ASSUMED)
    return Response(status=status, body=Body(answer), framing=framing)


def _refusal(parts: dict[str, Tree], remarks: list[str]) -> Response:
    """The error that a log has in words, in the shape in which LiteLLM sends it on."""
    told = mapping(parts.get("error_information"))
    words = text(parts.get("error_str")) or text(told.get("error_message"))
    code = text(told.get("error_code"))
    error: dict[str, Tree] = {"message": words, "code": code or None}
    remarks.append(_IN_WORDS)
    status = int(code) if code.isdigit() and len(code) == 3 else None
    return Response(status=status, body=Body(json_bytes({"error": error})))


def _times(parts: dict[str, Tree]) -> tuple[float | None, float | None]:
    """When it began, in seconds since 1970, and how many seconds it took."""
    began, ended = number(parts.get("startTime")), number(parts.get("endTime"))
    if began is not None:
        took = ended - began if ended is not None and ended >= began else None
        return began, took
    latency, ended = number(parts.get("latency_sec")), number(parts.get("timestamp"))
    return (None if ended is None else ended - (latency or 0.0)), latency


def _request(
    line: JsonLine, parts: dict[str, Tree], remarks: list[str]
) -> Request | None:
    if not _ASKS & parts.keys():
        asked = text(parts.get("method")) or text(parts.get("key"))
        remarks.append(f"the log keeps only the answer to {asked}")
        return None
    if isinstance(parts.get("request"), dict):
        url = url_of(parts)
        is_known = url.startswith(("http://", "https://", "/"))
        return Request(url=url if is_known else "", body=Body(_slice(line, "request")))
    body: dict[str, Tree] = {
        key: parts[key] for key in _BODY_FIELDS if parts.get(key) is not None
    }
    for key in _PARAMETERS:
        for name, value in mapping(parts.get(key)).items():
            if name not in _PARAMETERS:
                body.setdefault(name, value)
    if "model" not in body:
        model = text(mapping(parts["response"]).get("model"))
        body = {"model": model, **body} if model else body
    remarks.append(_STREWN)
    try:
        raw = json_bytes(body)
    except ValueError as error:
        raw = b""
        remarks.append(f"request: it cannot be put together: {error}")
    return Request(url=_path(parts), body=Body(raw))


def _path(parts: dict[str, Tree]) -> str:
    """Where LiteLLM sent it, or the path that such a call goes to by default; else the
    host is not in the log."""
    if "startTime" in parts and text(parts.get("api_base")):
        return text(parts.get("api_base"))
    return "/chat/completions" if "messages" in parts and "kwargs" in parts else ""


def _slice(line: JsonLine, name: str) -> bytes:
    """The bytes of a member as the log spells them."""
    span = member_span(line.raw, skip_space(line.raw, 0), name)
    return line.raw[span[0] : span[1]] if span else text_bytes("")


def _is_error(answer: Tree) -> bool:
    return "error" in mapping(answer)
