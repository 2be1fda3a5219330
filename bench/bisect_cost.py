"""How many requests a bisect sends, beside plain delta debugging: `make bisect-table`.

An accepted request of a bundled session is spoiled by one, two or three faults, each of
which alone has it refused (a field that it cannot do without is taken away), among 5,
12 or 40 differences, of which the others do not matter. Every side is asked which of
the differences have to be undone; counted are the distinct requests that it puts to the
service. The service is the simulator, for all of them the same.

 - bisect: what `sigscope bisect` does, where the simulator's belief is right. The two
   runs that decide are sent once more to a live service; that is not counted here.
 - blind: the same, where the simulator cannot tell anything.
 - ddmin: plain delta debugging, ours, without the proof.
 - picire: that of PyPI's `picire`, in its usual settings, without the proof.

Writes docs/bisect.md. Without picire its column is left out.
"""

from __future__ import annotations

import logging
import random
import statistics
import sys
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from sigscope.bisect import Observation, minimise, prove
from sigscope.edits.notation import parse
from sigscope.edits.records import Edit
from sigscope.engine.sending.factors import field_factors
from sigscope.engine.sending.variants import Variants
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import SigscopeError

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "bisect.md"
SIZES, FAULTS = (5, 12, 40), (1, 2, 3)
TRIALS = 10
"""Requests of each dialect, size and number of faults."""
SEED = 20261122

Question = frozenset[int]
Ask = Callable[[Question], bool]
"""Whether the request passes with these differences undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """An accepted step, and what spoils it."""

    dialect: str
    variants: Variants
    faults: tuple[Edit, ...]


def subjects() -> Iterator[Subject]:
    """The first accepted step of each dialect with three faults to choose from."""
    seen: set[str] = set()
    for path in sorted((ROOT / "sessions").glob("*.session.jsonl")):
        document = Document(open_file(path))
        for reading in document.readings:
            dialect = reading.dialect.name if reading.dialect else ""
            is_turn = bool(document.ledger.links.get(reading.number))
            if not dialect or dialect in seen or not reading.is_accepted or not is_turn:
                continue
            subject = _subject(document, reading.number, dialect)
            if subject is not None and len(subject.faults) >= max(FAULTS):
                seen.add(dialect)
                yield subject


def _subject(document: Document, step: int, dialect: str) -> Subject | None:
    variants = Variants(document, step)
    if not _passes(variants, ()):
        return None
    try:
        fields = field_factors(document, step)
    except SigscopeError:
        return None
    faults = tuple(f.edits[0] for f in fields if not _passes(variants, f.edits))
    return Subject(dialect=dialect, variants=variants, faults=faults)


def _passes(variants: Variants, edits: tuple[Edit, ...]) -> bool:
    judgement = variants.simulator(variants.request(edits))
    return judgement is not None and judgement.status < 400


class Counted:
    """A service that counts distinct requests."""

    def __init__(self, variants: Variants, differences: tuple[Edit, ...]) -> None:
        self._variants = variants
        self._differences = differences
        self.answers: dict[Question, bool] = {}

    def __call__(self, undone: Question) -> bool:
        if undone not in self.answers:
            left = (e for n, e in enumerate(self._differences, 1) if n not in undone)
            self.answers[undone] = _passes(self._variants, tuple(left))
        return self.answers[undone]


def drive(search: Generator[Question, Observation, Any], ask: Ask) -> Any:
    """Answer every question of a search."""
    try:
        question = next(search)
        while True:
            passes = ask(question)
            told = Observation.PASSES if passes else Observation.FAILS
            question = search.send(told)
    except StopIteration as end:
        return end.value


def ours(service: Counted, everything: Question) -> Question | None:
    """With the simulator's belief, which costs nothing."""
    believed = Counted(service._variants, service._differences)
    hint = drive(minimise(everything), believed)
    found = drive(prove(everything, hint), service)
    minimal: Question | None = found.minimal
    return minimal


def blind(service: Counted, everything: Question) -> Question | None:
    """Without."""
    minimal: Question | None = drive(
        prove(everything, everything, is_blind=True), service
    ).minimal
    return minimal


def ddmin(service: Counted, everything: Question) -> Question | None:
    """Delta debugging as in the paper."""
    found: Question = drive(minimise(everything), service)
    return found


