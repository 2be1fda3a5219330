"""What a path of an HTTP API says, also of APIs that no dialect reads.

One endpoint is an origin and the path up to the API's own part: a gateway that serves
several services under one host tells them apart by what stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from sigscope.conversation import Json
from sigscope.dialects.base import Dialect, Probe
from sigscope.wire.urls import split_url

_CALLS = re.compile(
    r"/(?:chat/completions|completions|v1/complete|responses(?:/compact)?|messages"
    r"|interactions"
    r"|api/chat|api/generate|services/aigc/[\w-]+/generation"
    r"|model/[^/]+/(?:converse|converse-stream|invoke|invoke-with-response-stream)"
    r"|models/.*(?::|%3[Aa])(?:\w*[gG]enerateContent|\w*[rR]awPredict|predict))/?$"
)
"""Ends of paths that ask a model for an answer: OpenAI, Anthropic, Bedrock, Google,
Ollama, DashScope."""
_OTHERS = re.compile(
    r"(?::|%3[Aa])(?:count|embed|batchEmbed|batchGenerate|predictLong)\w*/?$"
    r"|/(?:embeddings|moderations|count_tokens|input_tokens|tokenize|files|uploads"
    r"|batches|images/\w+|audio/\w+|rerank|cachedContents|oauth2?|token|tokens)"
    r"(?:/|$)"
)
"""Paths of other methods, whose bodies may hold the same members."""
_ASKING = ("messages", "contents", "input", "prompt")
_ANSWERING = ("choices", "candidates", "output", "outputs", "steps", "completion")
_CONVERSE = frozenset(
    {"messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockIndex"}
)
"""Events of Bedrock's ConverseStream; a whole answer has {"output": {"message": ...}}.
"""


class Endpoint(NamedTuple):
    """Where one API is served."""

    origin: str
    """Scheme, host and port; empty where the recording names none."""
    base: str
    """Path up to the API's own part, without a slash at its end."""

    def __str__(self) -> str:
        return f"{self.origin}{self.base}" or "(no address recorded)"


def endpoint_of(url: str, dialects: Iterable[Dialect] = ()) -> Endpoint:
    """The endpoint that a URL, or a path, leads to."""
    parts = split_url(url)
    origin = f"{parts.scheme}://{parts.host}" if parts.scheme else ""
    for pattern in (*(dialect.operation for dialect in dialects), _CALLS):
        found = pattern.search(parts.path)
        if found:
            return Endpoint(origin, parts.path[: found.start()].rstrip("/"))
    return Endpoint(origin, parts.path.rstrip("/"))


def is_of_another(path: str, dialect: Dialect) -> bool:
    """Whether a path ends in another API's own part."""
    return not dialect.operation.search(path) and _CALLS.search(path) is not None


def is_model_call(probe: Probe, method: str | None) -> bool:
    """Whether an exchange asks a model for an answer, or for those of a batch: no list
    of models, no exchange of a token, no upload, no counting.

    `method`: None where the recording holds no request; then its answer tells.
    """
    if method is None:
        return any(map(_is_answer, probe.answers))
    if method.upper() == "GET":
        return any(map(_is_of_batch, probe.answers))
    if method.upper() != "POST" or _OTHERS.search(probe.path):
        return False
    if _CALLS.search(probe.path):
        return True
    request = probe.request
    if isinstance(request, dict) and isinstance(request.get("request"), dict):
        request = request["request"]
    return isinstance(request, dict) and any(
        isinstance(request.get(name), list | str) for name in _ASKING
    )


def _is_of_batch(answer: dict[str, Json]) -> bool:
    """A line of `/files/*/content` of OpenAI or `/messages/batches/*/results`."""
    told = (answer.get("response"), answer.get("result"))
    return "custom_id" in answer and any(isinstance(each, dict) for each in told)


def _is_answer(answer: dict[str, Json]) -> bool:
    if any(isinstance(answer.get(name), list) for name in _ANSWERING):
        return True
    output = answer.get("output")
    if _CONVERSE & answer.keys() or (isinstance(output, dict) and "message" in output):
        return True
    kind = answer.get("type", answer.get("event_type"))
    kind = kind if isinstance(kind, str) else ""
    return kind.startswith(("response.", "message", "content_block", "interaction."))
