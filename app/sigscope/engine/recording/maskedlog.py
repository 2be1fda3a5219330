"""What a client says, written down without keys.

    python -m sigscope.engine.recording.maskedlog FD

reads the client's pipe FD and writes to its stdout, the log. A process of its own, with
the client's environment: the client goes on talking when the screens are gone.

A client that debugs itself prints its headers and its environment. Whole lines are
written: what a line says is masked with the lines before it in sight, as a private key
goes over many of them and a name may stand in another line than its value.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import BinaryIO

from sigscope.store.private import leave_no_core
from sigscope.store.secrets.masker import mask_answer
from sigscope.store.secrets.names import is_secret_name, is_secret_variable

_BEFORE = 8 * 1024
"""Bytes of earlier lines that are looked at again."""
_LONGEST = 64 * 1024
"""Bytes of a line from which it is written in parts, what follows in sight."""
_AHEAD = 8 * 1024
"""Bytes of such a line that are looked at and not yet written."""
_READ = 64 * 1024
_SHORTEST = 8
_ENDS = (b"\n", b"\r")


class MaskedLog:
    """A file that takes lines."""

    def __init__(self, file: BinaryIO, environment: Mapping[str, str]) -> None:
        """`file`: unbuffered; closed with the log. `environment`: the client's; what
        is called a key there is one wherever it is printed."""
        self._file = file
        self._known = tuple(
            value
            for name, value in environment.items()
            if len(value) >= _SHORTEST
            and (is_secret_variable(name.upper()) or is_secret_name(name))
        )
        self._before = b""
        """The end of what was written, as it came."""
        self._line = b""
        """The beginning of a line, as it came."""

    def write(self, data: bytes) -> None:
        """Take what was said; a line that has no end yet waits for it."""
        said = self._line + data
        end = max(said.rfind(each) for each in _ENDS) + 1
        ahead = b""
        if not end and len(said) > _LONGEST:
            end = len(said) - _AHEAD
            ahead = said[end:]
        self._line = said[end:]
        if end:
            self._put(said[:end], ahead)

    def close(self) -> None:
        """Write what is left, and close the file."""
        self._put(self._line)
        self._line = b""
        with suppress(OSError):
            self._file.close()

    def _put(self, lines: bytes, ahead: bytes = b"") -> None:
        before = len(self._before)
        try:
            masked, _ = mask_answer(self._before + lines + ahead, self._known)
            masked = masked[before : before + len(lines)]
        except Exception as error:  # noqa: BLE001 - a fault of ours ends no client
            told = f"[sigscope: {len(lines)} bytes are left out, for they could not be"
            told += f" searched for keys: {error!r}]\n"
            masked = told.encode()
        with suppress(OSError):  # a full disk ends no client
            self._file.write(masked)
        self._before = (self._before + lines)[-_BEFORE:]


def main() -> None:
    """Until nobody has the client's end of the pipe any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leave_no_core()
    out = os.fdopen(sys.stdout.fileno(), "wb", buffering=0, closefd=False)
    log = MaskedLog(out, os.environ)
    while data := os.read(int(sys.argv[1]), _READ):
        log.write(data)
    log.close()


if __name__ == "__main__":
    main()
