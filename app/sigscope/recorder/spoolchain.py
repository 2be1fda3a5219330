"""Spools one after the other, as the scribe reads them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from sigscope.recorder import frames
from sigscope.recorder.frames import SpoolFrame, read_frames
from sigscope.recorder.spool import spool_reader


class SpoolChain:
    """Reads on from where it stopped, and lets go of what was read to its end."""

    def __init__(self, spools: Iterable[int]) -> None:
        """`spools`: numbers of open files, the oldest first."""
        self._spools: deque[int] = deque(spools)
        self.passed = 0
        """Spools read to their end."""
        self._at = 0
        self._read: Callable[[int, int], bytes] | None = None
        """Reads the first of them."""

    def add(self, spools: Iterable[int]) -> None:
        """More of them."""
        self._spools.extend(spools)

    def frames(self) -> Iterator[SpoolFrame]:
        """The whole frames that came since."""
        while self._spools:
            read = self._read = self._read or spool_reader(self._spools[0])
            is_full = False
            for frame, end in read_frames(read, self._at):
                self._at = end
                if frame.kind == frames.NEXT:
                    is_full = True
                    break
                yield frame
            if not is_full or len(self._spools) < 2:
                self._at -= frames.HEADER.size * is_full
                return
            os.close(self._spools.popleft())
            self._read = None
            self._at = 0
            self.passed += 1
