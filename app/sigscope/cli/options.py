"""Arguments that several verbs share."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sigscope.errors import UsageError

if TYPE_CHECKING:
    from sigscope.engine.sessions.document import Document
    from sigscope.upstreams.simulator.config import Move


_FILE = (
    "a session file, or a recording of another tool (HAR, VCR cassette,"
    " N-req.json / N-res.json ...); `-` reads standard input"
)


def add_file(parser: argparse.ArgumentParser) -> None:
    """FILE and --format."""
    parser.add_argument("file", metavar="FILE", help=_FILE)
    _add_reading(parser)


def add_files(parser: argparse.ArgumentParser) -> None:
    """The same of one or more, as `args.files`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help=_FILE)
    _add_reading(parser)


def add_shown_file(parser: argparse.ArgumentParser) -> None:
    """FILE, of which the screens list some if it is left out."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a session file, a recording of another tool, or the name of a bundled"
        " session; without it the list opens",
    )


def add_client(parser: argparse.ArgumentParser) -> None:
    """A command line behind --, as `args.command`."""
    parser.add_argument(
        "command",
        nargs="*",
        metavar="CLIENT ARGUMENT ...",
        help="the client's command line, behind --",
    )


def _add_reading(parser: argparse.ArgumentParser) -> None:
    add_format(parser)
    add_dialect(parser)


def add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format", metavar="NAME", help="take FILE as this format, whatever it holds"
    )


def add_dialect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dialect",
        action="append",
        default=[],
        metavar="NAME[:STEPS]",
        help="what the steps speak, for this call (a name that nothing has lists all"
        " there are); for some steps alone: litellm:2,5-7",
    )


def add_json(parser: argparse.ArgumentParser, aside: str = "") -> None:
    """`aside`: what is not one document on stdout."""
    parser.add_argument(
        "--json", action="store_true", help=f"print JSON, for programs{aside}"
    )


def add_step(parser: argparse.ArgumentParser, *, is_chosen: bool = False) -> None:
    """`is_chosen`: without it, `choose_step` takes one."""
    left_out = "; without: the only one that was refused" if is_chosen else ""
    parser.add_argument(
        "--step",
        type=int,
        metavar="N",
        help=f"the step, counted from 1{left_out}",
    )


def add_target(group: argparse._ArgumentGroup) -> None:
    """Where requests go, and how: --to, --key-env, --timeout, --enforce, --yes."""
    group.add_argument(
        "--to",
        metavar="TARGET",
        help="'simulator' (default), or a URL to send to for real",
    )
    group.add_argument(
        "--key-env",
        metavar="NAME",
        help="environment variable that holds the key to send",
    )
    group.add_argument(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="silence after which an answer is given up (120)",
    )
    group.add_argument(
        "--enforce",
        metavar="MODE",
        help="simulator: strict, or lenient for contested rules",
    )
    group.add_argument(
        "--yes",
        action="store_true",
        help="do not ask before a send that may cost money",
    )


def add_edits(edits: argparse._ArgumentGroup) -> None:
    """--edit, --apply-fix, --ready."""
    edits.add_argument(
        "--edit",
        action="append",
        default=[],
        metavar="EDIT",
        help="'set POINTER JSON', 'drop POINTER', 'insert POINTER JSON',"
        " 'move FROM TO', 'copy FROM TO', 'type POINTER KIND',"
        " 'header Name: value', 'unheader Name', 'url URL'",
    )
    edits.add_argument(
        "--apply-fix",
        action="append",
        default=[],
        metavar="RULE",
        help="the fix of this rule's findings in this step; 'all'",
    )
    edits.add_argument(
        "--ready",
        action="append",
        default=[],
        metavar="NAME",
        help="a ready-made edit; 'list' shows those that fit",
    )


def add_sending(group: argparse._ArgumentGroup) -> None:
    """--profile and --retries, beside those of `add_target`."""
    group.add_argument(
        "--profile",
        metavar="NAME",
        help="send to this service for real, with its key (see `sigscope profiles`)",
    )
    group.add_argument(
        "--retries",
        type=int,
        metavar="N",
        help="how often to try again after 429, 5xx, timeout (2)",
    )


def check_step(document: Document, number: int | None) -> None:
    """Complain about a step that is not there."""
    if number is not None:
        document.step(number)


def one_of(value: str, allowed: tuple[str, ...], what: str) -> str:
    """A value out of a few, or UsageError naming them."""
    if value not in allowed:
        raise UsageError(f"{what} {value!r} is not one of {', '.join(allowed)}")
    return value


WORDS = "words"
"""Turns that are not scripted."""


def read_turns(text: str) -> tuple[Move, ...]:
    """ "calls,parallel,text": what a simulator replies, one after the other; empty for
    what the user's words ask for. Raises UsageError."""
    from sigscope.engine.harness.upstream import moves

    if text in ("", WORDS):
        return ()
    found = moves([word.strip() for word in text.split(",") if word.strip()])
    if not found:
        raise UsageError(f"--turns {text!r} names no turn")
    return found
