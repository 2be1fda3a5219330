"""Record the traffic of any client whose base URL can be set.

  sigscope record --upstream https://api.example
  sigscope record --upstream https://api.example/v1 --port 8910 --out mine.session.jsonl
  sigscope record --map /openrouter=https://openrouter.ai --map /gw=http://localhost:4000

Give the printed address to the client as its base URL (with the path it expects behind
it: http://127.0.0.1:8910/v1). Streams pass through at once, bytes as they are; what is
recorded has no secrets in it. Ctrl+C ends it. If recording fails, traffic goes on,
and the exit code is 3.
With --open, the screens show what is recorded as it comes; there requests can be held,
edited and sent on.
With --mend, requests of a client that cannot be changed are put right on their way.
With --json, stdout has one JSON object per line: listening, step ..., result.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from sigscope.cli.access import Refusals, add_access, read_access
from sigscope.cli.console import Console
from sigscope.cli.interruption import INTERRUPTED, Interruption
from sigscope.cli.options import add_json

if TYPE_CHECKING:
    from sigscope.engine.recording.holds import Holding
    from sigscope.engine.recording.recording import Recording, RecordOrder
    from sigscope.engine.recording.remotemender import MendOrder

HELP = "record a client's traffic with a reverse proxy on loopback"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Upstreams, port, file."""
    parser.add_argument(
        "--upstream", metavar="URL", help="where requests go: https://api.example"
    )
    parser.add_argument(
        "--map",
        metavar="/PREFIX=URL",
        action="append",
        default=[],
        help="where requests under a path go; may be given several times",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=8910,
        metavar="PORT",
        help="port to listen on (8910; 0 takes a free one)",
    )
    parser.add_argument(
        "--open", action="store_true", help="show the screens while it is recorded"
    )
    add_break_options(parser, "ask")
    add_mend_options(parser)
    add_file_options(parser)
    add_json(parser, ": a line for each exchange, and for the end")


def add_file_options(parser: argparse.ArgumentParser) -> None:
    """Where to, and how; `run` has them too."""
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="session file to write (default: a new one in the data folder)",
    )
    parser.add_argument(
        "--append", action="store_true", help="go on with FILE if it exists"
    )
    parser.add_argument(
        "--force", action="store_true", help="replace FILE if it exists"
    )
    parser.add_argument("--title", default="", help="title of the session")
    parser.add_argument(
        "--ca-file",
        type=Path,
        metavar="PEM",
        help="authorities to trust instead of the system's, for upstreams of your own",
    )
    parser.add_argument(
        "--quiet", action="store_true", help="no line for each exchange"
    )
    add_access(parser)


def add_break_options(parser: argparse.ArgumentParser, answer: str) -> None:
    """Which requests are held, and what becomes of them."""
    parser.add_argument(
        "--break",
        dest="breaks",
        metavar="CONDITION",
        action="append",
        default=[],
        help="hold requests before they are sent: 'all', 'sig dropped' (lost, altered,"
        " cut, moved, bypass, earlier, foreign, duplicated), 'error', 'warning',"
        " 'rule CPC-1', 'model TEXT', 'path TEXT', 'body TEXT'",
    )
    parser.add_argument(
        "--on-break",
        metavar="ANSWER",
        help="what becomes of them: ask (on the terminal or the screens), release, fix"
        f" (released with the findings' fixes), drop ({answer}; ask with --open)",
    )
    parser.add_argument(
        "--hold-for",
        type=float,
        default=240.0,
        metavar="SECONDS",
        help="how long a request is held before it is sent as it came, so that its"
        " client does not give up (240; 0 holds it for ever)",
    )


def add_mend_options(parser: argparse.ArgumentParser) -> None:
    """Whether requests are put right on the way."""
    parser.add_argument(
        "--mend",
        action="store_true",
        help="put requests right before they are sent: signatures that the client drops"
        " go back, misplaced ones go home, results sent twice go; only what is certain,"
        " and both versions are recorded",
    )
    parser.add_argument(
        "--mend-only",
        metavar="RULE",
        action="append",
        default=[],
        help="mend only what this rule finds (CPC-1); may be given several times",
    )


def mend_order(args: argparse.Namespace) -> MendOrder | None:
    """What is to be mended; None without --mend. Raises UsageError."""
    from sigscope.engine.recording.remotemender import MendOrder
    from sigscope.errors import UsageError
    from sigscope.rules.registry import RULES, rule_named

    if not (args.mend or args.mend_only):
        return None
    codes = []
    for text in args.mend_only:
        rule = rule_named(text)
        if rule is None:
            known = ", ".join(rule.code for rule in RULES)
            raise UsageError(f"--mend-only {text!r} is no rule; there are {known}")
        codes.append(rule.code)
    return MendOrder(only=tuple(codes))


