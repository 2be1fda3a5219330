"""What was piped or pasted, as a file that can be read again and again.

It may hold keys, and nothing has looked for them yet: where the system has files in
memory alone (Linux, memfd_create(2)), no disk ever has it, and whatever ends the
program leaves nothing behind. Elsewhere it is a private file that goes with `close`.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


class InputFile:
    """Written once, then read by its path until it is closed."""

    def __init__(self) -> None:
        """Raises OSError where there is no room for a file."""
        self._named: Path | None = None
        handle, self.path = _in_memory()
        if handle < 0:
            handle, name = tempfile.mkstemp(prefix="sigscope-", suffix=".input")
            self.path = self._named = Path(name)
        self._file = os.fdopen(handle, "wb")

    def write(self, data: bytes) -> None:
        """Add to it. Raises OSError."""
        self._file.write(data)
        self._file.flush()

    def close(self) -> None:
        """Nobody reads it any more."""
        with suppress(OSError):
            self._file.close()
        if self._named is not None:
            self._named.unlink(missing_ok=True)


def _in_memory() -> tuple[int, Path]:
    """A descriptor, and a path of this process to it; -1 where there is none."""
    create = getattr(os, "memfd_create", None)
    if create is None:
        return -1, Path()
    try:
        handle: int = create("sigscope-input")
    except OSError:  # a kernel without it, or a sandbox
        return -1, Path()
    path = Path(f"/proc/self/fd/{handle}")
    if path.exists():
        return handle, path
    os.close(handle)
    return -1, Path()
