"""Faults of sigscope itself, written where whoever reports one finds it.

A text file in the state folder, for the user's eyes alone: when, what was being done,
versions, and where in the code it was; no values of variables. What an exception says
may quote a recording, so it is masked like one.
"""

from __future__ import annotations

import os
import platform
import re
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from sigscope import __version__
from sigscope.engine.settings.places import state_dir
from sigscope.store.private import make_private_folder, open_private

_MOST = 256_000
"""Bytes of the file, about 100 faults; what is older goes."""
_LONG = 16_000
"""Characters of one fault: a recursion has a thousand lines, its ends say all."""
_BEGINS = re.compile(r"^(\d{4}-\d\d-\d\d)T\S+ .* \(sigscope ", re.MULTILINE)
"""The first line of a fault."""


class FaultLog:
    """Writes them down; each place of the code once in the life of a program."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._written: set[tuple[str, str]] = set()

    @property
    def path(self) -> Path:
        return self._path or state_dir() / "faults.log"

    def write(
        self, error: BaseException, doing: str, known: Sequence[str] = ()
    ) -> bool:
        """Whether it stands in the file. Never raises: it is told while another
        error is. `known`: keys that it may quote, whatever they look like."""
        key = (doing, place_of(error))
        if key in self._written:
            return True
        try:
            self._append(_report(error, doing, known))
        except Exception:  # noqa: BLE001 - a report that cannot be made is told as none
            return False
        self._written.add(key)
        return True

    def told(self) -> str:
        """ "2 faults, the last on 2026-11-23, in <path>", for a report."""
        try:
            text = self.path.read_text("utf-8", "replace")
        except FileNotFoundError:
            return "none"
        except OSError as error:
            return f"{self.path} cannot be read: {error.strerror}"
        days = _BEGINS.findall(text)
        count = "1 fault" if len(days) == 1 else f"{len(days)} faults"
        last = f", the last on {days[-1]}" if days else ""
        return f"{count}{last}, in {self.path}"

    def _append(self, text: str) -> None:
        path = self.path
        make_private_folder(path.parent)
        data = text.encode("utf-8", "backslashreplace")
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
        with os.fdopen(open_private(path, flags), "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            if size + len(data) > _MOST:
                file.seek(max(0, size - _MOST // 2))
                kept = file.read(_MOST // 2).partition(b"\n\n")[2]
                file.truncate(0)
                data = kept + data
            file.write(data)


def fault_words(error: BaseException, known: Sequence[str] = ()) -> str:
    """ "KeyError: 'type' (rows.py:12)", on one line or more, without keys: those that
    look so, and the `known` ones."""
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    if isinstance(error, RecursionError):
        return f"the input is nested too deeply ({place_of(error)})"
    from sigscope.store.secrets.masker import mask_text  # dear to import, and rare

    words = mask_text(f"{type(error).__name__}: {error}", known)[0]
    return f"{words} ({place_of(error)})"


def place_of(error: BaseException) -> str:
    """ "rows.py:12": the innermost line; empty where it was never raised."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    if at is None:
        return ""
    return f"{os.path.basename(at.tb_frame.f_code.co_filename)}:{at.tb_lineno}"


def _report(error: BaseException, doing: str, known: Sequence[str]) -> str:
    from sigscope.store.secrets.masker import mask_text  # dear to import, and rare

    text = "".join(traceback.format_exception(error))
    # Before it is cut, which may be within a key.
    text = mask_text(text.replace("\n\n", "\n"), known)[0]
    if len(text) > _LONG:
        text = f"{text[: _LONG // 2]}\n  ...\n{text[-_LONG // 2 :]}"
    when = datetime.now(UTC).isoformat(timespec="seconds")
    versions = f"sigscope {__version__}, Python {platform.python_version()}"
    return f"{when} {doing} ({versions}, {platform.system()})\n{text}\n"
