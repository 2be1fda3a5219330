"""Mistakes and cures of readable reasoning that goes back: the text is the state."""

from __future__ import annotations

from collections.abc import Callable

from sigscope.conversation import Json
from sigscope.edits.records import Edit
from sigscope.readymade.chat import restore
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft
from sigscope.readymade.held import Bearer
from sigscope.readymade.records import Make, Rows, ready_edits
from sigscope.readymade.repertoire import Repertoire
from sigscope.readymade.rewriter import clear, on_each


def thought_repertoire(
    dialect: str, field: str, *, wrong: str, emptied: str, right: str, filled: str
) -> Repertoire:
    """Of a speaker of chat completions that wants `field` back on messages with calls;
    the others are sources: of wrong placements, of the empty text, of the cures."""
    rows: Rows = (
        ("drop", "no reasoning is sent back", "mistake", wrong, on_each(clear)),
        (
            "renamed",
            "the reasoning as `reasoning`",
            "mistake",
            wrong,
            _instead(lambda message, text: message.update(reasoning=text)),
        ),
        (
            "think-tags",
            "the reasoning inside `content`, in <think>",
            "mistake",
            wrong,
            _instead(_as_tags),
        ),
        (
            "emptied",
            "an empty reasoning in place of each; accepted, and an invented past",
            "variant",
            emptied,
            _instead(lambda message, _: message.update({field: ""})),
        ),
        (
            "restore",
            "the reasoning as received, on every message",
            "cure",
            right,
            restore,
        ),
        (
            "fill",
            "an empty reasoning on messages with calls that have none",
            "cure",
            filled,
            _filled(field),
        ),
    )
    ready = ready_edits((dialect,), rows, f"{dialect}.")
    return Repertoire(dialect=dialect, ready=ready, is_signed=False)


def _instead(change: Callable[[dict[str, Json], str], None]) -> Make:
    """The field goes; what else becomes of its text is done to the message."""

    def put(draft: Draft, context: Context, bearer: Bearer) -> None:
        clear(draft, context, bearer)
        change(draft.message(bearer.index), bearer.held[-1].value)

    return on_each(put)


def _as_tags(message: dict[str, Json], text: str) -> None:
    said = message.get("content") or ""
    if isinstance(said, str):
        message["content"] = f"<think>{text}</think>{said}"


def _filled(field: str) -> Make:
    """An empty text where a message with calls has none."""

    def fill(context: Context) -> tuple[Edit, ...] | None:
        draft = Draft(context)
        for index, message in enumerate(context.conversation.messages):
            if message.calls:
                draft.message(index).setdefault(field, "")
        return draft.edits() or None

    return fill
