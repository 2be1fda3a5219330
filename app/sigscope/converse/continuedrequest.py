"""What a conversation goes on from: a request that somebody else's client has sent.

It stays as it is, to the byte, and what is said from here on is written behind its
history by a policy. So the policy's mistakes are those of the new messages; settings,
tools, system prompt and headers are the recorded client's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from sigscope.converse.families.base import Speech
from sigscope.edits.apply import apply_to_request
from sigscope.edits.records import Edit, Op
from sigscope.exchange import Request
from sigscope.pointer import escape
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinuedRequest:
    """The request, decoded, and where its history stands."""

    request: Request
    """What is sent behind, each time again."""
    first: Request
    """What is sent first: the same, with edits."""
    history: str
    """JSON Pointer of the list of messages."""
    results: Mapping[str, str] = field(default_factory=dict)
    """What the recorded tools returned last, by name: ours are other ones."""

    def opening(self, speech: Speech, *, stream: bool) -> Request:
        """The first request: nothing was said yet."""
        return _streamed(self.first, speech, stream=stream)

    def extended(
        self,
        speech: Speech,
        bare: Mapping[str, Any],
        body: Mapping[str, Any],
        *,
        stream: bool,
    ) -> Request:
        """The request with what was said since. `body`: as the policy writes it by
        itself; `bare`: the same without any entry. Raises EditError."""
        key = self.history.rpartition("/")[2]
        new = body[key][len(bare[key]) :]
        chain = speech.chain_key
        edits = [_insert(f"{self.history}/-", entry) for entry in new]
        if chain and chain in body:
            edits = [_set(self.history, new), _set(f"/{escape(chain)}", body[chain])]
        request = apply_to_request(edits, self.request)
        return _streamed(request, speech, stream=stream)


def _streamed(request: Request, speech: Speech, *, stream: bool) -> Request:
    edits = speech.streaming(request.url, _members(request), stream=stream)
    return apply_to_request(edits, request)


def _members(request: Request) -> Mapping[str, Any]:
    try:
        body = json.loads(request.body.raw)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _insert(pointer: str, value: Any) -> Edit:
    return Edit(op=Op.INSERT, pointer=pointer, value=_text(value))


def _set(pointer: str, value: Any) -> Edit:
    return Edit(op=Op.SET, pointer=pointer, value=_text(value))


def _text(value: Sequence[Any] | Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
