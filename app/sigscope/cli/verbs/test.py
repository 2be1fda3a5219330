"""Put a client under test: run it against a strict upstream, and check what it sent.

  sigscope test --dialect copilot-chat -- python agent.py "read notes.md"
  sigscope test --dialect gemini --turns calls,calls,long -- npm test
  sigscope test --dialect anthropic --report junit=out.xml -- ./client

The client is told the upstream by the variables that SDKs read (--list shows them), and
by SIGSCOPE_BASE_URL, SIGSCOPE_API_KEY and SIGSCOPE_MODEL for one that reads none of
those. Whatever it is asked, the upstream calls a tool, then two at once, then answers;
--turns says otherwise (calls, parallel, text, long; `words` follows what the user's
words ask for). Nothing leaves this machine, and no model is needed.

The exit code is 1 if a signature was lost, also where a bypass in its place made the
service take the request; the client's own where it failed and nothing was found; and 3
where nothing is shown: no request came, or none that could have brought one back.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from sigscope.cli.console import Console
from sigscope.cli.options import add_client, add_json, read_turns
from sigscope.cli.reports import (
    add_reports,
    check_reports,
    checked_file,
    read_leave_out,
    write_reports,
)

if TYPE_CHECKING:
    from sigscope.engine.harness.upstream import StrictUpstream
    from sigscope.engine.harness.verdict import ClientVerdict

HELP = "run a client against a strict upstream, and check that it loses no signature"
STDERR = 2
NOT_FOUND = 127
NOTHING_SHOWN = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The client's command, and what it is held to."""
    parser.usage = "sigscope test --dialect NAME [options] -- CLIENT [ARGUMENT ...]"
    add_client(parser)
    parser.add_argument(
        "--dialect", metavar="NAME", help="what the upstream speaks; see --list"
    )
    parser.add_argument(
        "--turns",
        metavar="TURNS",
        default="calls,parallel,text",
        help="its replies, with commas: calls, parallel, text, long; or `words`"
        " (calls,parallel,text)",
    )
    parser.add_argument(
        "--model",
        default="",
        metavar="NAME",
        help="answers where a request names no model",
    )
    parser.add_argument(
        "--env",
        metavar="NAME=SERVICE[/PATH]",
        action="append",
        default=[],
        help="one more variable to set to the upstream's address, as with `run`",
    )
    parser.add_argument(
        "--at-least",
        type=int,
        default=1,
        metavar="N",
        help="how many signatures have to come back for this to show anything (1)",
    )
    parser.add_argument(
        "--strict", action="store_true", help="all warnings count against it"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="keep the session in this file"
    )
    parser.add_argument(
        "--force", action="store_true", help="replace that file if there is one"
    )
    parser.add_argument(
        "--list", action="store_true", help="show dialects and variables, and leave"
    )
    add_reports(parser)
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Start the upstream and the client; check; the exit code."""
    from sigscope.engine.harness.surroundings import surroundings
    from sigscope.engine.harness.upstream import StrictUpstream, UpstreamOrder
    from sigscope.engine.harness.verdict import Measure, judge
    from sigscope.errors import UsageError

    if args.list:
        return _list(console, as_json=args.json)
    if not args.dialect:
        raise UsageError("say what the upstream speaks: --dialect NAME (--list)")
    if not args.command:
        raise UsageError("name the client: sigscope test --dialect NAME -- CLIENT ...")
    check_reports(args)
    leave_out = read_leave_out(args)
    told = surroundings(args.dialect)
    told.launch(args.command, os.environ, "http://127.0.0.1", args.env)  # or refuses
    order = UpstreamOrder(
        dialect=args.dialect,
        session=args.out or _new_file(args.dialect),
        turns=read_turns(args.turns),
        model=args.model,
        force=args.force,
    )
    with StrictUpstream(order) as upstream:
        code = _client(args, upstream, console)
        document = upstream.document()
    measure = Measure(
        at_least=args.at_least,
        strict=args.strict,
        ignored=leave_out.rules,
        known=leave_out.known,
        address=upstream.base_url,
    )
    verdict = judge(document, measure)
    console.verdict = _code(verdict, code)
    doubts = () if verdict.against else verdict.doubts
    file = checked_file(
        document, str(upstream.session), leave_out, verdict.against, doubts=doubts
    )
    with console.outlasting():
        _tell(verdict, upstream, code, args, console)
        write_reports(args, [file], console)
        if args.write_baseline and verdict.against:
            console.verdict = 0
    return console.verdict


def _client(
    args: argparse.Namespace, upstream: StrictUpstream, console: Console
) -> int:
    """Run it to its end; its exit code, 128 + n where signal n ended it."""
    base_url = upstream.base_url
    plan = upstream.surroundings.launch(args.command, os.environ, base_url, args.env)
    variables = plan.environment({**os.environ, **upstream.environment}, base_url)
    console.out.flush()
    try:
        done = subprocess.run(
            plan.command(os.environ, base_url),
            env=variables,
            # What is asked for on stdout is the verdict.
            stdout=STDERR if args.json else None,
            check=False,
        )
    except OSError as error:
        from sigscope.processes import start_failure

        program = args.command[0]
        console.fail(f"{program} cannot be started: {start_failure(program, error)}")
        return NOT_FOUND
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


def _code(verdict: ClientVerdict, code: int) -> int:
    if verdict.against:
        return 1
    if code:
        return code
    return NOTHING_SHOWN if verdict.doubts else 0


def _tell(
    verdict: ClientVerdict,
    upstream: StrictUpstream,
    code: int,
    args: argparse.Namespace,
    console: Console,
) -> None:
    from sigscope.cli.clientverdict import print_verdict
    from sigscope.engine.sessions.tables import findings_table

    if args.json:
        console.json(
            {
                **findings_table(verdict.against),
                "file": str(upstream.session),
                "dialect": args.dialect,
                "steps": len(verdict.document.steps),
                "brought_back": verdict.brought_back,
                "optional_lost": verdict.optional,
                "untried": list(verdict.untried),
                "left_out": len(verdict.left_out),
                "doubts": list(verdict.doubts),
                "client_exit": code,
                "exit": console.verdict,
            }
        )
        return
    print_verdict(verdict, upstream.session, console)
    if code:
        console.talk(f"the client ended with {code}")
    if not verdict.document.steps and code != NOT_FOUND:
        around = upstream.surroundings
        names = [name for name in upstream.environment if name.endswith(_ADDRESSES)]
        console.talk(
            f"set for it: {', '.join(names)}. Where it reads its address from another"
            " variable, name that one:"
            f"\n  sigscope test --dialect {args.dialect}"
            f" --env NAME={around.services[0]} -- {shlex.join(args.command)}"
        )


_ADDRESSES = ("_URL", "_BASE", "_ENDPOINT")
"""How variables end that hold one."""


def _new_file(dialect: str) -> Path:
    """In a folder of its own below the system's for what is temporary."""
    folder = tempfile.mkdtemp(prefix="sigscope-test-")
    return Path(folder, f"{dialect}.session.jsonl")


def _list(console: Console, *, as_json: bool) -> int:
    """What a client of each dialect is told."""
    from sigscope.engine.harness.surroundings import dialects, surroundings

    rows = {
        name: surroundings(name).variables(f"http://…{surroundings(name).path}")
        for name in dialects()
    }
    if as_json:
        names = {name: sorted(row) for name, row in rows.items()}
        console.json({"format": 1, "dialects": names})
        return 0
    for name, row in rows.items():
        console.data(console.style(name, "bold"))
        for variable, value in row.items():
            console.data(f"  {variable}={value}")
    return 0
