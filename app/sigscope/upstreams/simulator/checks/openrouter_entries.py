"""Entries of `reasoning_details`: their schema (ORT-2), and what is in them."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.records import dataclass
from sigscope.upstreams.simulator.records import (
    Json,
    Refusal,
    as_dict,
    as_list,
    as_text,
)
from sigscope.upstreams.simulator.texts import openrouter as texts

FORMATS: dict[str, str] = {
    "google": "google-gemini-v1",
    "anthropic": "anthropic-claude-v1",
    "openai": "openai-responses-v1",
    "xai": "xai-responses-v1",
}
_PAYLOADS = {
    "reasoning.summary": "summary",
    "reasoning.encrypted": "data",
    "reasoning.text": "",
    "reasoning.server_tool_call": "",
}
"""Entry types, and the key each cannot do without (ORT-2)."""
_FORMATS = (*FORMATS.values(), "unknown", "azure-openai-responses-v1")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentEntry:
    """One entry of `reasoning_details`, with its place."""

    value: dict[str, Json]
    pointer: str
    message: int
    """Index of its message in the request."""

    def text(self, key: str) -> str:
        return as_text(self.value.get(key))

    def is_for(self, vendor: str, *, strict: bool) -> bool:
        """An absent format means Claude's, as documented; whether the upstreams of
        others really miss it then is not known, so lenient does not insist."""
        spoken = self.value.get("format")
        if not spoken:
            return vendor == "anthropic" or not strict
        return spoken in (FORMATS.get(vendor, ""), "unknown") or (
            vendor == "openai" and spoken == "azure-openai-responses-v1"
        )


def read_entries(messages: list[Json], vendor: str, *, strict: bool) -> list[SentEntry]:
    """Entries of assistant messages that are meant for this vendor."""
    found = [
        SentEntry(
            value=as_dict(value),
            pointer=f"/messages/{index}/reasoning_details/{number}",
            message=index,
        )
        for index, message in enumerate(messages)
        if as_dict(message).get("role") == "assistant"
        for number, value in enumerate(
            as_list(as_dict(message).get("reasoning_details"))
        )
    ]
    return [entry for entry in found if entry.is_for(vendor, strict=strict)]


def bad_entries(messages: list[Json]) -> Iterator[Refusal]:
    """ORT-2: entries that do not fit the schema, payload keys above all."""
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            yield _schema(f"/messages/{index}", "object", message)
            continue
        details = message.get("reasoning_details")
        if details is None or message.get("role") != "assistant":
            continue
        place = f"/messages/{index}/reasoning_details"
        if not isinstance(details, list):
            yield _schema(place, "array", details)
        for number, entry in enumerate(as_list(details)):
            yield from _bad_entry(entry, f"{place}/{number}")


def _bad_entry(entry: Json, place: str) -> Iterator[Refusal]:
    if not isinstance(entry, dict):
        yield _schema(place, "object", entry)
        return
    key = _PAYLOADS.get(as_text(entry.get("type")))
    if key is None:
        yield _schema(f"{place}/type", " | ".join(_PAYLOADS), entry.get("type"))
        return
    if key and not isinstance(entry.get(key), str):
        yield _schema(f"{place}/{key}", "string", entry.get(key, _MISSING))
    for name in ("text", "signature"):
        if not isinstance(entry.get(name), str | None):
            yield _schema(f"{place}/{name}", "string", entry[name])
    spoken = entry.get("format")
    if spoken is not None and spoken not in _FORMATS:
        yield _schema(f"{place}/format", " | ".join(sorted(_FORMATS)), spoken)


_MISSING = object()


def _schema(pointer: str, expected: str, value: object) -> Refusal:
    kinds = {str: "string", bool: "boolean", list: "array", dict: "object"}
    received = kinds.get(type(value), "number")
    if isinstance(value, str) and "|" in expected:
        received = value
    if value is None:
        received = "null"
    if value is _MISSING:
        received = "undefined"
    return texts.NO_PAYLOAD.refuse(
        pointer=pointer, expected=expected, received=received
    )
