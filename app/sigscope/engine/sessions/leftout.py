"""Dialects of others that fail on a session, left out of it.

A session is looked at as a whole: what would be told of a step by a dialect that fails
on another one might be wrong as well. What is left is judged as ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sigscope import extensions
from sigscope.dialects.base import Dialect
from sigscope.reader import Reading


class LeftOutDialects:
    """Which dialects are left, and why the others are not."""

    def __init__(self, dialects: Sequence[Dialect]) -> None:
        self.kept = tuple(dialects)
        self._reasons: dict[str, str] = {}
        self._spoken: dict[int, str] = {}
        """Step → the dialect that it would have been read by."""

    def __contains__(self, dialect: Dialect | None) -> bool:
        return dialect is None or dialect.name not in self._reasons

    def blames(self, error: Exception) -> bool:
        """Leave out the dialect in whose code something was raised; False if it was in
        none of others, or that was left out before."""
        extension = extensions.culprit(error.__traceback__)
        failing = [each for each in self.kept if extension and _is_of(each, extension)]
        if not failing or extension is None:
            return False
        for dialect in failing:
            extensions.blamed(dialect, error)
            why = f"{type(error).__name__}: {error}"
            self._reasons[dialect.name] = (
                f"by {dialect.name}: a fault in the extension {extension} ({why})"
            )
        self.kept = tuple(each for each in self.kept if each not in failing)
        return True

    def try_out(self, readings: Sequence[Reading]) -> None:
        """Look at all that dialects of others tell, as later looks will; note of what
        is left why it is not judged."""
        others = [
            reading
            for reading in readings
            if reading.dialect is not None and extensions.maker(reading.dialect)
        ]
        for reading in others:
            assert reading.dialect is not None
            self._spoken[reading.number] = reading.dialect.name
        for reading in others:
            _look_at(reading)
        if others:
            from sigscope.ledger.build import build_ledger  # dear to import

            build_ledger(readings)
        for reading in readings:
            name = self._spoken.get(reading.number, "")
            if reading.dialect is None and name in self._reasons:
                reading.fault = self._reasons[name]


def _is_of(dialect: Dialect, extension: extensions.Extension) -> bool:
    found = extensions.maker(dialect)
    return found is not None and found.package == extension.package


def _look_at(reading: Reading) -> Iterable[object]:
    """What is asked of a dialect about each exchange."""
    return (
        reading.service,
        reading.conversation,
        reading.assembler,
        reading.event_writes,
        reading.response_json,
        reading.reply,
        reading.received,
        reading.sent,
        reading.is_accepted,
    )
