"""OpenRouter: the wrong placements and shapes of docs/wire/openrouter.md."""

from __future__ import annotations

from collections.abc import Callable

from sigscope.conversation import Json, Message, Role
from sigscope.edits.records import Edit
from sigscope.readymade.chat import (
    chat_repertoire,
    content_of_calls,
    restore,
)
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft
from sigscope.readymade.held import Bearer
from sigscope.readymade.records import Make, Rows
from sigscope.readymade.rewriter import Change, counting, on_each
from sigscope.readymade.values import BYPASS, bypass_entry

Entries = list[Json]


def _on_entries(change: Callable[[Entries], Entries | None]) -> Make:
    """Change the entries of each message that has some; None: leave them."""

    def make(context: Context) -> tuple[Edit, ...] | None:
        draft = Draft(context)
        for index, message in enumerate(context.conversation.messages):
            if message.role is not Role.ASSISTANT:
                continue
            entries = draft.message(index).get("reasoning_details")
            if isinstance(entries, list) and entries:
                changed = change(entries)
                if changed is not None:
                    draft.message(index)["reasoning_details"] = changed
        return draft.edits() or None

    return make


def _without_payload(entries: Entries) -> None:
    """A sanitizer that takes secrets away (ORT-2)."""
    for entry in _signed(entries):
        entry.pop("data", None)


def _twice(entries: Entries) -> None:
    """The same entry, id and all, once more behind itself (ORT-3)."""
    for entry in _signed(entries)[:1]:
        entries.insert(entries.index(entry) + 1, dict(entry))


def _without_unsigned(entries: Entries) -> None:
    """Only entries with a signature or data are kept, as some ports do."""
    entries[:] = _signed(entries)


def _reversed(entries: Entries) -> Entries | None:
    return entries[::-1] if len(entries) > 1 else None


def _without_ids(entries: Entries) -> None:
    for entry in entries:
        if isinstance(entry, dict):
            entry.pop("id", None)


def _signed(entries: Entries) -> list[dict[str, Json]]:
    return [
        entry
        for entry in entries
        if isinstance(entry, dict) and (entry.get("data") or entry.get("signature"))
    ]


def _glued(entries: Entries) -> Entries | None:
    """Merged by index alone, every string glued to the one before, types too."""
    merged: dict[str, dict[str, Json]] = {}
    for entry in entries:
        if not isinstance(entry, dict):
            return None
        into = merged.setdefault(str(entry.get("index", 0)), {})
        for key, value in entry.items():
            before = into.get(key)
            both = isinstance(before, str) and isinstance(value, str)
            into[key] = before + value if both and before else value
    return list(merged.values()) if len(merged) < len(entries) else None


