"""Fields that are not in a request but could be, for the check boxes of the screens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sigscope import opaque
from sigscope.dialects.chat import ChatDialect
from sigscope.edits.records import Edit, Op
from sigscope.pointer import is_within
from sigscope.readymade.chat import mend_empty_lists
from sigscope.readymade.context import Context
from sigscope.readymade.draft import Draft
from sigscope.readymade.held import Bearer
from sigscope.readymade.records import Row
from sigscope.readymade.rewriter import put_right

ORIGIN = "row"


def switchable(context: Context) -> tuple[Row, ...]:
    """The rows: signatures that belong where they are not, readable reasoning of
    replies, null for `[]`; each kind in message order. Each stands for itself; where
    the readable reasoning is the signature, it is offered once."""
    try:
        rows = (*_signatures(context), *_thoughts(context), *_contents(context))
    except RecursionError:  # a body nested deeper than Python can compare
        return ()
    found: dict[tuple[str, str], Row] = {}
    for row in rows:
        found.setdefault((row.pointer, row.value), row)
    return tuple(found.values())


def _signatures(context: Context) -> Iterator[Row]:
    draft = Draft(context)
    for bearer in context.bearers:
        put_right(draft, context, bearer)
    for edit in draft.edits():
        owner = _bearer_at(context, edit.pointer)
        if edit.op is Op.DROP or owner is None:
            continue
        names = ", ".join(
            f"signature {opaque.fingerprint(held.value)} from {held.source}"
            for held in owner.held
        )
        yield _row(edit, f"{names}: this is where it belongs")


def _bearer_at(context: Context, pointer: str) -> Bearer | None:
    return next(
        (b for b in context.bearers if is_within(pointer, b.message.pointer)), None
    )


def _thoughts(context: Context) -> Iterator[Row]:
    dialect = context.reading.dialect
    key = dialect.thought_key if dialect else ""
    if not key:
        return
    draft = Draft(context)
    for bearer in context.bearers:
        reply = bearer.reply.reply.message if bearer.reply else None
        if reply and reply.thoughts and reply.thoughts != bearer.message.thoughts:
            draft.message(bearer.index)[key] = reply.thoughts
    for edit in draft.edits():
        owner = _bearer_at(context, edit.pointer)
        if owner and owner.reply:
            yield _row(edit, f"the readable reasoning of step {owner.reply.number}")


def _contents(context: Context) -> Iterator[Row]:
    dialect = context.reading.dialect
    if dialect is None or dialect.family != ChatDialect.family:
        return
    draft = Draft(context)
    mend_empty_lists(draft, context.conversation.messages)
    for edit in draft.edits():
        yield _row(
            edit, "null in place of [], which Copilot is reported to refuse (CPC-2)"
        )


def _row(edit: Edit, note: str) -> Row:
    return Row(
        pointer=edit.pointer,
        value=edit.value or "",
        note=note,
        edit=replace(edit, origin=ORIGIN),
    )
