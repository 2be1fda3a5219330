"""The matrix: every combination of chosen edits, and what both voices foretell of it.

In: a step, factors (edits that are made or left out as a whole). Out: a cell for each
combination, or for each pair where all would be too many. Nothing is sent; a cell is
sent like any other edited request, and its run is found again by its edits.

Predictions are no evidence. A cell is called accepted or refused only where the
simulator says so and the rules do not contradict it; else it is unclear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import Literal

from sigscope.bisect import Factor
from sigscope.edits.records import Edit
from sigscope.engine.sending.factors import (
    edit_factors,
    fix_factors,
    label_of,
)
from sigscope.engine.sending.ready import applicable_to, ready_edits
from sigscope.engine.sending.variants import Variants, identity
from sigscope.engine.sessions.document import Document
from sigscope.errors import EditError, UsageError
from sigscope.records import dataclass
from sigscope.runs import RulesVoice, Run

MOST_CELLS = 4096
"""All combinations of twelve edits. Beyond it pairs are shown."""
RECORDED = "0"
"""The cell without any edit."""

InteractionKind = Literal["fatal", "cure", "offset", "mends", "spoils"]
Question = frozenset[int]
"""A cell, by the numbers of its factors, from 1."""


def cell_name(question: Question) -> str:
    """ "1+3"; "0" without any edit."""
    return "+".join(map(str, sorted(question))) or RECORDED


class MatrixOutcome(StrEnum):
    """What is foretold of a cell."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNCLEAR = "unclear"
    """The simulator cannot tell, or the voices contradict each other."""
    CONFLICT = "conflict"
    """Its edits cannot be made together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCell:
    """One combination, and what both voices say to it."""

    question: Question
    outcome: MatrixOutcome
    status: int | None = None
    """What the simulator foretells; None where it cannot."""
    rule: str = ""
    """The rule that it refuses by."""
    error: str = ""
    """Its words; of a conflict, what contradicts what."""
    rules: RulesVoice | None = None
    """What the rules say; None where they do not know the dialect."""
    why: str = ""
    """Why it is unclear."""
    same_as: Question | None = None
    """An earlier cell whose request is the very same, byte for byte."""

    @property
    def name(self) -> str:
        """ "1+3"; "0" without any edit."""
        return cell_name(self.question)

    @property
    def differs(self) -> bool:
        """Whether the voices contradict each other."""
        return self.rules is not None and self.rules.differs_from(self.status)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixPlan:
    """Which cells there are."""

    step: int
    factors: tuple[Factor, ...]
    """By number, from 1."""
    is_whole: bool
    """Whether all combinations are cells; else none, one and two at a time."""

    @property
    def size(self) -> int:
        """How many cells."""
        count = len(self.factors)
        return 1 << count if self.is_whole else 1 + count + count * (count - 1) // 2

    @property
    def questions(self) -> Iterator[Question]:
        """The cells, the smaller combinations first."""
        numbers = range(1, len(self.factors) + 1)
        most = len(self.factors) if self.is_whole else 2
        for size in range(most + 1):
            yield from map(frozenset, combinations(numbers, size))

    def edits(self, question: Question) -> tuple[Edit, ...]:
        """The edits of a cell, each once."""
        chosen = (self.factors[number - 1] for number in sorted(question))
        return tuple(dict.fromkeys(edit for f in chosen for edit in f.edits))

    def title(self, question: Question) -> str:
        """What a run of the cell is called."""
        if not question:
            return "matrix: as recorded"
        return f"matrix: {self.names(question)}"

    def names(self, question: Question) -> str:
        """ "CPC-1 + edit 2"."""
        return " + ".join(self.factors[number - 1].name for number in sorted(question))

    def question(self, name: str) -> Question:
        """The cell of a name: "1+3", "0". Raises UsageError."""
        if not re.fullmatch(r"\d+(?:[+,]\d+)*", name.strip()):
            raise UsageError(
                f"{name!r} names no cell: give the numbers of its edits (1+3), or"
                f" {RECORDED} for the request as recorded"
            )
        numbers = frozenset(map(int, re.split("[+,]", name.strip()))) - {0}
        last = len(self.factors)
        if numbers and max(numbers) > last:
            raise UsageError(
                f"there is no edit {max(numbers)}; they are numbered from 1 to {last}"
            )
        return numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """Edits that do together what none of them foretells alone."""

    kind: InteractionKind
    """`fatal`: refused together, accepted with fewer. `cure`: accepted together,
    refused with fewer and without any. `offset`: the same, where the request as it is
    needs no cure. `mends`: the second makes good what the first breaks. `spoils`:
    the second undoes what the first cures."""
    question: Question
    first: int = 0
    """For `mends` and `spoils`: which is which."""
    second: int = 0


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """A plan and its cells, as far as they were asked."""

    plan: MatrixPlan
    cells: tuple[MatrixCell, ...]

    @cached_property
    def by_question(self) -> Mapping[Question, MatrixCell]:
        return {cell.question: cell for cell in self.cells}

    def cell(self, question: Question) -> MatrixCell | None:
        """None where there is none: in pairs only, or not asked yet."""
        return self.by_question.get(question)

    def outcome(self, question: Question) -> MatrixOutcome | None:
        cell = self.cell(question)
        return cell.outcome if cell else None

    @cached_property
    def interactions(self) -> tuple[Interaction, ...]:
        """The smaller first. Of cells that are unclear nothing is said."""
        return tuple(self._interactions())

    def _interactions(self) -> Iterator[Interaction]:
        for cell in self.cells:
            size = len(cell.question)
            if size < 2 or cell.outcome not in _TOLD:
                continue
            parts = self._parts(cell.question)
            if parts == {_OPPOSITE[cell.outcome]}:
                yield Interaction(kind=self._kind(cell), question=cell.question)
            elif size == 2:
                yield from self._of_pair(cell)

    def _kind(self, cell: MatrixCell) -> InteractionKind:
        if cell.outcome is MatrixOutcome.REFUSED:
            return "fatal"
        is_refused = self.outcome(frozenset()) is MatrixOutcome.REFUSED
        return "cure" if is_refused else "offset"

    def _parts(self, question: Question) -> set[MatrixOutcome | None]:
        """The outcomes of all smaller combinations but none of the edits."""
        return {
            self.outcome(frozenset(part))
            for size in range(1, len(question))
            for part in combinations(sorted(question), size)
        }

    def _of_pair(self, cell: MatrixCell) -> Iterator[Interaction]:
        """One is accepted alone and the other is not; together it is as without any."""
        as_it_is = self.outcome(frozenset())
        if cell.outcome is not as_it_is:
            return
        one, other = sorted(cell.question)
        for first, second in ((one, other), (other, one)):
            alone = self.outcome(frozenset({first}))
            rest = self.outcome(frozenset({second}))
            if alone is _OPPOSITE[cell.outcome] and rest is cell.outcome:
                is_mended = cell.outcome is MatrixOutcome.ACCEPTED
                yield Interaction(
                    kind="mends" if is_mended else "spoils",
                    question=cell.question,
                    first=first,
                    second=second,
                )

    @property
    def minimal_cures(self) -> tuple[MatrixCell, ...]:
        """Accepted cells of which every smaller one is not, where the request as
        recorded is refused."""
        if self.outcome(frozenset()) is not MatrixOutcome.REFUSED:
            return ()
        found: list[MatrixCell] = []
        for cell in self.cells:
            is_larger = any(known.question < cell.question for known in found)
            if cell.outcome is MatrixOutcome.ACCEPTED and not is_larger:
                found.append(cell)
        return tuple(found)


_TOLD = frozenset({MatrixOutcome.ACCEPTED, MatrixOutcome.REFUSED})
_OPPOSITE = {
    MatrixOutcome.ACCEPTED: MatrixOutcome.REFUSED,
    MatrixOutcome.REFUSED: MatrixOutcome.ACCEPTED,
}


def plan_matrix(
    step: int,
    factors: Sequence[Factor],
    *,
    most: int = MOST_CELLS,
    is_pairwise: bool = False,
) -> MatrixPlan:
    """All combinations, or pairs where that makes more than `most` cells. Factors with
    the same edits count once. Raises UsageError where pairs are too many as well."""
    distinct = tuple({factor.edits: factor for factor in reversed(factors)}.values())
    found = tuple(reversed(distinct))
    if not found:
        raise UsageError("there is nothing to combine: choose at least one edit")
    is_whole = not is_pairwise and 1 << len(found) <= most
    plan = MatrixPlan(step=step, factors=found, is_whole=is_whole)
    if plan.size > most:
        raise UsageError(
            f"the pairs of {len(found)} edits are {plan.size} cells, more than the"
            f" {most} that are allowed: choose fewer edits, or give --most"
        )
    return plan


def cells(plan: MatrixPlan, variants: Variants) -> Iterator[MatrixCell]:
    """Ask both voices about each cell. Stop whenever you like."""
    seen: dict[object, Question] = {}
    for question in plan.questions:
        yield _ask(plan, variants, question, seen)


def _ask(
    plan: MatrixPlan,
    variants: Variants,
    question: Question,
    seen: dict[object, Question],
) -> MatrixCell:
    edits = plan.edits(question)
    try:
        request = variants.request(edits)
    except EditError as error:
        return MatrixCell(
            question=question, outcome=MatrixOutcome.CONFLICT, error=str(error)
        )
    twin = seen.setdefault(identity(request), question)
    judgement = variants.simulator(request)
    voice = variants.rules(request)
    status = judgement.status if judgement else None
    why = _why_unclear(status, voice, variants, edits)
    if why or status is None:
        outcome = MatrixOutcome.UNCLEAR
    else:
        outcome = MatrixOutcome.ACCEPTED if status < 400 else MatrixOutcome.REFUSED
    return MatrixCell(
        question=question,
        outcome=outcome,
        status=status,
        rule=judgement.rule if judgement else "",
        error=(judgement.error or "") if judgement else "",
        rules=voice,
        why=why,
        same_as=twin if twin != question else None,
    )


def _why_unclear(
    status: int | None,
    voice: RulesVoice | None,
    variants: Variants,
    edits: Sequence[Edit],
) -> str:
    """ "" where what is foretold can be told."""
    if status is None:
        return "the simulator does not know this service"
    if voice is not None and voice.differs_from(status):
        accepts = "accepts" if status < 400 else "refuses"
        return f"the simulator {accepts} it, {voice.words}"
    if status < 400:
        return variants.doubt_about(edits)
    return ""


# --- What is combined -----------------------------------------------------------------


def chosen_factors(
    document: Document,
    step: int,
    *,
    edits: Sequence[Edit] = (),
    ready: Sequence[str] = (),
    fixes: bool = False,
    ways: str = "",
) -> tuple[Factor, ...]:
    """The fixes of the findings, ready-made edits ("all" for all that fit), edits of
    the user's own that are in none of these. Nothing chosen: the fixes; without any,
    the ready-made cures of a step that was not accepted. Raises UsageError where
    nothing is left; `ways`: how one says there what to combine."""
    found: list[Factor] = []
    is_usual = not (edits or ready or fixes)
    if fixes or is_usual:
        found.extend(fix_factors(document, step))
        if fixes and not found:
            raise UsageError(f"no finding of step {step} has a fix")
    for name in ready:
        found.extend(
            _fitting(document, step)
            if name == "all"
            else (_one(name, ready_edits(document, step, name)),)
        )
    held = {edit for factor in found for edit in factor.edits}
    found.extend(edit_factors(edit for edit in edits if edit not in held))
    if is_usual and not found and not document.reading(step).is_accepted:
        found.extend(_fitting(document, step, "cure"))
    if not found:
        raise UsageError(
            f"step {step} offers no fix and no cure to combine"
            + (f": {ways}" if ways else "")
        )
    return tuple(found)


def _fitting(document: Document, step: int, kind: str = "") -> tuple[Factor, ...]:
    """The ready-made edits that change something, each as a whole."""
    return tuple(
        _one(ready.name, edits)
        for ready, edits in applicable_to(document, step)
        if kind in ("", ready.kind)
    )


def _one(name: str, edits: tuple[Edit, ...]) -> Factor:
    return Factor(name=name, label=label_of(edits), edits=edits)


def runs_of_cells(document: Document, plan: MatrixPlan) -> dict[Question, Run]:
    """The last run of each cell that was sent, to a live service or the simulator."""
    wanted: dict[frozenset[Edit], list[Run]] = {}
    for run in document.runs_of(plan.step):
        if run.parent is None:
            wanted.setdefault(frozenset(run.edits), []).append(run)
    found = ((q, wanted.get(frozenset(plan.edits(q)))) for q in plan.questions)
    return {question: runs[-1] for question, runs in found if runs}
