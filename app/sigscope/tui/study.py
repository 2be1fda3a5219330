"""Reading a document for the screens, in a thread: records out, never a widget.

Everything here may take long (it parses every body once) and is therefore called from
thread workers only. What it yields is complete and never changes again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from sigscope import opaque, refusals
from sigscope.edits.records import Edit
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.reservations import remarks_by_step
from sigscope.ledger.records import LOST
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.rules.findings import Finding
from sigscope.tui.views.facts import StepFacts, glance, read_facts
from sigscope.tui.views.marks import marks_of
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.shownsession import Overview, Shown
from sigscope.tui.views.signatures import GRADES

if TYPE_CHECKING:  # dear to import, and nobody waits for them
    from sigscope.ledger import Ledger
    from sigscope.readymade import Context, OfferRow, Ready


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyProgress:
    """How far the study has come."""

    done: int
    total: int
    what: str
    """What is being done: "reading steps", "following signatures"."""
    facts: StepFacts | None = None
    """The step just read, if it was one."""


def glances(document: Document) -> tuple[StepFacts, ...]:
    """What can be said of each step at once, without parsing."""
    return tuple(glance(step.number, step.exchange) for step in document.steps)


def study(document: Document) -> Iterator[StudyProgress | Overview]:
    """Read everything; tell how far it is, then what it is: first what is known before
    the rules are asked, and last all of it."""
    total = len(document.steps)
    yield StudyProgress(done=0, total=total, what="recognising")
    facts = []
    for done, reading in enumerate(document.readings, start=1):
        fact = read_facts(reading, refusals.read_refusal(reading))
        facts.append(fact)
        yield StudyProgress(done=done, total=total, what="reading steps", facts=fact)
    yield StudyProgress(done=total, total=total, what="following signatures")
    ledger = document.ledger
    followed = Overview(
        facts=tuple(facts),
        ledger=ledger,
        refusals=document.refusals,
        findings=(),
        palette=Palette.of(ledger.signatures),
        opaque=document.opaque_fields,
        unjudged=document.unjudged,
        is_checked=False,
    )
    yield followed
    yield StudyProgress(done=total, total=total, what="checking rules")
    yield replace(
        followed,
        findings=document.findings,
        remarks=remarks_by_step(document),
        is_checked=True,
    )


def look_at(
    document: Document, overview: Overview, step: int, run: int | None
) -> Shown:
    """Everything about one step as recorded, or about one run."""
    if run is None:
        reading = document.reading(step)
        ledger, findings = overview.ledger, overview.findings_of(step)
        refusal = overview.refusals.get(step)
        facts = next(fact for fact in overview.facts if fact.number == step)
    else:
        reading = document.run_reading(document.run(run))
        ledger = _ledger_with(document, reading)
        refusal = refusals.read_refusal(reading)
        findings = _check(document, reading, ledger, refusal)
        facts = replace(read_facts(reading, refusal), number=step)
    return Shown(
        step=step,
        run=run,
        reading=reading,
        ledger=ledger,
        refusal=refusal,
        findings=findings,
        marks=marks_of(reading, ledger, findings, step=step),
        facts=facts,
        opaque=document.opaque_in(step) if run is None else (),
    )


def _ledger_with(document: Document, run: Reading) -> Ledger:
    """The ledger up to a step, the run in the step's place."""
    from sigscope.ledger import build_ledger

    before = [r for r in document.readings if r.number < run.number]
    return build_ledger([*before, run])


def _check(
    document: Document, run: Reading, ledger: Ledger, refusal: Refusal | None
) -> tuple[Finding, ...]:
    from sigscope.rules.base import Subject
    from sigscope.rules.runner import check_step

    readings = {r.number: r for r in document.readings if r.number < run.number}
    subject = Subject(
        reading=run,
        ledger=ledger,
        readings={**readings, run.number: run},
        error=refusal,
    )
    return tuple(check_step(subject))


def offers(document: Document, shown: Shown) -> tuple[OfferRow, ...]:
    """Fields that could be switched on in the request on show, each with whether the
    service insists on the signature in it."""
    from sigscope.readymade import switchable

    missing: dict[str, str] = {}
    for signature in shown.ledger.signatures:
        if (fate := signature.fate_in(shown.step)) and fate.fate in LOST:
            missing.setdefault(signature.value, GRADES[fate.grade])
    values = opaque.ValueIndex(missing)

    def grade(row: OfferRow) -> str:
        found = values.within(row.value)
        return missing[found[0]] if found else ""

    rows = switchable(_context(document, shown))
    return tuple(replace(row, grade=grade(row)) for row in rows)


def ready_made(
    document: Document, shown: Shown
) -> tuple[tuple[Ready, tuple[Edit, ...]], ...]:
    """Known mistakes and cures that fit the request on show."""
    from sigscope.readymade import applicable

    return applicable(_context(document, shown))


def _context(document: Document, shown: Shown) -> Context:
    from sigscope.readymade import Context

    readings = {r.number: r for r in document.readings}
    return Context(reading=shown.reading, ledger=shown.ledger, readings=readings)
