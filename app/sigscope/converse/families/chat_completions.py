"""Speaking chat completions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar

from sigscope.converse.families.base import Ask, Pace, Speech
from sigscope.converse.memory import Captured, Entry
from sigscope.converse.policy import Policy, Read
from sigscope.converse.readers import Reader
from sigscope.converse.readers.chat import ChatReader
from sigscope.converse.tools import DECLARED
from sigscope.converse.writers.chat import ChatWriter
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSpeech(Speech):
    """A speaker of chat completions."""

    url: str
    """Where the real service takes them."""
    surfaces: Mapping[str, str] = field(default_factory=dict)
    """The same of other surfaces that a policy may name."""

    family_paces: ClassVar[tuple[Pace, ...]] = (
        (b"tool_calls", (60, 180)),
        (b"reasoning_content", (260, 520)),
        (b'"content":"', (30, 80)),
    )

    def url_of(self, ask: Ask, policy: Policy) -> str:
        return self.surfaces.get(policy.surface or "", self.url)

    def body(
        self,
        ask: Ask,
        policy: Policy,
        entries: Sequence[Entry],
        chosen: Mapping[int, tuple[Captured, ...]],
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": ask.model,
            "messages": ChatWriter(policy).messages(entries, chosen),
            "stream": ask.stream,
        }
        if ask.tools:
            body["tools"] = [{"type": "function", "function": one} for one in DECLARED]
            body["tool_choice"] = "auto"
            body |= policy.client.body
        return body

    def reader(self, read: Read) -> Reader:
        return ChatReader(read)