def make_holding(
    args: argparse.Namespace, console: Console, usual: str
) -> Holding | None:
    """The breakpoints; None without any. Raises UsageError."""
    from sigscope.cli.options import one_of
    from sigscope.cli.prompt import ANSWERS, HoldPrompt, decide
    from sigscope.engine.recording.breakpoints import parse_breakpoint
    from sigscope.engine.recording.holds import Holding

    answer = one_of(args.on_break or usual, ANSWERS, "--on-break")
    breakpoints = [parse_breakpoint(text) for text in args.breaks]
    if not breakpoints:
        return None
    if answer == "ask":
        prompter = HoldPrompt(console)
        return Holding(
            breakpoints,
            on_held=prompter.ask,
            on_gone=prompter.forget,
            on_expired=prompter.expire,
            on_problem=console.fail,
            patience=args.hold_for or None,
        )
    return Holding(
        breakpoints,
        on_held=lambda held: decide(held, answer, console.talk),
        on_problem=console.fail,
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Record until Ctrl+C; 0 whatever was found, `check` judges; 3 if exchanges
    passed that are not in the file."""
    with console.unhurried(), Interruption() as interruption:
        order = _read_order(args)
        recording = None if args.open else _make_recording(order, args, console)
        if recording is not None:
            _record(recording, console, interruption, as_json=args.json)
    if interruption.has_come:
        console.talk("interrupted")
        return INTERRUPTED
    if recording is None:
        from sigscope.cli.onscreen import record_on_screen

        return record_on_screen(order, args, console)
    from sigscope.cli.recorded import LOST, tell_result

    tell_result(recording, console, as_json=args.json)
    return LOST if recording.lost else 0


def _read_order(args: argparse.Namespace) -> RecordOrder:
    from sigscope.engine.recording.clients import named_service
    from sigscope.engine.recording.recording import RecordOrder
    from sigscope.errors import UsageError
    from sigscope.recorder.routes import parse_map, parse_route

    if args.append and args.force:
        raise UsageError("--append and --force contradict each other")
    routes = [parse_map(text) for text in args.map]
    if args.upstream:
        routes.append(parse_route(args.upstream))
    return RecordOrder(
        routes=tuple(routes),
        named=tuple(
            spoken
            for route in routes
            for spoken in named_service(
                route.prefix.strip("/"),
                f"{route.origin}{route.base}",
                f"record --map {route.prefix}",
            )
        ),
        port=args.port,
        out=args.out,
        title=args.title,
        append=args.append,
        force=args.force,
        ca_file=args.ca_file,
        mend=mend_order(args),
        access=read_access(args),
    )


def _make_recording(
    order: RecordOrder, args: argparse.Namespace, console: Console
) -> Recording:
    from sigscope.cli.recorded import show_json, show_lines
    from sigscope.engine.recording.recording import Recording

    show = show_json(console) if args.json else show_lines(console, quiet=args.quiet)
    holding = make_holding(args, console, "ask")
    return Recording(
        order,
        on_problem=console.fail,
        on_end=show,
        holding=holding,
        on_refused=Refusals(console).tell,
    )


def _record(
    recording: Recording, console: Console, interruption: Interruption, *, as_json: bool
) -> None:
    """Until a signal comes. One that comes before it was told that requests are taken
    is an interruption."""
    from sigscope.recorder.recorder import run_loop

    async def record() -> None:
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, ended.set)
        if not interruption.has_come:
            await recording.start()
        interruption.has_come |= ended.is_set()
        if not interruption.has_come:
            _tell_start(recording, console, as_json=as_json)
            await ended.wait()
            console.talk("ending; a second Ctrl+C does not lose anything either")
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
        await recording.stop()

    run_loop(record())


def _tell_start(recording: Recording, console: Console, *, as_json: bool) -> None:
    from sigscope.cli.recorded import json_line
    from sigscope.store.secrets.marker import shown_url

    console.talk(f"recording to {recording.path}; Ctrl+C ends")
    for route in recording.recorder.routes.all:
        target = shown_url(f"{route.origin}{route.base}")
        console.talk(f"  {recording.url}{route.prefix} → {target}")
    if as_json:
        url, path = recording.url, str(recording.path)
        json_line(console, "listening", url=url, file=path)
    else:
        console.data(recording.url)
        console.out.flush()
