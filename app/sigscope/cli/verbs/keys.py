"""Print every command with its key, and what is wrong with your own keys.

  sigscope keys                          the table; your own keys are marked
  sigscope keys json                     only commands with "json" in name or words
  sigscope keys --template > keys.toml   a key file to begin with

Your keys go to keys.toml in the config folder (`sigscope doctor` names it), a command
a line: "send" = "f5", "list.down" = ["down", "ctrl+n"], "zoom" = "" for no key.

Exit code 1 if a line of the file cannot be used, or a key now means two things.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sigscope.cli.console import Console
from sigscope.cli.options import add_json

if TYPE_CHECKING:
    from sigscope.tui.keymap import KeyMap
    from sigscope.tui.keytable import Command

HELP = "every command of the screens with its key"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """WORD, --template, --json."""
    parser.add_argument(
        "word", metavar="WORD", nargs="?", default="", help="only commands with this"
    )
    parser.add_argument(
        "--template",
        action="store_true",
        help="print a keys.toml with every command and its key",
    )
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print the table; 1 if the user's file has a problem."""
    from sigscope.tui.keymap import load_keys
    from sigscope.tui.keytable import commands

    keys = load_keys()
    word = args.word.lower()
    wanted = [
        command
        for command in commands()
        if word in f"{command.id} {command.where} {command.words}".lower()
    ]
    if args.json:
        table = [_row(command, keys) for command in wanted]
        problems = list(keys.problems)
        console.json({"format": 1, "commands": table, "problems": problems})
        return 1 if problems else 0
    if args.template:
        _print_template(wanted, console)
    else:
        _print_table(wanted, keys, console)
    for problem in keys.problems:
        console.talk(f"sigscope: {problem}")
    if not wanted:
        console.talk(f"no command has {args.word!r} in its name or words")
    return 1 if keys.problems else 0


def _row(command: Command, keys: KeyMap) -> dict[str, object]:
    return {
        "id": command.id,
        "keys": list(keys.keys(command)),
        "default": list(command.keys),
        "changed": command.id in keys.changed,
        "where": command.where,
        "words": command.words,
    }


def _print_table(wanted: Sequence[Command], keys: KeyMap, console: Console) -> None:
    shown = {command.id: _shown(keys.keys(command)) for command in wanted}
    size = max((len(text) for text in shown.values()), default=0)
    name_size = max((len(command.id) for command in wanted), default=0)
    where = ""
    for command in wanted:
        if command.where != where:
            if where:
                console.data()
            where = command.where
            console.data(console.style(where, "bold"))
        key = console.style(f"{shown[command.id]:{size}}", "mark")
        was = f" (was {_shown(command.keys)})" if command.id in keys.changed else ""
        name = console.style(f"{command.id:{name_size}}", "dim")
        console.data(f"  {key}  {name}  {command.words}{was}")


def _shown(keys: Sequence[str]) -> str:
    from sigscope.tui.keynames import displayed

    return " ".join(displayed(key) for key in keys) or "-"


def _print_template(wanted: Sequence[Command], console: Console) -> None:
    console.data("# Keys of sigscope. Take the # away from what you want to change.")
    where = ""
    for command in wanted:
        if command.where != where:
            where = command.where
            console.data()
            console.data(f"# --- {where} ---")
        listed = ", ".join(f'"{key}"' for key in command.keys)
        value = listed if len(command.keys) == 1 else f"[{listed}]"
        console.data(f'# "{command.id}" = {value}  # {command.words}')
