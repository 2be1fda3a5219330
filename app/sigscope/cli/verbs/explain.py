"""Explain an error's text, or print the manual page of a rule.

sigscope explain 'API Error: 400 {"error":{"message":"Corrupted thought signature."}}'
pbpaste | sigscope explain -        (or: sigscope explain - < error.log)
sigscope explain GEM-2              (the manual page of a rule)
sigscope explain                    (the list of all rules)

An error may be pasted as it is: wrapped by a terminal, in a box, escaped, torn.
Exit code 0 where a rule knows its words, 1 where none does.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from io import BufferedReader
from pathlib import Path
from typing import cast

from sigscope.cli.console import Console
from sigscope.cli.interruption import pieces_of
from sigscope.cli.options import add_json
from sigscope.errors import UsageError

HELP = "explain an error's text, or print the manual page of a rule"

_RULE_ID = re.compile(r"[A-Za-z]{3}[ _-]?\d{1,3}")
_WORD = re.compile(r"[\w.-]{1,60}")
MAX_BYTES = 16 * 1024 * 1024
"""Of piped text; of more, the end is read: an error is what a log ends with."""
WIDEST = 100
"""Columns; longer lines are hard to read."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RULE or TEXT, --json."""
    parser.add_argument(
        "words",
        metavar="RULE|TEXT|-",
        nargs="*",
        help="for instance CPC-1; or an error's text, quoted; - reads it from stdin",
    )
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print a page, the list, or an explanation."""
    if not args.words:
        return _list(args, console)
    if args.words == ["-"]:
        return _explain(_piped(console), args, console)
    text = " ".join(args.words)
    if _print_page(text, args, console):
        return 0
    return _explain(text, args, console)


def _list(args: argparse.Namespace, console: Console) -> int:
    from sigscope.rules.meanings import known_table, list_known
    from sigscope.rules.page import list_rules, page_table

    if args.json:
        console.json({**page_table(), "known": known_table()})
    else:
        console.data(f"{list_rules()}\n{list_known()}", lines=True)
    return 0


def _print_page(wanted: str, args: argparse.Namespace, console: Console) -> bool:
    """The page of a rule, built or only known of; False where the words are no rule's.

    Raises UnknownRule where they look like one.
    """
    from sigscope.rules.meanings import format_meaning, meaning_of, meaning_table
    from sigscope.rules.page import UnknownRule, format_page, page_table

    if not (_RULE_ID.fullmatch(wanted.strip()) or _WORD.fullmatch(wanted.strip())):
        return False
    try:
        page = page_table(wanted) if args.json else format_page(wanted)
    except UnknownRule as problem:
        meaning = meaning_of(_spelled(wanted))
        if meaning is None:
            return _refuse(wanted, problem)
        page = meaning_table(meaning) if args.json else format_meaning(meaning)
    if isinstance(page, str):
        console.data(page, lines=True)
    else:
        console.json(page)
    return True


def _spelled(wanted: str) -> str:
    """ "rsp 1" and "RSP1" as "RSP-1"."""
    found = re.fullmatch(r"([A-Za-z]{3})[ _-]?(\d{1,3})", wanted.strip())
    return f"{found[1]}-{found[2]}".upper() if found else wanted


def _refuse(wanted: str, problem: UsageError) -> bool:
    """A single word may be an error's code; else it is a rule that is not there."""
    from sigscope.rules.explanation import explain

    if explain(wanted).is_known:
        return False
    if Path(wanted).is_file():
        raise UsageError(
            f"{wanted!r} is a file; its text is explained by: sigscope explain - <"
            f" {wanted}; a recording is checked by: sigscope check {wanted}"
        ) from None
    raise problem from None


def _piped(console: Console) -> str:
    from sigscope.refusals.pasted import decode

    if sys.stdin is None:
        raise UsageError("stdin is closed; give the text as an argument")
    if sys.stdin.isatty():
        console.talk("paste the error, then end it with Ctrl-D")
    data = b"".join(pieces_of(cast(BufferedReader, sys.stdin.buffer)))
    if len(data) > MAX_BYTES:
        console.talk(f"only the last {MAX_BYTES // 1024 // 1024} MB are read")
        data = data[-MAX_BYTES:]
    return decode(data)


def _explain(text: str, args: argparse.Namespace, console: Console) -> int:
    from sigscope.rules.explanation import (
        explain,
        explanation_table,
        format_explanation,
    )
    from sigscope.store.secrets.masker import mask_text

    if not text.strip():
        raise UsageError(
            "there is no text; give it as `sigscope explain 'TEXT'`, or pipe it to"
            " `sigscope explain -`"
        )
    found = explain(mask_text(text)[0])  # it is quoted in the answer
    if args.json:
        console.json(explanation_table(found))
    else:
        width = min(WIDEST, max(40, shutil.get_terminal_size((80, 24)).columns))
        console.data(format_explanation(found, width), lines=True)
    return 0 if found.is_known else 1
