"""`python -m sigscope` and the `sigscope` command."""

from __future__ import annotations

import gc
import signal
import sys

from sigscope.cli.interruption import leave_on_interrupt


def main() -> None:
    """Run the command line, and leave the process with its exit code."""
    leave_on_interrupt()
    from sigscope.cli.main import run

    code = run(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is leaving
    gc.freeze()  # nor need a whole session be looked through for what refers to itself
    sys.exit(code)


if __name__ == "__main__":
    main()
