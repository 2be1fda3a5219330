"""Begin a session without a recording: from a template, or from a body of your own.

  sigscope new --dialect copilot-chat --say "List the files" --out try.session.jsonl
  sigscope new --body request.json --out try.session.jsonl      `-` reads stdin
  sigscope new --dialect gemini --to simulator --out try.session.jsonl
  sigscope new --profile openrouter --send --yes --out try.session.jsonl

Without --to and --send nothing is sent: the step holds the request alone, to be edited
and sent with `replay` or from the screens. To take a curl command, use `import`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sigscope.cli.console import Console
from sigscope.cli.interruption import run_async
from sigscope.cli.options import add_json
from sigscope.errors import SigscopeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sigscope.engine.sessions.composition import RequestDraft
    from sigscope.exchange import Exchange, Request

HELP = "begin a session from a template or from a request body"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to ask, where to send it, the file to write."""
    from sigscope.converse.speeches.registry import names

    asked = parser.add_argument_group("request")
    asked.add_argument(
        "--dialect", default="", metavar="NAME", help=f"one of {', '.join(names())}"
    )
    asked.add_argument("--profile", metavar="NAME", help="see `sigscope profiles`")
    asked.add_argument(
        "--model", default="", metavar="NAME", help="(the profile's, or a usual one)"
    )
    asked.add_argument("--say", metavar="TEXT", help="the user's words")
    asked.add_argument("--system", metavar="TEXT", help="the system message")
    asked.add_argument("--no-stream", action="store_true", help="ask for one answer")
    asked.add_argument("--no-tools", action="store_true", help="declare no tools")
    asked.add_argument("--body", metavar="FILE", help="a request body, taken as it is")
    asked.add_argument("--url", default="", help="where it goes")
    asked.add_argument(
        "--header",
        action="append",
        default=[],
        metavar="'Name: value'",
        help="besides those of the service; may be given again",
    )
    where = parser.add_argument_group("sending")
    where.add_argument("--to", metavar="TARGET", help="send it: 'simulator', or a URL")
    where.add_argument("--send", action="store_true", help="send it to the profile")
    where.add_argument(
        "--key-env", metavar="NAME", help="environment variable with the key"
    )
    where.add_argument(
        "--yes", action="store_true", help="do not ask before a send that may cost"
    )
    parser.add_argument("--out", metavar="PATH", required=True, help="file to write")
    parser.add_argument("--title", default="", help="what to call the session")
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Compose, send if asked to, write, say what was done."""
    from sigscope.engine.sessions.composition import compose
    from sigscope.errors import NamesFolder, WouldOverwrite
    from sigscope.exchange import Exchange
    from sigscope.jsontext.meaning import is_json
    from sigscope.store.room import expect_new
    from sigscope.store.secrets.marker import shown_url

    out = Path(args.out)
    if out.is_dir():
        raise NamesFolder(args.out)
    if out.exists() and not args.force:
        raise WouldOverwrite(args.out)
    draft = _draft(args)
    request = compose(draft)
    exchange, source = Exchange(request=request), "composed"
    if args.to or args.send:
        _confirm(args, request)
        expect_new(args.out)
        came: list[Exchange] = []
        try:
            exchange, source = run_async(_send(args, draft, exchange, came.append))
        except KeyboardInterrupt:
            for what in came:  # it may have been paid for
                _write(what, "live", args, draft, console)
            raise
    removed = _write(exchange, source, args, draft, console)
    if draft.body is not None and not is_json(draft.body, if_deep=True):
        console.talk(f"{args.body}: the body is no JSON; it was taken as it is")
    status = exchange.response.status if exchange.response else None
    if args.json:
        row = {
            "format": 1,
            "file": args.out,
            "url": shown_url(request.url),
            "status": status,
        }
        console.json({**row, "removed": dict(removed)})
        return 0
    sent = f"answered {status}" if source != "composed" else "not sent"
    console.data(f"{args.out}: {request.method} {shown_url(request.url)}, {sent}")
    for remark in exchange.remarks:
        console.data(f"   {remark}")
    for kind, count in sorted(removed.items()):
        console.data(f"   removed {count} × {kind}")
    return 0


def _write(
    exchange: Exchange,
    source: str,
    args: argparse.Namespace,
    draft: RequestDraft,
    console: Console,
) -> Mapping[str, int]:
    """Write the session; what was removed. An answer that was paid for is put elsewhere
    where the file does not take it. Raises InputError and WouldOverwrite."""
    from sigscope.cli.unkept import put_elsewhere
    from sigscope.engine.engine import Engine
    from sigscope.engine.sessions.composition import session_of

    title = args.title or f"{draft.say if args.body is None else args.body}"[:80]
    session = session_of(exchange, title=title, source=source)
    try:
        return Engine().write_new(session, Path(args.out), force=args.force)
    except SigscopeError:
        if source == "live":
            session.path = args.out
            put_elsewhere(session, console)
        raise


def _draft(args: argparse.Namespace) -> RequestDraft:
    from sigscope.capture.source import read_file
    from sigscope.cli.names import find_recording
    from sigscope.engine.sessions.composition import SAY, SYSTEM, RequestDraft
    from sigscope.engine.settings.profiles import find_profile

    if args.body is not None and (args.say or args.system or args.no_tools):
        raise UsageError("--say, --system and --no-tools do not go with --body")
    headers = []
    for line in args.header:
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise UsageError(f"{line!r} is no header; write 'Name: value'")
        headers.append((name.strip(), value.strip()))
    return RequestDraft(
        dialect=args.dialect,
        profile=find_profile(args.profile) if args.profile else None,
        model=args.model,
        say=SAY if args.say is None else args.say,
        system=SYSTEM if args.system is None else args.system,
        stream=not args.no_stream,
        tools=not args.no_tools,
        body=None if args.body is None else read_file(find_recording(args.body)),
        url=args.url,
        headers=tuple(headers),
    )


def _confirm(args: argparse.Namespace, request: Request) -> None:
    """Complain about a target that is none, and about a send that may cost money and
    was not agreed to."""
    from sigscope.engine.engine import Target
    from sigscope.store.secrets.marker import shown_url
    from sigscope.upstreams.target import aim

    if args.send and args.to:
        raise UsageError("--to and --send name two targets; give one")
    if args.send and not args.profile:
        raise UsageError("--send goes to a profile; name it with --profile")
    target = Target(url=args.to or request.url)
    if target.is_live:
        aim(request, target.url, "/")
    if target.is_loopback or args.yes:
        return
    if not sys.stdin.isatty():
        raise UsageError(
            f"sending to {shown_url(target.url)} may cost money; give --yes"
        )
    sys.stderr.write(f"Send it to {shown_url(target.url)}? It may cost money. [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("not sent")


async def _send(
    args: argparse.Namespace,
    draft: RequestDraft,
    composed: Exchange,
    salvage: Callable[[Exchange], object],
) -> tuple[Exchange, str]:
    from sigscope.engine.engine import key_from
    from sigscope.engine.sending.firststep import FirstRequest, ask
    from sigscope.engine.sessions.composition import dialect_of

    assert composed.request is not None
    question = FirstRequest(
        request=composed.request,
        dialect=dialect_of(draft),
        to=args.to or "",
        profile=draft.profile,
        key=key_from(args.key_env),
    )
    return await ask(question, salvage)
