"""What has ended and is not in the file yet, and whether that is too much.

Masking comes before writing and costs more than passing on, so many clients at once can
outrun the scribe. What they got whole would then live in memory alone, and go with a
machine, a container or a process group that is killed. So a new request waits, as long
as the oldest exchange that is not written is late. Traffic still comes first: nobody
waits for a scribe that gets nothing done, or for a disk that takes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

LATE_SECONDS = 0.1
"""Age of an exchange that is not written, from which new requests wait where several
are not. Leaves room below the promised 0.5 s for those that are on their way."""
SEVERAL = 4
VERY_LATE_SECONDS = 0.3
"""The same for fewer: a client that asks one thing after the other does not outrun
the scribe, who may need that long for one large answer."""
MUCH = 1024 * 1024
"""Bytes of several exchanges that are not written, from which new requests wait at
once: masking takes a fifth of a second for a megabyte."""
PATIENCE_SECONDS = 2.0
"""After that long without a word of the scribe, nobody waits for it."""
RISKY_SECONDS = 0.15
"""Work of the scribe from which the end of an answer waits for it, where others are not
written either: less than a third of the promised 0.5 s, as a busy machine may give it a
third of its pace."""
ALONE_SECONDS = 0.3
"""The same for one answer by itself, which nothing is likely to come between."""
OLD_SECONDS = 0.06
"""The same for the age of the oldest that is not written, whatever its size."""
FIRST_PACE = 4e6
"""Bytes a second that a scribe is believed to write before it has shown its pace."""
STEP_BYTES = 8 * 1024
"""What one more exchange costs, in bytes of a large one."""
SEEN_BYTES = 1024 * 1024
"""The latest that tells the pace, about: a machine may become busy at any time."""


class Arrears:
    """Counts ends against words of the scribe."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._ended: dict[int, tuple[float, int]] = {}
        """When they ended, and their bytes, the oldest first; by number."""
        self._size = 0
        """Bytes of all of them."""
        self._heard = clock()
        """When the scribe last got something done, or began to."""
        self._is_hopeless = False
        self._seen_bytes = float(SEEN_BYTES)
        self._seen_seconds = SEEN_BYTES / FIRST_PACE
        """The latest that was written, and how long it took."""

    def __len__(self) -> int:
        return len(self._ended)

    @property
    def is_late(self) -> bool:
        """Whether a new request should wait a little."""
        age = self._maybe_age()
        if age is None:
            return False
        if len(self._ended) > 1 and self._size > MUCH:
            return True
        is_crowd = len(self._ended) >= SEVERAL
        return age > (LATE_SECONDS if is_crowd else VERY_LATE_SECONDS)

    @property
    def is_hopeful(self) -> bool:
        """Whether what ended can be expected to be written."""
        return not self._is_hopeless

    @property
    def is_risky(self) -> bool:
        """Whether what ends now may be written too late, where nobody waits."""
        age = self._maybe_age()
        if age is None:
            return False
        most = RISKY_SECONDS if len(self._ended) > 1 else ALONE_SECONDS
        return age > OLD_SECONDS or self.seconds > most

    def _maybe_age(self) -> float | None:
        """Of the oldest that is not written; None where there is nothing to wait for:
        all is written, or nothing can be, or the scribe gets nothing done."""
        if not self._ended or self._is_hopeless:
            return None
        now = self._clock()
        oldest, _ = next(iter(self._ended.values()))
        if now - max(oldest, self._heard) > PATIENCE_SECONDS:
            return None
        return now - oldest

    @property
    def seconds(self) -> float:
        """What writing all that ended takes, at the pace of late."""
        work = self._size + STEP_BYTES * len(self._ended)
        return work * self._seen_seconds / self._seen_bytes

    def owes(self, number: int) -> bool:
        """Whether what ended with this number is not written."""
        return number in self._ended

    def begin(self) -> None:
        """The scribe, who had nothing to do, is told that there is something."""
        self._heard = self._clock()

    def end(self, number: int, size: int = 0) -> None:
        """An exchange of so many bytes has ended, and is to be written."""
        self._ended[number] = self._clock(), size
        self._size += size

    def settle(self, number: int) -> None:
        """It is in the file, or never will be. The scribe goes by the order of ends, so
        what ended before it is settled too."""
        now = self._clock()
        if number in self._ended:
            begun = max(self._heard, next(iter(self._ended.values()))[0])
            done = 0
            for ended in list(self._ended):
                _, size = self._ended.pop(ended)
                self._size -= size
                done += size + STEP_BYTES
                if ended == number:
                    break
            self._see(done, max(0.0, now - begun))
        self._heard = now
        self._is_hopeless = False

    def _see(self, size: int, seconds: float) -> None:
        """Heed the pace, the latest most."""
        keep = SEEN_BYTES / (SEEN_BYTES + size)
        self._seen_bytes = self._seen_bytes * keep + size
        self._seen_seconds = self._seen_seconds * keep + seconds

    def despair(self) -> None:
        """Nothing can be written at the moment."""
        self._is_hopeless = True
