"""Open the screens: on the list of sessions, or on a file.

  sigscope                           the list of bundled and recent sessions
  sigscope FILE                      a session file or any known recording
  sigscope zed-copilot-attempt-1     a bundled session by its name

Without a terminal there are no screens; `check`, `ledger`, `show` and `replay` say the
same in words.
"""

from __future__ import annotations

import argparse
import os
import sys

from sigscope.cli.console import Console

HELP = "open the screens (what `sigscope` and `sigscope FILE` do)"
HEADLESS = "check, ledger, show, replay, demo"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --format, --theme, --ascii."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a session file, a recording of another tool, or the name of a bundled"
        " session; without it the list opens",
    )
    parser.add_argument(
        "--format", metavar="NAME", help="take FILE as this format, whatever it holds"
    )
    parser.add_argument(
        "--theme",
        metavar="NAME",
        default=os.environ.get("SIGSCOPE_THEME"),
        help="colours: sigscope-dark, sigscope-light, ansi-16, high-contrast, or one"
        " of your own (also SIGSCOPE_THEME)",
    )
    parser.add_argument(
        "--ascii",
        action="store_true",
        help="plain ASCII symbols and borders (also SIGSCOPE_ASCII=1)",
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Open the screens, or say why there are none."""
    if not _has_terminal():
        verbs = f"sigscope VERB {args.file or 'FILE'}, with VERB one of {HEADLESS}"
        console.fail(f"the screens need a terminal. Without one: {verbs}")
        return 2
    from sigscope.cli.documents import STDIN, find
    from sigscope.errors import UsageError
    from sigscope.tui.app import SigscopeApp
    from sigscope.tui.symbols import ASCII

    if args.file == STDIN:
        raise UsageError(
            "the screens cannot read a session from standard input, which they need"
            " for the keys; save it to a file first"
        )
    app = SigscopeApp(
        str(find(args.file)) if args.file else None,
        wanted=args.format,
        theme=args.theme,
        symbols=ASCII if args.ascii else None,
    )
    app.run()
    return app.return_code or 0


def _has_terminal() -> bool:
    """Keys are read from stdin; the screens are drawn on stderr, which Textual uses
    so that stdout can be redirected; a pipe on stdout means that data is wanted."""
    streams = (sys.stdin, sys.stdout, sys.__stderr__)
    return all(stream is not None and stream.isatty() for stream in streams)
