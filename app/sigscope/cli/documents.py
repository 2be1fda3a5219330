"""Opening what the command line names."""

from __future__ import annotations

import argparse

from sigscope.cli.console import Console
from sigscope.cli.names import STDIN, STDIN_NAME, find_recording
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import SESSION, hide_keys, open_file
from sigscope.engine.sessions.runkeeper import recall
from sigscope.engine.settings.carriers import own_carriers
from sigscope.engine.settings.own import problems as own_problems
from sigscope.errors import UsageError
from sigscope.session import Session


def open_document(
    args: argparse.Namespace, console: Console, *, shown: int | None = None
) -> Document:
    """Open FILE; say on stderr what of it could not be read. Raises InputError.

    Verbs that can be told a run get those that `replay` made of a recording before.
    `shown`: a step whose bodies are printed for people, who pass that on: it is read
    without its keys, where another tool recorded it.
    """
    path = find_recording(args.file)
    name = STDIN_NAME if args.file == STDIN else args.file
    session = open_file(path, getattr(args, "format", None), name)
    if console.hides_keys:
        hide_keys(session)
    elif shown is not None and session.format != SESSION:
        hide_keys(session, shown)
    recall(session, runs=hasattr(args, "run"))
    _hide_what_was_sent(session, console)
    document = name_dialects(Document(session), args, console)
    for told in own_carriers().problems:
        console.talk(f"a carrier is left out: {told}")
    for told in own_problems():
        console.talk(f"left out: {told}")
    _tell_problems(document, name, console)
    return document


def _hide_what_was_sent(session: Session, console: Console) -> None:
    """No verb says a key that requests of a file of another tool were sent with."""
    if session.format == SESSION:
        return
    from sigscope.store.secrets.learner import keys_of  # dear to import

    console.hide(keys_of(step.exchange.request for step in session.steps))


def choose_step(args: argparse.Namespace, document: Document, console: Console) -> None:
    """Make `args.step` a step of the session: the one that is named; else that of the
    run that is named, or the only one that comes into question, which is said. Raises
    UsageError."""
    if args.step is not None:
        document.step(args.step)
    elif getattr(args, "run", None) is not None:
        args.step = document.run(args.run).step
    else:
        args.step = document.likeliest_step()
        if len(document.steps) > 1:
            console.talk(f"step {args.step}: the only one that was refused")


def _tell_problems(document: Document, name: str, console: Console) -> None:
    """What of a file could not be read, with line or step."""
    for problem in document.session.problems:
        where = f"{problem.where}: " if problem.where else ""
        console.talk(f"{name}: {where}{problem.message}")


def refuse_stdin_twice(*names: str) -> None:
    """Raises UsageError, before anybody waits for it to end."""
    if names.count(STDIN) > 1:
        raise UsageError(
            "standard input can be read only once: give - for one file, and save the"
            " other"
        )


def open_other(name: str, args: argparse.Namespace, console: Console) -> Document:
    """A second file, with the runs made from it; --dialect counts for it too where it
    names no steps, for those are FILE's. What of it could not be read is said. Raises
    InputError."""
    path = find_recording(name)
    called = STDIN_NAME if name == STDIN else name
    session = open_file(path, None, called)
    if console.hides_keys:
        hide_keys(session)
    recall(session)
    _hide_what_was_sent(session, console)
    document = Document(session).named([t for t in args.dialect if ":" not in t])
    _tell_problems(document, called, console)
    return document


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
