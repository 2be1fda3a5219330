"""Run the strict simulator as a real server on this machine, for any client.

  sigscope simulate copilot-chat --port 8901
  sigscope simulate gemini --model gemini-2.5-pro --surface vertex
  sigscope simulate --session FILE            signatures received in FILE are genuine
  sigscope simulate --session FILE --answers  gives the recorded answers again
  sigscope simulate openrouter --turns calls,parallel,long
  curl -s http://127.0.0.1:8901/_sim/log      what it received and how it judged it

Point the client's base URL at it. Ctrl+C ends it.

Its replies are what the user's words ask for ("Read a.md and b.md"). With --turns they
are, whatever is asked, one after the other: calls (one call), parallel (two at once),
text, long; then it answers. A client that offers no tools gets no calls.

With --answers a request gets the answer of the recorded step that says the same (word
for word, else in outline, else by place), each in turn; else that of the next step as
far into the conversation. Streams are played at the recorded pace. Where no step is
left that fits, where the recorded answer was a refusal, and for a request that breaks
a rule, the strict simulator answers. Each request is told on stderr, with the answer
it got and why.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sigscope.cli.access import Refusals, add_access, read_access
from sigscope.cli.console import Console
from sigscope.cli.interruption import run_async

if TYPE_CHECKING:
    from sigscope.engine.sessions.document import Document
    from sigscope.upstreams.simulator.arrival import Incoming
    from sigscope.upstreams.simulator.prompter import Cue

PACE_MS = 20.0
"""Between the pieces of a stream that the simulator makes up."""
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
        "--turns",
        metavar="TURNS",
        default="",
        help="its replies, with commas: calls, parallel, text, long (default: what the"
        " user's words ask for)",
    )
    parser.add_argument(
        "--pace",
        type=float,
        metavar="MS",
        help="pause between the pieces of a stream (20; of recorded answers as it was)",
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
    parser.add_argument(
        "--answers",
        action="store_true",
        help="with --session: give the recorded answers, as far as requests fit them",
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
    from sigscope.cli.keymask import mask_data
    from sigscope.cli.options import read_turns
    from sigscope.engine.sending.recordedanswers import RecordedAnswers
    from sigscope.engine.sending.simulation import genuine_signatures
    from sigscope.errors import UsageError
    from sigscope.store.secrets.marker import shown_url
    from sigscope.upstreams.simulator import SimConfig
    from sigscope.upstreams.simulator.server import Server

    document = _open(args.session) if args.session else None
    if args.answers and document is None:
        raise UsageError("--answers needs --session FILE, which holds them")
    if args.answers and args.turns:
        raise UsageError("--answers and --turns each say what is answered; give one")
    config = SimConfig(
        dialect=args.dialect,
        model=args.model,
        surface=args.surface,
        enforce=args.enforce,
        seed=args.seed,
        pace_ms=PACE_MS if args.pace is None else args.pace,
        key=args.key,
        litellm_version=args.litellm_version,
        refused_arguments=tuple(args.refuse_argument),
        genuine=genuine_signatures(document) if document else {},
        script=read_turns(args.turns),
    )
    prompter = None
    if args.answers and document is not None:
        prompter = RecordedAnswers(document, config, is_paced=args.pace is None)

    def tell(incoming: Incoming, cue: Cue, status: int) -> None:
        path = shown_url(incoming.path)
        console.talk(f"{incoming.method} {path}: {cue.words}; {status}")

    server = Server(
        config,
        args.host,
        args.port,
        remote=args.allow_remote,
        access=read_access(args),
        on_refused=Refusals(console).tell,
        prompter=prompter,
        mask=lambda told: mask_data(told, ()),
        on_cue=tell,
        on_problem=console.talk,
    )
    console.data(server.url)
    console.out.flush()
    console.talk(
        f"simulating {args.dialect}; log at {server.url}/_sim/log; Ctrl+C ends"
    )
    with console.unhurried():
        run_async(server.run())
    return 0


def _open(name: str) -> Document:
    """A recording. Raises InputError."""
    from sigscope.cli.names import find_recording
    from sigscope.engine.sessions.document import Document
    from sigscope.engine.sessions.opener import open_file

    return Document(open_file(find_recording(name), None, name))
