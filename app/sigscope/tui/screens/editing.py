"""Edits of the request on show: switching, undoing, and what they would bring."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textual import on, work
from textual.message import Message
from textual.reactive import var
from textual.worker import get_current_worker

from sigscope.edits.records import Edit
from sigscope.engine.sending.sender import Order
from sigscope.engine.sessions.drafts import Base
from sigscope.errors import SigscopeError
from sigscope.rules.findings import Finding
from sigscope.runs import RulesVoice
from sigscope.tui.json import EditHistory
from sigscope.tui.screens.showing import Showing
from sigscope.tui.views.findings import fix_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What the simulator says to the request on show, with its edits."""

    base: Base
    edits: tuple[Edit, ...]
    status: int | None = None
    """None where no simulator knows this service."""
    error: str | None = None
    rules: RulesVoice | None = None
    """What the rules say to the same request."""
    is_modelled: bool = True
    """Whether the simulator knows what the step was refused for."""
    problem: str = ""
    """Why the edits cannot be applied."""

    @property
    def other_voice(self) -> str:
        """What the rules say where they foretell something else, or that the
        simulator does not know; else empty."""
        if not self.is_modelled:
            return "not modelled: ask the service"
        if self.rules is None or not self.rules.differs_from(self.status):
            return ""
        return self.rules.words


class Editing(Showing):
    """Keeps edits and their history for each request; asks the simulator."""

    edits: var[tuple[Edit, ...]] = var((), init=False)
    """Edits switched on for the request on show."""
    forecast: var[Forecast | None] = var(None, init=False)

    @dataclass
    class Foretold(Message):
        """The simulator has spoken."""

        forecast: Forecast

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._histories: defaultdict[Base, EditHistory] = defaultdict(EditHistory)

    def take_histories(self, histories: defaultdict[Base, EditHistory]) -> None:
        """Go on with what was done in this session before; called before anything is
        on show."""
        self._histories = histories

    @property
    def histories(self) -> defaultdict[Base, EditHistory]:
        """What was done to each request."""
        return self._histories

    @property
    def base(self) -> Base | None:
        """What is edited now; None while nothing is on show."""
        return (self.shown.step, self.shown.run) if self.shown else None

    @property
    def history(self) -> EditHistory | None:
        """The history of what is edited now."""
        return self._histories[self.base] if self.base else None

    def watch_shown(self) -> None:
        """Other edits belong to another request."""
        history = self.history
        self.edits = history.edits if history else ()
        self.forecast = None
        self.foretell()

    def take_edits(self, edits: Sequence[Edit], label: str) -> None:
        """Switch to a set of edits; can be undone."""
        history = self.history
        if history is not None and history.push(tuple(edits), label):
            self.edits = history.edits
            self.foretell()
            self.edited(label)

    def edited(self, label: str) -> None:
        """Something was done to the edits."""

    # --- Actions ---------------------------------------------------------------------

    def action_undo(self) -> None:
        """Take the last change of the edits back."""
        history = self.history
        if history is None or not history.can_undo:
            self.notify("nothing to undo", timeout=2)
            return
        label = history.undo_label
        self.edits = history.undo()
        self.foretell()
        self.edited(f"undone: {label}")

    def action_redo(self) -> None:
        """Make the last undone change again."""
        history = self.history
        if history is None or not history.can_redo:
            self.notify("nothing to redo", timeout=2)
            return
        label = history.redo_label
        self.edits = history.redo()
        self.foretell()
        self.edited(f"redone: {label}")

    def toggle_fix(self, finding: Finding) -> None:
        """Switch the fix of a finding on, or off if it is on."""
        if not finding.fix:
            self.notify(f"{finding.rule} offers no fix here", timeout=4)
            return
        fix = finding.fix
        on = [edit for edit in self.edits if edit not in fix]
        if set(fix) <= set(self.edits):
            self.take_edits(on, f"fix of {finding.rule} off")
        else:
            self.take_edits([*on, *fix], f"{finding.rule}: {fix_words(fix)}")

    def action_all_fixes(self) -> None:
        """Switch on the fix of every finding of this step."""
        findings = self.shown.findings if self.shown else ()
        fixes = [edit for finding in findings for edit in finding.fix or ()]
        if not fixes:
            self.notify("no finding of this step offers a fix", timeout=4)
            return
        merged = dict.fromkeys([*self.edits, *fixes])
        self.take_edits(list(merged), f"all {len(fixes)} fixes")

    def action_as_recorded(self) -> None:
        """Switch all edits off."""
        self.take_edits((), "all edits off")

    # --- Forecast --------------------------------------------------------------------

    def foretell(self) -> None:
        """Ask the simulator what the request on show would bring."""
        if self.base is not None:
            self._foretell(self.base, self.edits)

    @work(thread=True, exclusive=True, group="foretell", description="foretell")
    def _foretell(self, base: Base, edits: tuple[Edit, ...]) -> None:
        step, run = base
        order = Order(step=step, edits=edits, parent=run)
        try:
            found = self.engine.predict(self.document, order)
            is_fine = found is not None and found.status < 400
            forecast = Forecast(
                base=base,
                edits=edits,
                status=found.status if found else None,
                is_modelled=not is_fine
                or not self.engine.doubt_of(self.document, step),
                error=found.error if found else None,
                rules=self.engine.rules_voice(self.document, order),
            )
        except SigscopeError as error:
            forecast = Forecast(base=base, edits=edits, problem=str(error))
        if not get_current_worker().is_cancelled:
            self.post_message(self.Foretold(forecast))

    @on(Foretold)
    def _foretold(self, message: Foretold) -> None:
        message.stop()
        forecast = message.forecast
        if (forecast.base, forecast.edits) == (self.base, self.edits):
            self.forecast = forecast
