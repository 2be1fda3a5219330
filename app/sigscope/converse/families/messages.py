"""Speaking Messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from sigscope.converse.families.base import KEY, Ask, Pace, Speech
from sigscope.converse.memory import Captured, Entry
from sigscope.converse.policy import Policy, Read
from sigscope.converse.readers import Reader
from sigscope.converse.readers.messages import MessagesReader
from sigscope.converse.tools import DECLARED
from sigscope.converse.writers.messages import MessagesWriter
from sigscope.edits.records import Edit
from sigscope.exchange import Headers
from sigscope.records import dataclass

BUDGET = {"type": "enabled", "budget_tokens": 2048}


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesSpeech(Speech):
    """A speaker of Messages."""

    url: str

    family_paces: ClassVar[tuple[Pace, ...]] = (
        (b"tool_use", (140, 320)),
        (b"thinking_delta", (60, 140)),
        (b"text_delta", (50, 120)),
    )

    def url_of(self, ask: Ask, policy: Policy) -> str:
        return self.url

    def own_headers(self, ask: Ask, policy: Policy) -> Headers:
        return (("x-api-key", KEY), ("anthropic-version", "2023-06-01"))

    def body(
        self,
        ask: Ask,
        policy: Policy,
        entries: Sequence[Entry],
        chosen: Mapping[int, tuple[Captured, ...]],
    ) -> dict[str, Any]:
        """A tool loop thinks with a budget, unless the policy's body says otherwise."""
        body: dict[str, Any] = {
            "model": ask.model,
            "max_tokens": 8192,
            "system": policy.client.system,
            "messages": MessagesWriter(policy).messages(entries, chosen),
        }
        if ask.stream:
            body["stream"] = True
        if ask.tools:
            body["thinking"] = BUDGET
            body["tools"] = [
                {
                    "name": tool["name"],
                    "description": tool["description"],
                    "input_schema": tool["parameters"],
                }
                for tool in DECLARED
            ]
            body |= policy.client.body
        return body

    def streaming(
        self, url: str, body: Mapping[str, Any], *, stream: bool
    ) -> tuple[Edit, ...]:
        """Vertex and Bedrock say it in paths of their own, which are left as they
        are."""
        if not url.partition("?")[0].endswith("/messages"):
            return ()
        # A class with slots is made twice; super() would mean the first one.
        return super(MessagesSpeech, self).streaming(url, body, stream=stream)  # noqa: UP008

    def reader(self, read: Read) -> Reader:
        return MessagesReader(read)
