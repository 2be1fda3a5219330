"""Mistakes and cures that chat completions dialects share."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sigscope.conversation import Json, Message, Role
from sigscope.dialects.homes import Delivery
from sigscope.edits.records import Edit
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft, put
from sigscope.readymade.held import Bearer
from sigscope.readymade.records import Kind, Make, Rows, ready_edits
from sigscope.readymade.repertoire import Repertoire
from sigscope.readymade.rewriter import (
    Change,
    clear,
    counting,
    on_calls,
    on_each,
    put_right,
)

_STAYS = frozenset({"role", "content", "tool_calls", "name"})
"""Members of a message that are not about its reasoning."""


_RIGHT = "every signature back on its call, copies in wrong places gone"


def chat_repertoire(
    dialect: str,
    prefix: str,
    told: str,
    rows: Rows = (),
    *,
    right: tuple[str, str] | None = None,
    to_sibling: Change | None = None,
) -> Repertoire:
    """Those of one dialect: Zed's attempts, dropping, splitting and merging, with
    their source, and its own. `right`: where a call has it, which is no attempt, and
    the source of that: then there is a cure that puts it back."""
    shared = _shared(told, right[0] if right else "")
    cure: Rows = (
        () if right is None else (("restore", _RIGHT, "cure", right[1], restore),)
    )
    return Repertoire(
        dialect=dialect,
        ready=ready_edits((dialect,), (*shared, *rows, *cure), f"{prefix}."),
        split=split_messages,
        merge=merge_messages,
        to_sibling=to_sibling,
    )


def _shared(told: str, right: str) -> Rows:
    attempts: tuple[tuple[str, str, str], ...] = (
        (
            "attempt-1-signature-on-tool-call",
            "signature as `thought_signature` of each tool call",
            "thought_signature",
        ),
        (
            "attempt-2-signature-in-function",
            "signature as `thought_signature` inside `function`",
            "function/thought_signature",
        ),
        (
            "attempt-3-camel-case",
            "signature as `thoughtSignature` inside `function`",
            "function/thoughtSignature",
        ),
        (
            "attempt-3-camel-case-on-tool-call",
            "signature as `thoughtSignature` of each tool call",
            "thoughtSignature",
        ),
        (
            "extra-content",
            "signature as Gemini's compatible endpoint has it, in `extra_content`",
            "extra_content/google/thought_signature",
        ),
    )
    others: tuple[tuple[str, str, Kind, Make], ...] = (
        ("drop", "no signature is sent back", "mistake", on_each(clear)),
        (
            "split-message",
            "text and reasoning in one message, the calls in the next",
            "mistake",
            split_messages,
        ),
        (
            "merge-messages",
            "a message split in two is one again",
            "cure",
            merge_messages,
        ),
    )
    made: list[tuple[str, str, Kind, Make]] = [
        (name, title, "mistake", on_each(on_calls(path)))
        for name, title, path in attempts
        if path != right
    ]
    return tuple(
        (name, title, kind, told, make) for name, title, kind, make in (*made, *others)
    )


def on_second_call(draft: Draft, context: Context, bearer: Bearer) -> None:
    """The signature of the first of parallel calls on the second."""
    calls = bearer.message.calls
    if len(calls) < 2:
        return
    held = counting(bearer)[0]
    clear(draft, context, bearer)
    home = context.home.of(
        Delivery(value=held.value, message=bearer.message, part=calls[1])
    )
    if home is not None:
        put(draft.at(bearer.index, calls[1].pointer), home.path, home.value)


# --- What content is ------------------------------------------------------------------


def content_of_calls(value: Json) -> Make:
    """Give messages that only call tools this content."""

    def change(message: dict[str, Json]) -> None:
        message["content"] = value

    return _on_silent_calls(change)


def no_content_of_calls(context: Context) -> tuple[Edit, ...] | None:
    """Take the content of messages that only call tools away altogether."""

    def change(message: dict[str, Json]) -> None:
        message.pop("content", None)

    return _on_silent_calls(change)(context)


def _on_silent_calls(change: Callable[[dict[str, Json]], None]) -> Make:
    def make(context: Context) -> tuple[Edit, ...] | None:
        draft = Draft(context)
        for index, message in enumerate(context.conversation.messages):
            if message.calls and not message.text:
                change(draft.message(index))
        return draft.edits() or None

    return make


def mend_empty_lists(draft: Draft, messages: Iterable[Message]) -> None:
    """`null` where a message with calls has the content `[]` (zed#43024)."""
    for index, message in enumerate(messages):
        if message.calls and draft.message(index).get("content") == []:
            draft.message(index)["content"] = None


def restore(context: Context) -> tuple[Edit, ...] | None:
    """Every signature back where it belongs, wrong copies gone."""
    draft = Draft(context)
    for bearer in context.bearers:
        put_right(draft, context, bearer)
    return draft.edits() or None


# --- Split and merged messages --------------------------------------------------------


def split_messages(context: Context) -> tuple[Edit, ...] | None:
    """A message with calls becomes two, the calls in the second
    (docs/wire/copilot-chat.md#policy)."""
    draft = Draft(context)
    for index, message in enumerate(context.conversation.messages):
        if message.role is Role.ASSISTANT and message.calls:
            _split(draft, index, message)
    return draft.edits() or None


def _split(draft: Draft, index: int, message: Message) -> None:
    second = draft.message(index)
    moved = {key: second[key] for key in second if key not in _STAYS}
    if not moved and not message.text:
        return
    content = second.get("content") if message.text else ""
    first = {"role": second.get("role", "assistant"), "content": content, **moved}
    for key in moved:
        del second[key]
    if message.text:
        second["content"] = None
    draft.items.insert(draft.position(index), first)


def merge_messages(context: Context) -> tuple[Edit, ...] | None:
    """Neighbouring assistant messages become one: the calls' message takes over what
    the one before has (docs/wire/copilot-chat.md#merging)."""
    draft = Draft(context)
    messages = context.conversation.messages
    for index in range(len(messages) - 1, 0, -1):
        first, second = messages[index - 1], messages[index]
        is_pair = first.role is second.role is Role.ASSISTANT
        if is_pair and second.calls and not first.calls:
            _merge(draft, index - 1, index)
    return draft.edits() or None


def _merge(draft: Draft, before: int, index: int) -> None:
    first, second = draft.message(before), draft.message(index)
    for key, value in first.items():
        if key == "content":
            second[key] = _joined(value, second.get(key))
        elif second.get(key) is None:
            second[key] = value
    draft.items.pop(draft.position(before))


def _joined(first: Json, second: Json) -> Json:
    """Both contents; text with text keeps a blank line between."""
    if not first or not second:
        return first or second or None
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    return [*_blocks(first), *_blocks(second)]


def _blocks(content: Json) -> list[Json]:
    if isinstance(content, list):
        return content
    return [{"type": "text", "text": content}]
