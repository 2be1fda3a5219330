"""Finding the smallest set of edits that matters, and proving it.

First the simulator is asked, which costs nothing and leaves no runs: its answer is the
hint. Then the hint is put to the target, in as few sends as a proof needs. Every send
is a run, kept like any other; a search that was stopped goes on where it ended, for
runs that were made before are taken as answers.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from sigscope.bisect import Answer, Factor, Proof, minimise, prove
from sigscope.edits.records import Edit
from sigscope.engine.document import Document
from sigscope.engine.engine import Engine, Target
from sigscope.engine.factoring import without_conflicts
from sigscope.engine.sending import Order, Progress, prepare
from sigscope.engine.simulating import config_for, default_path, predict
from sigscope.errors import EditError, UsageError
from sigscope.runs import Run, Verdict
from sigscope.upstreams.aiming import aim, without_password
from sigscope.upstreams.simulator import SimConfig

BUDGET = 20
"""Sends, unless the user says otherwise."""

Question = frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
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
    asked: int
    """Questions put to the simulator."""

    @property
    def everything(self) -> Question:
        """The numbers of all factors."""
        return frozenset(range(1, len(self.factors) + 1))

    def edits(self, question: Question) -> tuple[Edit, ...]:
        """The edits of some factors, each once, in the order of the factors."""
        chosen = (self.factors[number - 1] for number in sorted(question))
        return tuple(dict.fromkeys(edit for f in chosen for edit in f.edits))

    def title(self, question: Question) -> str:
        """What a run with some factors is called."""
        if not question:
            return "bisect: as recorded"
        names = (self.factors[number - 1].name for number in sorted(question))
        return "bisect: " + " + ".join(names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A question and its answer."""

    question: Question
    answer: Answer
    run: Run
    """The send that told."""
    is_reused: bool = False
    """Whether the run was there before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What came of a search."""

    plan: Plan
    proof: Proof | None
    """None where the budget ended the search."""
    trials: tuple[Trial, ...]
    sends: int
    """Live or simulated, failed tries too."""

    @property
    def is_proven(self) -> bool:
        """Whether a set was found, and nothing about it is open."""
        return bool(self.proof and self.proof.minimal and self.proof.is_proven)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits that matter; empty where none were found."""
        minimal = self.proof.minimal if self.proof else None
        return self.plan.edits(minimal) if minimal else ()

    def trial(self, question: Question) -> Trial | None:
        """What was answered to a question."""
        return next((t for t in self.trials if t.question == question), None)

    @property
    def evidence(self) -> tuple[Trial, ...]:
        """As recorded, with the set, and the set without each of its factors."""
        minimal = self.proof.minimal if self.proof else None
        if not minimal:
            return ()
        wanted = [frozenset[int](), minimal, *(minimal - {n} for n in sorted(minimal))]
        found = (self.trial(question) for question in dict.fromkeys(wanted))
        return tuple(trial for trial in found if trial)


class Foreteller:
    """What the simulator says to a step's request with factors, sending nothing."""

    def __init__(
        self, document: Document, step: int, base: SimConfig | None = None
    ) -> None:
        self._document = document
        self._step = step
        self.asked = 0
        reading = document.reading(step)
        self._path = default_path(reading)
        try:
            self._config: SimConfig | None = config_for(document, reading, base)
        except UsageError:
            self._config = None

    def passes(self, factors: Sequence[Factor]) -> bool | None:
        """None where it knows no such service. Raises EditError."""
        if self._config is None:
            return None
        edits = tuple(dict.fromkeys(edit for f in factors for edit in f.edits))
        order = Order(step=self._step, edits=edits)
        request, _ = prepare(self._document, order)
        self.asked += 1
        judgement = predict(self._config, request, self._path)
        return None if judgement is None else judgement.status < 400


def plan_bisect(
    document: Document, step: int, factors: Sequence[Factor], teller: Foreteller
) -> Plan:
    """Ask the simulator which factors matter. Costs one judgement of the request per
    question, some n log n of them. Raises EditError and UsageError."""
    document.request(step)
    kept, left_out = without_conflicts(document, step, factors)
    if not kept:
        raise UsageError("there is nothing to vary; give factors that change something")
    known: dict[Question, bool | None] = {}
    everything = frozenset(range(1, len(kept) + 1))

    def ask(question: Question) -> bool | None:
        if question not in known:
            chosen = [kept[number - 1] for number in sorted(question)]
            try:
                known[question] = teller.passes(chosen)
            except EditError:  # one that needs another
                known[question] = False
        return known[question]

    is_foreseen = ask(frozenset()) is False and ask(everything) is True
    hint = everything
    if is_foreseen:
        search = minimise(everything)
        question = next(search, None)
        while question is not None:
            told = Answer.PASSES if ask(question) else Answer.FAILS
            try:
                question = search.send(told)
            except StopIteration as end:
                hint, question = end.value, None
    return Plan(
        step=step,
        factors=kept,
        left_out=left_out,
        hint=hint,
        is_foreseen=is_foreseen,
        asked=teller.asked,
    )


