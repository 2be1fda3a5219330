"""`python -m sigscope` and the `sigscope` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line, and leave the process with its exit code."""
    from sigscope.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
