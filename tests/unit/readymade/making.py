"""What the tests of ready-made edits share: make a step, apply, look at the body."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from typing import Any

from tests import builders as b

from sigscope.edits.apply import apply
from sigscope.edits.records import Edit, Op
from sigscope.ledger import build_ledger
from sigscope.reader import Reading
from sigscope.readymade import Context, by_name

Json = Any
Change = Callable[[list[Json]], object]
"""Changes the list of messages (or contents) in place; what it answers is ignored."""


def context_of(readings: Sequence[Reading]) -> Context:
    """The last step as what is to be edited."""
    by_number = {reading.number: reading for reading in readings}
    return Context(
        reading=readings[-1], ledger=build_ledger(readings), readings=by_number
    )


def step(
    dialect: str, history: Sequence[Json], sent: Sequence[Json] | None = None
) -> Context:
    """A last step that sends a history, or something else in its place."""
    return context_of(b.record(dialect, history, sent=sent))


def edits_of(context: Context, name: str) -> tuple[Edit, ...] | None:
    """The edits of a ready-made one, which has to exist."""
    ready = by_name(name)
    assert ready is not None, f"no ready-made edit is called {name}"
    return ready.edits(context)


def edited(context: Context, name: str) -> Json:
    """The body with a ready-made edit applied, by the real engine of edits."""
    edits = edits_of(context, name)
    assert edits, f"{name} does not fit this step"
    for edit in edits:
        assert edit.label, f"{name}: {edit} says nothing"
        assert edit.origin == f"ready {name}"
    assert len(set(edits)) == len(edits) or any(e.op is Op.INSERT for e in edits)
    return json.loads(apply(edits, context.reading.request_text))


def messages(dialect: str, body: Json) -> list[Json]:
    found: list[Json] = body["contents" if dialect == "gemini" else "messages"]
    return found


def put_at(holder: Json, path: Sequence[str], value: str) -> None:
    """Set a member below an object, making objects on the way."""
    for key in path[:-1]:
        holder = holder.setdefault(key, {})
    holder[path[-1]] = value


def check(dialect: str, history: Sequence[Json], name: str, change: Change) -> None:
    """A ready-made edit makes of a right history exactly what `change` makes of it."""
    context = step(dialect, history)
    wanted = copy.deepcopy(list(history))
    change(wanted)
    assert messages(dialect, edited(context, name)) == wanted


def check_mended(
    dialect: str,
    history: Sequence[Json],
    name: str,
    spoil: Change,
    wanted: Change | None = None,
) -> None:
    """A cure makes of a spoiled history the right one, or what `wanted` makes of it."""
    sent = copy.deepcopy(list(history))
    spoil(sent)
    context = step(dialect, history, sent)
    right = copy.deepcopy(list(history))
    if wanted is not None:
        wanted(right)
    assert messages(dialect, edited(context, name)) == right