@dataclass(slots=True)
class _Memory:
    """Answers so far."""

    trials: dict[Question, Trial] = field(default_factory=dict)
    sends: int = 0


class _Spent(Exception):
    """The budget does not allow another send."""


async def bisect(
    engine: Engine,
    document: Document,
    plan: Plan,
    target: Target,
    *,
    budget: int = BUDGET,
    reuse: bool = True,
) -> AsyncGenerator[Progress | Run | Trial | Certificate]:
    """Put a plan to a target; last comes the certificate.

    At most `budget` sends, tries that told nothing included. With `reuse`, runs of the
    same request to the same live target count as answers. Raises what `replay` raises.
    """
    memory = _Memory()
    if reuse and target.is_live:
        _recall(memory, document, plan, target)
    search = prove(plan.everything, plan.hint)
    proof: Proof | None = None
    question = next(search)
    try:
        while True:
            trial = memory.trials.get(question)
            if trial is None:
                asked = _ask(engine, document, plan, target, question, memory, budget)
                async with aclosing(asked) as items:
                    async for item in items:
                        if isinstance(item, Trial):
                            trial = item
                        else:
                            yield item
                assert trial is not None
                memory.trials[question] = trial
                yield trial
            question = search.send(trial.answer)
    except StopIteration as end:
        proof = end.value
    except _Spent:
        pass
    yield Certificate(
        plan=plan,
        proof=proof,
        trials=tuple(memory.trials.values()),
        sends=memory.sends,
    )


async def _ask(
    engine: Engine,
    document: Document,
    plan: Plan,
    target: Target,
    question: Question,
    memory: _Memory,
    budget: int,
) -> AsyncGenerator[Progress | Run | Trial]:
    """Send one question, again where nothing was told."""
    order = Order(
        step=plan.step, edits=plan.edits(question), title=plan.title(question)
    )
    if memory.sends >= budget:
        raise _Spent
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
    yield Trial(question=question, answer=answer_of(last), run=last)


def answer_of(run: Run) -> Answer:
    """Whether a run was accepted; what it says about the recorded error is left aside:
    another error is a refusal too."""
    if run.verdict is Verdict.UNCLEAR or run.status is None:
        return Answer.UNCLEAR
    is_accepted = run.status < 400 and run.error is None
    return Answer.PASSES if is_accepted else Answer.FAILS


def sends_needed(
    document: Document, plan: Plan, target: Target, *, reuse: bool = True
) -> int:
    """How many sends the proof costs at least, runs made before considered."""
    memory = _Memory()
    if reuse and target.is_live:
        _recall(memory, document, plan, target)
    minimal = plan.hint
    wanted = {frozenset[int](), minimal, *(minimal - {n} for n in minimal)}
    return len(wanted - memory.trials.keys())


def _recall(memory: _Memory, document: Document, plan: Plan, target: Target) -> None:
    """Take clear answers from runs that were made before, the latest of each."""
    path = default_path(document.reading(plan.step))
    url = aim(document.request(plan.step), target.url, path).url
    for run in document.runs_of(plan.step):
        if run.parent is not None or run.upstream != without_password(url):
            continue
        answer, question = answer_of(run), _question_of(plan, run)
        if question is not None and answer is not Answer.UNCLEAR:
            memory.trials[question] = Trial(
                question=question, answer=answer, run=run, is_reused=True
            )


def _question_of(plan: Plan, run: Run) -> Question | None:
    """The factors that a run had; None where it had other edits too."""
    owners: dict[Edit, int] = {}
    for number, factor in enumerate(plan.factors, 1):
        for edit in factor.edits:
            owners.setdefault(edit, number)
    if any(edit not in owners for edit in run.edits):
        return None
    question = frozenset(owners[edit] for edit in run.edits)
    return question if set(plan.edits(question)) == set(run.edits) else None
