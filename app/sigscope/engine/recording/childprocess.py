"""Processes of ours beside the one that the user has started."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def start_child(
    module: str,
    fd: int,
    *,
    out: int = subprocess.DEVNULL,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Run a module with one end of a socket pair, or of a pipe, as its argument. In a
    process group of its own: what ends this process (Ctrl+C, a closed terminal) must
    not end that one. `out`: takes its stdout. Raises OSError.

    Not in a session of its own: Linux shares processors out by session
    (`sched_autogroup_enabled`, sched(7)), and an event through a recorder that is in
    another one than its client takes 20 us longer.
    """
    root = str(Path(__file__).resolve().parents[3])
    given = os.environ if environment is None else environment
    paths = [root, *filter(None, [given.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, str(fd)],
        env={**given, "PYTHONPATH": os.pathsep.join(paths)},
        pass_fds=(fd,),
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )
