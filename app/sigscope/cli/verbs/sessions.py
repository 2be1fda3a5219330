"""List sessions, name and tag them, make new ones out of old ones.

  sigscope sessions                                  bundled ones and recent ones
  sigscope sessions --tag zed                        those with this tag
  sigscope sessions rename FILE "Copilot, fixed"
  sigscope sessions tag FILE zed copilot             add; --remove takes away
  sigscope sessions merge A B --out BOTH             by time, or one after the other
  sigscope sessions split FILE --at 5,9              parts that begin at steps 5 and 9
  sigscope sessions split FILE --threads             one file a thread
  sigscope sessions cut FILE --thread 2 --out FILE   one thread alone
  sigscope sessions delete FILE --steps 3,7-9 --out FILE
  sigscope sessions keep FILE --steps 1-4 --out FILE
  sigscope sessions prune --older-than 30d           say which kept ones are old
  sigscope sessions prune --max-size 2GB --yes       delete the oldest beyond 2 GB

FILE is a session file, a recording of another tool, or a bundled session's name. Only
`rename` and `tag` write to FILE, by a line at its end; the others write new files, and
leave FILE as it is unless --out names it and --force is given. `sigscope NAME` opens
one by its name.

`prune` looks at the sessions in sigscope's own data folder and nowhere else, leaves
those that are recorded to, and deletes with --yes only; the settings
sessions.older_than and sessions.max_size say what it does without options. Nothing is
ever deleted by itself.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.cli.options import add_dialect, add_json
from sigscope.errors import UsageError

if TYPE_CHECKING:
    from sigscope.engine.sessions.arrangement import Arranged
    from sigscope.engine.sessions.retention import Excess

HELP = "list, rename, tag, merge, split, cut and prune sessions"
SUFFIX = ".session.jsonl"
_ACTIONS = {
    "list": ("list bundled and recent sessions", ["", "--tag zed"]),
    "rename": ("give a session file another title", ['FILE "Copilot, fixed"']),
    "tag": (
        "add tags to a session file, or take them away",
        ["FILE zed copilot", "FILE --remove zed"],
    ),
    "merge": (
        "put several sessions in one new file, by time where all steps tell it",
        ["A B C --out all.session.jsonl"],
    ),
    "split": (
        "put one session in several new files",
        ["FILE --at 5,9", "FILE --threads --out part"],
    ),
    "cut": (
        "put one thread in a new file; a fork with the steps it branches off from",
        ["FILE --thread 2 --out side.session.jsonl"],
    ),
    "delete": (
        "put all steps but some in a new file; FILE stays as it is",
        ["FILE --steps 3,7-9 --out less.session.jsonl"],
    ),
    "prune": (
        "delete kept sessions that are old, or beyond a size; says which without --yes",
        ["--older-than 30d", "--max-size 2GB --yes"],
    ),
    "keep": (
        "put some steps in a new file",
        ["FILE --steps 1-4 --out few.session.jsonl"],
    ),
}
"""What each action does, and examples of what follows it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ACTION and its arguments; without an action, the list's --tag and --json."""
    add_json(parser)
    _add_tag(parser, default=None)
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", parser_class=type(parser)
    )

    def action(name: str) -> argparse.ArgumentParser:
        words, examples = _ACTIONS[name]
        lines = "\n".join(
            f"  sigscope sessions {name} {each}".rstrip() for each in examples
        )
        return actions.add_parser(
            name,
            help=words,
            description=f"{words[0].upper()}{words[1:]}.\n\n{lines}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    listed = action("list")
    _add_tag(listed, default=argparse.SUPPRESS)
    _add_json(listed)
    rename = action("rename")
    _add_file(rename)
    rename.add_argument("title", metavar="TITLE", help="the new one")
    tag = action("tag")
    _add_file(tag)
    tag.add_argument("tags", metavar="TAG", nargs="*", help="one word each, to add")
    tag.add_argument(
        "--remove", action="append", default=[], metavar="TAG", help="take a tag away"
    )
    merge = action("merge")
    merge.add_argument("files", metavar="FILE", nargs="+", help="two or more")
    _add_out(merge, required=True)
    _add_json(merge)
    split = action("split")
    _add_file(split)
    add_dialect(split)
    where = split.add_mutually_exclusive_group(required=True)
    where.add_argument("--at", metavar="N,...", help="parts begin at these steps")
    where.add_argument("--threads", action="store_true", help="one file a thread")
    _add_out(split, help="beginning of the new names (default: FILE's)")
    cut = action("cut")
    _add_file(cut)
    add_dialect(cut)
    cut.add_argument(
        "--thread",
        type=int,
        required=True,
        metavar="N",
        help="which one; `sigscope ledger FILE` numbers them",
    )
    _add_out(cut, required=True)
    for name, words in (("delete", "to leave out"), ("keep", "to keep")):
        prune = action(name)
        _add_file(prune)
        add_dialect(prune)
        prune.add_argument(
            "--steps",
            required=True,
            metavar="N,N-M,...",
            help=f"the steps {words}, as in 3,7-9",
        )
        _add_out(prune, required=True)

    old = action("prune")
    old.add_argument("--older-than", metavar="AGE", help="as 12h, 30d, 8w, 1y")
    old.add_argument("--max-size", metavar="SIZE", help="of all together, as 2GB")
    old.add_argument("--yes", action="store_true", help="delete them")
    _add_json(old)


def _add_tag(parser: argparse.ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "--tag", metavar="TAG", default=default, help="only sessions with this tag"
    )


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a session file, a recording of another tool, or a bundled session's name",
    )
    parser.add_argument("--format", metavar="NAME", help="take FILE as this format")
    _add_json(parser)


