"""Finding the smallest set of edits that matters, and proving it.

First the simulator is asked, which costs nothing and leaves no runs: its answer is the
hint. Then the hint is put to the target, in as few sends as a proof needs. Every send
is a run, kept like any other; a search that was stopped goes on where it ended, for
runs that were made before are taken as answers.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import field
from functools import cached_property

from sigscope.bisect import (
    Factor,
    Observation,
    Proof,
    edits_of,
    idle_among,
    joined_lists,
    minimise,
    pieces_made_by,
    prove,
    prove_needed,
)
from sigscope.edits.records import Edit
from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.controls import mask_doubt
from sigscope.engine.sending.factors import without_conflicts
from sigscope.engine.sending.sender import Order, SendProgress
from sigscope.engine.sending.simulation import config_for, default_path, predict
from sigscope.engine.sending.variants import Variants
from sigscope.engine.sessions.document import Document
from sigscope.errors import EditError, UsageError
from sigscope.records import dataclass
from sigscope.runs import Run, Verdict
from sigscope.upstreams.simulator import Judge, SimConfig
from sigscope.upstreams.target import aim, without_password

BUDGET = 20
"""Sends, unless the user says otherwise."""

Question = frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class BisectPlan:
    """What is going to be asked."""

    step: int
    factors: tuple[Factor, ...]
    """By number, from 1: factor n is `factors[n - 1]`."""
    left_out: tuple[Factor, ...] = ()
    """Factors that contradict others and are not tried."""
    hint: Question
    """The smallest set the simulator accepts; all of them where it cannot say."""
    is_foreseen: bool
    """Whether the simulator refuses the request as it is, and accepts the hint."""
    is_refused: bool = False
    """Whether it refuses what all factors together make of it, too."""
    asked: int
    """Questions put to the simulator."""
    keeps: bool = False
    """Whether a question names what is kept of an accepted request, and the edits of
    all other factors take these away; else the edits of a question are made."""

    @property
    def everything(self) -> Question:
        """The numbers of all factors."""
        return frozenset(range(1, len(self.factors) + 1))

    def edits(self, question: Question) -> tuple[Edit, ...]:
        """The edits of some factors, each once, in the order of the factors."""
        made = self.everything - question if self.keeps else question
        return edits_of(self.factors[number - 1] for number in sorted(made))

    def reduced(self, question: Question) -> Question:
        """Without factors that do nothing in this company: the same request."""
        chosen = {number: self.factors[number - 1] for number in sorted(question)}
        return question if self.keeps else question - idle_among(chosen)

    def deciding(self, minimal: Question) -> tuple[Question, Question]:
        """The two questions that a proof stands on. The one that passed first: what
        alternates fails it then."""
        return (self.everything, minimal) if self.keeps else (minimal, frozenset())

    def evidence(self, minimal: Question) -> tuple[Question, ...]:
        """All questions of a proof, in the order in which it is told."""
        if self.keeps:
            missing = (self.everything - {n} for n in sorted(minimal))
            return tuple(dict.fromkeys((self.everything, *missing, minimal)))
        less = (self.reduced(minimal - {n}) for n in sorted(minimal))
        return tuple(dict.fromkeys((frozenset[int](), minimal, *less)))

    def title(self, question: Question) -> str:
        """What a run with some factors is called."""
        if self.keeps:
            return f"bisect: {len(question)} of {len(self.factors)} fields kept"
        if not question:
            return "bisect: as recorded"
        names = (self.factors[number - 1].name for number in sorted(question))
        return "bisect: " + " + ".join(names)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question that is being put to the target now."""

    question: Question
    sends: int
    """Made before, failed tries too."""
    budget: int
    is_repeat: bool = False
    """Whether it has been answered once, and is asked again as it decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A question and its answer."""

    question: Question
    answer: Observation
    run: Run
    """The send that told."""
    is_reused: bool = False
    """Whether the run was there before."""

    def contradicts(self, other: Trial) -> bool:
        """Whether the same question was answered otherwise."""
        answers = {self.answer, other.answer}
        return answers == {Observation.PASSES, Observation.FAILS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What came of a search."""

    plan: BisectPlan
    proof: Proof | None
    """None where the budget ended the search, or the service contradicted itself."""
    trials: tuple[Trial, ...]
    """The first answer to each question."""
    sends: int
    """Live or simulated, failed tries too."""
    repeats: tuple[Trial, ...] = ()
    """Further answers to the same requests: those that decide are asked for twice
    where a service is asked."""

    @property
    def is_proven(self) -> bool:
        """Whether a set was found, and nothing about it is open."""
        is_found = bool(self.proof and self.proof.minimal and self.proof.is_proven)
        return is_found and not self.flaky and not self.open_repeats

    @property
    def flaky(self) -> tuple[tuple[Trial, Trial], ...]:
        """Pairs of runs that sent the same request and were answered otherwise."""
        return tuple(
            (first, again)
            for again in self.repeats
            for first in self.trials
            if first.question == again.question and first.contradicts(again)
        )

    @property
    def open_repeats(self) -> tuple[Trial, ...]:
        """Repeats that told nothing: no clear answer came again."""
        told = {t.question for t in self.repeats if t.answer is not Observation.UNCLEAR}
        return tuple(t for t in self.repeats if t.question not in told)

    @property
    def contradictions(self) -> tuple[Trial, ...]:
        """Answers that the simulator foretold otherwise."""
        found = (*self.trials, *self.repeats)
        return tuple(trial for trial in found if trial.run.contradiction)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits that matter; empty where none were found."""
        minimal = self.proof.minimal if self.proof else None
        return self.plan.edits(minimal) if minimal else ()

    def trial(self, question: Question) -> Trial | None:
        return next((t for t in self.trials if t.question == question), None)

    @property
    def evidence(self) -> tuple[Trial, ...]:
        """As recorded, with the set, and the set without each of its factors."""
        minimal = self.proof.minimal if self.proof else None
        if not minimal:
            return ()
        found = map(self.trial, self.plan.evidence(minimal))
        return tuple(trial for trial in found if trial)


class Foreteller:
    """What the simulator says to a step's request with factors, sending nothing."""

    def __init__(
        self,
        document: Document,
        step: int,
        base: SimConfig | None = None,
        *,
        told: Callable[[int], object] = lambda asked: None,
    ) -> None:
        """`told`: of each question, how many there were."""
        self._told = told
        self._document = document
        self._step = step
        self.asked = 0
        reading = document.reading(step)
        self._path = default_path(reading)
        try:
            self._judge: Judge | None = Judge(config_for(document, reading, base))
        except UsageError:
            self._judge = None

    @cached_property
    def _variants(self) -> Variants:
        return Variants(self._document, self._step)

    def passes(self, factors: Sequence[Factor]) -> bool | None:
        """None where it knows no such service. Raises EditError."""
        if self._judge is None:
            return None
        request = self._variants.request(edits_of(factors))
        self.asked += 1
        self._told(self.asked)
        judgement = predict(self._judge, request, self._path, is_verdict=True)
        return None if judgement is None else judgement.status < 400


def plan_bisect(
    document: Document,
    step: int,
    factors: Sequence[Factor],
    teller: Foreteller,
    *,
    keeps: bool = False,
) -> BisectPlan:
    """Ask the simulator which factors matter. Costs one judgement of the request per
    question, some n log n of them. `keeps`: the factors take away, and what is asked
    is which of them must not be made. Raises EditError and UsageError."""
    document.request(step)
    kept, left_out = without_conflicts(document, step, factors)
    if not kept:
        raise UsageError("there is nothing to vary; give factors that change something")
    known: dict[int, bool | None] = {}
    """By a question's numbers as bits: of many factors, sets would be most of what
    the search holds."""
    everything = frozenset(range(1, len(kept) + 1))
    is_refused = False

    def ask(question: Question) -> bool | None:
        key = sum(1 << number for number in question)
        if key not in known:
            made = everything - question if keeps else question
            chosen = [kept[number - 1] for number in sorted(made)]
            try:
                known[key] = teller.passes(chosen)
            except EditError:  # one that needs another
                known[key] = False
            else:
                if question == everything:
                    nonlocal is_refused
                    is_refused = known[key] is False
        return known[key]

    hint = everything
    if keeps:
        is_foreseen = ask(everything) is True
    else:
        is_foreseen = ask(frozenset()) is False and ask(everything) is True
    if is_foreseen and keeps:
        alone = (n for n in everything if ask(everything - {n}) is False)
        hint = frozenset(alone)
    elif is_foreseen:
        search = minimise(everything)
        question = next(search, None)
        while question is not None:
            told = Observation.PASSES if ask(question) else Observation.FAILS
            try:
                question = search.send(told)
            except StopIteration as end:
                hint, question = end.value, None
    if is_foreseen and not keeps:
        kept, hint = joined_lists(kept, hint)
    return BisectPlan(
        step=step,
        factors=kept,
        left_out=left_out,
        hint=hint,
        is_foreseen=is_foreseen,
        is_refused=is_refused,
        asked=teller.asked,
        keeps=keeps,
    )


@dataclass(slots=True)
class _Memory:
    """Answers so far."""

    trials: dict[Question, Trial] = field(default_factory=dict)
    """The first clear answer to each question."""
    repeats: list[Trial] = field(default_factory=list)
    """Further ones."""
    sends: int = 0

    def take(self, trial: Trial) -> None:
        """The first answer to its question."""
        self.trials[trial.question] = trial

    @property
    def is_flaky(self) -> bool:
        """Whether one request was answered both ways."""
        return any(
            self.trials[again.question].contradicts(again)
            for again in self.repeats
            if again.question in self.trials
        )


class _Spent(Exception):
    """The budget does not allow another send."""


async def bisect(
    engine: Engine,
    document: Document,
    plan: BisectPlan,
    target: Target,
    *,
    budget: int = BUDGET,
    reuse: bool = True,
) -> AsyncGenerator[AskedQuestion | SendProgress | Run | Trial | Certificate]:
    """Put a plan to a target; last comes the certificate. Before each send its
    inquiry, after it the trial; of a run made before, the trial alone.

    At most `budget` sends, tries that told nothing included. With `reuse`, runs of the
    same request to the same live target count as answers. Where a live service is
    asked, the two runs that decide, with the set and without any of it, are sent once
    more: a service that alternates is no witness. Raises what `replay` raises.
    """
    memory = _Memory()
    if reuse and target.is_live:
        _recall(memory, document, plan, target)
    if plan.keeps:
        search = prove_needed(plan.everything, plan.hint)
    else:
        is_blind = not plan.is_foreseen
        search = prove(plan.everything, plan.hint, is_blind=is_blind)
    proof: Proof | None = None
    untold = set(memory.trials)

    def ask(
        question: Question, take: Callable[[Trial], object]
    ) -> AsyncGenerator[AskedQuestion | SendProgress | Run | Trial]:
        return _ask(engine, document, plan, target, question, memory, budget, take)

    question = plan.reduced(next(search))
    try:
        while not memory.is_flaky:
            if question not in memory.trials:
                async with aclosing(ask(question, memory.take)) as items:
                    async for item in items:
                        yield item
            elif question in untold:
                untold.discard(question)
                yield memory.trials[question]
            question = plan.reduced(search.send(memory.trials[question].answer))
    except StopIteration as end:
        proof = end.value
    except _Spent:
        pass
    if proof is not None and proof.is_proven and proof.minimal and target.is_live:
        try:
            for question in _unrepeated(plan, memory, proof.minimal):
                async with aclosing(ask(question, memory.repeats.append)) as items:
                    async for item in items:
                        yield item
                if memory.is_flaky:
                    break
        except _Spent:
            proof = None
    yield Certificate(
        plan=plan,
        proof=proof,
        trials=tuple(memory.trials.values()),
        sends=memory.sends,
        repeats=tuple(memory.repeats),
    )


def _unrepeated(
    plan: BisectPlan, memory: _Memory, minimal: Question
) -> tuple[Question, ...]:
    """Deciding requests that were answered once only."""
    told = {t.question for t in memory.repeats if t.answer is not Observation.UNCLEAR}
    deciding = dict.fromkeys(plan.deciding(minimal))
    return tuple(question for question in deciding if question not in told)


async def _ask(
    engine: Engine,
    document: Document,
    plan: BisectPlan,
    target: Target,
    question: Question,
    memory: _Memory,
    budget: int,
    take: Callable[[Trial], object],
) -> AsyncGenerator[AskedQuestion | SendProgress | Run | Trial]:
    """Send one question, again where nothing was told. The trial comes last, and is
    taken before."""
    order = Order(
        step=plan.step, edits=plan.edits(question), title=plan.title(question)
    )
    if memory.sends >= budget:
        raise _Spent
    yield AskedQuestion(
        question=question,
        sends=memory.sends,
        budget=budget,
        is_repeat=question in memory.trials,
    )
    last: Run | None = None
    async with aclosing(engine.replay(document, order, target)) as items:
        async for item in items:
            yield item
            if isinstance(item, Run):
                last = item
                memory.sends += 1
                if memory.sends >= budget:
                    break
    assert last is not None
    answer = answer_of(last)
    if not target.is_live and mask_doubt(document, order.edits):
        answer = Observation.UNCLEAR
    trial = Trial(question=question, answer=answer, run=last)
    take(trial)
    yield trial


def answer_of(run: Run) -> Observation:
    """Whether a run was accepted; what it says about the recorded error is left aside:
    another error is a refusal too."""
    is_told = run.verdict is not Verdict.UNCLEAR or bool(run.reason)
    if not is_told or run.status is None:
        return Observation.UNCLEAR
    is_accepted = run.status < 400 and run.error is None
    return Observation.PASSES if is_accepted else Observation.FAILS


def sends_needed(
    document: Document, plan: BisectPlan, target: Target, *, reuse: bool = True
) -> int:
    """How many sends the proof costs at least, runs made before considered: k + 2
    requests, and where live the two that decide once more."""
    memory = _Memory()
    if reuse and target.is_live:
        _recall(memory, document, plan, target)
    minimal = plan.hint
    wanted = {*plan.evidence(minimal)}
    repeats = _unrepeated(plan, memory, minimal) if target.is_live and minimal else ()
    return len(wanted - memory.trials.keys()) + len(repeats)


def _recall(
    memory: _Memory, document: Document, plan: BisectPlan, target: Target
) -> None:
    """Take clear answers from runs that were made before, by number."""
    path = default_path(document.reading(plan.step))
    url = aim(document.request(plan.step), target.url, path).url
    for run in document.runs_of(plan.step):
        if run.parent is not None or run.upstream != without_password(url):
            continue
        answer, question = answer_of(run), _question_of(plan, run)
        if question is None or answer is Observation.UNCLEAR:
            continue
        trial = Trial(question=question, answer=answer, run=run, is_reused=True)
        if question in memory.trials:
            memory.repeats.append(trial)
        else:
            memory.trials[question] = trial


def _question_of(plan: BisectPlan, run: Run) -> Question | None:
    """The factors that a run had; None where it had other edits too."""
    factors = dict(enumerate(plan.factors, 1))
    owners: dict[Edit, int] = {}
    for number, factor in factors.items():
        is_of_list = factor.piece is not None and (
            factor.piece.is_added or factor.piece.index is None
        )
        for edit in () if is_of_list else factor.edits:
            owners.setdefault(edit, number)
    made: frozenset[int] = frozenset()
    for edit in run.edits:
        number = owners.get(edit, 0)
        found = frozenset({number}) if number else pieces_made_by(edit, factors)
        if found is None:
            return None
        made |= found
    question = plan.everything - made if plan.keeps else made
    return question if set(plan.edits(question)) == set(run.edits) else None
