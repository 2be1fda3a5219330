"""When garbage is looked for: in small portions, and for all of it while nobody types.

Now and then Python looks through all that lives, and nothing else runs meanwhile, in no
thread either: half a second where a body has 100,000 elements. That was most of what a
send or a switched fix made a key wait for.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import monotonic

EVERY = (20_000, 5, 1_000)
"""As `gc.set_threshold` takes it: portions of at most 100,000 objects, some 30 ms. For
all of it only `look` looks, unless nobody ever pauses."""
IDLE_SECONDS = 5.0
"""Without a key or the mouse: whoever reads does not wait."""
PORTIONS = 10
"""After which it is worth while: a million objects were made and are still there."""
LONG_SECONDS = 0.1
"""What takes longer to look through stays, as a session does, and is spared the next
time, until that is left."""


class GarbagePace:
    """Looks for garbage in a process with screens."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._touched = now()

    def begin(self) -> None:
        """The program has started."""
        gc.set_threshold(*EVERY)
        gc.enable()

    def touch(self) -> None:
        """Somebody is at the keys."""
        self._touched = self._now()

    def look(self) -> None:
        """Look for all of it, if there may be much and nobody waits."""
        begun = self._now()
        if begun - self._touched < IDLE_SECONDS or gc.get_count()[2] < PORTIONS:
            return
        gc.collect()
        if self._now() - begun > LONG_SECONDS:
            gc.freeze()
