"""`reasoning_details`: what a request sends, and what the response had brought."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from sigscope.conversation import Json, Role
from sigscope.records import dataclass
from sigscope.rules.base import Subject
from sigscope.rules.edits import node
from sigscope.rules.places import reply_of

ENCRYPTED, SUMMARY, TEXT = "reasoning.encrypted", "reasoning.summary", "reasoning.text"
SERVER_TOOL = "reasoning.server_tool_call"
TYPES = frozenset({ENCRYPTED, SUMMARY, TEXT, SERVER_TOOL})
"""Entry types that are known (docs/wire/openrouter.md#carriers)."""

OPENAI_FORMATS = ("openai-responses-v1", "azure-openai-responses-v1")
CLAUDE_FORMATS = ("anthropic-claude-v1", None)
"""An absent format means the Anthropic one ([docs])."""
FORMATS = (
    "google-gemini-v1",
    "anthropic-claude-v1",
    *OPENAI_FORMATS,
    "xai-responses-v1",
    "unknown",
)
"""All that are known (docs/wire/openrouter.md#carriers)."""

Surface = Literal["ai-studio", "vertex"]
SLUGS: dict[Surface, str] = {"ai-studio": "google-ai-studio", "vertex": "google-vertex"}
"""Names by which `provider.only` and `provider.order` ask for Google's surfaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailsEntry:
    """One entry of a message in the request."""

    index: int
    """Of the message."""
    pointer: str
    value: dict[str, Json]

    @property
    def type(self) -> str:
        """As it stands; empty where it is no string."""
        found = self.value.get("type")
        return found if isinstance(found, str) else ""

    @property
    def id(self) -> str | None:
        """None where it is null, absent or empty."""
        found = self.value.get("id")
        return found if isinstance(found, str) and found else None


def entries(subject: Subject, index: int) -> Iterator[DetailsEntry]:
    """The entries that a message of the request carries."""
    for number, value in enumerate(details_of(subject.reading.entries[index])):
        if isinstance(value, dict):
            yield entry_at(subject, index, number)


def entry_at(subject: Subject, index: int, number: int) -> DetailsEntry:
    """One entry of a message, by its place in the list."""
    at = f"{subject.messages[index].pointer}/reasoning_details/{number}"
    value = details_of(subject.reading.entries[index])[number]
    return DetailsEntry(index=index, pointer=at, value=value)


def details_of(raw: Json) -> list[Json]:
    """The entries in the JSON of a message, of whatever type."""
    found = raw.get("reasoning_details") if isinstance(raw, dict) else None
    return found if isinstance(found, list) else []


def all_entries(subject: Subject) -> Iterator[DetailsEntry]:
    """The entries of all messages of the model."""
    for index, message in enumerate(subject.messages):
        if message.role is Role.ASSISTANT:
            yield from entries(subject, index)


def received_entries(subject: Subject, index: int) -> list[Json] | None:
    """What the response that a message comes from had brought, assembled; None where
    the recording does not hold that response."""
    reply = reply_of(subject, index)
    if reply is None or reply.reply.message is None:
        return None
    at = f"{reply.reply.message.pointer}/reasoning_details"
    found = node(reply.response_json, at)
    return found if isinstance(found, list) else []


def is_of(entry: dict[str, Json], formats: tuple[str | None, ...]) -> bool:
    return entry.get("format") in formats


@lru_cache(maxsize=256)
def google_surface(provider: str) -> Surface | None:
    """Which of Google's surfaces a provider's display name, or slug, is
    (docs/wire/openrouter.md#ort-1)."""
    name = provider.lower().replace(" ", "-")
    if name.startswith("google-ai-studio"):
        return "ai-studio"
    return "vertex" if name == "google" or name.startswith("google-vertex") else None
