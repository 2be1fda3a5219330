"""Show the screens in a browser on this machine.

  sigscope serve                         the list of sessions
  sigscope serve FILE                    a session file or any known recording
  sigscope serve FILE --open             and open the browser

Listens on loopback only. The link that is printed lets one browser in, once; nothing is
served to anybody else. Needs the extra `serve`: pip install 'sigscope[serve]'. Ctrl+C
ends it.
"""

from __future__ import annotations

import argparse

from sigscope.cli.console import Console
from sigscope.cli.options import add_format, add_shown_file

HELP = "show the screens in a browser, on loopback"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --port, --open, --format, --theme, --ascii."""
    add_shown_file(parser)
    parser.add_argument(
        "--port",
        type=int,
        metavar="PORT",
        help="port of 127.0.0.1 to listen on (8920; 0 takes a free one)",
    )
    parser.add_argument(
        "--open", action="store_true", help="open the link in the default browser"
    )
    add_format(parser)
    parser.add_argument("--theme", metavar="NAME", help="colours of the screens")
    parser.add_argument(
        "--ascii", action="store_const", const=True, help="plain ASCII symbols"
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Serve until Ctrl+C."""
    from sigscope.cli.configured import configure

    arguments = _arguments(args)
    try:
        from sigscope.tui.web.server import serve
    except ImportError as error:
        from sigscope.errors import MissingExtra

        raise MissingExtra("showing the screens in a browser", "serve") from error
    configure(args, console)

    def told(link: str) -> None:
        console.data(link)
        console.out.flush()
        console.talk("open this link in one browser; it works once. Ctrl+C ends")
        if args.open:
            import webbrowser

            if not webbrowser.open(link):
                console.talk("no browser could be opened from here")

    title = f"sigscope: {args.file}" if args.file else "sigscope"
    serve(arguments, args.port, title, told, console.talk, theme=args.theme)
    return 0


def _arguments(args: argparse.Namespace) -> list[str]:
    """The command line of `sigscope open`. Raises UsageError and InputError for a FILE
    that the screens could not open: better here than in a browser."""
    from sigscope.cli.names import STDIN, find_recording
    from sigscope.errors import UsageError

    options: list[str] = []
    if args.format:
        options.append(f"--format={args.format}")
    if args.theme:
        options.append(f"--theme={args.theme}")
    if args.ascii:
        options.append("--ascii")
    if not args.file:
        return options
    if args.file == STDIN:
        raise UsageError("standard input cannot be served; save it to a file first")
    path = find_recording(args.file)
    return [*options, "--", str(path.resolve())]
