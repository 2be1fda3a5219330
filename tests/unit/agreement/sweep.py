"""Every ready-made edit on every bundled step, alone and in pairs: both voices.

    python -m tests.unit.agreement.sweep [--list] [SESSION ...]

The simulator and the rules know nothing of each other. Each edited request is shown to
both as if it were about to be sent: the step has no answer, the session ends with it.
A case in which they differ is a `Disagreement`; the table in `docs/disagreements.md`
lists those that stay, with the reason.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from pathlib import Path

from sigscope.edits.apply import apply, apply_to_request
from sigscope.edits.plan import is_body_edit
from sigscope.edits.records import Edit, Op
from sigscope.engine.sending.ready import applicable_to
from sigscope.engine.sending.simulation import config_for, default_path, predict
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.errors import EditError
from sigscope.exchange import Body, Exchange, Request
from sigscope.jsontext import JsonText
from sigscope.ledger.prefix import LedgerPrefix
from sigscope.reader import Reading
from sigscope.rules.base import Finding, Severity, Subject
from sigscope.rules.runner import check_step
from sigscope.upstreams.simulator import Judgement

FOLDER = Path(__file__).parents[3] / "sessions"
SUFFIX = ".session.jsonl"


class Kind(StrEnum):
    """How the voices differ."""

    SILENT = "silent"
    """The simulator refuses, no error or warning."""
    FALSE_ALARM = "false alarm"
    """The simulator accepts, an error."""
    CLASH = "clash"
    """The fixes of the step's findings contradict each other."""
    PROMISE = "promise"
    """Refused with all fixes, though every serious finding offered one; none where one
    sends the body to another address: what else is wrong with it shows only there, and
    the finding says so (CPC-4)."""
    AGAIN = "again"
    """With all fixes a rule finds an error of which every finding offered a fix."""
    ORDER = "order"
    """With the fixes in another order the request fares otherwise."""
    DEGREE = "degree"
    """The simulator refuses, the rules warn at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One edited request, and what both say to it."""

    session: str
    step: int
    edits: tuple[str, ...]
    """Names of the ready-made edits: one or two."""
    dialect: str
    refused_for: str
    """Rule id, or the text where it has none; empty if accepted."""
    findings: tuple[Finding, ...]
    after: str | None
    """What is refused with all fixes; empty if accepted, None if they clash."""
    is_order_free: bool = True
    """Whether the fixes, last one first, come to the same."""
    again: tuple[str, ...] = ()
    """Rules that promised a cure and find an error still."""

    @property
    def rules(self) -> tuple[str, ...]:
        """Rules with an error or a warning."""
        return tuple(sorted({f.rule for f in self.serious}))

    @property
    def serious(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.severity is not Severity.INFO)

    @property
    def _has_error(self) -> bool:
        return any(f.severity is Severity.ERROR for f in self.findings)

    @property
    def disagreements(self) -> Iterator[Kind]:
        """What is wrong between the two voices."""
        if self.refused_for and not self.serious:
            yield Kind.SILENT
        if not self.refused_for and self._has_error:
            yield Kind.FALSE_ALARM
        if self.after is None:
            yield Kind.CLASH
        elif self.refused_for and self.after and self._is_promised:
            yield Kind.PROMISE
        if self.again:
            yield Kind.AGAIN
        if not self.is_order_free:
            yield Kind.ORDER
        if self.refused_for and self.serious and not self._has_error:
            yield Kind.DEGREE

    @property
    def _is_promised(self) -> bool:
        """Whether the fixes of the serious findings should do, here."""
        edits = [edit for f in self.serious for edit in f.fix or ()]
        is_sent_elsewhere = any(edit.op is Op.URL for edit in edits)
        return all(f.fix for f in self.serious) and not is_sent_elsewhere

    def __str__(self) -> str:
        voices = ", ".join(f"{f.rule} {f.severity}" for f in self.findings)
        after = "clash" if self.after is None else self.after or "accepted"
        return (
            f"{self.session} step {self.step}: {' + '.join(self.edits)}: simulator"
            f" {self.refused_for or 'accepts'}; rules {voices or 'nothing'};"
            f" mended: {after}"
        )


