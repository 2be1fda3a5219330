"""The last bytes of answers, held until what they end is in the file.

What a client got whole has to survive that recorder and scribe are killed together. A
scribe with little to do writes a short answer within milliseconds, and nobody waits for
that. Where more is to be written than fits into a small part of the promised half
second, the end of an answer waits for the scribe instead, and so is whole nowhere
before it is in the file. Traffic comes first here too: nothing is held for long, nor
for a disk that takes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sigscope.recorder.arrears import Arrears

LONGEST_SECONDS = 2.0
"""The end of an answer is held no longer than that, written or not. SDKs wait for
minutes; httpx by itself for 5 s between two reads."""
LOOK_SECONDS = 0.05
"""How often it looks for what was held long enough."""


class Holdback:
    """Answers that are whole here, and not yet at their clients."""

    def __init__(self, arrears: Arrears, clock: Callable[[], float]) -> None:
        self._arrears = arrears
        self._clock = clock
        self._held: dict[int, tuple[float, Callable[[], None]]] = {}
        """Since when, and what lets it go; by number of the exchange."""
        self._timer: asyncio.TimerHandle | None = None
        self.given_up = 0
        """Answers that were let go before they were in the file."""

    def __len__(self) -> int:
        return len(self._held)

    def needs(self, number: int) -> bool:
        """Whether the end of an answer should wait, by the number it ended with."""
        return self._arrears.owes(number) and self._arrears.is_risky

    def hold(self, number: int, release: Callable[[], None]) -> None:
        """Call `release` when it is in the file, or was held long enough. Needs a
        running loop."""
        self._held[number] = self._clock(), release
        if self._timer is None:
            self._look_later()

    def look(self) -> None:
        """Let go of what is written; the scribe has said something."""
        now = self._clock()
        for number, (since, release) in [*self._held.items()]:
            is_owed = self._arrears.owes(number)
            if is_owed and self._arrears.is_hopeful and now - since < LONGEST_SECONDS:
                continue
            self.given_up += is_owed
            del self._held[number]
            release()

    def _look_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(LOOK_SECONDS, self._look_again)

    def _look_again(self) -> None:
        self._timer = None
        self.look()
        if self._held:
            self._look_later()
