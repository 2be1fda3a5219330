"""What is not in a request but could be, for the check boxes of the screens: fields,
and whole blocks or items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from sigscope import opaque
from sigscope.dialects.chat import ChatDialect
from sigscope.edits.records import Edit, Op
from sigscope.pointer import is_within, join, parent, parse, resolve
from sigscope.readymade.chat import mend_empty_lists
from sigscope.readymade.context import Context
from sigscope.readymade.dialects import repertoire_of
from sigscope.readymade.draft import Draft
from sigscope.readymade.held import Bearer
from sigscope.readymade.records import OfferRow
from sigscope.readymade.rewriter import put_right

ORIGIN = "row"


def switchable(context: Context) -> tuple[OfferRow, ...]:
    """The rows: signatures that belong where they are not, blocks and items that do,
    readable reasoning of replies, null for `[]`; each kind in message order. Each
    stands for itself; where the readable reasoning is the signature, it is offered
    once."""
    try:
        signatures = tuple(_signatures(context))
        # Of an item that lacks nothing but its signature, that alone is offered.
        wholes = (
            row
            for row in _wholes(context)
            if row.edit.op is Op.INSERT
            or not any(is_within(one.pointer, row.pointer) for one in signatures)
        )
        rows = (*signatures, *wholes, *_thoughts(context), *_contents(context))
    except RecursionError:  # a body nested deeper than Python can compare
        return ()
    found: dict[tuple[str, str], OfferRow] = {}
    for row in rows:
        found.setdefault((row.pointer, row.value), row)
    return tuple(found.values())


def _signatures(context: Context) -> Iterator[OfferRow]:
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


def _wholes(context: Context) -> Iterator[OfferRow]:
    """Blocks and items as received: those that are missing, and for a changed one the
    genuine one in its place. A change of their number or order is no box."""
    dialect = context.reading.dialect
    repertoire = repertoire_of(dialect.name) if dialect else None
    if repertoire is None or repertoire.restore is None:
        return
    gone: dict[str, list[Edit]] = defaultdict(list)
    come: dict[str, list[Edit]] = defaultdict(list)
    edits = repertoire.restore(context) or ()
    sources = _Sources(context)
    dropped = {edit.pointer for edit in edits if edit.op is Op.DROP}
    for edit in edits:
        if edit.op is Op.DROP:
            gone[_next_kept(context, edit.pointer, dropped)].append(edit)
        elif edit.op is Op.INSERT:
            come[edit.pointer].append(edit)
        elif edit.op is Op.SET:
            yield _row(edit, f"{sources.told(edit)}as it was received")
    for place, inserted in come.items():
        old = gone[place]
        if not old:
            for edit in inserted:
                yield _row(edit, f"{sources.told(edit)}this is where it belongs")
        elif len(old) == len(inserted):
            for drop, edit in zip(old, inserted, strict=True):
                whole = replace(edit, op=Op.SET, pointer=drop.pointer)
                yield _row(whole, f"{sources.told(edit)}as it was received")


def _next_kept(context: Context, pointer: str, dropped: set[str]) -> str:
    """The place that what replaces an element is inserted at."""
    above, index = parent(pointer), int(parse(pointer)[-1])
    while join(above, index) in dropped:
        index += 1
    is_end = index == len(resolve(context.body, above))
    return join(above, "-" if is_end else index)


class _Sources:
    """Where signatures came from that the history should bring."""

    def __init__(self, context: Context) -> None:
        held = [held for bearer in context.bearers for held in bearer.held]
        self._words: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        """By value: its place among all, and where it came from."""
        for place, one in enumerate(held):
            name = f"signature {opaque.fingerprint(one.value)}"
            self._words[one.value].append((place, f"{name} from {one.source}"))
        self._values = opaque.ValueIndex(self._words)

    def told(self, edit: Edit) -> str:
        """ "signature 9f3a21 from step 1: "; empty for an edit that brings none."""
        found = self._values.within(edit.value or "")
        told = sorted(chain.from_iterable(self._words[value] for value in found))
        words = ", ".join(dict.fromkeys(words for _, words in told))
        return f"{words}: " if words else ""


def _thoughts(context: Context) -> Iterator[OfferRow]:
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


def _contents(context: Context) -> Iterator[OfferRow]:
    dialect = context.reading.dialect
    if dialect is None or dialect.family != ChatDialect.family:
        return
    draft = Draft(context)
    mend_empty_lists(draft, context.conversation.messages)
    for edit in draft.edits():
        yield _row(edit, "in place of [], which Copilot is reported to refuse (CPC-2)")


def _row(edit: Edit, note: str) -> OfferRow:
    return OfferRow(
        pointer=edit.pointer,
        value=edit.value or "",
        note=note,
        edit=replace(edit, origin=ORIGIN),
    )