def _as_anthropic_text(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The entry that Zed's notes print; a real Gemini call has another."""
    if bearer.message.calls:
        draft.message(bearer.index)["reasoning_details"] = [
            {
                "type": "reasoning.text",
                "text": bearer.message.thoughts,
                "signature": held.value,
                "id": f"reasoning-text-{number}",
                "format": "anthropic-claude-v1",
                "index": number - 1,
            }
            for number, held in enumerate(counting(bearer), start=1)
        ]


def _null(draft: Draft, context: Context, bearer: Bearer) -> None:
    """Captured, never emitted: the field is there and holds nothing."""
    draft.message(bearer.index)["reasoning_details"] = None


def _as_think_text(draft: Draft, context: Context, bearer: Bearer) -> None:
    message = draft.message(bearer.index)
    thoughts = bearer.message.thoughts
    if thoughts and message.pop("reasoning_details", None) is not None:
        message.pop("reasoning", None)
        message["content"] = f"<think>{thoughts}</think>{bearer.message.text}"


def _only_text(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The readable string goes back, the entries do not."""
    message = draft.message(bearer.index)
    thoughts = bearer.message.thoughts or _reply_thoughts(bearer)
    if thoughts and message.pop("reasoning_details", None) is not None:
        message.setdefault("reasoning", thoughts)


def _reply_thoughts(bearer: Bearer) -> str:
    reply = bearer.reply.reply.message if bearer.reply else None
    return reply.thoughts if reply else ""


def _moved_to(is_target: Callable[[Message], bool]) -> Change:
    """The entries on the next message of a kind instead of their own."""

    def change(draft: Draft, context: Context, bearer: Bearer) -> None:
        messages = context.conversation.messages
        following = range(bearer.index + 1, len(messages))
        target = next((i for i in following if is_target(messages[i])), None)
        entries = draft.message(bearer.index).get("reasoning_details")
        if target is not None and entries and bearer.message.calls:
            del draft.message(bearer.index)["reasoning_details"]
            draft.message(target)["reasoning_details"] = entries

    return change


def _as_fragments(draft: Draft, context: Context, bearer: Bearer) -> None:
    """Every piece of the stream an entry of its own (agno PR #5802)."""
    pieces = [
        piece
        for event in (bearer.reply.event_data if bearer.reply else ())
        for piece in _pieces(event)
    ]
    entries = draft.message(bearer.index).get("reasoning_details")
    if len(pieces) > (len(entries) if isinstance(entries, list) else 0):
        draft.message(bearer.index)["reasoning_details"] = pieces


def _pieces(event: Json) -> Entries:
    try:
        found = event["choices"][0]["delta"]["reasoning_details"]
    except (KeyError, IndexError, TypeError):
        return []
    return found if isinstance(found, list) else []


def pin_provider(context: Context) -> tuple[Edit, ...] | None:
    """Ask whoever issued the last signature (ORT-6)."""
    providers = [b.reply.reply.provider for b in context.bearers if b.reply]
    named = [provider for provider in providers if provider]
    if not named or not isinstance(context.body, dict):
        return None
    draft = Draft(context)
    draft.body["provider"] = {"order": [named[-1]], "allow_fallbacks": False}
    return draft.edits() or None


def _to_sibling(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The entries of the first call, under the id of the second."""
    calls = bearer.message.calls
    entries = draft.message(bearer.index).get("reasoning_details")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("id") == calls[0].call_id:
            entry["id"] = calls[1].call_id


_ON_OTHERS = (
    "zed-industries/zed#43024 [inferred]; docs/wire/openrouter.md#wrong-placements"
)
_ROWS: Rows = (
    (
        "restore",
        "each reply's entries back on its message, complete and in order",
        "cure",
        (
            "openrouter.ai/docs/guides/best-practices/reasoning-tokens; "
            "docs/wire/openrouter.md#policy"
        ),
        restore,
    ),
    (
        "details-null",
        "`reasoning_details` null: captured, never emitted",
        "mistake",
        "zed-industries/zed#43024; docs/wire/openrouter.md#wrong-placements",
        on_each(_null),
    ),
    (
        "details-as-anthropic-text",
        "a `reasoning.text` entry for a Gemini call, as Zed first planned it",
        "mistake",
        (
            "zed-industries/zed#43024 [contested]; "
            "docs/wire/openrouter.md#wrong-placements"
        ),
        on_each(_as_anthropic_text),
    ),
    (
        "details-on-tool-message",
        "the entries on the tool message behind their own",
        "mistake",
        _ON_OTHERS,
        on_each(_moved_to(lambda message: message.role is Role.TOOL)),
    ),
    (
        "details-on-next-assistant",
        "the entries on the next assistant message",
        "mistake",
        _ON_OTHERS,
        on_each(_moved_to(lambda message: message.role is Role.ASSISTANT)),
    ),
    (
        "only-reasoning-text",
        "only the `reasoning` string is sent back",
        "mistake",
        "zed-industries/zed#43024; docs/wire/openrouter.md#wrong-placements",
        on_each(_only_text),
    ),
    (
        "think-text",
        "the reasoning as `<think>` text in the content",
        "mistake",
        "UKGovernmentBEIS/inspect_ai#4979; docs/wire/openrouter.md#silent",
        on_each(_as_think_text),
    ),
    (
        "payload-removed",
        "entries without their `data`",
        "mistake",
        "cline/cline#8214; docs/wire/openrouter.md#ort-2",
        _on_entries(_without_payload),
    ),
    (
        "duplicate-entry",
        "the signed entry twice, with one id",
        "mistake",
        "OpenRouterTeam/ai-sdk-provider; docs/wire/openrouter.md#ort-3",
        _on_entries(_twice),
    ),
    (
        "glued-types",
        "entries merged by index alone, their types glued together",
        "mistake",
        (
            "openrouter.ai/docs/guides/best-practices/reasoning-tokens, "
            "OpenRouterTeam/ai-sdk-provider, olimorris/codecompanion.nvim; "
            "docs/wire/openrouter.md#carriers"
        ),
        _on_entries(_glued),
    ),
    (
        "unsigned-dropped",
        "only entries with a signature or data are kept",
        "mistake",
        "OpenRouterTeam/ai-sdk-provider; docs/wire/openrouter.md#carriers",
        _on_entries(_without_unsigned),
    ),
    (
        "reversed",
        "the entries in another order",
        "mistake",
        (
            "openrouter.ai/docs/guides/best-practices/reasoning-tokens, "
            "agno-agi/agno#5802; docs/wire/openrouter.md#ort-5"
        ),
        _on_entries(_reversed),
    ),
    (
        "ids-removed",
        "entries without `id`: Roo's cure for OpenAI's",
        "variant",
        (
            "RooCodeInc/Roo-Code (src/api/providers/openrouter.ts); "
            "docs/wire/openrouter.md#ort-4"
        ),
        _on_entries(_without_ids),
    ),
    (
        "fragments",
        "each piece of the stream sent back as an entry of its own",
        "mistake",
        (
            "openrouter.ai/docs/guides/best-practices/reasoning-tokens, "
            "OpenRouterTeam/ai-sdk-provider, agno-agi/agno#5802; "
            "docs/wire/openrouter.md#carriers"
        ),
        on_each(_as_fragments),
    ),
    (
        "bypass-entry",
        "one entry with the bypass per message with calls; reasoning is lost",
        "cure",
        "RooCodeInc/Roo-Code; docs/wire/openrouter.md#bypass",
        on_each(bypass_entry(BYPASS)),
    ),
    (
        "content-empty-list",
        "content `[]` in messages that only call tools",
        "mistake",
        "RooCodeInc/Roo-Code#11629; docs/wire/openrouter.md#silent",
        content_of_calls([]),
    ),
    (
        "pin-provider",
        "ask the provider that issued the last signature, and no other",
        "cure",
        "OpenRouterTeam/ai-sdk-provider#491; docs/wire/openrouter.md#ort-6",
        pin_provider,
    ),
)

REPERTOIRE = chat_repertoire(
    "openrouter",
    "openrouter",
    "zed-industries/zed#43024; docs/wire/openrouter.md#wrong-placements",
    _ROWS,
    to_sibling=_to_sibling,
)
