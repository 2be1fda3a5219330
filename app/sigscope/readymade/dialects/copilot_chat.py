"""Copilot: the wrong placements and shapes of docs/wire/copilot-chat.md."""

from __future__ import annotations

from sigscope.conversation import Role
from sigscope.dialects.copilot_chat import CopilotChat
from sigscope.edits.records import Edit, Op
from sigscope.readymade.chat import (
    chat_repertoire,
    content_of_calls,
    mend_empty_lists,
    no_content_of_calls,
)
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft
from sigscope.readymade.held import Bearer, HeldSignature
from sigscope.readymade.records import Rows
from sigscope.readymade.rewriter import (
    Change,
    clear,
    counting,
    on_calls,
    on_each,
    put_right,
    sightings_in,
    take_off,
)

MADE_UP_ID = "0b7c2a58-5d0e-4a7e-9a3c-6f1d2e3b4a59"
"""A UUID as VS Code makes one where only text came
(docs/wire/copilot-chat.md#wrong-placements)."""


def final_fix(context: Context) -> tuple[Edit, ...] | None:
    """Both halves of Zed's cure: the field on the message, null for []."""
    draft = Draft(context)
    for bearer in context.bearers:
        put_right(draft, context, bearer)
    mend_empty_lists(draft, context.conversation.messages)
    return draft.edits() or None


def _key_of(held: HeldSignature) -> str:
    """The field of a message that a signature goes back in."""
    home = CopilotChat.home
    return home.keys.get(held.carrier, home.key)


def _on_message(key: str) -> Change:
    """The signature under another name on the message."""

    def change(draft: Draft, context: Context, bearer: Bearer) -> None:
        held = counting(bearer)[-1]
        clear(draft, context, bearer)
        draft.message(bearer.index)[key] = held.value

    return change


def _as_value(spell: str | None) -> Change:
    """Something else in the signature's field; None: the field's own name."""

    def change(draft: Draft, context: Context, bearer: Bearer) -> None:
        for held in counting(bearer):
            key = _key_of(held)
            draft.message(bearer.index)[key] = key if spell is None else spell

    return change


def _of_several(choose: str) -> Change:
    """Which signature of several is kept (CPC-8): clients differ."""

    def change(draft: Draft, context: Context, bearer: Bearer) -> None:
        arrived: list[HeldSignature] = [h for h in bearer.held if h.received]
        if len(arrived) < 2:
            return
        values = [held.value for held in arrived]
        value = {"first": values[0], "last": values[-1], "joined": "".join(values)}
        take_off(draft, context, sightings_in(context, bearer.index))
        draft.message(bearer.index)[_key_of(arrived[-1])] = value[choose]

    return change


def made_up_id(context: Context) -> tuple[Edit, ...] | None:
    """An id where a reply brought text and no signature, sent back as one."""
    draft = Draft(context)
    signed = {bearer.index for bearer in context.bearers}
    for index, message in enumerate(context.conversation.messages):
        if message.role is Role.ASSISTANT and message.thoughts and index not in signed:
            draft.message(index)["reasoning_opaque"] = MADE_UP_ID
    return draft.edits() or None


def _drop_before(context: Context, start: int) -> tuple[Edit, ...] | None:
    draft = Draft(context)
    for bearer in context.bearers:
        if bearer.index < start:
            clear(draft, context, bearer)
    return draft.edits() or None


def drop_closed_turns(context: Context) -> tuple[Edit, ...] | None:
    """Signatures of the current turn only, as VS Code does since its PR #2178."""
    return _drop_before(context, context.conversation.turn_start)


def keep_latest_only(context: Context) -> tuple[Edit, ...] | None:
    """Only the last message with calls keeps its own, as captured in aadishv/vscre."""
    messages = context.conversation.messages
    calling = [i for i, message in enumerate(messages) if message.calls]
    return _drop_before(context, calling[-1] if calling else 0)


def drop_text(context: Context) -> tuple[Edit, ...] | None:
    """The signature stays, the readable summary goes."""
    draft = Draft(context)
    for bearer in context.bearers:
        for key in ("reasoning_text", "cot_summary", "thinking"):
            draft.message(bearer.index).pop(key, None)
    return draft.edits() or None


def responses_api(context: Context) -> tuple[Edit, ...] | None:
    """The same request to an API that the model does not speak (CPC-4)."""
    url = context.reading.probe.url
    head, found, tail = url.rpartition("/chat/completions")
    if not found:
        return None
    target = f"{head}/responses{tail}"
    return (Edit(op=Op.URL, value=target, label="send to the Responses API"),)


