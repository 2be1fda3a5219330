"""Run the strict simulator as a real server on this machine, for any client.

  sigscope simulate copilot-chat --port 8901
  sigscope simulate gemini --model gemini-2.5-pro --surface vertex
  sigscope simulate --session FILE            signatures received in FILE are genuine
  curl -s http://127.0.0.1:8901/_sim/log      what it received and how it judged it

Point the client's base URL at it. Ctrl+C ends it.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sigscope.cli.access import Refusals, add_access, read_access
from sigscope.cli.console import Console

if TYPE_CHECKING:
    from sigscope.upstreams.simulator.config import Anchor

HELP = "serve the strict simulator on loopback, for real clients"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """DIALECT and the simulator's switches."""
    from sigscope.upstreams.simulator.services.registry import names

    parser.add_argument(
        "dialect",
        metavar="DIALECT",
        nargs="?",
        default="any",
        help=f"{', '.join(names())}, or any (default: told apart by path)",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument(
        "--port",
        type=int,
        default=8901,
        metavar="PORT",
        help="port to listen on (8901; 0 takes a free one)",
    )
    parser.add_argument(
        "--model",
        default="gemini-3-pro-preview",
        metavar="NAME",
        help="answers where a request names no model",
    )
    parser.add_argument("--surface", metavar="NAME", help="ai-studio or vertex")
    parser.add_argument(
        "--enforce",
        default="strict",
        metavar="MODE",
        help="strict, or lenient for contested rules",
    )
    parser.add_argument(
        "--refuse-argument",
        action="append",
        default=[],
        metavar="NAME",
        help="Copilot: refuse requests with this argument, such as reasoning_effort;"
        " may be repeated",
    )
    parser.add_argument(
        "--seed", default="sigscope", help="drives ids, signatures and wording"
    )
    parser.add_argument(
        "--pace",
        type=float,
        default=20.0,
        metavar="MS",
        help="pause between the pieces of a stream (20)",
    )
    parser.add_argument(
        "--litellm-version",
        default="1.106.2",
        metavar="VERSION",
        help="which proxy to imitate",
    )
    parser.add_argument(
        "--session",
        metavar="FILE",
        help="take the signatures received in this recording for its own, so that its"
        " requests can be sent to it",
    )
    parser.add_argument("--key", metavar="KEY", help="refuse requests without this key")
    parser.add_argument(
        "--allow-remote",
        action="store_true",
        help="listen beyond loopback; needs --key",
    )
    add_access(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Serve until Ctrl+C."""
    from sigscope.upstreams.simulator import SimConfig
    from sigscope.upstreams.simulator.server import Server

    config = SimConfig(
        dialect=args.dialect,
        model=args.model,
        surface=args.surface,
        enforce=args.enforce,
        seed=args.seed,
        pace_ms=args.pace,
        key=args.key,
        litellm_version=args.litellm_version,
        refused_arguments=tuple(args.refuse_argument),
        genuine=_genuine(args.session) if args.session else {},
    )
    server = Server(
        config,
        args.host,
        args.port,
        remote=args.allow_remote,
        access=read_access(args),
        on_refused=Refusals(console).tell,
    )
    console.data(server.url)
    console.out.flush()
    console.talk(
        f"simulating {args.dialect}; log at {server.url}/_sim/log; Ctrl+C ends"
    )
    asyncio.run(server.run())
    return 0


def _genuine(name: str) -> Mapping[str, Anchor]:
    """Signatures of a recording. Raises InputError."""
    from sigscope.cli.names import find
    from sigscope.engine.sending.simulation import genuine_signatures
    from sigscope.engine.sessions.document import Document
    from sigscope.engine.sessions.opener import open_file

    return genuine_signatures(Document(open_file(find(name), None, name)))
