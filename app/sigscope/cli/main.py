"""Entry: which verb, which exit code."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from sigscope import __version__
from sigscope.cli.console import Console
from sigscope.cli.interruption import INTERRUPTED, raise_on_interrupt
from sigscope.errors import SigscopeError, UpstreamError, UsageError

GARBAGE_EVERY = 50_000
"""Objects made until those that refer to one another are looked for. Sessions are read
into hundreds of thousands that stay: with Python's 700, a third of the time of reading
97 MB goes into looking at them again and again."""
FINE, AGAINST, USAGE, UNREADABLE = 0, 1, 2, 3

VERBS = (
    "open",
    "demo",
    "record",
    "run",
    "import",
    "check",
    "test",
    "show",
    "search",
    "ledger",
    "replay",
    "bisect",
    "matrix",
    "diff",
    "verify",
    "fading",
    "converse",
    "simulate",
    "export",
    "redact",
    "explain",
    "sessions",
    "new",
    "profiles",
    "serve",
    "mcp",
    "keys",
    "calibrate",
    "doctor",
    "schema",
)
"""Modules of `cli.verbs` (`import` lives in `import_`), in the order of help."""

_OF_THE_PROGRAM = ("-h", "--help", "-V", "--version")
"""What may stand in place of a verb; any other option is one of the screens."""


def run(argv: Sequence[str], console: Console | None = None) -> int:
    """Run one command line; return its exit code. Never raises."""
    console = console or Console()
    try:
        code = console.verdict = _dispatch(list(argv), console)
        _tell_of_extensions(console)
        console.out.flush()
    except _Stop as stop:
        return stop.code
    except KeyboardInterrupt:
        console.talk("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) has gone; that is no error of ours.
        _drop_output()
        return console.verdict
    except UsageError as error:
        console.fail(str(error))
        return USAGE
    except SigscopeError as error:
        console.fail(str(error))
        return UNREADABLE
    except RecursionError:
        console.fail("the input is nested too deeply to be processed")
        return UNREADABLE
    except MemoryError:
        console.fail("there is not enough memory for this input")
        return UNREADABLE
    except OSError as error:
        _drop_output()
        console.fail(_say_os_error(error))
        return UNREADABLE
    except Exception as error:  # noqa: BLE001 - the last net: no traceback for users
        if _is_of_interrupt(error):
            console.talk("interrupted")
            return INTERRUPTED
        console.fail(_say_fault(error))
        return UNREADABLE
    return code


def _tell_of_extensions(console: Console) -> None:
    """What of others could not be used; `doctor` says it in its report."""
    if module := sys.modules.get("sigscope.extensions"):
        from sigscope.store.secrets.masker import mask_text

        for fault in module.faults():
            console.talk(mask_text(f"extension {fault}")[0])


def _drop_output() -> None:
    """Let what is still buffered go nowhere, or leaving would complain once more."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say_os_error(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else f"output: {reason}"


def _is_of_interrupt(error: BaseException | None) -> bool:
    """Whether Ctrl+C came where Python makes another exception of it: in the making of
    a class, `RuntimeError: Error calling __set_name__`."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None


def _say_fault(error: Exception) -> str:
    """What went wrong in sigscope itself, in one line; SIGSCOPE_DEBUG shows it all."""
    frames = traceback.extract_tb(error.__traceback__)
    from sigscope.extensions import culprit

    if maker := culprit(error.__traceback__):
        told = f"a fault in the extension {maker}: {type(error).__name__}: {error}"
        return f"{told}; SIGSCOPE_EXTENSIONS=off goes on without it"
    place = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}"
    told = f"a fault in sigscope: {type(error).__name__}: {error} ({place})"
    if os.environ.get("SIGSCOPE_DEBUG"):
        return told + "\n" + "".join(traceback.format_exception(error))
    return told + "; please report it. SIGSCOPE_DEBUG=1 shows where it came from"


def _dispatch(argv: list[str], console: Console) -> int:
    if argv in (["--version"], ["-V"]):
        console.data(f"sigscope {__version__}")
        return FINE
    if not argv or argv[0] not in (*VERBS, *_OF_THE_PROGRAM):
        if argv[1:] and not argv[0].startswith("-"):
            from sigscope.cli.verbs.open import expect_file

            expect_file(argv[0])  # before its arguments are found fault with
        argv = ["open", *argv]
    parser = build_parser(argv[0] if argv[0] in VERBS else None, console)
    args = parser.parse_args(argv)
    module = _module(args.verb)
    gc.set_threshold(GARBAGE_EVERY)
    _set_decoding()
    _adopt()
    raise_on_interrupt()
    result: int = module.run(args, console)
    return result


def _set_decoding() -> None:
    from sigscope.engine.settings.sources import load_settings, set_decoding

    set_decoding(load_settings())


def _adopt() -> None:
    from sigscope.engine.settings.own import adopt

    adopt()


class _Stop(Exception):
    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


class _Parser(argparse.ArgumentParser):
    """argparse that returns instead of leaving the process."""

    console: Console | None = None
    """Where it talks; None: to who called the program."""

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        if message:
            (self.console or Console()).talk(message.rstrip("\n"))
        raise _Stop(status)

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """argparse leaves what a verb does not know to the parser above, which would
        show its own usage; it is the verb's that helps."""
        known, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}{self._likely(rest)}")
        return known, rest

    def _likely(self, rest: Sequence[str]) -> str:
        from difflib import get_close_matches

        names = [word.partition("=")[0] for word in rest if word.startswith("--")]
        found = names and get_close_matches(
            names[0], self._option_string_actions, 1, 0.7
        )
        return f"; did you mean {found[0]}?" if found else ""

    def error(self, message: str) -> NoReturn:
        more = f"`{self.prog} --help` says more"
        (self.console or Console()).talk(
            f"{self.format_usage()}sigscope: {message}\n{more}"
        )
        raise _Stop(USAGE)


def build_parser(
    only: str | None = None, console: Console | None = None
) -> argparse.ArgumentParser:
    """The parser; with `only`, just that verb has its arguments. It talks on
    `console`."""
    parser = _Parser(
        prog="sigscope",
        description="Debugger for conversations with reasoning models: follow each"
        " opaque signature from the response to the next request.",
        epilog="sigscope FILE opens the screens, sigscope VERB --help shows examples."
        " Exit codes: 0 fine, 1 findings or a verdict against, 2 usage, 3 unreadable"
        " input or no connection, 130 interrupted.",
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
        verb.console = console
    return parser


def _module(name: str):  # type: ignore[no-untyped-def]
    from importlib import import_module

    return import_module(f"sigscope.cli.verbs.{name.replace('import', 'import_')}")


__all__ = ["UpstreamError", "build_parser", "run"]