_WRONG_PLACES = (
    "zed-industries/zed#43024, microsoft/vscode-copilot-chat; "
    "docs/wire/copilot-chat.md#wrong-placements"
)
_SEVERAL = (
    "anomalyco/opencode#20434, anomalyco/opencode#51466, "
    "zed-industries/zed#43024; docs/wire/copilot-chat.md#cpc-8"
)
_ROWS: Rows = (
    (
        "opaque-on-tool-call",
        "`reasoning_opaque` on each tool call instead of the message",
        "mistake",
        "zed-industries/zed#43024",
        on_each(on_calls("reasoning_opaque")),
    ),
    (
        "camel-case-field",
        "`reasoningOpaque` on the message",
        "mistake",
        "zed-industries/zed#43024 [inferred]",
        on_each(_on_message("reasoningOpaque")),
    ),
    (
        "content-empty-list",
        "content `[]` in messages that only call tools",
        "mistake",
        (
            "zed-industries/zed#43024, microsoft/vscode-copilot-chat; "
            "docs/wire/copilot-chat.md#cpc-2"
        ),
        content_of_calls([]),
    ),
    (
        "content-null",
        "content null in messages that only call tools",
        "cure",
        _WRONG_PLACES,
        content_of_calls(None),
    ),
    (
        "content-empty-string",
        'content "" in messages that only call tools, as VS Code sends it',
        "variant",
        _WRONG_PLACES,
        content_of_calls(""),
    ),
    (
        "content-absent",
        "no content in messages that only call tools; nobody knows what happens",
        "variant",
        _WRONG_PLACES,
        no_content_of_calls,
    ),
    (
        "final-fix",
        "signatures on their messages, misplaced copies gone, null for []",
        "cure",
        "zed-industries/zed#43024",
        final_fix,
    ),
    (
        "keep-first",
        "of several signatures of one reply the first, as CodeCompanion",
        "variant",
        _SEVERAL,
        on_each(_of_several("first")),
    ),
    (
        "keep-last",
        "of several signatures of one reply the last, as VS Code",
        "variant",
        _SEVERAL,
        on_each(_of_several("last")),
    ),
    (
        "keep-joined",
        "several signatures of one reply joined into one",
        "mistake",
        _WRONG_PLACES,
        on_each(_of_several("joined")),
    ),
    (
        "field-name-as-value",
        "the field's name in place of its value",
        "mistake",
        (
            "caozhiyuan/copilot-api#73, ericc-ch/copilot-api#166, "
            "badlogic/pi-mono#1502; docs/wire/copilot-chat.md#cpc-5"
        ),
        on_each(_as_value(None)),
    ),
    (
        "made-up-id",
        "a made-up id sent as the signature of a reply that had only text",
        "mistake",
        _WRONG_PLACES,
        made_up_id,
    ),
    (
        "drop-closed-turns",
        "signatures of the current turn only (said to be harmless)",
        "variant",
        "microsoft/vscode-copilot-chat#2178; docs/wire/copilot-chat.md#policy",
        drop_closed_turns,
    ),
    (
        "keep-latest-only",
        "only the last message with calls keeps its signature",
        "variant",
        (
            "microsoft/vscode-copilot-chat, olimorris/codecompanion.nvim#2419, "
            "github.com/aadishv/vscre [contested]; docs/wire/copilot-chat.md#policy"
        ),
        keep_latest_only,
    ),
    (
        "drop-text",
        "`reasoning_text` left out, the signature kept",
        "variant",
        "anomalyco/opencode#8900; docs/wire/copilot-chat.md#silent",
        drop_text,
    ),
    (
        "responses-api",
        "sent to the Responses API, which Gemini 3 does not speak there",
        "mistake",
        (
            "zed-industries/zed#43024, caozhiyuan/copilot-api#113, "
            "microsoft/vscode-copilot-chat; docs/wire/copilot-chat.md#cpc-4"
        ),
        responses_api,
    ),
)

REPERTOIRE = chat_repertoire(
    "copilot-chat",
    "copilot",
    "microsoft/vscode-copilot-chat, olimorris/codecompanion.nvim#2419, "
    "zed-industries/zed#43024; docs/wire/copilot-chat.md#wrong-placements",
    _ROWS,
)
