"""What became of the request on show once it was sent as it is now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sigscope.edits.records import Edit, Op
from sigscope.ledger import Fate, FateAt
from sigscope.records import dataclass
from sigscope.rules.findings import Finding
from sigscope.runs import Run, Verdict
from sigscope.tui.views.marks import Marks, SignatureMark
from sigscope.tui.views.runs import say_verdict
from sigscope.tui.views.shownsession import Shown
from sigscope.upstreams.target import SIMULATOR


@dataclass(frozen=True, slots=True, kw_only=True)
class SentOutcome:
    """A run of the request on show with the edits that are on, held against it."""

    run: Run
    sent: Shown
    """The run, as it is shown in place of its step."""
    mended: frozenset[Finding]
    """Findings of the step that are none of what was sent."""
    added: tuple[Finding, ...]
    """What the rules say of what was sent, and of the step do not."""

    def fate_of(self, sha256: str) -> FateAt | None:
        """What the run did with a signature."""
        alike = (s for s in self.sent.ledger.signatures if s.sha256 == sha256)
        fates = (signature.fate_in(self.run.step) for signature in alike)
        return next(filter(None, fates), None)

    @property
    def is_confirmed(self) -> bool:
        """Whether the service accepts, with edits, what it had refused."""
        return self.run.verdict is Verdict.GONE and bool(self.run.edits)


def run_of(
    runs: Sequence[Run], step: int, parent: int | None, edits: Sequence[Edit]
) -> Run | None:
    """The newest run in which a request was sent as it is now."""
    for run in reversed(runs):
        if (run.step, run.parent) == (step, parent) and _do_the_same(run.edits, edits):
            return run
    return None


def _do_the_same(some: Sequence[Edit], others: Sequence[Edit]) -> bool:
    """Their order counts where several are put into one place."""
    if tuple(some) == tuple(others):
        return True
    has_order = any(edit.op is Op.INSERT for edit in some)
    return not has_order and frozenset(some) == frozenset(others)


def outcome_of(shown: Shown, sent: Shown, run: Run) -> SentOutcome:
    """Hold a run against what is on show. That a rule says a thing no more mends
    nothing where it may be silent only because another answer came: it has to be
    accepted, or its own fix has to be in what was sent."""
    gone, added = _told_apart(shown.findings, sent.findings)
    if not sent.reading.is_judged:
        gone = []
    is_accepted = run.verdict is Verdict.GONE
    mended = (
        finding
        for finding in gone
        if is_accepted or (finding.fix and set(finding.fix) <= set(run.edits))
    )
    return SentOutcome(run=run, sent=sent, mended=frozenset(mended), added=tuple(added))


def _told_apart(
    before: Iterable[Finding], after: Iterable[Finding]
) -> tuple[list[Finding], list[Finding]]:
    """Which are gone, which are new. An edit may shift what stands behind it: another
    node, of which the same rule speaks, is taken for the one that it spoke of."""
    gone, added = list(before), list(after)
    for is_same in (_is_same_node, _is_same_signature, _is_same_rule):
        for finding in list(gone):
            match = next((new for new in added if is_same(finding, new)), None)
            if match is not None:
                gone.remove(finding)
                added.remove(match)
    return gone, added


def _is_same_rule(one: Finding, other: Finding) -> bool:
    return (one.rule, one.in_response) == (other.rule, other.in_response)


def _is_same_signature(one: Finding, other: Finding) -> bool:
    return _is_same_rule(one, other) and one.signature == other.signature


def _is_same_node(one: Finding, other: Finding) -> bool:
    return _is_same_signature(one, other) and one.pointer == other.pointer


def where_sent(run: Run) -> str:
    """ "simulator, run 3", "live, run 3"."""
    place = "simulator" if run.upstream == SIMULATOR else "live"
    return f"{place}, run {run.number}"


def verdict_words(run: Run, *, failed: bool) -> str:
    """ "fix confirmed"; `failed`: whether the recorded step was refused."""
    return say_verdict(run, failed=failed).removeprefix("gone: ")


def marks_as_sent(marks: Marks, outcome: SentOutcome) -> Marks:
    """The same nodes, with what became of the signatures as they were sent; what was
    taken from a wrong place is there no more."""

    def turned(mark: SignatureMark) -> SignatureMark:
        fate = outcome.fate_of(mark.sha256)
        if fate is None or mark.fate is None:
            return mark
        return replace(mark, fate=fate, is_ghost=mark.is_ghost and fate.is_lost)

    def stays(mark: SignatureMark) -> bool:
        fate = outcome.fate_of(mark.sha256)
        is_astray = mark.fate is not None and mark.fate.fate is Fate.MOVED
        return not is_astray or fate is None or fate.is_lost

    return replace(
        marks,
        signatures={
            place: tuple(turned(mark) for mark in here if stays(mark))
            for place, here in marks.signatures.items()
        },
    )