def _add_json(parser: argparse.ArgumentParser) -> None:
    """--json behind the action; before it, the list's own counts too."""
    parser.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS,
        help="print JSON, for programs",
    )


def _add_out(
    parser: argparse.ArgumentParser,
    *,
    required: bool = False,
    help: str = "the file to write",
) -> None:
    parser.add_argument("--out", metavar="PATH", required=required, help=help)
    parser.add_argument("--title", help="what to call it")
    parser.add_argument("--force", action="store_true", help="replace an existing file")


def run(args: argparse.Namespace, console: Console) -> int:
    """Do what ACTION says; list without one."""
    actions: dict[str | None, Callable[[argparse.Namespace, Console], int]] = {
        None: _list,
        "list": _list,
        "rename": _rename,
        "tag": _tag,
        "merge": _merge,
        "split": _split,
        "cut": _cut,
        "delete": _prune,
        "keep": _prune,
        "prune": _prune_old,
    }
    return actions[args.action](args, console)


def _list(args: argparse.Namespace, console: Console) -> int:
    from sigscope.engine.sessions.library import Library
    from sigscope.engine.settings.places import data_dir
    from sigscope.foldercontents import maybe_closed

    folder = data_dir() / "sessions"
    if closed := maybe_closed(folder):
        console.talk(f"sigscope: {folder}: {closed}; what is kept there is not listed")
    cards = Library().cards()
    if args.tag:
        cards = [card for card in cards if args.tag in card.tags]
    if args.json:
        console.json({"format": 1, "sessions": [card.row() for card in cards]})
        return 0
    width = max((len(card.name) for card in cards), default=0)
    for card in cards:
        steps = f"{card.steps} step{'s' * (card.steps != 1)}"
        failed = f"{card.failed} failed" if card.failed else ""
        mark = console.style(f"{failed:9}", "bad") if failed else " " * 9
        title = console.style(card.title, "bold")
        tags = console.style("".join(f"  #{tag}" for tag in card.tags), "info")
        console.data(
            f"{card.name:{width}}  {steps:>9}  {mark}  {card.shelf:7}  {title}{tags}"
        )
    if not cards:
        tagged = f" with the tag {args.tag!r}" if args.tag else ""
        console.data(f"no sessions{tagged} yet")
    return 0


def _rename(args: argparse.Namespace, console: Console) -> int:
    from sigscope.engine.engine import Engine

    title = " ".join(args.title.split())
    if not title:
        raise UsageError("a title has at least one letter")
    session = Engine().rename(_own_file(args), title=title)
    return _said(args, console, session.title, session.tags)


def _tag(args: argparse.Namespace, console: Console) -> int:
    from sigscope.engine.engine import Engine
    from sigscope.engine.sessions.library import TAG
    from sigscope.store import open_session

    path = _own_file(args)
    tags = [t for t in open_session(str(path)).tags if t not in args.remove]
    wrong = [t for t in args.tags if not re.fullmatch(TAG, t)]
    if wrong:
        raise UsageError(f"{wrong[0]!r} is no tag: one word, without comma and #")
    session = Engine().rename(path, tags=[*tags, *args.tags])
    return _said(args, console, session.title, session.tags)


def _own_file(args: argparse.Namespace) -> Path:
    """FILE, if it is a session file that can be written to."""
    from sigscope.cli.names import find
    from sigscope.engine.sessions.opener import open_file

    path = find(args.file)
    found = open_file(path, args.format).format
    if found != "session":
        raise UsageError(
            f"{args.file} is a recording ({found}), which is never written to; make a"
            f" session of it first: sigscope import {args.file} --title TITLE"
        )
    return path


def _said(
    args: argparse.Namespace, console: Console, title: str, tags: Sequence[str]
) -> int:
    if args.json:
        row = {"format": 1, "file": args.file, "title": title, "tags": list(tags)}
        console.json(row)
    else:
        shown = "".join(f"  #{tag}" for tag in tags)
        console.data(f"{args.file}: {title}{shown}")
    return 0


def _merge(args: argparse.Namespace, console: Console) -> int:
    from sigscope.cli.documents import open_document
    from sigscope.engine.sessions.arrangement import joined

    sessions = []
    for file in args.files:
        one = argparse.Namespace(file=file, format=None)
        sessions.append(open_document(one, console).session)
    return _write([joined(sessions, args.title or "")], [Path(args.out)], args, console)


