"""What lies in a folder of the user's, which need not be there, or be theirs to read.

`Path.exists`, `is_file`, `is_dir` and `glob` raise PermissionError below a folder that
may not be entered, until Python 3.14: a home of another user's, say, as services and
containers have it.
"""

from __future__ import annotations

import os
from pathlib import Path


def files_in(folder: Path, ending: str) -> list[Path]:
    """Those whose names end so, in order; none where the folder cannot be read."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [folder / name for name in sorted(names) if name.endswith(ending)]


def maybe_closed(folder: Path) -> str | None:
    """Why nobody can tell what is in a folder; None where one can, or where there is
    none."""
    try:
        # Behind the slash, as a folder may be one to list and not to enter.
        os.stat(os.path.join(folder, "."))
        os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return f"it cannot be read: {error.strerror or error}"
    return None
