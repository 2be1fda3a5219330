"""Entry: which verb, which exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from sigscope import __version__
from sigscope.cli.console import Console
from sigscope.errors import SigscopeError, UpstreamError, UsageError

FINE, AGAINST, USAGE, UNREADABLE, INTERRUPTED = 0, 1, 2, 3, 130

VERBS = (
    "open",
    "demo",
    "record",
    "run",
    "import",
    "check",
    "show",
    "ledger",
    "replay",
    "diff",
    "converse",
    "simulate",
    "export",
    "redact",
    "explain",
    "sessions",
    "new",
    "profiles",
    "keys",
    "doctor",
    "schema",
)
"""Modules of `cli.verbs` (`import` lives in `import_`), in the order of help."""


def run(argv: Sequence[str]) -> int:
    """Run one command line; return its exit code. Never raises."""
    if list(argv) in (["--version"], ["-V"]):
        print(f"sigscope {__version__}")
        return FINE
    console = Console()
    try:
        return _dispatch(list(argv), console)
    except _Stop as stop:
        return stop.code
    except KeyboardInterrupt:
        console.talk("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) has gone; that is no error of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except UsageError as error:
        console.fail(str(error))
        return USAGE
    except SigscopeError as error:
        console.fail(str(error))
        return UNREADABLE
    except RecursionError:
        console.fail("the input is nested too deeply to be processed")
        return UNREADABLE


def _dispatch(argv: list[str], console: Console) -> int:
    parser = build_parser(only=argv[0] if argv and argv[0] in VERBS else None)
    if argv and not argv[0].startswith("-") and argv[0] not in VERBS:
        argv = ["open", *argv]
    if not argv:
        argv = ["open"]
    args = parser.parse_args(argv)
    module = _module(args.verb)
    result: int = module.run(args, console)
    return result


class _Stop(Exception):
    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


class _Parser(argparse.ArgumentParser):
    """argparse that returns instead of leaving the process."""

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        if message:
            sys.stderr.write(message)
        raise _Stop(status)

    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"{self.format_usage()}sigscope: {message}\n")
        raise _Stop(USAGE)


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser; with `only`, just that verb has its arguments."""
    parser = _Parser(
        prog="sigscope",
        description="Debugger for conversations with reasoning models: follow each"
        " opaque signature from the response to the next request.",
        epilog="sigscope FILE opens the screens. Exit codes: 0 fine, 1 findings or a"
        " verdict against, 2 usage, 3 unreadable input or no connection.",
    )
    parser.add_argument(
        "-V", "--version", action="version", version=f"sigscope {__version__}"
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=_Parser)
    for name in VERBS:
        if only not in (None, name):
            continue
        module = _module(name)
        verb = verbs.add_parser(
            name,
            help=module.HELP,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(verb)
    return parser


def _module(name: str):  # type: ignore[no-untyped-def]
    from importlib import import_module

    return import_module(f"sigscope.cli.verbs.{name.replace('import', 'import_')}")


__all__ = ["UpstreamError", "build_parser", "run"]
