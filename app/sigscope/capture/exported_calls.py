"""Exchanges from what tracing tools keep of a call: arguments, answer, error.

Nothing of this is bytes of the wire: the tools keep what a program handed to an SDK and
got back from it, in an order and spelling of their own, and some keep only fields they
know. Every exchange says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from sigscope.capture.modeljson import is_content, is_message
from sigscope.capture.python_repr import read_printed
from sigscope.capture.shape import Tree, mapping, sequence, text
from sigscope.capture.source import Source, parse_json
from sigscope.capture.values import json_bytes
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.utf8 import to_text
from sigscope.wire.jsonspan import item_spans

NOT_THE_WIRE = (
    "both bodies are put together from an export: values are as it keeps them, bytes,"
    " headers and fields that it leaves out are not those of the wire"
)
_NOT_WHOLE = (
    "response: this export keeps text and calls only; signatures that came are not in"
    " it. The message is kept as it is exported (--raw response), and not judged"
)
_CODE = re.compile(r"\b(?:Error code|status[ _]code|HTTP)[:= ]+([45]\d\d)\b")
_PRINTED = re.compile(r"\bError code: ([45]\d\d) - (?=\{)")
"""Behind it the Python SDKs print the body of the answer."""
_ANSWERS = frozenset({"choices", "candidates", "content", "output", "error"})


def exchange_of(
    asked: Mapping[str, Tree],
    answered: Tree,
    *,
    error: str = "",
    began: str | None = None,
    took_ms: float | None = None,
    remarks: tuple[str, ...] = (),
    is_whole: bool = True,
) -> Exchange:
    """A call with these arguments, which brought this, or this error.

    An answer that is not whole stays the message that the export has, for people to
    read: in the form of the wire it would say that signatures never came.
    """
    told = [NOT_THE_WIRE, *remarks]
    body, problem = _bytes(dict(asked))
    told += [f"request: {problem}"] if problem else []
    response = None
    if error:
        status, said = _refusal(error)
        raw, _ = _bytes(said)
        response = Response(status=status, body=Body(raw))
        told.append("response: put together from the words of an exception")
    elif answered:
        raw, problem = _bytes(answer_of(answered) if is_whole else answered)
        told += [f"response: {problem}"] if problem else []
        if is_whole:
            response = Response(status=200, body=Body(raw))
            told.append("response: the export tells no status; 200 is assumed")
        else:
            response = Response(body=Body(raw))
            told.append(_NOT_WHOLE)
    return Exchange(
        request=Request(body=Body(body)),
        response=response,
        started_at=began,
        duration_ms=took_ms,
        remarks=tuple(told),
    )


def _refusal(error: str) -> tuple[int | None, Tree]:
    """Status and body that an exception tells of, without its trace."""
    words = error.partition("\n\nTraceback (most recent")[0]
    code = _CODE.search(words)
    printed = _PRINTED.search(words)
    if printed is not None:
        body = read_printed(words[printed.end() :])
        if body.is_whole and mapping(body.value):
            return int(printed[1]), body.value
    return int(code[1]) if code else None, {"error": {"message": words}}


def answer_of(value: Tree) -> Tree:
    """A body of an answer: as it is, or around the message that there is."""
    if isinstance(value, str):
        value = {"role": "assistant", "content": value}
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    parts = mapping(value)
    is_own = "role" not in parts or parts.get("type") == "message"
    if not parts or (is_own and parts.keys() & _ANSWERS):
        return value
    return {"choices": [{"index": 0, "message": value}]}


def arguments_of(value: Tree) -> dict[str, Tree]:
    """Arguments of a call; a list of messages alone, or one, or a text, becomes them.

    Empty where it is no call of a model.
    """
    if isinstance(value, str):
        tree, error = parse_json(value) if value[:1] in ("{", "[") else (None, "text")
        value = [{"role": "user", "content": value}] if error else tree
    if is_message(value):
        value = [value]
    items = sequence(value)
    if items:
        if not any(map(is_message, items)):
            return {}
        is_gemini = any(map(is_content, items))
        return {"contents" if is_gemini else "messages": items}
    parts = mapping(value)
    keys = ("messages", "contents", "input", "prompt")
    return parts if any(parts.get(key) for key in keys) else {}


def parsed(value: Tree) -> Tree:
    """JSON in a text, parsed; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        tree, error = parse_json(value)
        return value if error else tree
    return value


def _bytes(tree: Tree) -> tuple[bytes, str]:
    try:
        return json_bytes(tree), ""
    except (ValueError, TypeError) as error:
        return b"", f"it cannot be put together: {error}"


def entries(source: Source, *keys: str) -> Iterator[tuple[str, Tree, str]]:
    """The entries of a file like `Source.entries`; of a torn one, what is whole in it:
    items of the list that it is, or of the lists of these names."""
    if not source.json_error or source.json_lines or source.first not in ("{", "["):
        yield from source.entries()
        return
    data = source.data
    if source.first == "[":
        starts = [data.index(b"[")]
    else:
        named = "|".join(map(re.escape, keys)).encode()
        opened = re.compile(rb'"(?:%b)"\s*:\s*\[' % named)
        starts = [found.end() - 1 for found in opened.finditer(data)]
    number = 0
    for start in starts:
        for at, end in item_spans(data, start):
            number += 1
            tree, error = parse_json(to_text(data[at:end]))
            yield f"entry {number}", tree, error and f"not JSON: {error}"
    if starts:
        yield "", None, f"it breaks off, after entry {number}; what follows is lost"


def between(began: str | None, ended: str | None) -> float | None:
    """Milliseconds between two times in UTC; None where one is missing."""
    if began is None or ended is None:
        return None
    took = datetime.fromisoformat(ended) - datetime.fromisoformat(began)
    return max(0.0, round(took.total_seconds() * 1000, 3))


def error_words(value: Tree) -> str:
    """The message of an error that is text, or an object with one."""
    return text(value) or text(mapping(value).get("message"))
