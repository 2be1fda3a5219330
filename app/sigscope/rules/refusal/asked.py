"""What a refused request asked for."""

from __future__ import annotations

from sigscope.reader import Reading
from sigscope.rules.retries import CONVERSATION

BESIDES = (
    "/embeddings", "/moderations", "/count_tokens", "/tokenize", "/token", "/files",
    "/uploads", "/models", "/batches", ":countTokens", ":embedContent",
    ":batchEmbedContents", "/cachedContents", "/api/show", "/api/pull",
)  # fmt: skip
"""Ends of the paths of what clients ask beside the conversation."""


def is_model_call(reading: Reading) -> bool:
    """Whether a request asked a model to go on with a conversation.

    Where the recording holds no request, it is taken for one: nothing may pass as fine
    for want of a record. One without a body is one where its dialect is known, or where
    its path is that of such calls.
    """
    request = reading.exchange.request
    if request is None:
        return True
    path = reading.probe.path.rstrip("/")
    if request.method not in ("POST", "") or path.endswith(BESIDES):
        return False
    body = reading.request_json
    if isinstance(body, dict) and body:
        return "model" in body or not CONVERSATION.isdisjoint(body)
    return reading.dialect is not None or reading.is_model_call


def request_line(reading: Reading) -> str:
    """ "GET /v1/models"; without the query, which may hold a key."""
    request = reading.exchange.request
    method = request.method if request else ""
    return f"{method} {reading.probe.path or '/'}".strip()
