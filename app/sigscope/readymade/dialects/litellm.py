"""LiteLLM: every row of docs/wire/litellm.md#placements, and what goes wrong."""

from __future__ import annotations

import re
from collections.abc import Callable

from sigscope import opaque
from sigscope.conversation import Json, Part
from sigscope.dialects.litellm import LiteLLM
from sigscope.edits.records import Edit
from sigscope.readymade.chat import chat_repertoire, on_second_call
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft, put
from sigscope.readymade.held import Bearer, HeldSignature
from sigscope.readymade.records import Make, Rows
from sigscope.readymade.rewriter import (
    Change,
    clear,
    counting,
    on_calls,
    on_each,
    put_right,
    rename_results,
)
from sigscope.readymade.values import bypass_base64

FIELDS = "provider_specific_fields"
CALL_PATH = LiteLLM.home.path
LIST_PATH = LiteLLM.home.list_path
LONGEST_ID = 64
"""OpenAI's limit for ids (docs/wire/litellm.md#llm-4)."""
Respell = Callable[[str], str]
_UNCLEAN = re.compile(r"[^A-Za-z0-9_-]")


def _call_of(bearer: Bearer, held: HeldSignature) -> Part | None:
    """The call a signature signs; the first where nothing says which."""
    return held.call or next(iter(bearer.message.calls), None)


def _in_ids(respell: Respell | None = None, *, with_results: bool = True) -> Change:
    """The signature behind `__thought__` in the call's id; `respell`: what then
    happens to ids. Ids that this leaves alone stay where they are."""

    def change(draft: Draft, context: Context, bearer: Bearer) -> None:
        ids = _ids_with_signatures(bearer)
        told = {call: respell(new) if respell else new for call, new in ids.items()}
        if not told or (respell and told == ids):
            return
        clear(draft, context, bearer)
        for call in bearer.message.calls:
            if call.call_id and call.pointer in told:
                new = told[call.pointer]
                plain = opaque.split_call_id(call.call_id).plain
                draft.at(bearer.index, call.pointer)["id"] = new
                answer = _always(new if with_results else plain)
                rename_results(draft, context, call.call_id, answer)

    return change


def _ids_with_signatures(bearer: Bearer) -> dict[str, str]:
    """Pointer of each signed call → its id with the signature behind it."""
    found: dict[str, str] = {}
    for held in counting(bearer):
        call = _call_of(bearer, held)
        if call is not None and call.call_id:
            plain = opaque.split_call_id(call.call_id).plain
            found[call.pointer] = f"{plain}{opaque.THOUGHT_SEPARATOR}{held.value}"
    return found


def _always(call_id: str) -> Respell:
    return lambda _: call_id


def restore_all(context: Context) -> tuple[Edit, ...] | None:
    """Signatures back on their calls, and results under the ids of their calls."""
    draft = Draft(context)
    for bearer in context.bearers:
        put_right(draft, context, bearer)
        for call in bearer.message.calls:
            if call.call_id:
                now = draft.at(bearer.index, call.pointer)["id"]
                rename_results(draft, context, call.call_id, _always(now))
    return draft.edits() or None


def _on_message(path: str, content: Json | None = None, *, calls: bool) -> Change:
    """The signatures on the message; `content`: what it has besides calls."""

    def change(draft: Draft, context: Context, bearer: Bearer) -> None:
        if bool(bearer.message.calls) is not calls:
            return
        values: list[Json] = [held.value for held in counting(bearer)]
        clear(draft, context, bearer)
        message = draft.message(bearer.index)
        if calls and not bearer.message.text:
            message["content"] = content
        put(message, path, values if path == LIST_PATH else values[0])

    return change


def _list_beside_parts(draft: Draft, context: Context, bearer: Bearer) -> None:
    """A text answer whose content is a list of parts: the list is dropped."""
    message = draft.message(bearer.index)
    content = message.get("content")
    if bearer.message.calls or not isinstance(content, str) or not content:
        return
    clear(draft, context, bearer)
    message["content"] = [{"type": "text", "text": content}]
    put(message, LIST_PATH, [held.value for held in counting(bearer)])