def picire_dd(service: Counted, everything: Question) -> Question | None:
    """A set of undone differences is "interesting" where the request passes."""
    from picire import DD, Outcome

    def test(config: list[int], config_id: object) -> Any:
        return Outcome.FAIL if service(frozenset(config)) else Outcome.PASS

    return frozenset(DD(test)(sorted(everything)))


def sides() -> dict[str, Callable[[Counted, Question], Question | None]]:
    found = {"bisect": ours, "blind": blind, "ddmin": ddmin}
    try:
        import picire  # noqa: F401
    except ImportError:
        print("picire is not installed; its column is left out", file=sys.stderr)
    else:
        logging.disable(logging.WARNING)
        found["picire"] = picire_dd
    return found


def differences(
    subject: Subject, size: int, faults: int, chance: random.Random
) -> tuple[Edit, ...]:
    """So many of the faults among headers that do not matter, in any order."""
    planted = _planted(subject, faults, chance)
    harmless = [parse(f"header X-Difference-{n}: {n}", b"{}") for n in range(size)]
    made = [*planted, *harmless[: size - faults]]
    chance.shuffle(made)
    return tuple(made)


def _planted(subject: Subject, faults: int, chance: random.Random) -> list[Edit]:
    """Faults of which none hides another: any of them left, it is refused."""
    for _ in range(200):
        planted = chance.sample(subject.faults, faults)
        left = (c for n in range(1, faults + 1) for c in combinations(planted, n))
        if not any(_passes(subject.variants, each) for each in left):
            return planted
    raise LookupError(f"{subject.dialect} has no {faults} faults apart")


def measured() -> tuple[dict[tuple[int, int, str], list[int]], list[str]]:
    """Distinct requests by size, number of faults and side; the dialects."""
    compared, counts, dialects = sides(), dict[tuple[int, int, str], list[int]](), []
    chance = random.Random(SEED)
    for subject in subjects():
        dialects.append(subject.dialect)
        for size in SIZES:
            for faults in FAULTS:
                for _ in range(TRIALS):
                    try:
                        made = differences(subject, size, faults, chance)
                    except LookupError:
                        break
                    everything = frozenset(range(1, size + 1))
                    for name, search in compared.items():
                        service = Counted(subject.variants, made)
                        minimal = search(service, everything)
                        assert minimal is not None
                        assert _is_minimal(service, minimal), (name, minimal)
                        key = size, faults, name
                        # _is_minimal asks too, but of a copy
                        counts.setdefault(key, []).append(len(service.answers))
    return counts, dialects


def _is_minimal(service: Counted, found: Question) -> bool:
    other = Counted(service._variants, service._differences)
    return other(found) and not any(other(found - {each}) for each in found)


def page() -> str:
    """The table."""
    counts, dialects = measured()
    names = list(dict.fromkeys(name for *_, name in counts))
    lines = [
        "# What a bisect costs",
        "",
        "Distinct requests put to the service, median and worst, to find which of the",
        f"differences have to be undone: {TRIALS} requests for each of"
        f" {len(dialects)} dialects ({', '.join(dialects)}).",
        "Made by `make bisect-table`; what the columns mean stands in",
        "`bench/bisect_cost.py`.",
        "",
        f"| differences | faults | requests | {' | '.join(names)} |",
        f"|--:|--:|--:|{'--:|' * len(names)}",
    ]
    for size in SIZES:
        for faults in FAULTS:
            told = (_told(counts[size, faults, name]) for name in names)
            total = len(counts[size, faults, names[0]])
            lines.append(f"| {size} | {faults} | {total} | {' | '.join(told)} |")
    lines += [
        "",
        "`bisect` proves what it says: the request as it is, with the set, and without",
        "each of it, k + 2 requests for k faults. The others do not ask all of these.",
        "A live service is sent the two that decide once more. Faults are planted only",
        "where none hides another: a step that has no three of these counts for fewer.",
    ]
    return "\n".join(lines) + "\n"


def _told(counts: list[int]) -> str:
    return f"{statistics.median(counts):g}, {max(counts)}"


if __name__ == "__main__":
    text = page()
    PAGE.write_text(text)
    print(text)
