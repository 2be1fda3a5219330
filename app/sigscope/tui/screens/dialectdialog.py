"""Saying what a step speaks, or all steps of its endpoint."""

from __future__ import annotations

from functools import partial

from sigscope.dialects.registry import DIALECTS
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.namings import write_endpoint
from sigscope.records import dataclass
from sigscope.refusals.wording import likely_dialect
from sigscope.session import Spoken
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line, column, fit, line
from sigscope.tui.screens.choicedialog import ChoiceDialog
from sigscope.tui.shown import shown
from sigscope.tui.symbols import Symbols

BACK = "decide anew"
"""What takes an earlier choice back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialectChoice:
    """One thing that can be said."""

    name: str
    """Of a dialect, or `BACK`."""
    scope: str
    """"step 3", "all 5 steps of its endpoint"."""
    more: str
    """The same at length."""
    spoken: Spoken

    @property
    def key(self) -> str:
        return f"{self.name} · {self.scope}"


def dialect_choices(document: Document, step: int) -> tuple[DialectChoice, ...]:
    """Each dialect for all steps of the endpoint, then for the step alone; last what
    takes back what was said of them. That in whose words it was refused comes first."""
    reading = document.reading(step)
    refusal = document.refusals.get(step)
    likely = likely_dialect(reading, refusal) if refusal else ""
    dialects = sorted(DIALECTS, key=lambda each: each.name != likely)
    endpoint = write_endpoint(reading.endpoint)
    same = [r for r in document.readings if r.endpoint == reading.endpoint]
    place = str(reading.endpoint)
    scopes = [(f"step {step}", step)]
    if len(same) > 1:
        scopes.insert(0, (f"all {len(same)} steps of its endpoint", 0))
    said = {(line.step, line.endpoint) for line in document.session.spoken}
    found = []
    for scope, number in scopes:
        about = (number or None, "" if number else endpoint)
        names = [(each.name, each.title) for each in dialects]
        if about in said:
            names.append((BACK, "What was chosen before is taken back"))
        found += [
            DialectChoice(
                name=name,
                scope=scope,
                more=f"{title}; {scope}{'' if number else f', {place}'}",
                spoken=Spoken(
                    dialect="" if name == BACK else name,
                    at="",
                    step=number or None,
                    endpoint="" if number else endpoint,
                ),
            )
            for name, title in names
        ]
    return tuple(found)


def dialect_dialog(
    choices: tuple[DialectChoice, ...], how: str, symbols: Symbols
) -> ChoiceDialog:
    """Asks for one; `how`: what is spoken now, and how that was decided."""
    size = max((len(choice.name) for choice in choices), default=0)
    return ChoiceDialog(
        f"Dialect: {how}",
        [Item(each.key, partial(_lay, each, size)) for each in choices],
        more={
            each.key: f"{shown(each.more)}\nKept in the session; --dialect says it"
            " for one call"
            for each in choices
        },
        symbols=symbols,
    )


def _lay(choice: DialectChoice, size: int, cells: int) -> list[Line]:
    head = (column(choice.name, size, "bold"), *line("  ", (choice.scope, "dim")))
    return [fit(head, cells)]


def decided(document: Document, step: int) -> str:
    """ "openrouter (marks in the answer of step 3)", "not known"."""
    decision = document.reading(step).decision
    if decision.dialect is None:
        return "not known"
    return f"{decision.dialect.name} ({decision.how})"
