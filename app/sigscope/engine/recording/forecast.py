"""A session file that grows, and what it says about the request that comes next."""

from __future__ import annotations

from collections.abc import Sequence

from sigscope.dialects.base import Dialect
from sigscope.engine.settings.carriers import own_carriers
from sigscope.exchange import Exchange, Request
from sigscope.ledger import FateAt, Ledger, Signature
from sigscope.ledger.hops import build_hop_ledger
from sigscope.ledger.prefix import LedgerPrefix
from sigscope.reader import Reading, read_steps
from sigscope.records import dataclass
from sigscope.rules.base import Finding, Subject
from sigscope.rules.runner import check_step
from sigscope.session import Step
from sigscope.store import SessionFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What is known about a request before it is sent."""

    reading: Reading
    concerned: tuple[tuple[Signature, FateAt], ...]
    """Signatures with a fate in it."""
    findings: tuple[Finding, ...]
    """What rules say, the worst first; no answer has confirmed it."""


class Watch:
    """Follows a session file. For one thread at a time.

    A look costs what is new since the last one, and a walk over all signatures; where
    a request is no step behind all others, the ledger of the whole session.
    """

    def __init__(self, path: str, dialects: Sequence[Dialect] | None = None) -> None:
        """Raises InputError where there is no session file."""
        self._file = SessionFile(path)
        self._dialects = own_carriers().dialects if dialects is None else dialects
        self._readings: dict[int, Reading] = {}
        self._prefix = LedgerPrefix(())

    def look(self, request: Request, wanted: int | None = None) -> Outlook:
        """Read what was added to the file, then judge a request as its next step, or
        as `wanted` where that number is free.

        Raises InputError where the file cannot be read.
        """
        self._file.poll()
        steps = list(self._file.session.steps)
        taken = {step.number for step in steps}
        number = max(taken, default=0) + 1
        if wanted is not None and wanted not in taken:
            number = wanted
        steps.append(Step(number=number, id="", exchange=Exchange(request=request)))
        steps.sort(key=lambda step: step.number)
        readings = read_steps(steps, self._dialects, self._readings)
        by_number = {reading.number: reading for reading in readings}
        pending = by_number[number]
        self._readings = {n: r for n, r in by_number.items() if n != number}
        ledger = self._ledger(readings, pending)
        subject = Subject(reading=pending, ledger=ledger, readings=by_number)
        return Outlook(
            reading=pending,
            concerned=ledger.concerning(number),
            findings=tuple(check_step(subject)),
        )

    def _ledger(self, readings: Sequence[Reading], pending: Reading) -> Ledger:
        if readings[-1] is not pending:
            return build_hop_ledger(readings)
        if not self._prefix.take(readings[:-1]):
            self._prefix = LedgerPrefix(readings[:-1])
        return self._prefix.ledger(pending)
