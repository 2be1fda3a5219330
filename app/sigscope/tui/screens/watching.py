"""A session that grows while it is open: new steps and runs appear by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.growth import GrowingFile, News, can_grow, was_skimmed
from sigscope.errors import SigscopeError
from sigscope.tui import figures
from sigscope.tui.screens.following import Following
from sigscope.tui.screens.showing import Showing
from sigscope.tui.selection import begin
from sigscope.tui.study import look_at
from sigscope.tui.views.facts import glance
from sigscope.tui.views.studied import Shown

LOOK_EVERY = 0.5
"""Seconds between two looks at the file."""


class Watching(Following):
    """Looks at the session's file; takes what is new without moving the cursor."""

    @dataclass
    class Grown(Message):
        """A look at the file brought something, or the look is over."""

        news: News

    @dataclass
    class ReadInFull(Message):
        """The file was read once more, with all that is wrong with it."""

        document: Document

    @dataclass
    class WatchFailed(Message):
        """The file cannot be followed any more."""

        problem: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._file_watched: GrowingFile | None = None
        self._is_watching = False
        self._is_looking = False
        self._is_studied = False
        self._is_in_full = False
        """Whether the file was looked at as a whole, not at the heads of its lines."""

    def on_mount(self) -> None:
        """Look at the file from now on, if anybody may write to it."""
        self._is_watching = can_grow(self.document.session)
        if self._is_watching:
            self.set_interval(LOOK_EVERY, self.look_now)

    def look_now(self) -> None:
        """Look, unless something is being read anyway: the file can wait."""
        if self._is_watching and self._is_studied and not self._is_looking:
            self._is_looking = True
            self._look_at_file(
                self.document.numbers,
                frozenset(run.number for run in self.document.runs),
            )

    @work(thread=True, group="watch")
    def _look_at_file(self, steps: frozenset[int], runs: frozenset[int]) -> None:
        found: Message
        try:
            if self._file_watched is None:
                self._file_watched = GrowingFile(self.document.session.path or "")
            found = self.Grown(self._file_watched.look(steps, runs))
        except (SigscopeError, OSError) as error:
            found = self.WatchFailed(str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(found)

    @on(WatchFailed)
    def _watch_failed(self, message: WatchFailed) -> None:
        message.stop()
        self._stop_watching(f"the file is not followed any more: {message.problem}")

    def _stop_watching(self, words: str) -> None:
        self._is_looking = self._is_watching = False
        self.notify(words, severity="warning", markup=False, timeout=8)

    # --- What is new -----------------------------------------------------------------

    @on(Grown)
    def _grown(self, message: Grown) -> None:
        message.stop()
        self._is_looking = False
        news = message.news
        if not self._is_in_full:
            self._is_in_full = True
            unknown = set(news.problems) - set(self.document.session.problems)
            if unknown and was_skimmed(self.document.session):
                self._read_in_full()
                return
        before = len(self.document.runs)
        document = self.document.grown(news.steps, news.runs, news.problems)
        new_runs = len(document.runs) - before
        if new_runs:
            self.runs = tuple(document.runs)
            self.tell_status()
        if document is not self.document:
            new_steps = len(document.numbers) - len(self.document.numbers)
            self.document = document
            self._read_again()
            self.notify(figures.count(new_steps, "new step"), timeout=3)
        if news.was_replaced:
            self._stop_watching(
                "another file stands at the path of this session now; open it again"
                " to see it"
            )

    @work(thread=True, exclusive=True, group="read in full")
    def _read_in_full(self) -> None:
        """Lines of the file are not what they seemed: take it as it is."""
        found: Message
        try:
            path = self.document.session.path or ""
            found = self.ReadInFull(self.engine.open(path))
        except (SigscopeError, RecursionError, MemoryError) as error:
            found = self.WatchFailed(str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(found)

    @on(ReadInFull)
    def _take_in_full(self, message: ReadInFull) -> None:
        message.stop()
        before, document = self.document, message.document
        document.grown((), before.runs)
        document.unkept = before.unkept
        self.document = document
        self.runs = tuple(document.runs)
        for problem in document.session.problems[:3]:
            self.notify(
                ": ".join(filter(None, (problem.where, problem.message))),
                title="Not everything could be read",
                severity="warning",
                markup=False,
                timeout=8,
            )
        self._read_again()

    @work(exclusive=True, group="ask")
    async def action_dialect(self) -> None:
        """Say what the step on show speaks; keep it, and read again."""
        from sigscope.tui.screens.dialectdialog import (
            DialectDialog,
            decided,
            dialect_choices,
        )

        if self.selection is None or self.overview is None:
            self.notify("the session is still being read", timeout=3)
            return
        step = self.selection.step
        choices = dialect_choices(self.document, step)
        how = decided(self.document, step)
        key = await self.app.push_screen_wait(DialectDialog(choices, how, self.symbols))
        chosen = next((choice for choice in choices if choice.key == key), None)
        if chosen is None:
            return
        try:
            self.engine.keeper.keep_spoken(self.document, chosen.spoken)
        except SigscopeError as error:
            words = f"{error}; for one call: --dialect NAME"
            self.notify(words, severity="warning", markup=False, timeout=10)
            return
        self.document = self.document.reread()
        self._read_again()
        now = decided(self.document, step)
        words = f"{chosen.name} for {chosen.scope}; step {step} is {now}"
        self.notify(words, title="Dialect", markup=False, timeout=6)

    def _read_again(self) -> None:
        """List the new steps at once, and read; what is selected stays."""
        known = {fact.number: fact for fact in self.facts}
        self.facts = tuple(
            known.get(step.number) or glance(step.number, step.exchange)
            for step in self.document.steps
        )
        if self.selection is None:
            self.selection = begin([fact.number for fact in self.facts], [])
        self._is_studied = False
        self._study()

    @on(Showing.Studied)
    @on(Showing.StudyFailed)
    def _study_ended(self) -> None:
        self._is_studied = True

    def show_selected(self) -> None:
        """Show what is selected; not anew what is on show already, and not yet what
        is still being read."""
        selection, overview, shown = self.selection, self.overview, self.shown
        if selection is None or overview is None or not overview.is_checked:
            return
        if selection.step not in {fact.number for fact in overview.facts}:
            return
        is_shown = shown is not None and (shown.step, shown.run) == (
            selection.step,
            selection.run,
        )
        if shown is not None and is_shown and self._is_still_so(shown):
            self._settle()
        else:
            super().show_selected()

    def _is_still_so(self, shown: Shown) -> bool:
        """Whether later steps change nothing about what is on show."""
        if shown.run is not None:
            return True
        assert self.overview is not None
        now = look_at(self.document, self.overview, shown.step, None)
        return now.reading is shown.reading and (
            (now.findings, now.marks, now.refusal, now.facts)
            == (shown.findings, shown.marks, shown.refusal, shown.facts)
        )
