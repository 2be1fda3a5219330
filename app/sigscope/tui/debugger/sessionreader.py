"""Reading the session: all of it once, and its file again while it grows."""

from __future__ import annotations

import gc
import threading
import time
from functools import partial

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.growth import GrowingFile, News, can_grow, was_skimmed
from sigscope.errors import SigscopeError
from sigscope.records import dataclass
from sigscope.tui import figures
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.selection import begin
from sigscope.tui.study import StudyProgress, study
from sigscope.tui.views.facts import StepFacts, glance
from sigscope.tui.views.shownsession import Overview

TELL_EVERY = 0.1
"""Seconds between two reports of the study at least; each one redraws lists."""
SHARE = 20
"""Times as long as the last one took to show, too: lists of a thousand take long."""

PAINT_SECONDS = 0.5
"""The rules leave the processor to the screen until the ledger stands there; no longer
than that, for a screen that is not on top paints nothing."""

LONG = 200
"""Steps from which on a session is worth being spared when garbage is looked for."""


@dataclass(frozen=True, slots=True)
class _Problem:
    """Why something could not be read."""

    words: str


class SessionReader:
    """Studies the model's document in a thread; takes new steps and runs of its file
    without moving the cursor."""

    def __init__(self, model: DebuggerModel, desk: Desk) -> None:
        self._model = model
        self._desk = desk
        self.file: GrowingFile | None = None
        """The file, once it was looked at."""
        self._path: str | None = None
        """Of that."""
        self.is_watching = False
        """Whether the file is looked at: somebody may write to it."""
        self._report_seconds = 0.0
        """How long it took to show how far the study is."""
        self._is_looking = False
        self._is_studied = False
        self._is_in_full = False
        """Whether the file was looked at as a whole, not at the heads of its lines."""
        self._spared = LONG // 2
        """Steps of which what is known is not looked through for garbage."""

    # --- The study -------------------------------------------------------------------

    def study(self) -> None:
        self._is_studied = False
        self._model.problem = ""
        self._desk.aside("study", self._study, self._studied, self._not_studied)

    def _study(self) -> Overview | _Problem | None:
        model, desk = self._model, self._desk
        facts = {fact.number: fact for fact in model.plain_facts}
        told, what = time.monotonic(), ""
        session = model.document.session
        if can_grow(session) and not was_skimmed(session):
            model.document.expect_more()
        try:
            for found in study(model.document):
                if desk.is_over():
                    return None
                if isinstance(found, Overview):
                    if found.is_checked:
                        return found
                    shown = threading.Event()
                    desk.later(self._follow, found, shown)
                    shown.wait(PAINT_SECONDS)
                    continue
                if found.facts is not None:
                    facts[found.facts.number] = found.facts
                now = time.monotonic()
                wait = max(TELL_EVERY, SHARE * self._report_seconds)
                if now - told >= wait or found.what != what:
                    told, what = now, found.what
                    desk.later(self._report, found, tuple(facts.values()))
        except (SigscopeError, RecursionError) as error:
            return _Problem(str(error))
        return None

    def _follow(self, found: Overview, shown: threading.Event) -> None:
        self._model.take_followed(found)
        self._desk.once_painted(shown.set)

    def _report(self, pace: StudyProgress, facts: tuple[StepFacts, ...]) -> None:
        begun = time.monotonic()
        self._model.take_pace(pace, facts)
        self._report_seconds = time.monotonic() - begun

    def _studied(self, found: Overview | _Problem | None) -> None:
        self._is_studied = True
        if isinstance(found, Overview):
            self._model.take_overview(found)
            self._desk.once_painted(self._spare_what_stays)
        elif found is not None:
            self._desk.tell(
                found.words, title="Could not read all", severity="error", timeout=12
            )
            self._model.fail_study(found.words)

    def _not_studied(self, words: str) -> None:
        self._is_studied = True
        self._model.fail_study(words)

    def _spare_what_stays(self) -> None:
        """What is known of a long session are millions of objects, and they stay until
        it is left: looking through them for garbage would keep a key waiting for a
        quarter of a second now and then. One that grows is spared whenever it is twice
        as long."""
        steps = len(self._model.facts)
        if steps >= 2 * self._spared:
            self._spared = steps
            gc.freeze()

    def read_again(self, document: Document) -> None:
        """Go on with another document of the same session: list its new steps at once,
        and read them; what is selected stays."""
        model = self._model
        before = {step.number: step.id for step in model.document.steps}
        model.document = document
        known = {fact.number: fact for fact in model.plain_facts}
        model.take_facts(
            known[step.number]
            if step.number in known and before.get(step.number) == step.id
            else glance(step.number, step.exchange)
            for step in document.steps
        )
        if model.selection is None:
            model.selection = begin([fact.number for fact in model.facts], [])
        self.study()

    # --- The file --------------------------------------------------------------------

    def watch(self) -> bool:
        """Have the file looked at, if anybody may write to it."""
        self.is_watching = can_grow(self._model.document.session)
        return self.is_watching

    def go_on_in(self, path: str) -> None:
        """The file was moved, or deleted while it was written to: it goes on here."""
        session = self._model.document.session
        if session.path != path:
            session.path = path
            self.is_watching = True

    def look(self) -> None:
        """Look, unless something is being read anyway: the file can wait."""
        if not self.is_watching or not self._is_studied or self._is_looking:
            return
        self._is_looking = True
        document = self._model.document
        runs = frozenset(run.number for run in document.runs)
        look = partial(self._look, document.numbers, runs)
        self._desk.aside("watch", look, self._looked, self._not_looked)

    def _look(self, steps: frozenset[int], runs: frozenset[int]) -> News | _Problem:
        try:
            path = self._model.document.session.path or ""
            if self.file is None or self._path != path:
                self.file, self._path = GrowingFile(path), path
            return self.file.look(steps, runs)
        except (SigscopeError, OSError) as error:
            return _Problem(str(error))

    def _not_looked(self, _: str) -> None:
        self.is_watching = self._is_looking = False

    def _looked(self, found: News | _Problem) -> None:
        self._is_looking = False
        if isinstance(found, _Problem):
            self._stop_watching(f"the file is not followed any more: {found.words}")
        else:
            self._take_news(found)

    def _stop_watching(self, words: str) -> None:
        self.is_watching = False
        self._desk.tell(words, severity="warning", timeout=8)

    def _take_news(self, news: News) -> None:
        model = self._model
        before = model.document
        if not self._is_in_full:
            self._is_in_full = True
            unknown = set(news.problems) - set(before.session.problems)
            if unknown and was_skimmed(before.session):
                self._desk.aside("read in full", self._read_in_full, self._take_in_full)
                return
        document = before.grown(news.steps, news.runs, news.problems)
        model.runs = tuple(document.runs)
        if document is not before:
            self.read_again(document)
            if not any(fact.is_held for fact in model.facts):  # its keys are needed
                new = [f for f in model.facts if f.number not in before.numbers]
                refused = [f.number for f in new if f.status and f.status >= 400]
                words = figures.count(len(new), "new step")
                if refused:
                    words += f"; step {refused[0]:,} was refused,"
                    words += f" {self._desk.key('anomaly.next')} goes on to it"
                self._desk.tell(words, timeout=5 if refused else 3)
        if news.was_replaced:
            self._stop_watching(
                "another file stands at the path of this session now; open it again"
                " to see it"
            )

    def _read_in_full(self) -> Document | _Problem:
        """Lines of the file are not what they seemed: take it as it is."""
        try:
            path = self._model.document.session.path or ""
            return self._model.engine.open(path)
        except (SigscopeError, RecursionError, MemoryError) as error:
            return _Problem(str(error))

    def _take_in_full(self, found: Document | _Problem) -> None:
        if isinstance(found, _Problem):
            self._stop_watching(f"the file is not followed any more: {found.words}")
            return
        before = self._model.document
        found.grown((), before.runs)
        found.unkept = before.unkept
        self._model.runs = tuple(found.runs)
        for problem in found.session.problems[:3]:
            self._desk.tell(
                ": ".join(filter(None, (problem.where, problem.message))),
                title="Not everything could be read",
                severity="warning",
                timeout=8,
            )
        self.read_again(found)
