"""Print the manual page of a rule: what it finds, why it matters, the cure, the source.

sigscope explain CPC-1
sigscope explain            (the list of all rules)
"""

from __future__ import annotations

import argparse

from sigscope.cli.console import Console
from sigscope.cli.options import add_json

HELP = "print the manual page of a rule"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RULE, --json."""
    parser.add_argument("rule", metavar="RULE", nargs="?", help="for instance CPC-1")
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print one page, or the list."""
    from sigscope.rules.page import format_page, list_rules, page_table

    if args.json:
        console.json(page_table(args.rule))
    elif args.rule:
        console.data(format_page(args.rule))
    else:
        console.data(list_rules())
    return 0
