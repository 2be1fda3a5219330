"""Which entries and which signatures go into the next request, and how spelled."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

from sigscope.converse.flows import Flow
from sigscope.converse.memory import Captured, Entry, RememberedReply, Results, Words
from sigscope.converse.policy import Bypass, Policy, Scope, Value
from sigscope.opaque import BYPASS_LITERALS

_FIRST, _SECOND, *_ = BYPASS_LITERALS
STAMPS: Mapping[Bypass, str] = {
    "raw": _FIRST,
    "base64": base64.b64encode(_FIRST.encode()).decode(),
    "raw-2": _SECOND,
    "base64-2": base64.b64encode(_SECOND.encode()).decode(),
}
"""Bypasses by name (docs/wire/gemini.md#bypass)."""


def trim(entries: Sequence[Entry], policy: Policy) -> list[Entry]:
    """The latest entries, as many as the policy keeps."""
    kept = list(entries)
    if policy.history.messages:
        kept = kept[-policy.history.messages :]
    if policy.history.orphans == "dropped":
        while kept and isinstance(kept[0], Results):
            kept.pop(0)
    return kept


def choose(
    entries: Sequence[Entry], policy: Policy, flow: Flow
) -> dict[int, tuple[Captured, ...]]:
    """What is sent with each reply, by its index; replies that send nothing are out."""
    scope = in_scope(entries, policy.history.signatures)
    chosen = {}
    for index in scope:
        reply = entries[index]
        if not isinstance(reply, RememberedReply):
            continue
        if not reply.calls and not policy.history.answers:
            continue
        if captured := flow.recall(reply):
            chosen[index] = captured
    return chosen


def in_scope(entries: Sequence[Entry], scope: Scope) -> range:
    """Indices of the entries whose replies a scope covers."""
    end = len(entries)
    if scope == "all":
        return range(end)
    kind = Words if scope == "current-turn" else RememberedReply
    latest = [i for i, entry in enumerate(entries) if isinstance(entry, kind)]
    return range(latest[-1] if latest else 0, end)


def spell(text: str, value: Value, path: str) -> str:
    """A signature's text as the policy spells it at a place."""
    if value.form == "url-safe":
        return text.replace("+", "-").replace("/", "_")
    if value.form == "standard":
        return text.replace("-", "+").replace("_", "/")
    if value.form == "encoded-again":
        return base64.b64encode(text.encode()).decode()
    if value.form == "cut":
        return text[: value.length]
    if value.form == "ellipsis":
        return text[: value.length] + "..."
    if value.form == "name":
        return path.rsplit("/", 1)[-1]
    return text


def spell_entry(captured: Captured, value: Value) -> dict[str, object]:
    """A `reasoning_details` entry with its signature spelled so."""
    entry = dict(captured.entry or {})
    for key in ("data", "signature"):
        if isinstance(text := entry.get(key), str) and text:
            entry[key] = spell(text, value, key)
    return entry
