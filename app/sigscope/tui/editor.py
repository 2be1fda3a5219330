"""The user's own editor: a file of their eyes alone, the terminal handed over."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from textual.app import App, SuspendNotSupported

from sigscope.errors import UsageError
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedFile:
    """What came back from the editor."""

    data: bytes
    path: Path
    """The file; whoever asked removes it, or keeps it for the user."""


def editor_command(environ: Mapping[str, str]) -> list[str]:
    """The command of VISUAL, else of EDITOR. Raises UsageError if there is none."""
    for name in ("VISUAL", "EDITOR"):
        value = environ.get(name, "").strip()
        if not value:
            continue
        try:
            return shlex.split(value)
        except ValueError as error:
            raise UsageError(f"{name} cannot be read ({error}): {value}") from None
    raise UsageError(
        "no editor is set: export VISUAL or EDITOR, for example EDITOR=nano; "
        "or edit the value in place"
    )


def edit_outside(
    app: App[object],
    data: bytes,
    suffix: str,
    environ: Mapping[str, str],
    kept: Path | None = None,
) -> EditedFile:
    """Let the user change a text; waits, with the terminal handed over, until the
    editor has ended. `kept` is a file of an earlier try to go on with.

    Raises UsageError where there is no editor or no terminal, and where the editor
    fails; a file that was changed by then is kept, and named.
    """
    command = editor_command(environ)
    path = kept if kept is not None and kept.exists() else _written(data, suffix)
    try:
        with app.suspend():
            status = _run([*command, str(path)])
        after = path.read_bytes()
    except SuspendNotSupported:
        _leave(path, data)
        raise UsageError(
            "there is no terminal here to hand to an editor (as in a browser); "
            "edit the value in place"
        ) from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    if status:
        said = _leave(path, data)
        raise UsageError(f"{command[0]} {status}: nothing is changed{said}")
    return EditedFile(data=after, path=path)


def _run(command: list[str]) -> str:
    """Wait until the editor has ended; what went wrong, in words. Never raises: the
    terminal would not be taken back."""
    try:
        with _deaf_to_interrupts():
            status = subprocess.run(command, check=False).returncode
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return f"did not start ({why})"
    return f"ended with status {status}" if status else ""


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """ctrl+c in an editor that leaves the terminal as it is would reach us too, and
    end the screens. The editor itself hears it: handlers do not outlive exec."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _written(data: bytes, suffix: str) -> Path:
    """A new file, readable by the user alone: bodies may hold secrets."""
    try:
        number, name = tempfile.mkstemp(prefix="sigscope-", suffix=suffix)
        with os.fdopen(number, "wb") as file:
            file.write(data)
    except OSError as error:
        raise UsageError(f"no file for the editor: {error.strerror}") from None
    return Path(name)


def _leave(path: Path, data: bytes) -> str:
    """Remove a file nobody changed; else say where it is."""
    try:
        if path.read_bytes() != data:
            return f"; your text is in {path}"
        path.unlink()
    except OSError:
        pass
    return ""
