"""What can be done to the edits of the request on show."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial

from sigscope.edits.records import Edit
from sigscope.errors import EditError
from sigscope.readymade import Ready
from sigscope.rules.findings import Finding
from sigscope.tui import figures
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.model import AT_ONCE, DebuggerModel
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line, column, cut, fit, line
from sigscope.tui.study import ready_made
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.findings import fix_words

NO_FIX = "no finding of this step offers a fix"
UNCHECKED = "rules are still checked: no fix is known yet"


class Editor:
    """Switches fixes and known mistakes, undoes, and says what it cannot do."""

    def __init__(self, model: DebuggerModel, desk: Desk) -> None:
        self._model = model
        self._desk = desk

    def undo(self) -> None:
        """Take the last change back, and say which that was."""
        self._say_moved("undo", "undone", self._model.undo())

    def redo(self) -> None:
        """Make the last undone change again, and say which that is."""
        self._say_moved("redo", "done again", self._model.redo())

    def _say_moved(self, verb: str, done: str, what: str | None) -> None:
        if what is None:
            self._desk.tell(f"nothing to {verb}", timeout=2)
        else:
            self._say(done, what, timeout=3)

    def switch_off(self) -> None:
        """Switch all edits off."""
        count = len(self._model.edits)
        if not count:
            self._desk.tell("no edits are on: it is as it was recorded")
            return
        self._model.take_edits((), "all edits off")
        back = f"{self._desk.key('undo')} brings them back"
        self._desk.tell(f"{figures.count(count, 'edit')} off; {back}")

    # --- Fixes -----------------------------------------------------------------------

    def apply_next_fix(self, in_focus: object = None) -> None:
        """Go to the next fix that is off, from the finding in focus on (else from the
        selected one), around the end, and switch it on. Never takes one back."""
        offered = self._offered(in_focus)
        if not offered:
            self._desk.tell(self._why_none())
            return
        off = [finding for finding in offered if not self._is_on(finding)]
        if not off:
            count = len(offered)
            few = {1: "the fix is", 2: "both fixes are"}
            what = few.get(count, f"all {count} fixes are")
            back = self._desk.key("fix.back")
            words = f"{what} on: {self._sends()}, {back} reverts one"
            self._desk.tell(words)
            return
        finding, *rest = off
        gone = self.switch_fix(finding)
        self._model.choose_finding(finding)
        more = f"{len(rest)} more: {self._desk.key('fix')}"
        left = more if rest else self._sends()
        instead = f" in place of {_counted(gone)}" if gone else ""
        words = f"{fix_words(finding.fix or ())}{instead}; {left}"
        self._say(f"{finding.rule} on", words)

    def _sends(self) -> str:
        """What to press next; a request that is held is sent by a key of its own."""
        if self._model.is_held:
            return f"{self._desk.key('recording.release')} sends it on"
        return f"{self._desk.key('send')} sends the request"

    def take_fix_back(self, in_focus: object = None) -> None:
        """Switch the fix of the finding in focus, or of the selected one, off; where
        that is not on, the one switched on last."""
        on = [finding for finding in self._offered(in_focus) if self._is_on(finding)]
        if not on:
            apply, undo = map(self._desk.key, ("fix", "undo"))
            words = f"no fix is on; {apply} applies one, {undo} undoes the last edit"
            self._desk.tell(words)
            return
        meant = self._meant(in_focus)
        finding = meant if meant in on else max(on, key=self._switched_at)
        assert finding is not None
        self.switch_fix(finding)
        self._model.choose_finding(finding)
        self._say(f"{finding.rule} reverted", fix_words(finding.fix or ()))

    def _offered(self, in_focus: object) -> list[Finding]:
        """Findings with a fix, the one that is meant first, then those below it."""
        shown = self._model.shown
        findings = shown.findings if shown else ()
        meant = self._meant(in_focus)
        at = findings.index(meant) if meant is not None else 0
        return [f for f in (*findings[at:], *findings[:at]) if f.fix]

    def _meant(self, in_focus: object) -> Finding | None:
        """The finding in focus, else the selected one, if it is one of this step."""
        selection, shown = self._model.selection, self._model.shown
        findings = shown.findings if shown else ()
        selected = selection.finding if selection else None
        for candidate in (in_focus, selected):
            if isinstance(candidate, Finding) and candidate in findings:
                return candidate
        return None

    def _is_on(self, finding: Finding) -> bool:
        return set(finding.fix or ()) <= set(self._model.edits)

    def _switched_at(self, finding: Finding) -> int:
        edits = self._model.edits
        return max(edits.index(edit) for edit in finding.fix or ())

    def _say(self, title: str, words: str, timeout: float = 5) -> None:
        """On one line, whatever its width: a fix may be described at length."""
        room = self._desk.width - len(title) - 4
        self._desk.tell(cut(words, room), title=title, timeout=timeout)

    def switch_fix(self, finding: Finding) -> tuple[Edit, ...]:
        """Switch the fix of a finding on, or off if it is on. Gives the edits that made
        way for it."""
        fix, edits = finding.fix, self._model.edits
        if not fix:
            self._desk.tell(f"{finding.rule} offers no fix here")
            return ()
        if set(fix) <= set(edits):
            rest = [edit for edit in edits if edit not in fix]
            self._model.take_edits(rest, f"fix of {finding.rule} off")
            return ()
        gone = self._in_the_way(fix)
        rest = [edit for edit in edits if edit not in (*fix, *gone)]
        words = f"{finding.rule}: {fix_words(fix)}"
        self._model.take_edits([*rest, *fix], words)
        return gone

    def _in_the_way(self, fixes: Sequence[Edit]) -> tuple[Edit, ...]:
        """The user's own edits of the same places. Another finding's fix makes no way:
        the two would take turns."""
        from sigscope.comparison import joined  # plans the edits of a body

        shown = self._model.shown
        if shown is None:
            return ()
        known = {edit for finding in shown.findings for edit in finding.fix or ()}
        own = [edit for edit in self._model.edits if edit not in known]
        try:
            return joined(own, fixes, shown.reading.request_text)[1] if own else ()
        except EditError:
            return ()

    def _why_none(self) -> str:
        """Why there is no fix to switch on, as far as that is known."""
        model = self._model
        if not model.document.steps:
            return "there is no step yet"
        is_known = model.overview is not None and model.overview.is_checked
        return NO_FIX if is_known or model.problem else UNCHECKED

    def switch_all_fixes(self) -> None:
        """Switch on the fix of every finding of this step."""
        from sigscope.rules.cure import cure_of  # reads the body

        shown = self._model.shown
        findings = shown.findings if shown else ()
        if shown is None or not any(finding.fix for finding in findings):
            self._desk.tell(self._why_none())
            return
        cure = cure_of(findings, shown.reading.request_text)
        gone = self._in_the_way(cure.edits)
        kept = [edit for edit in self._model.edits if edit not in gone]
        merged = dict.fromkeys([*kept, *cure.edits])
        on = len([f for f in findings if f.fix and {*f.fix} <= {*merged}])
        what = figures.count(on, "fix", "fixes")
        self._model.take_edits(list(merged), what)
        self._desk.tell(f"{what} on: {self._sends()}")
        for left in cure.set_aside:
            self._desk.tell(left.words)

    # --- Known mistakes and cures ----------------------------------------------------

    async def try_ready_made(self, symbols: Symbols) -> None:
        """Let one of those that fit be chosen."""
        from sigscope.tui.screens.choicedialog import ChoiceDialog

        shown = self._model.shown
        if shown is None:
            return
        look = partial(ready_made, self._model.document, shown)
        is_large = shown.facts.size > AT_ONCE
        found = await asyncio.to_thread(look) if is_large else look()
        if self._model.shown is not shown:
            return  # the user went on meanwhile
        dialog = ChoiceDialog(
            "Known mistakes and cures",
            _items(ready for ready, _ in found),
            more={ready.name: _source_of(ready, edits) for ready, edits in found},
            note="none of the known mistakes and cures fits this request",
            symbols=symbols,
        )
        chosen = await self._desk.ask(dialog)
        for ready, edits in found:
            if ready.name == chosen:
                self._model.take_edits(edits, ready.name)
                words = f"{ready.title} ({figures.count(len(edits), 'edit')})"
                self._desk.tell(words, title=ready.name, timeout=5)


def _counted(edits: Sequence[Edit]) -> str:
    return "your edit" if len(edits) == 1 else f"your {len(edits)} edits"


def _items(known: Iterable[Ready]) -> list[Item]:
    found = list(known)
    size = max((len(ready.name) for ready in found), default=0)

    def lay(ready: Ready, cells: int) -> list[Line]:
        ink = {"mistake": "bad", "cure": "good"}.get(ready.kind, "warn")
        head = (
            column(ready.name, size, "bold"),
            *line("  ", (f"{ready.kind:8}", ink), "  "),
        )
        return [fit((*head, *line((ready.title, "dim"))), cells)]

    return [Item(ready.name, partial(lay, ready)) for ready in found]


def _source_of(ready: Ready, edits: tuple[Edit, ...]) -> str:
    count = figures.count(len(edits), "edit")
    return f"{ready.title}\n{count}; source: {ready.source}"
