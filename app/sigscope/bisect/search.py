"""The search, as generators that yield questions and are sent answers.

A question is a set of factors by number: does the request pass with these, and only
these? The same question may be asked twice; whoever answers keeps a memory of it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from sigscope.bisect.records import Observation, Proof

Question = frozenset[int]


def minimise(passing: Question) -> Generator[Question, Observation, Question]:
    """Take away what does not matter from a set that passes.

    What comes back passes too, and no single factor of it can be missed, as far as the
    answers are clear. Asks about n log n questions where few of n factors matter, n²
    at worst.
    """
    current, parts = sorted(passing), 2
    while len(current) >= 2:
        chunks = list(_split(current, parts))
        smaller = yield from _first_passing(map(frozenset, chunks))
        if smaller is not None:
            current, parts = sorted(smaller), 2
            continue
        rests = (frozenset(current).difference(chunk) for chunk in chunks)
        smaller = yield from _first_passing(rests)
        if smaller is not None:
            current, parts = sorted(smaller), max(parts - 1, 2)
        elif parts >= len(current):
            break
        else:
            parts = min(parts * 2, len(current))
    return frozenset(current)


def prove(
    everything: Question, hint: Question, *, is_blind: bool = False
) -> Generator[Question, Observation, Proof]:
    """Find a 1-minimal set and its evidence; `hint` is the set that is believed to be
    it. Asks len(hint) + 2 questions where the belief is right. `is_blind`: nothing is
    believed, so that taking away many at once is tried before one by one.
    """
    nothing: Question = frozenset()
    as_it_is = yield nothing
    if as_it_is is not Observation.FAILS:
        if as_it_is is Observation.PASSES:
            return Proof(minimal=nothing, is_proven=True)
        return Proof(minimal=None, is_proven=False, doubts=(nothing,))
    found, doubts = yield from _passing(everything, hint)
    if found is None:
        return Proof(minimal=None, is_proven=not doubts, doubts=doubts)
    if is_blind:
        found = yield from minimise(found)
    minimal, doubts = yield from _tighten(found)
    return Proof(minimal=minimal, is_proven=not doubts, doubts=doubts)


def prove_needed(
    everything: Question, hint: Question
) -> Generator[Question, Observation, Proof]:
    """Of a request that passes with all factors: those that it cannot miss alone, and
    whether all the others can be missed at once. `hint`: those that are believed to be
    needed. Asks len(hint) + 2 questions where the belief is right; where the others
    cannot all be missed at once, for each of them alone too.
    """
    if (answer := (yield everything)) is not Observation.PASSES:
        doubts = (everything,) if answer is Observation.UNCLEAR else ()
        return Proof(minimal=None, is_proven=not doubts, doubts=doubts)
    needed, open_ones = yield from _missed(everything, hint)
    if (yield needed) is not Observation.PASSES:
        more, others = yield from _missed(everything, everything - hint)
        needed, open_ones = needed | more, (*open_ones, *others)
        if more:  # whether the rest can be missed at once is told, whatever the answer
            yield needed
    return Proof(minimal=needed, is_proven=not open_ones, doubts=open_ones)


def _missed(
    everything: Question, factors: Question
) -> Generator[Question, Observation, tuple[Question, tuple[Question, ...]]]:
    """Those without which it fails, each alone; and what was not answered clearly."""
    needed: set[int] = set()
    doubts: list[Question] = []
    for factor in sorted(factors):
        answer = yield everything - {factor}
        if answer is Observation.FAILS:
            needed.add(factor)
        elif answer is Observation.UNCLEAR:
            doubts.append(everything - {factor})
    return frozenset(needed), tuple(doubts)


def _passing(
    everything: Question, hint: Question
) -> Generator[Question, Observation, tuple[Question | None, tuple[Question, ...]]]:
    """A set that passes: the hint, or what is left of everything."""
    answer = yield hint
    if answer is Observation.PASSES:
        return hint, ()
    if hint != everything:
        answer = yield everything
        if answer is Observation.PASSES:
            return (yield from minimise(everything)), ()
    return None, (everything,) if answer is Observation.UNCLEAR else ()


def _tighten(
    passing: Question,
) -> Generator[Question, Observation, tuple[Question, tuple[Question, ...]]]:
    """Ask for each factor what happens without it; leave out those that can be missed,
    and begin again: what is left has to be shown anew."""
    while True:
        doubts: list[Question] = []
        for factor in sorted(passing):
            without = passing - {factor}
            answer = yield without
            if answer is Observation.PASSES:
                passing = without
                break
            if answer is Observation.UNCLEAR:
                doubts.append(without)
        else:
            return passing, tuple(doubts)


def _first_passing(
    questions: Iterator[Question],
) -> Generator[Question, Observation, Question | None]:
    for question in questions:
        if (yield question) is Observation.PASSES:
            return question
    return None


def _split(items: list[int], parts: int) -> Iterator[list[int]]:
    """Neighbours stay together; the sizes differ by one at most."""
    start = 0
    for number in range(parts):
        end = start + (len(items) - start) // (parts - number)
        yield items[start:end]
        start = end
