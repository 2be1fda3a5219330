"""`python -m sigscope` and the `sigscope` command."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line, and leave the process with its exit code."""
    # `signal` imports enum and more, in which Ctrl+C would be a traceback.
    import _signal  # type: ignore[import-not-found]  # typeshed does not know it

    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    from sigscope.cli.interruption import (
        leave_interrupted,
        leave_on_interrupt,
        leave_with,
    )

    leave_on_interrupt()
    from sigscope.cli.main import run

    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # in the last moment
        leave_interrupted()
    leave_with(code)
    gc.freeze()  # nor need a whole session be looked through for what refers to itself
    sys.exit(code)


if __name__ == "__main__":
    main()
