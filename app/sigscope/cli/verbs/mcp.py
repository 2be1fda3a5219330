"""Serve coding agents: the Model Context Protocol on standard input and output.

  sigscope mcp                                  in the folder with the recordings
  sigscope mcp --folder ~/captures
  sigscope mcp --allow-live openrouter --budget 10

For the settings of an agent: {"command": "sigscope", "args": ["mcp"]}. Tools: open,
check, ledger, explain, show, search, fading, replay, bisect, matrix, verify; the rules'
pages are resources. Only files below the folder are read, wherever links lead. Nothing
is sent to a live service unless --allow-live names a profile; --budget is the most that
is sent until the server ends. Needs pip install 'sigscope[mcp]'.
"""

from __future__ import annotations

import argparse
import sys

from sigscope.cli.console import Console

HELP = "serve coding agents over the Model Context Protocol (stdio)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--folder, --allow-live, --budget."""
    parser.add_argument(
        "--folder",
        default=".",
        metavar="DIR",
        help="files below it can be named (default: the working folder)",
    )
    parser.add_argument(
        "--allow-live",
        default="",
        metavar="PROFILE",
        help="let tools send to this service, where they ask for it; needs --budget",
    )
    parser.add_argument(
        "--budget",
        type=int,
        metavar="N",
        help="with --allow-live: at most this many live requests in all",
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Serve until standard input ends."""
    from pathlib import Path

    from sigscope.cli.mcp.allowance import Allowance
    from sigscope.cli.mcp.desk import ToolDesk
    from sigscope.cli.mcp.folder import Folder
    from sigscope.engine.settings.places import data_dir
    from sigscope.engine.settings.profiles import find_profile
    from sigscope.errors import InputError, MissingExtra, UsageError

    if bool(args.allow_live) != (args.budget is not None):
        raise UsageError("--allow-live PROFILE and --budget N are given together")
    if args.allow_live:
        find_profile(args.allow_live)
        if args.budget < 1:
            raise UsageError("--budget takes a positive number")
    if sys.stdin is None or sys.stdout is None:
        raise UsageError("an agent talks over stdin and stdout; one of them is closed")
    if not Path(args.folder).is_dir():
        raise InputError("there is no such folder", path=args.folder)
    try:
        from sigscope.cli.mcp.server import build
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise MissingExtra("sigscope mcp", "mcp") from None
    desk = ToolDesk(
        folder=Folder(Path(args.folder)),
        allowance=Allowance(profile=args.allow_live, left=args.budget or 0),
    )
    live = f", live sends to {args.allow_live} (at most {args.budget})"
    console.talk(
        f"serving files below {desk.folder.root} on stdin and stdout"
        f"{live if args.allow_live else ', no live sends'}; ends with stdin"
    )
    desk.folder.confine(data_dir())
    build(desk).run("stdio")
    return 0
