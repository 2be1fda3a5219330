"""From what panes tell to what all panes show; header and status line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from sigscope.rules.findings import Finding
from sigscope.tui.itemlist import ItemList
from sigscope.tui.json import JsonPane, Subject
from sigscope.tui.panes.chat import ChatPane
from sigscope.tui.panes.findings import FindingsPane
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.oneliners import HeaderLine, StatusLine
from sigscope.tui.panes.signatures import SignaturesPane
from sigscope.tui.panes.steps import StepsPane
from sigscope.tui.panes.timeline import TimelinePane
from sigscope.tui.place import Place
from sigscope.tui.screens.sending import Sending
from sigscope.tui.selection import (
    Selection,
    choose_finding,
    choose_place,
    choose_signature,
)
from sigscope.tui.shown import one_line
from sigscope.tui.study import offers
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.views.findings import counts_of
from sigscope.tui.views.headline import Headline, Status, name_of
from sigscope.tui.views.jsonmarks import json_marks
from sigscope.tui.views.runs import tally
from sigscope.tui.views.studied import Shown


class Steering(Sending):
    """Takes the panes' messages; fills the JSON pane, the header, the status line."""

    symbols: Any = UNICODE

    @dataclass
    class Offered(Message):
        """Rows that could be switched on are known."""

        shown: Shown
        rows: tuple[Any, ...]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._told: Place | None = None
        """Where the JSON pane's cursor is by its own word."""
        self._in_diff: Place | None = None
        """Where the cursor of its Diff tab is."""

    # --- From the lists --------------------------------------------------------------

    @on(ItemList.Moved)
    def _moved(self, message: ItemList.Moved) -> None:
        message.stop()
        self._take(message.list, message.key)

    @on(ItemList.Chosen)
    def _chosen(self, message: ItemList.Chosen) -> None:
        message.stop()
        self._take(message.list, message.key, is_opened=True)

    @on(ItemList.Hit)
    def _hit(self, message: ItemList.Hit) -> None:
        message.stop()
        self._take(message.list, message.key)
        self.follow_target(str(message.target), message.key)

    def _take(self, pane: ItemList, key: Any, *, is_opened: bool = False) -> None:
        """The cursor of a pane has moved to something, or it was opened."""
        if isinstance(pane, StepsPane):
            self.choose_step_number(int(key))
            if is_opened:
                self.action_pane(3)
        elif isinstance(pane, TimelinePane):
            self.choose_lane(key)
            if is_opened:
                self.action_pane(4)
        elif isinstance(pane, SignaturesPane):
            self.choose_sha256(str(key))
            if is_opened:
                self.action_pane(4)
        elif isinstance(pane, ChatPane):
            self._take_block(pane, key, is_opened=is_opened)
        elif isinstance(pane, FindingsPane):
            self._take_finding(key, is_opened=is_opened)

    def _take_block(self, pane: ChatPane, key: Any, *, is_opened: bool) -> None:
        block = pane.block(key)
        if block is None:
            return
        if block.finding is not None:
            self.choose_finding(block.finding)
        else:
            self.choose_node(block.place)
        if is_opened and block.kind in ("thought", "result", "text", "call"):
            pane.action_fold()
        elif is_opened:
            self.action_pane(4)

    def _take_finding(self, key: tuple[str, Any], *, is_opened: bool) -> None:
        kind, what = key
        if kind == "finding":
            self.choose_finding(what)
            if is_opened:
                self.action_pane(4)
        elif kind == "run" and is_opened and self.shown is not None:
            self.choose_step_number(self.shown.step, what)
        elif kind == "step" and is_opened:
            self.choose_step_number(what)

    def choose_lane(self, key: Any) -> None:
        """Show the step, or the run, of a lane."""

    def follow_target(self, target: str, key: Any) -> None:
        """A click on something inside a row."""
        kind, _, rest = target.partition(":")
        if kind == "signature":
            self.choose_sha256(rest)
        elif kind == "step":
            self.choose_step_number(int(rest))
        elif kind == "event":
            self.choose_node(Place(side="event", event=int(rest)))
            self.action_pane(4)
        elif kind == "fix" and isinstance(key, tuple) and key[0] == "finding":
            self.toggle_fix(key[1])

    def action_pane(self, number: int) -> None:
        """Go to a pane; the screen knows how."""

    @property
    def is_diff_worked_in(self) -> bool:
        """Whether the cursor that counts is that of the Diff tab; the screen knows."""
        return False

    # --- Choosing --------------------------------------------------------------------

    def choose_sha256(self, sha256: str) -> None:
        """Follow a signature."""
        overview, now = self.overview, self.selection
        if overview is None or now is None:
            return
        ledgers = [overview.ledger, *([self.shown.ledger] if self.shown else [])]
        for ledger in ledgers:
            for signature in ledger.signatures:
                if signature.sha256 == sha256:
                    self.choose(choose_signature(now, signature))
                    return

    def choose_finding(self, finding: Finding) -> None:
        """Show what a finding is about."""
        if self.selection is not None:
            self.choose(choose_finding(self.selection, finding))

    def choose_node(self, place: Place) -> None:
        """Show a node."""
        if self.selection is not None and self.shown is not None:
            self.choose(choose_place(self.selection, place, self.shown.marks))

    # --- The JSON pane ---------------------------------------------------------------

    @on(JsonPane.NodeChosen)
    def _node_chosen(self, message: JsonPane.NodeChosen) -> None:
        message.stop()
        place = Place(side=message.side, event=message.event, pointer=message.pointer)
        self._told = place
        self.choose_node(place)

    @on(JsonPane.DiffMoved)
    def _diff_moved(self, message: JsonPane.DiffMoved) -> None:
        message.stop()
        pointer = message.pointer
        place = None if pointer is None else Place(side=message.side, pointer=pointer)
        self._in_diff = place
        self.tell_status()

    @on(JsonPane.EditsChanged)
    def _edits_changed(self, message: JsonPane.EditsChanged) -> None:
        message.stop()
        self.take_edits(message.edits, message.label)

    @on(JsonPane.MarkChosen)
    def _mark_chosen(self, message: JsonPane.MarkChosen) -> None:
        message.stop()
        target = message.mark.target
        if isinstance(target, Finding):
            self.choose_finding(target)
        elif isinstance(target, str):
            self.follow_target(target, None)

    def watch_shown(self) -> None:
        """The JSON pane gets another subject."""
        super().watch_shown()
        shown = self.shown
        self._told = None
        if shown is not None:
            self.query_one(JsonPane).subject = self._subject(shown)
            self._offer(shown)
        self.tell_header()

    def _subject(self, shown: Shown) -> Subject:
        assert self.overview is not None
        symbols: Symbols = self.symbols
        parent, title = None, ""
        if shown.run is not None:
            run = self.document.run(shown.run)
            if run.parent is not None:
                parent = self.document.run_reading(self.document.run(run.parent))
                title = f"run {run.parent}"
            else:
                parent = self.document.reading(shown.step)
                title = f"step {shown.step}"
        here = f"step {shown.step}"
        return Subject(
            title=here if shown.run is None else f"run {shown.run} of {here}",
            reading=shown.reading,
            base=shown.reading,
            parent=parent,
            parent_title=title,
            marks=json_marks(shown.marks, symbols, self.overview.palette),
        )

    @work(thread=True, exclusive=True, group="offer", description="offer rows")
    def _offer(self, shown: Shown) -> None:
        rows = offers(self.document, shown)
        if rows and not get_current_worker().is_cancelled:
            self.post_message(self.Offered(shown, rows))

    @on(Offered)
    def _offered(self, message: Offered) -> None:
        message.stop()
        if message.shown is self.shown:
            self.query_one(JsonPane).offer(message.rows)

    def reveal(self, selection: Selection) -> None:
        """The JSON pane goes to the node, unless it is there by its own word, or
        nothing in particular is selected."""
        place = selection.place
        if place is None or place == self._told:
            return
        nothing = selection.signature is None and selection.finding is None
        if place == Place() and nothing:
            return
        self._told = place
        self.query_one(JsonPane).show_node(place.side, place.event, place.pointer)

    def study_failed(self) -> None:
        """What is made from all steps together is not there."""
        overview, note = self.overview, "not all steps could be read"
        if overview is None:
            self.query_one(SignaturesPane).show([], note=note)
        if overview is None or not overview.is_checked:
            for pane in (ChatPane, FindingsPane):
                self.query_one(pane).show([], note=note)

    # --- Header and status line ------------------------------------------------------

    def watch_forecast(self) -> None:
        """The header says it."""
        self.tell_header()

    def watch_upstream(self) -> None:
        """The header names it."""
        self.tell_header()

    def watch_under_way(self) -> None:
        """The status line says how far it is."""
        self.tell_status()

    def edited(self, label: str) -> None:
        """Header and figures follow."""
        self.tell_header()

    def tell_header(self) -> None:
        """Say what the header says."""
        self.query_one(KeyLine).refresh()  # other keys may be of use now
        shown, forecast = self.shown, self.forecast
        facts = shown.facts if shown else None
        self.query_one(HeaderLine).headline = Headline(
            title=name_of(self.document.session),
            dialect=facts.dialect if facts else "",
            model=facts.model if facts else "",
            upstream=self.upstream.url,
            recorded=facts.status if facts else None,
            said=facts.said if facts else "",
            run=shown.run if shown else None,
            edits=len(self.edits),
            predicted=forecast.status if forecast else None,
            rules=forecast.other_voice if forecast else "",
            is_thinking=forecast is None and shown is not None,
            can_predict=forecast is None or forecast.status is not None,
            problem=forecast.problem if forecast else "",
        )

    @property
    def idle_keys(self) -> frozenset[str]:
        """Keys with nothing to do: they stay out of the lowest line."""
        findings = self.shown.findings if self.shown else ()
        history = self.history
        told = {
            "fix": any(finding.fix for finding in findings),
            "undo": history is not None and history.can_undo,
            "step.previous": len(self.document.steps) > 1,
            "step.next": len(self.document.steps) > 1,
        }
        return frozenset(name for name, is_of_use in told.items() if not is_of_use)

    def tell_status(self) -> None:
        """Say what the status line says."""
        selection, shown = self.selection, self.shown
        place = selection.place if selection else None
        if self.is_diff_worked_in:
            place = self._in_diff
        pace, busy = self.reading_pace, self.busy_words
        if pace is not None and not busy:
            busy = f"{pace.what} … {pace.done} of {pace.total}"
        if self.study_problem and not busy:
            busy = f"could not read all: {one_line(self.study_problem, 200)}"
        step = selection.step if selection else None
        mine = [run for run in self.runs if run.step == step]
        self.query_one(StatusLine).status = Status(
            place=place,
            step=step,
            steps=len(self.document.steps),
            run=selection.run if selection else None,
            event=place.event if place else None,
            events=len(shown.reading.events) if shown and place and place.event else 0,
            findings=counts_of(shown.findings) if shown else "",
            runs=tally(mine),
            busy=busy,
        )
