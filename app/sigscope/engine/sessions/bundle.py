"""Makes the bundled sessions: `python -m sigscope.engine.sessions.bundle FOLDER`.

Each is performed anew from its scenario, and is the same file, to the byte, as long as
neither client nor simulator change what they do.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from sigscope.converse.scenario import Scenario, perform, scenarios
from sigscope.engine.settings.places import SUFFIX
from sigscope.errors import InputError, SigscopeError
from sigscope.store import save_session


def make_all(folder: Path) -> list[Path]:
    """Write every bundled session into a folder. Others that lie there stay."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be a folder: {reason}", path=str(folder)) from None
    return [make(scenario, folder) for scenario in scenarios()]


def make(scenario: Scenario, folder: Path) -> Path:
    """Write one session, replacing what is there."""
    path = folder / f"{scenario.name}{SUFFIX}"
    save_session(asyncio.run(perform(scenario)), str(path), force=True)
    path.chmod(0o644)  # made up, and installed for every user of a machine
    return path


def main() -> int:
    """The make target's entry."""
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python -m sigscope.engine.sessions.bundle FOLDER\n")
        return 2
    try:
        made = make_all(Path(sys.argv[1]))
    except SigscopeError as error:
        sys.stderr.write(f"{error}\n")
        return 3
    sys.stderr.write(f"{len(made)} sessions written to {sys.argv[1]}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