def _split(args: argparse.Namespace, console: Console) -> int:
    from sigscope.cli.documents import open_document
    from sigscope.engine.sessions.arrangement import by_thread, parted
    from sigscope.engine.sessions.namings import step_numbers

    document = open_document(args, console)
    if args.threads:
        parts = by_thread(document.session, document.ledger)
    else:
        parts = parted(document.session, step_numbers(args.at))
    stem = args.out or args.file
    stem = str(stem).removesuffix(SUFFIX)
    width = len(str(len(parts)))
    paths = [Path(f"{stem}-{n:0{width}}{SUFFIX}") for n in range(1, len(parts) + 1)]
    return _write(parts, paths, args, console)


def _cut(args: argparse.Namespace, console: Console) -> int:
    from sigscope.cli.documents import open_document
    from sigscope.engine.sessions.arrangement import thread_of

    document = open_document(args, console)
    part = thread_of(document.session, document.ledger, args.thread)
    return _write([part], [Path(args.out)], args, console)


def _prune(args: argparse.Namespace, console: Console) -> int:
    from sigscope.cli.documents import open_document
    from sigscope.engine.sessions.arrangement import only, without
    from sigscope.engine.sessions.namings import step_numbers

    document = open_document(args, console)
    make = without if args.action == "delete" else only
    part = make(document.session, set(step_numbers(args.steps)))
    return _write([part], [Path(args.out)], args, console)


def _prune_old(args: argparse.Namespace, console: Console) -> int:
    import time

    from sigscope.cli.configured import configure
    from sigscope.engine.sessions.retention import delete, excess, kept_files

    configure(args, console)
    if not (args.older_than or args.max_size):
        raise UsageError(
            "say what may go: --older-than 30d, --max-size 2GB, or the settings"
            " sessions.older_than and sessions.max_size"
        )
    files = kept_files(time.time())
    found = excess(files, older_than=args.older_than, max_size=args.max_size)
    left, problems = len(files) - len(found), []
    if args.yes:
        done = delete(found)
        found, problems = done.deleted, done.problems
        left += len(problems)
    freed = sum(each.file.size for each in found)
    if args.json:
        console.json(
            {
                "format": 1,
                "kept": left,
                "pruned": [
                    {
                        "path": str(each.file.path),
                        "bytes": each.file.size,
                        "days": round(each.file.age / 86400, 1),
                        "why": each.why,
                    }
                    for each in found
                ],
                "open": [str(file.path) for file in files if file.is_open],
                "deleted": bool(args.yes),
                "problems": problems,
            }
        )
    else:
        _tell_old(found, problems, args.yes, freed, console)
        for file in files:
            if file.is_open:
                name = printable(file.path.name)
                console.talk(f"{name} stays: it is being recorded to")
    for problem in problems:
        console.talk(printable(problem))
    return 3 if problems else 0


def _tell_old(
    found: Sequence[Excess],
    problems: Sequence[str],
    is_done: bool,
    freed: int,
    console: Console,
) -> None:
    from sigscope.export.figures import count, size

    for each in found:
        hours = int(each.file.age // 3600)
        age = count(hours, "hour") if hours < 48 else count(hours // 24, "day")
        name = printable(each.file.path.name)
        console.data(f"{name}  {size(each.file.size)}, {age}: {each.why}")
    many = f"{count(len(found), 'session')}, {size(freed)}"
    if is_done and (found or problems):
        console.data(f"deleted: {many}")
    elif not found:
        console.data("no kept session is that old, nor are they too large together")
    else:
        console.data(f"would be deleted with --yes: {many}; nothing was deleted")


def _write(
    parts: Sequence[Arranged],
    paths: Sequence[Path],
    args: argparse.Namespace,
    console: Console,
) -> int:
    """Write each part to its file, all or, where one is there already, none."""
    from sigscope.engine.engine import Engine
    from sigscope.errors import WouldOverwrite

    for path in paths:
        if os.path.lexists(path) and not args.force:
            raise WouldOverwrite(str(path))
    engine = Engine()
    rows: list[dict[str, Any]] = []
    for number, (part, path) in enumerate(zip(parts, paths, strict=True), start=1):
        if args.title:
            several = f" ({number} of {len(parts)})" if len(parts) > 1 else ""
            part.session.title = args.title + several
        removed = engine.write_new(part.session, path, force=args.force)
        rows.append(
            {
                "file": str(path),
                "title": part.session.title,
                "steps": len(part.session.steps),
                "runs": len(part.session.runs),
                "left_out": list(part.left_out),
                "removed": dict(removed),
            }
        )
    if args.json:
        console.json({"format": 1, "written": rows})
        return 0
    for row in rows:
        _print(row, console)
    return 0


def _print(row: dict[str, Any], console: Console) -> None:
    steps = f"{row['steps']} step{'s' * (row['steps'] != 1)}"
    runs = f", {row['runs']} run{'s' * (row['runs'] != 1)}" if row["runs"] else ""
    console.data(f"{row['file']}: {steps}{runs}  {row['title']}")
    if row["left_out"]:
        console.data(f"   left out {', '.join(row['left_out'])} of other steps")
    for kind, count in sorted(row["removed"].items()):
        console.data(f"   removed {count} × {kind}")
