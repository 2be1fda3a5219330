"""Opening what the command line names."""

from __future__ import annotations

import argparse

from sigscope.cli.console import Console
from sigscope.cli.names import STDIN, STDIN_NAME, find
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.sessions.runkeeper import recall
from sigscope.engine.settings.carriers import own_carriers
from sigscope.engine.settings.own import problems as own_problems


def open_document(args: argparse.Namespace, console: Console) -> Document:
    """Open FILE; say on stderr what of it could not be read. Raises InputError.

    Verbs that can be told a run get those that `replay` made of a recording before.
    """
    path = find(args.file)
    name = STDIN_NAME if args.file == STDIN else args.file
    session = open_file(path, getattr(args, "format", None), name)
    recall(session, runs=hasattr(args, "run"))
    document = name_dialects(Document(session), args, console)
    for told in own_carriers().problems:
        console.talk(f"a carrier is left out: {told}")
    for told in own_problems():
        console.talk(f"left out: {told}")
    for problem in document.session.problems:
        where = f"{problem.where}: " if problem.where else ""
        console.talk(f"{name}: {where}{problem.message}")
    return document


def open_other(name: str, args: argparse.Namespace) -> Document:
    """A second file, with the runs made from it; --dialect counts for it too where it
    names no steps, for those are FILE's. Raises InputError."""
    session = open_file(find(name), None, name)
    recall(session)
    return Document(session).named([t for t in args.dialect if ":" not in t])


def name_dialects(
    document: Document, args: argparse.Namespace, console: Console
) -> Document:
    """The document read as --dialect says. Raises UsageError."""
    texts: list[str] = getattr(args, "dialect", None) or []
    if not texts:
        return document
    made = document.named(texts)
    spoken = {
        r.dialect.name for r in made.readings if r.dialect and r.decision.is_named
    }
    for text in texts:
        name = text.partition(":")[0].strip()
        if name not in spoken:
            console.talk(
                f"--dialect {text}: no step has a body of that shape; name the steps"
                f" to read them so all the same ({name}:1)"
            )
    return made
