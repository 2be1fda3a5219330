"""DeepSeek: the wrong placements of docs/wire/deepseek.md, and the filler."""

from __future__ import annotations

from collections.abc import Callable

from sigscope.conversation import Json
from sigscope.dialects.deepseek import FIELD
from sigscope.edits.records import Edit
from sigscope.readymade.chat import restore
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft
from sigscope.readymade.held import Bearer
from sigscope.readymade.records import Make, ready_edits
from sigscope.readymade.repertoire import Repertoire
from sigscope.readymade.rewriter import clear, on_each


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


def fill(context: Context) -> tuple[Edit, ...] | None:
    """An empty text where a message with calls has none."""
    draft = Draft(context)
    for index, message in enumerate(context.conversation.messages):
        if message.calls:
            draft.message(index).setdefault(FIELD, "")
    return draft.edits() or None


_GUIDE = "api-docs.deepseek.com/guides/thinking_mode"
_PLACES = "anomalyco/opencode#24083, Zoo-Code-Org/Zoo-Code#201; docs/wire/deepseek.md"
REPERTOIRE = Repertoire(
    dialect="deepseek",
    ready=ready_edits(
        ("deepseek",),
        (
            (
                "drop",
                "no reasoning is sent back",
                "mistake",
                f"{_PLACES}#wr-1",
                on_each(clear),
            ),
            (
                "renamed",
                "the reasoning as `reasoning`",
                "mistake",
                f"{_PLACES}#wr-1",
                _instead(lambda message, text: message.update(reasoning=text)),
            ),
            (
                "think-tags",
                "the reasoning inside `content`, in <think>",
                "mistake",
                f"{_PLACES}#wr-1",
                _instead(_as_tags),
            ),
            (
                "emptied",
                "an empty reasoning in place of each; accepted, and an invented past",
                "variant",
                "pydantic/pydantic-ai; docs/wire/deepseek.md#by-1",
                _instead(lambda message, _: message.update({FIELD: ""})),
            ),
            (
                "restore",
                "the reasoning as received, on every message",
                "cure",
                f"{_GUIDE}; docs/wire/deepseek.md#po-1",
                restore,
            ),
            (
                "fill",
                "an empty reasoning on messages with calls that have none",
                "cure",
                "pydantic/pydantic-ai; docs/wire/deepseek.md#po-2",
                fill,
            ),
        ),
        "deepseek.",
    ),
    is_signed=False,
)
