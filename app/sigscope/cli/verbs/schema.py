"""Print the JSON Schema of session files.

sigscope schema > session.schema.json
"""

from __future__ import annotations

import argparse

from sigscope.cli.console import Console
from sigscope.cli.options import add_json

HELP = "print the JSON Schema of session files"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--json, which changes nothing here."""
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    from sigscope.store import schema

    console.json(schema())
    return 0
