"""What was likely meant by the name of a file or a session that is not there.

Asked only where something failed: it looks at folders, which takes its time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from sigscope.characters import printable
from sigscope.engine.settings.places import SUFFIX, data_dir, shipped
from sigscope.foldercontents import files_in

_LEAST = 3
"""Characters from which on a name is taken for a part of a longer one."""
_CLOSE = 0.8
_MOST = 10_000
"""Names of a folder that are looked at."""
_OFFERED = 3


def likely_names(name: str) -> tuple[str, ...]:
    """Sessions and files of its folder whose name begins like this, is nearly it,
    begins nearly like this, or has it as one of its words; the likeliest first."""
    folder = Path(name).parent
    wanted, called = _plain(Path(name).name), dict[str, str]()
    sessions = () if "/" in name else _sessions()
    for offered in (*sessions, *_files(folder)):
        called.setdefault(_plain(Path(offered).name), offered)
    for find in (_begun, _close, _nearly_begun, _within):
        if found := tuple(islice(find(wanted, sorted(called)), _OFFERED)):
            return tuple(called[each] for each in found)
    return ()


def question(names: Iterable[str]) -> str:
    """ "did you mean a?", "did you mean a or b?"; empty for no name."""
    *others, last = [printable(name) for name in names] or [""]
    listed = f"{', '.join(others)} or {last}" if others else last
    return f"did you mean {listed}?" if last else ""


def recent_sessions() -> tuple[Path, ...]:
    """Those of the user's that the list of sessions shows by name."""
    # Dear to import.
    from sigscope.engine.sessions.library import Library

    return tuple(Library().recent())


def _plain(name: str) -> str:
    """A name without what tells what kind of file it is."""
    lower = name.casefold()
    return lower.removesuffix(SUFFIX).removesuffix(".jsonl").removesuffix(".session")


def _sessions() -> Iterator[str]:
    """By the names under which verbs take them."""
    folders = (shipped("sessions"), data_dir() / "sessions")
    kept = [path for folder in folders for path in files_in(folder, SUFFIX)]
    for path in (*kept, *recent_sessions()):
        yield path.name.removesuffix(SUFFIX)


def _files(folder: Path) -> list[str]:
    try:
        return sorted(str(path) for path in islice(folder.iterdir(), _MOST))
    except (OSError, ValueError):
        return []


def _begun(wanted: str, names: list[str]) -> Iterator[str]:
    is_long = len(wanted) >= _LEAST
    return (name for name in names if is_long and name.startswith(wanted))


def _close(wanted: str, names: list[str]) -> Iterator[str]:
    return iter(get_close_matches(wanted, names, 1, _CLOSE))


def _nearly_begun(wanted: str, names: list[str]) -> Iterator[str]:
    beginnings: dict[str, list[str]] = {}
    for name in names:
        for at, letter in enumerate(name):
            if letter in "-._":
                beginnings.setdefault(name[:at], []).append(name)
    nearest = get_close_matches(wanted, beginnings, 1, _CLOSE)
    return (name for beginning in nearest for name in beginnings[beginning])


def _within(wanted: str, names: list[str]) -> Iterator[str]:
    is_long = len(wanted) >= _LEAST
    return (name for name in names if is_long and f"-{wanted}-" in f"-{name}-")
