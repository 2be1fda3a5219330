"""Choosing what to compare with: a step, a run, or one of another session's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from textual.app import App

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.library import Library
from sigscope.errors import SigscopeError
from sigscope.tui import figures
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line, Span, column, fit
from sigscope.tui.picks import Pick
from sigscope.tui.screens.choicedialog import ChoiceDialog
from sigscope.tui.screens.pathdialog import path_dialog
from sigscope.tui.shown import one_line
from sigscope.tui.study import glances
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.headline import name_of

OTHER, PATH = "other", "path"
_OTHER_WORDS = "Requests of any two dialects can be compared."
_FILE_WORDS = "A session file, HAR, VCR cassette, numbered requests and responses."


class Picker:
    """Asks, one dialog after the other."""

    def __init__(self, app: App[object], engine: Engine, symbols: Symbols) -> None:
        self._app = app
        self._engine = engine
        self._symbols = symbols

    async def pick(self, left: Pick, facts: Sequence[StepFacts]) -> Pick | None:
        """A request of the same document or another; None if nothing was chosen."""
        document = left.document
        chosen = await self._choose(document, left, facts, is_first=True)
        if chosen != OTHER:
            return _read(document, chosen)
        other = await self._other_document()
        if other is None:
            return None
        chosen = await self._choose(other, left, glances(other), is_first=False)
        return _read(other, chosen)

    async def _choose(
        self,
        document: Document,
        left: Pick,
        facts: Sequence[StepFacts],
        *,
        is_first: bool,
    ) -> str | None:
        items = _items(document, left, facts, self._symbols)
        if is_first:
            items.append(_word(OTHER, "another session …", "a bundled one, or a file"))
        title = (
            "Compare with" if is_first else f"Compare with {name_of(document.session)}"
        )
        return await self._app.push_screen_wait(
            ChoiceDialog(
                title,
                items,
                more={**_said(facts, self._symbols), OTHER: _OTHER_WORDS},
                note="this session has no requests",
                symbols=self._symbols,
            )
        )

    async def _other_document(self) -> Document | None:
        cards = await asyncio.to_thread(Library().cards)
        items = [
            _word(card.path, card.name, one_line(card.title, 80))
            for card in cards
            if not card.problem
        ]
        items.insert(0, _word(PATH, "a file …", "any recording, by its path"))
        more = {card.path: one_line(card.story, 300) for card in cards}
        more[PATH] = _FILE_WORDS
        dialog = ChoiceDialog(
            "Compare with a request of", items, more=more, symbols=self._symbols
        )
        chosen = await self._app.push_screen_wait(dialog)
        if chosen == PATH:
            chosen = await self._app.push_screen_wait(path_dialog())
        if not chosen:
            return None
        try:
            return await asyncio.to_thread(self._engine.open, chosen)
        except SigscopeError as error:
            self._app.notify(
                str(error), title="Cannot be opened", severity="error", markup=False
            )
            return None


def _items(
    document: Document, left: Pick, facts: Sequence[StepFacts], symbols: Symbols
) -> list[Item]:
    """Steps with their runs below them; not the request that is compared."""
    items = []
    for fact in facts:
        pick = Pick(document=document, step=fact.number)
        if pick != left:
            words = f" {symbols.dot} ".join(filter(None, (fact.word, fact.model)))
            name, key = f"step {fact.number}", f"step:{fact.number}"
            items.append(_item(key, name, fact.status, words))
        for run in document.runs_of(fact.number):
            if replace(pick, run=run.number) == left:
                continue
            words = one_line(run.title, 60) or figures.count(len(run.edits), "edit")
            name = f"  {symbols.child} run {run.number}"
            items.append(_item(f"run:{run.number}", name, run.status, words))
    return items


def _said(facts: Sequence[StepFacts], symbols: Symbols) -> dict[str, str]:
    """What more there is to say of each step."""
    dot = f" {symbols.dot} "
    return {
        f"step:{fact.number}": dot.join(
            filter(
                None,
                (
                    fact.dialect,
                    fact.model,
                    figures.size(fact.size),
                    figures.seconds(fact.duration_ms),
                ),
            )
        )
        for fact in facts
    }


def _item(key: str, name: str, status: int | None, words: str) -> Item:
    shown = str(status) if status is not None else "–"
    ink = "dim" if status is None else "bad" if status >= 400 else "good"
    return Item(key, partial(_lay, name, shown, ink, words))


def _lay(name: str, status: str, ink: str, words: str, cells: int) -> list[Line]:
    spans = (column(name, 16, "bold"), column(status, 6, ink), Span(words, "dim"))
    return [fit(spans, cells)]


def _word(key: str, name: str, words: str) -> Item:
    def lay(cells: int) -> list[Line]:
        room = min(36, cells // 2)
        return [fit((column(name, room, "bold"), Span(f"  {words}", "dim")), cells)]

    return Item(key, lay)


def _read(document: Document, chosen: str | None) -> Pick | None:
    kind, _, number = (chosen or "").partition(":")
    if kind == "step":
        return Pick(document=document, step=int(number))
    if kind == "run":
        run = document.run(int(number))
        return Pick(document=document, step=run.step, run=run.number)
    return None
