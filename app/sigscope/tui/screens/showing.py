"""A document on screen: reading it, and the one selection that every pane shows."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from textual import on, work
from textual.message import Message
from textual.reactive import var
from textual.screen import Screen
from textual.worker import get_current_worker

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.errors import SigscopeError
from sigscope.tui.selection import Selection, begin, choose_step, settle, worst_steps
from sigscope.tui.study import Pace, glances, look_at, study
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.studied import Overview, Shown

TELL_EVERY = 0.1
"""Seconds between two reports of the study at least; each one redraws lists."""
SHARE = 20
"""Times as long as the last one took to show, too: lists of a thousand take long."""


class Showing(Screen[Any]):
    """Reads a document in a thread and shows one step, or one run, of it."""

    facts: var[tuple[StepFacts, ...]] = var((), init=False)
    overview: var[Overview | None] = var(None, init=False)
    selection: var[Selection | None] = var(None, init=False)
    shown: var[Shown | None] = var(None, init=False)

    @dataclass
    class Read(Message):
        """The study has come further."""

        pace: Pace
        facts: tuple[StepFacts, ...]

    @dataclass
    class Followed(Message):
        """The ledger is there; the rules are asked next."""

        overview: Overview

    @dataclass
    class Studied(Message):
        """The study is done."""

        overview: Overview

    @dataclass
    class Looked(Message):
        """A run has been read."""

        shown: Shown

    @dataclass
    class StudyFailed(Message):
        """The study could not be finished."""

        problem: str

    def __init__(self, engine: Engine, document: Document, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.engine = engine
        self.document = document
        self.reading_pace: Pace | None = None
        """How far the study is; None when it is done."""
        self.study_problem = ""
        """Why not all could be read; empty if it could, or while it is read."""
        self._report_seconds = 0.0
        """How long it took to show how far the study is."""
        self._opened_on: Selection | None = None
        """What was selected for the user; not looked at if they moved on."""

    def begin_study(self) -> None:
        """List the steps, and start reading."""
        self.facts = glances(self.document)
        statuses = {fact.number: fact.status or 0 for fact in self.facts}
        failed = [number for number, status in statuses.items() if status >= 400]
        self.selection = begin([fact.number for fact in self.facts], failed)
        self._opened_on = self.selection
        self.call_after_refresh(self._study)  # the steps are painted before it begins

    @work(thread=True, exclusive=True, group="study")
    def _study(self) -> None:
        worker = get_current_worker()
        self.study_problem = ""
        facts = {fact.number: fact for fact in self.facts}
        told, what = time.monotonic(), ""
        try:
            for found in study(self.document):
                if worker.is_cancelled:
                    return
                if isinstance(found, Overview):
                    kind = self.Studied if found.is_checked else self.Followed
                    self.post_message(kind(found))
                    continue
                if found.facts is not None:
                    facts[found.facts.number] = found.facts
                now = time.monotonic()
                wait = max(TELL_EVERY, SHARE * self._report_seconds)
                if now - told >= wait or found.what != what:
                    told, what = now, found.what
                    self.post_message(self.Read(found, tuple(facts.values())))
        except (SigscopeError, RecursionError) as error:
            self.post_message(self.StudyFailed(str(error)))

    @on(Read)
    def _read(self, message: Read) -> None:
        message.stop()
        begun = time.monotonic()
        self.reading_pace = message.pace
        self.facts = message.facts
        self.tell_status()
        self._report_seconds = time.monotonic() - begun

    @on(Followed)
    def _followed(self, message: Followed) -> None:
        """Where nothing was known before; what is on show stays until all is known."""
        message.stop()
        if self.overview is None or not self.overview.is_checked:
            self.facts = message.overview.facts
            self.overview = message.overview

    @on(Studied)
    def _studied(self, message: Studied) -> None:
        message.stop()
        self.reading_pace = None
        self.facts = message.overview.facts
        self.overview = message.overview
        if self.selection is not None:
            wrong = [f.number for f in self.facts if f.is_accepted is False]
            wrong = wrong or worst_steps(message.overview.findings)
            if self.selection is self._opened_on and wrong:
                self.selection = begin([f.number for f in self.facts], wrong)
            self.show_selected()
        self.tell_status()

    @on(StudyFailed)
    def _study_failed(self, message: StudyFailed) -> None:
        message.stop()
        self.reading_pace = None
        self.study_problem = message.problem
        self.notify(
            message.problem,
            title="Could not read all",
            severity="error",
            markup=False,
            timeout=12,
        )
        self.study_failed()
        self.tell_status()

    def study_failed(self) -> None:
        """Not all could be read; what needs it says so."""

    # --- Selecting -------------------------------------------------------------------

    def choose(self, wanted: Selection) -> None:
        """Show what is wanted, in every pane."""
        if wanted == self.selection:
            return
        now = self.selection
        self.selection = wanted
        if now is None or (now.step, now.run) != (wanted.step, wanted.run):
            self.show_selected()
        else:
            self._settle()

    def choose_step_number(self, step: int, run: int | None = None) -> None:
        """Show another step, or a run."""
        if self.selection is not None:
            ledger = self.overview.ledger if self.overview else None
            self.choose(choose_step(self.selection, step, ledger, run))

    def show_selected(self) -> None:
        """Read what is selected: a step at once, a run in a thread (its ledger has to
        be made)."""
        selection, overview = self.selection, self.overview
        if selection is None or overview is None or not overview.is_checked:
            return
        if selection.run is None:
            self._show(look_at(self.document, overview, selection.step, None))
        else:
            self._look(overview, selection.step, selection.run)

    @work(thread=True, exclusive=True, group="look", description="look at a run")
    def _look(self, overview: Overview, step: int, run: int) -> None:
        found = look_at(self.document, overview, step, run)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Looked(found))

    @on(Looked)
    def _looked(self, message: Looked) -> None:
        message.stop()
        selection = self.selection
        wanted = (selection.step, selection.run) if selection else None
        if (message.shown.step, message.shown.run) == wanted:
            self._show(message.shown)

    def _show(self, shown: Shown) -> None:
        self.shown = shown
        self._settle()

    def _settle(self) -> None:
        """Find the node of what is selected, if it is not known yet."""
        selection, shown = self.selection, self.shown
        if selection is None or shown is None:
            return
        if (shown.step, shown.run) != (selection.step, selection.run):
            return
        self.selection = settle(selection, shown.marks, shown.findings)
        self.reveal(self.selection)
        self.tell_status()

    def reveal(self, selection: Selection) -> None:
        """The selection is complete: whatever does not follow by itself does now."""

    def tell_status(self) -> None:
        """The status line says something else now."""
