"""A session file that grows, and what it says about the request that comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sigscope.dialects.base import Dialect
from sigscope.engine.carriers import own_carriers
from sigscope.exchange import Exchange, Request
from sigscope.ledger import FateAt, Signature
from sigscope.ledger.hops import build_hop_ledger
from sigscope.reading import Reading
from sigscope.rules.base import Finding, Subject
from sigscope.rules.runner import check_step
from sigscope.store import SessionFile
from sigscope.wire.urls import split_url


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

    A look costs the ledger of the whole session; bodies are parsed once.
    """

    def __init__(self, path: str, dialects: Sequence[Dialect] | None = None) -> None:
        """Raises InputError where there is no session file."""
        self._file = SessionFile(path)
        self._dialects = own_carriers().dialects if dialects is None else dialects
        self._readings: dict[int, Reading] = {}

    def look(self, request: Request, wanted: int | None = None) -> Outlook:
        """Read what was added to the file, then judge a request as its next step, or
        as `wanted` where that number is free.

        Raises InputError where the file cannot be read.
        """
        self._file.poll()
        for step in self._file.session.steps:
            if step.number not in self._readings:
                self._add(step.exchange, step.number)
        number = max(self._readings, default=0) + 1
        if wanted is not None and wanted not in self._readings:
            number = wanted
        pending = self._add(Exchange(request=request), number)
        by_number = {n: self._readings[n] for n in sorted(self._readings)}
        del self._readings[number]
        ledger = build_hop_ledger(list(by_number.values()))
        subject = Subject(reading=pending, ledger=ledger, readings=by_number)
        return Outlook(
            reading=pending,
            concerned=ledger.concerning(number),
            findings=tuple(check_step(subject)),
        )

    def _add(self, exchange: Exchange, number: int) -> Reading:
        """Read an exchange, in the dialect of its host where it shows none itself."""
        reading = Reading(exchange, number=number, dialects=self._dialects)
        if reading.recognised[0] is None:
            host = _host(reading)
            spoken = {
                known.recognised[0]
                for known in self._readings.values()
                if known.recognised[0] is not None and _host(known) == host
            }
            if len(spoken) == 1:
                (dialect,) = spoken
                if dialect is not None and dialect.fits(reading.probe):
                    reading.adopt(dialect)
        self._readings[number] = reading
        return reading


def _host(reading: Reading) -> str:
    url = split_url(reading.probe.url)
    return f"{url.scheme}://{url.host}"
