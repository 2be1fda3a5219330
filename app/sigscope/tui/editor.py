"""The user's own editor: a file of their eyes alone, the terminal handed over."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from textual.app import App, SuspendNotSupported

from sigscope.errors import UsageError
from sigscope.records import dataclass

_GRACE = 2.0
"""Seconds in which an editor that is told to end may save what it has."""


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
            status = _run([*command, str(path)], partial(_leave, path, data))
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


def _run(command: list[str], left: Callable[[], str]) -> str:
    """Wait until the editor has ended; what went wrong, in words. Never raises: the
    terminal would not be taken back. `left` says where the text is."""
    try:
        with (
            _terminal_as_it_was(),
            subprocess.Popen(command) as editor,
            _signals_passed_on(editor) as told_to_end,
        ):
            status = editor.wait()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return f"did not start ({why})"
    if status and told_to_end:
        # The terminal is still the shell's: no screen will say it.
        print(f"sigscope: told to end{left()}", file=sys.__stderr__, flush=True)
    return f"ended with status {status}" if status else ""


@contextmanager
def _signals_passed_on(
    editor: subprocess.Popen[bytes],
) -> Iterator[list[threading.Timer]]:
    """Who tells us to end does not wait for the user: the editor is told to end too,
    and killed where it does not; the loop ends the program then, as at any signal.
    ctrl+c in an editor that leaves the terminal as it is would reach us too, and end
    the screens; the editor itself hears it: handlers do not outlive exec. Yields what
    is empty as long as nobody told us to end."""
    timers: list[threading.Timer] = []
    if threading.current_thread() is not threading.main_thread():
        yield timers
        return

    def end(*_: object) -> None:
        if not timers:
            editor.terminate()
            timers.append(threading.Timer(_GRACE, editor.kill))
            timers[0].start()

    handlers: dict[int, Callable[..., object]] = {
        signal.SIGINT: lambda *_: None,
        signal.SIGTERM: end,
        getattr(signal, "SIGHUP", signal.SIGTERM): end,
    }
    before = {number: signal.getsignal(number) for number in handlers}
    # Not what is ignored (as under nohup), nor what is not Python's.
    before = {n: h for n, h in before.items() if h not in (None, signal.SIG_IGN)}
    for number in before:
        signal.signal(number, handlers[number])
    try:
        yield timers
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for timer in timers:
            timer.cancel()


@contextmanager
def _terminal_as_it_was() -> Iterator[None]:
    """An editor that is killed leaves its modes behind; Textual would take them for
    those of the user's shell, and restore them in the end."""
    try:
        import termios
    except ImportError:
        yield
        return
    stream = sys.__stdin__
    try:
        modes = termios.tcgetattr(stream.fileno() if stream is not None else -1)
    except (OSError, ValueError, termios.error):
        modes = None
    yield
    if modes is not None and stream is not None:
        with suppress(OSError, ValueError, termios.error):
            termios.tcsetattr(stream.fileno(), termios.TCSADRAIN, modes)


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