class Bench:
    """One step of a bundled session, to be shown to both voices in many variants."""

    def __init__(self, session: str, document: Document, step: int) -> None:
        self._session = session
        self._document = document
        self._step = step
        self._before = tuple(r for r in document.readings if r.number < step)
        self._prefix = LedgerPrefix(self._before)
        self._reading = document.reading(step)
        self._recorded = document.request(step)
        self._config = config_for(document, self._reading)
        self._heard: dict[tuple[str, bytes], str | None] = {}
        self._wrong: dict[tuple[str, bytes], frozenset[str]] = {}

    def cases(self, *, pairs: bool = True) -> Iterator[Case]:
        """Single edits first, then all pairs that do not contradict each other."""
        found = [
            (ready.name, edits)
            for ready, edits in applicable_to(self._document, self._step)
        ]
        seen: set[tuple[str, bytes]] = set()
        chosen: tuple[tuple[str, Sequence[Edit]], ...]
        for chosen in (
            *((one,) for one in found),
            *(combinations(found, 2) if pairs else ()),
        ):
            edits = tuple(dict.fromkeys(e for _, each in chosen for e in each))
            try:
                request = _applied(edits, self._recorded, self._reading.request_text)
            except EditError:
                continue
            key = (request.url, request.body.raw)
            if key in seen:
                continue
            seen.add(key)
            if self.refusal(request) is None:
                continue  # an API that the simulator does not speak
            yield self.case(tuple(name for name, _ in chosen), request)

    def case(self, names: tuple[str, ...], request: Request) -> Case:
        """Both voices on one request, and the simulator's with all fixes."""
        reading, findings = self.findings(request)
        after: str | None
        is_order_free = True
        again: tuple[str, ...] = ()
        try:
            mended = self._mended(findings, request, reading)
            after = self.refusal(mended) or ""
            again = self._again(findings, mended)
            if sum(bool(f.fix) for f in findings) > 1:
                turned = self._mended(findings[::-1], request, reading)
                is_order_free = (self.refusal(turned) or "") == after
        except EditError:
            after = None
        assert self._reading.dialect is not None
        return Case(
            session=self._session,
            step=self._step,
            edits=names,
            dialect=self._reading.dialect.name,
            refused_for=self.refusal(request) or "",
            findings=findings,
            after=after,
            is_order_free=is_order_free,
            again=again,
        )

    def _again(self, findings: Sequence[Finding], mended: Request) -> tuple[str, ...]:
        cured = {f.rule for f in findings if f.fix}
        cured -= {f.rule for f in findings if not f.fix}
        return tuple(sorted(cured & self._errors(mended))) if cured else ()

    def _errors(self, request: Request) -> frozenset[str]:
        """The rules with an error in a request; most are mended to the same one."""
        key = (request.url, request.body.raw)
        if key not in self._wrong:
            _, found = self.findings(request)
            grave = (f.rule for f in found if f.severity is Severity.ERROR)
            self._wrong[key] = frozenset(grave)
        return self._wrong[key]

    def _mended(
        self, findings: Sequence[Finding], request: Request, reading: Reading
    ) -> Request:
        fixes = tuple(dict.fromkeys(e for f in findings for e in f.fix or ()))
        return _applied(fixes, request, reading.request_text)

    def findings(self, request: Request) -> tuple[Reading, tuple[Finding, ...]]:
        """What the rules say to a request that was not sent."""
        reading = Reading(Exchange(request=request), number=self._step)
        if self._reading.dialect is not None:
            reading.adopt(self._reading.dialect)
        readings = (*self._before, reading)
        subject = Subject(
            reading=reading,
            ledger=self._prefix.ledger(reading),
            readings={each.number: each for each in readings},
        )
        found = tuple(check_step(subject))
        broken = [f.message for f in found if "this rule failed" in f.message]
        assert not broken, broken
        return reading, found

    def refusal(self, request: Request) -> str | None:
        """The rule a request is refused for; empty if it is accepted, None where the
        simulator cannot tell."""
        key = (request.url, request.body.raw)
        if key not in self._heard:
            found = predict(self._config, request, default_path(self._reading))
            self._heard[key] = _name(found)
        return self._heard[key]