def _both_levels(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The same signature on the call and on the message, beside string content."""
    if bearer.message.calls:
        on_calls(CALL_PATH)(draft, context, bearer)
        message = draft.message(bearer.index)
        message["content"] = bearer.message.text or "Let me look."
        put(message, LIST_PATH, [held.value for held in counting(bearer)])


def _as_thinking_blocks(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The way LiteLLM shows thoughts of Claude; older versions leak them as text."""
    thoughts = bearer.message.thoughts
    clear(draft, context, bearer)
    message = draft.message(bearer.index)
    message.pop("reasoning_content", None)
    message["thinking_blocks"] = [
        {"type": "thinking", "thinking": thoughts, "signature": held.value}
        for held in counting(bearer)
    ]


def _dummy_everywhere(draft: Draft, context: Context, bearer: Bearer) -> None:
    """Roo's and Zoo-Code's way: over genuine ones, on every call (Zoo-Code#736)."""
    clear(draft, context, bearer)
    for call in bearer.message.calls:
        put(draft.at(bearer.index, call.pointer), CALL_PATH, bypass_base64(""))


def _thoughts_back(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The summary of the reply, which becomes an unsigned thought part."""
    reply = bearer.reply.reply.message if bearer.reply else None
    if reply and reply.thoughts:
        draft.message(bearer.index).setdefault("reasoning_content", reply.thoughts)


def identical_calls(context: Context) -> tuple[Edit, ...] | None:
    """The second of two parallel calls asks the same as the first."""
    draft = Draft(context)
    for index, message in enumerate(context.conversation.messages):
        if len(message.calls) > 1:
            first, second = (draft.at(index, c.pointer) for c in message.calls[:2])
            function = first.get("function")
            if isinstance(function, dict):
                second["function"] = {
                    key: value for key, value in function.items() if key != FIELDS
                }
    return draft.edits() or None


def drop_under_model(name: str) -> Make:
    """No signatures, and another model: what the proxy stamps depends on its name."""

    def make(context: Context) -> tuple[Edit, ...] | None:
        if not context.bearers:
            return None
        draft = Draft(context)
        for bearer in context.bearers:
            clear(draft, context, bearer)
        draft.body["model"] = name
        return draft.edits() or None

    return make


def _cleaned(call_id: str) -> str:
    return _UNCLEAN.sub("_", call_id)


def _shortened(call_id: str) -> str:
    return call_id[:LONGEST_ID]


_ON_MESSAGES = (
    "BerriAI/litellm, RooCodeInc/Roo-Code (src/api/providers/lite-llm.ts), "
    "Zoo-Code-Org/Zoo-Code#736; docs/wire/litellm.md#placements, "
    "docs/wire/litellm.md#wrong-placements"
)
_ROWS: Rows = (
    (
        "restore",
        "signatures in the fields of their calls, or listed on a text answer",
        "cure",
        "BerriAI/litellm; docs/wire/litellm.md#placements",
        restore_all,
    ),
    (
        "in-function-fields",
        "signature in `function.provider_specific_fields`",
        "variant",
        "BerriAI/litellm [executed]; docs/wire/litellm.md#placements",
        on_each(on_calls(f"function/{CALL_PATH}")),
    ),
    (
        "id-suffix",
        "signature behind `__thought__` in the id, of call and result",
        "variant",
        "BerriAI/litellm [executed]; docs/wire/litellm.md#placements",
        on_each(_in_ids()),
    ),
    (
        "id-suffix-on-call-only",
        "the suffix on the call's id, not on the result's",
        "mistake",
        "BerriAI/litellm#26965; docs/wire/litellm.md#llm-3",
        on_each(_in_ids(with_results=False)),
    ),
    (
        "ids-cleaned",
        "`/`, `+` and `=` in ids with a signature replaced by `_`",
        "mistake",
        "BerriAI/litellm#37851, BerriAI/litellm#38333; docs/wire/litellm.md#llm-4",
        on_each(_in_ids(_cleaned)),
    ),
    (
        "ids-cut",
        f"ids with a signature cut to {LONGEST_ID} characters",
        "mistake",
        "BerriAI/litellm#37851, BerriAI/litellm#38333; docs/wire/litellm.md#llm-4",
        on_each(_in_ids(_shortened)),
    ),
    (
        "message-list-with-calls",
        "`thought_signatures` on a message with calls, content null: ignored",
        "mistake",
        _ON_MESSAGES,
        on_each(_on_message(LIST_PATH, None, calls=True)),
    ),
    (
        "message-list-with-calls-empty-string",
        '`thought_signatures` on a message with calls, content ""',
        "mistake",
        "BerriAI/litellm; docs/wire/litellm.md#placements",
        on_each(_on_message(LIST_PATH, "", calls=True)),
    ),
    (
        "message-list",
        "`thought_signatures` on text answers: what Zoo-Code planned, and works",
        "cure",
        _ON_MESSAGES,
        on_each(_on_message(LIST_PATH, calls=False)),
    ),
    (
        "message-list-content-parts",
        "`thought_signatures` on a text answer whose content is a list: dropped",
        "mistake",
        "BerriAI/litellm; docs/wire/litellm.md#placements",
        on_each(_list_beside_parts),
    ),
    (
        "message-singular",
        "`thought_signature`, singular, on a message with calls: ignored",
        "mistake",
        _ON_MESSAGES,
        on_each(_on_message(CALL_PATH, None, calls=True)),
    ),
    (
        "message-singular-on-text",
        "`thought_signature`, singular, on a text answer: ignored",
        "mistake",
        "BerriAI/litellm; docs/wire/litellm.md#placements",
        on_each(_on_message(CALL_PATH, calls=False)),
    ),
    (
        "both-levels",
        "the signature on the call and on the message; older proxies count it twice",
        "mistake",
        "BerriAI/litellm; docs/wire/litellm.md#placements",
        on_each(_both_levels),
    ),
    (
        "thinking-blocks",
        "signature and summary as `thinking_blocks`; older proxies leak the text",
        "mistake",
        "BerriAI/litellm; docs/wire/litellm.md#placements",
        on_each(_as_thinking_blocks),
    ),
    (
        "second-call-only",
        "of parallel calls the second is signed",
        "mistake",
        "BerriAI/litellm; docs/wire/litellm.md#placements",
        on_each(on_second_call),
    ),
    (
        "identical-parallel-calls",
        "two parallel calls that ask the same; older proxies drop one",
        "mistake",
        "BerriAI/litellm, BerriAI/litellm 1.90; docs/wire/litellm.md#placements",
        identical_calls,
    ),
    (
        "dummy-on-every-call",
        "the bypass on every call, over genuine signatures",
        "mistake",
        (
            "RooCodeInc/Roo-Code (src/api/providers/lite-llm.ts), "
            "Zoo-Code-Org/Zoo-Code#736, BerriAI/litellm; "
            "docs/wire/litellm.md#wrong-placements, docs/wire/litellm.md#bypass"
        ),
        on_each(_dummy_everywhere),
    ),
    (
        "drop-under-alias",
        "no signatures, the model under a custom alias: older proxies stamp nothing",
        "mistake",
        "BerriAI/litellm#16893, BerriAI/litellm#22598; docs/wire/litellm.md#llm-2",
        drop_under_model("my-model"),
    ),
    (
        "drop-under-2.5",
        "no signatures, gemini-2.5: the proxy stamps nothing and need not",
        "variant",
        "BerriAI/litellm; docs/wire/litellm.md#placements",
        drop_under_model("gemini-2.5-pro"),
    ),
    (
        "reasoning-content",
        "the summary sent back as `reasoning_content`",
        "variant",
        "BerriAI/litellm; docs/wire/litellm.md#placements",
        on_each(_thoughts_back),
    ),
)

REPERTOIRE = chat_repertoire(
    "litellm",
    "litellm",
    "BerriAI/litellm, zed-industries/zed#43024 [executed]; "
    "docs/wire/litellm.md#placements",
    _ROWS,
    to_sibling=on_second_call,
)
