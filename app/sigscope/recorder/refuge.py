"""Where steps are while their own file does not take them: in new files elsewhere.

A disk is full, or is gone. What passes meanwhile must not be in memory alone, where it
would go with a scribe that is killed.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import suppress

from sigscope.errors import InputError
from sigscope.session import Step
from sigscope.store import SessionWriter


class StepTooLarge(InputError):
    """A file of its own does not take a step."""


class Refuge:
    """Keeps steps in the first place that takes them, then in the next, and in another
    file where one took some and takes no more."""

    def __init__(self, places: Callable[[], Iterator[SessionWriter]]) -> None:
        """`places`: makes a new file in each of them, one after the other."""
        self._new_places = places
        self._places = places()
        self._writer: SessionWriter | None = None
        self._kept: set[str] = set()
        self._refused: set[str] = set()
        """Steps that are too large."""
        self.paths: list[str] = []
        """The files with steps in them."""

    def keep(self, step: Step) -> bool:
        """Keep a step, once; False where no place takes it. Raises StepTooLarge where
        files may be only so large that it does not go into a new one."""
        if step.id in self._kept:
            return True
        if step.id in self._refused:
            raise StepTooLarge(f"step {step.number} is larger than files may be")
        while (writer := self._writer or next(self._places, None)) is not None:
            self._writer = writer
            try:
                writer.append_step(step)
            except InputError as error:
                if writer.path not in self.paths and is_too_large(error):
                    self._refused.add(step.id)
                    return self.keep(step)
                if writer.path in self.paths:
                    # It may be as large as files may be, and another one is not.
                    self._places = self._new_places()
                self._close()
                continue
            except Exception:  # noqa: BLE001 - its own file tells what is wrong with it
                return False
            self._kept.add(step.id)
            if writer.path not in self.paths:
                self.paths.append(writer.path)
            return True
        return False

    def has(self, step_id: str) -> bool:
        """Whether a step is kept."""
        return step_id in self._kept

    def leave(self) -> None:
        """The files stay; what comes goes to others."""
        self._close()
        self._kept.clear()
        self._refused.clear()
        self.paths.clear()
        self._places = self._new_places()

    def clear(self) -> None:
        """All of it is in its own file."""
        paths = [*self.paths]
        self.leave()
        for path in paths:
            with suppress(OSError):
                os.unlink(path)

    def _close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is None:
            return
        with suppress(OSError):
            os.fsync(writer.fd)
        writer.close()
        if writer.path not in self.paths:
            with suppress(OSError):
                os.unlink(writer.path)


def is_too_large(error: InputError) -> bool:
    """Whether a file would be larger than files may be (`ulimit -f`, or its disk)."""
    cause = error.__cause__
    return isinstance(cause, OSError) and cause.errno == errno.EFBIG
