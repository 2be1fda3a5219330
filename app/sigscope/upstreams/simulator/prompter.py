"""Who knows what to answer, in place of the simulator's own model."""

from __future__ import annotations

from typing import Protocol

from sigscope.records import dataclass
from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.records import Judgement
from sigscope.upstreams.simulator.speech.voice import SimAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """What is to be said to one request."""

    answer: SimAnswer | None
    """None: the simulator answers, as strictly as ever."""
    words: str
    """Which answer, and why this one; for the log."""
    step: int | None = None
    """The recorded step whose answer it is."""


class Prompter(Protocol):
    """Tells the simulator answers that were recorded."""

    def cue(self, incoming: Incoming, judgement: Judgement | None) -> Cue:
        """What to say to a request; `judgement` is what the simulator makes of it, None
        at a path that it does not know."""
        ...
