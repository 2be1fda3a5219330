"""Writing a file whole or not at all, and never over another one.

A file in the making has a hidden name beside its own. Without `force` the last step is
one that fails if the name was taken meanwhile. What is no file, as a pipe, a device or
`/dev/stdout`, is written into: nothing is lost by that.

What is made of a conversation holds its words, as a session does, and is for the user
alone until they give it to somebody.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from sigscope.errors import InputError, NamesFolder, WouldOverwrite
from sigscope.store.private import FILE, make_private_folder, open_private
from sigscope.store.specialfile import is_special, write_special
from sigscope.store.unfinished import hold, name_beside, put_in_place, sweep

_OPEN = 0o666
_MAY_RUN = 0o100


def write_new(
    path: Path,
    data: bytes | Iterable[bytes],
    *,
    force: bool = False,
    executable: bool = False,
    is_open: bool = False,
) -> int:
    """Write a file; tell its size. Raises WouldOverwrite, and InputError where it
    cannot be written.

    `data`: whole, or in pieces, which are made meanwhile. `executable`: a script, to be
    run by its name. `is_open`: whoever the umask lets may read it, as what a build
    hands on; else the user alone.
    """
    pieces = (data,) if isinstance(data, bytes) else data
    _refuse_dash(path)
    if is_special(str(path)):
        try:
            if sys.stdout:
                sys.stdout.flush()  # it may be the same
            return write_special(str(path), pieces)
        except OSError as error:
            raise _unwritable(error, path) from error
    _refuse_folder(path)
    if not force:
        refuse_existing(path)
    try:
        make_private_folder(path.parent)
        sweep(str(path))
        temporary = Path(name_beside(str(path)))
        handle = open_private(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            with os.fdopen(handle, "wb") as file:
                hold(handle)
                size = sum(map(file.write, pieces))
            if is_open:
                temporary.chmod(_OPEN & ~_umask())
            elif executable:
                temporary.chmod(FILE | _MAY_RUN)
            put_in_place(str(temporary), str(path), force=force)
            return size
        finally:
            with contextlib.suppress(FileNotFoundError):
                temporary.unlink()
    except (OSError, ValueError) as error:
        raise _unwritable(error, path) from error


def refuse_existing(path: Path) -> None:
    """Raises WouldOverwrite where a file would have to give way, and InputError where
    the name can be none of a file."""
    _refuse_dash(path)
    _refuse_folder(path)
    if os.path.lexists(path) and not is_special(str(path)):
        raise WouldOverwrite(str(path))


def _refuse_dash(path: Path) -> None:
    if str(path) == "-":  # a file of this name would be a surprise
        raise InputError(
            "other output stands on standard output; name a file, or /dev/stdout",
            path="-",
        )


def _refuse_folder(path: Path) -> None:
    if os.path.isdir(path):  # unlike Path's, it does not raise for an odd name
        raise NamesFolder(str(path))


def _unwritable(error: Exception, path: Path) -> InputError:
    reason = getattr(error, "strerror", None) or error
    if isinstance(error, OSError) and error.errno == errno.ENXIO:
        reason = "nobody reads what is written there"
    return InputError(f"cannot be written: {reason}", path=str(path))


def _umask() -> int:
    """The process's mask; it cannot be read without being set."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
