"""Speaking the Responses API."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from sigscope.converse.families.base import Ask, Pace, Speech
from sigscope.converse.memory import Captured, Entry
from sigscope.converse.policy import Policy, Read
from sigscope.converse.readers import Reader
from sigscope.converse.readers.responses import ResponsesReader
from sigscope.converse.tools import DECLARED
from sigscope.converse.writers.responses import ResponsesWriter
from sigscope.exchange import Headers
from sigscope.records import dataclass

_INCLUDE = "reasoning.encrypted_content"


class ResponsesHost(NamedTuple):
    url: str
    """Where it takes requests."""
    headers: Callable[[Ask], Headers]
    """Its own, the key among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponsesSpeech(Speech):
    """A speaker of the Responses API."""

    hosts: Mapping[str, ResponsesHost]
    """Its services by their names; the first is the usual one."""

    family_paces: ClassVar[tuple[Pace, ...]] = (
        (b"function_call_arguments", (30, 90)),
        (b"reasoning_summary_text", (220, 480)),
        (b"output_text.delta", (30, 80)),
        (b"response.output_item.done", (120, 260)),
    )

    chain_key: ClassVar[str] = "previous_response_id"

    def host_of(self, policy: Policy) -> ResponsesHost:
        """The service that the policy names."""
        return self.hosts.get(policy.service) or next(iter(self.hosts.values()))

    def url_of(self, ask: Ask, policy: Policy) -> str:
        return self.host_of(policy).url

    def own_headers(self, ask: Ask, policy: Policy) -> Headers:
        return self.host_of(policy).headers(ask)

    def body(
        self,
        ask: Ask,
        policy: Policy,
        entries: Sequence[Entry],
        chosen: Mapping[int, tuple[Captured, ...]],
    ) -> dict[str, Any]:
        items = policy.items
        body: dict[str, Any] = {
            "model": ask.model,
            "instructions": policy.client.system,
            **ResponsesWriter(policy).body(entries, chosen),
            "stream": ask.stream,
            "store": items.store,
        }
        if items.include:
            body["include"] = [_INCLUDE]
        if items.summary:
            body["reasoning"] = {"summary": items.summary}
        if ask.tools:
            body["tools"] = [{"type": "function", **one} for one in DECLARED]
            body["tool_choice"] = "auto"
            body |= policy.client.body
        return body

    def reader(self, read: Read) -> Reader:
        return ResponsesReader(read)
