"""What one credential was answered, as far as later requests may bring it back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from sigscope.conversation import Json
from sigscope.dialects.base import Dialect
from sigscope.dialects.histories import Histories
from sigscope.dialects.settlement import Naming, Settlement
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.ledger.foresight import Foreseen, Foresight
from sigscope.reader import Reading

COMPANY = 16
"""Exchanges that were answered last, by which it is decided what a request speaks that
does not show it itself."""


class Archive:
    """Answers of one service to one credential. Numbers its exchanges itself, in the
    order in which they ended: requests bring answers back in that order."""

    def __init__(self, dialects: Sequence[Dialect], namings: Sequence[Naming]) -> None:
        self._dialects = dialects
        self._namings = namings
        self._histories = Histories()
        self._foresight = Foresight()
        self._company: list[Reading] = []
        self._steps: dict[int, int] = {}
        self._count = 0

    def learn(self, request: Request, response: Response, step: int) -> int:
        """Know what a step of the recording was answered; gives its number here."""
        self._count += 1
        self._steps[self._count] = step
        reading = self._read(Exchange(request=request, response=response), self._count)
        kept = Reading(
            Exchange(
                request=_outline(request, reading.request_json), response=response
            ),
            number=self._count,
            dialects=self._dialects,
            histories=self._histories,
        )
        kept.settle(reading.decision)
        self._foresight.learn(reading, kept)
        self._company = [*self._company[1 - COMPANY :], kept]
        return self._count

    def forget(self, number: int) -> None:
        """Have what it was answered no more."""
        self._foresight.forget(number)
        self._steps.pop(number, None)

    def step_of(self, number: int) -> int:
        """The recording's number of an exchange."""
        return self._steps[number]

    def read(self, request: Request) -> Reading:
        """A request that is still to be sent."""
        return self._read(Exchange(request=request), self._count + 1)

    def foresee(self, reading: Reading) -> Foreseen:
        """What became of signatures in it."""
        return self._foresight.look(reading)

    def _read(self, exchange: Exchange, number: int) -> Reading:
        reading = Reading(
            exchange,
            number=number,
            dialects=self._dialects,
            histories=self._histories,
        )
        *_, decision = Settlement((*self._company, reading), self._namings).decisions()
        reading.settle(decision)
        return reading


def _outline(request: Request, body: Json) -> Request:
    """A request without its history: a session's requests repeat one another, so that
    all of them together are far larger than what they say."""
    members = body if isinstance(body, dict) else {}
    plain = {k: v for k, v in members.items() if not isinstance(v, list | dict)}
    return replace(request, body=Body(json.dumps(plain).encode()))