def _applied(edits: Sequence[Edit], request: Request, text: JsonText) -> Request:
    """As `apply_to_request`, with a body that is scanned already."""
    others = [edit for edit in edits if not is_body_edit(edit)]
    changed = apply(edits, text)
    moved = apply_to_request(others, request)
    return replace(moved, body=Body(changed))


def _name(judgement: Judgement | None) -> str | None:
    if judgement is None:
        return None
    if judgement.status < 400:
        return ""
    return judgement.rule or str(judgement.error)


def documents(names: Sequence[str] = ()) -> Iterator[tuple[str, Document]]:
    """The bundled sessions, or those named."""
    for path in sorted(FOLDER.glob(f"*{SUFFIX}")):
        name = path.name.removesuffix(SUFFIX)
        if not names or name in names:
            yield name, Document(open_file(path))


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsApart:
    """Steps of a session of which none only says again what another one says. In an
    agent's session of 16 steps most do."""

    singly: frozenset[int]
    """Of steps to which the same edits apply, and whose requests end alike, after a
    tool or after the user, the first and the last, with the longest history."""
    paired: frozenset[int]
    """The first ones, where a pair costs least, but those to which fewer edits apply
    than to another that ends alike."""


def steps_apart(document: Document) -> StepsApart:
    alike: dict[tuple[frozenset[str], str], list[int]] = {}
    for step in document.steps:
        names = frozenset(r.name for r, _ in applicable_to(document, step.number))
        end = _end_of(document.reading(step.number))
        alike.setdefault((names, end), []).append(step.number)
    widest = [
        steps[0]
        for (names, end), steps in alike.items()
        if not any(names < more and end == other for more, other in alike)
    ]
    ends = (number for steps in alike.values() for number in (steps[0], steps[-1]))
    return StepsApart(singly=frozenset(ends), paired=frozenset(widest))


def _end_of(reading: Reading) -> str:
    """Whose message a request ends with."""
    messages = reading.conversation.messages
    return str(messages[-1].role) if messages else ""


def sweep(names: Sequence[str] = (), *, is_sparing: bool = False) -> Iterator[Case]:
    """All cases; sparing: those of `steps_apart` only."""
    for name, document in documents(names):
        every = frozenset(step.number for step in document.steps)
        apart = StepsApart(singly=every, paired=every)
        if is_sparing:
            apart = steps_apart(document)
        for number in sorted(apart.singly):
            pairs = number in apart.paired
            yield from Bench(name, document, number).cases(pairs=pairs)


def main(arguments: Sequence[str]) -> int:
    """Print what differs, and a table of counts."""
    listing = "--list" in arguments
    names = [word for word in arguments if not word.startswith("-")]
    counts: Counter[tuple[Kind, int]] = Counter()
    groups: Counter[str] = Counter()
    total: Counter[int] = Counter()
    started = time.process_time()
    for case in sweep(names):
        total[len(case.edits)] += 1
        for kind in case.disagreements:
            counts[kind, len(case.edits)] += 1
            voices = ",".join(
                f"{f.rule}:{f.severity[0]}{'f' if f.fix else '-'}"
                for f in case.findings
            )
            groups[
                f"{kind:12} {case.dialect:12} {case.refused_for[:40] or 'accepts':20}"
                f" after={str(case.after)[:30]:12} {voices}"
            ] += 1
            if listing:
                sys.stdout.write(f"{kind}: {case}\n")
    for group, count in groups.most_common():
        sys.stdout.write(f"{count:5} {group}\n")
    sys.stdout.write(f"cases: {total[1]} singles, {total[2]} pairs\n")
    for kind in Kind:
        sys.stdout.write(f"{kind:12} {counts[kind, 1]:4} + {counts[kind, 2]}\n")
    sys.stdout.write(f"{time.process_time() - started:.1f} s of CPU\n")
    return 1 if counts else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
