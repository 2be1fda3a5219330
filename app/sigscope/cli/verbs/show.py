"""Print a step or a run: the conversation, or the exact bytes of a body.

sigscope show FILE                     one line per step, and per run
sigscope show FILE --step 2            the conversation as sent, and the answer
sigscope show FILE --run 1             the same of a run, and how it ended
sigscope show FILE --step 2 --raw request | jq .
sigscope show FILE --step 2 --raw client    what the client sent, if that was mended
sigscope show FILE --step 1 --events   every event of the stream

Keys in the recording of another tool have stars, but for --raw, which is exact.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.cli.options import add_file, add_json, add_step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sigscope.dialects.services import Service
    from sigscope.engine.sessions.document import Document
    from sigscope.reader import Reading
    from sigscope.runs import Run
    from sigscope.wire.bodies import Decoded

HELP = "print steps, runs, a conversation, events, or the raw bytes of a body"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --step, --run, --raw, --to-terminal, --events, --json."""
    add_file(parser)
    add_step(parser)
    parser.add_argument(
        "--run", type=int, metavar="N", help="a run of `replay` instead of a step"
    )
    parser.add_argument(
        "--raw",
        choices=("request", "response", "client"),
        help="write the recorded body, byte for byte; client: of a request that was"
        " mended on its way, what the client had sent",
    )
    parser.add_argument(
        "--to-terminal",
        action="store_true",
        help="with --raw: write it even where a terminal would obey what is in it",
    )
    parser.add_argument(
        "--events", action="store_true", help="list the stream's events"
    )
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print what was asked for."""
    from sigscope.cli.documents import open_document
    from sigscope.errors import UsageError

    shown = None if args.raw else args.step
    document = open_document(args, console, shown=shown)
    if args.step is None and args.run is None:
        if args.raw or args.events:
            raise UsageError("--raw and --events need --step N or --run N")
        return _list(document, args, console)
    reading, run = _chosen(document, args)
    if args.raw:
        body = _body(document, reading, run, args.raw)
        if not body.data:
            console.talk(_nothing_there(reading, run, args.raw))
        console.raw(body.data, on_terminal=args.to_terminal)
        return 0
    if args.events:
        return _events(reading, args, console)
    return _conversation(document, reading, run, args, console)


def _body(document: Document, reading: Reading, run: Run | None, side: str) -> Decoded:
    """Raises UsageError where there is no such message, or it was not mended, and
    InputError where it is damaged."""
    from sigscope.errors import UsageError

    exchange = reading.exchange
    if side != "client":
        if (exchange.request if side == "request" else exchange.response) is None:
            raise UsageError(f"{_called(reading, run)}: no {side} was recorded")
        return reading.request_body if side == "request" else reading.response_body
    came = None if run else document.client_reading(reading.number)
    if came is None:
        raise UsageError(
            f"{_called(reading, run)} was not mended: what the client sent is --raw"
            " request"
        )
    return came.request_body


def _called(reading: Reading, run: Run | None) -> str:
    return f"run {run.number}" if run else f"step {reading.number}"


def _nothing_there(reading: Reading, run: Run | None, side: str) -> str:
    """Why nothing is printed, as far as the recording tells."""
    what = "response" if side == "response" else "request"
    told = f"{_called(reading, run)}: the {what} has no body in this recording"
    return "; ".join([told, *map(printable, reading.exchange.remarks)])


def _chosen(document: Document, args: argparse.Namespace) -> tuple[Reading, Run | None]:
    """The step, or the run and what it sent and got. Raises UsageError."""
    from sigscope.errors import UsageError

    if args.run is None:
        return document.reading(args.step), None
    run = document.run(args.run)
    if args.step not in (None, run.step):
        raise UsageError(f"run {run.number} is of step {run.step}, not {args.step}")
    return document.run_reading(run), run


def _list(document: Any, args: argparse.Namespace, console: Console) -> int:
    from sigscope.cli.reservations import print_reservations
    from sigscope.cli.unjudged import print_unjudged
    from sigscope.engine.sessions.reservations import reservations, rows
    from sigscope.engine.sessions.spending import DocumentSpending
    from sigscope.engine.sessions.tables import step_rows, unjudged_rows
    from sigscope.rules.words import number_of
    from sigscope.store.secrets.marker import shown_url

    steps = step_rows(document)
    spending = DocumentSpending(document)
    for problem in spending.problems:
        console.talk(f"a price is left out: {problem}")
    if args.json:
        from sigscope.cli.runs import run_row

        runs = [run_row(run) for run in document.runs]
        told = rows(reservations(document))
        spent = [{**step, **spending.row(step["step"])} for step in steps]
        table = {"format": 1, "steps": spent, "runs": runs, "problems": told}
        table["totals"] = spending.total_row
        console.json({**table, "not_judged": unjudged_rows(document)})
        return 0
    for step, reading in zip(steps, document.readings, strict=True):
        request = reading.exchange.request
        method = (
            f"{request.method} {shown_url(request.url)}" if request else "(no request)"
        )
        calls = (
            f", {number_of(len(step['tool_calls']), 'call')}"
            if step["tool_calls"]
            else ""
        )
        console.data(
            f"{step['step']:>3}  {step['status'] or '—':>4}"
            f"  {step['dialect'] or '—':13}"
            f" {step['model'] or '':24} {printable(method)}{calls}"
            f"{_mended(step['mended'])}"
        )
        took = spending.words(step["step"])
        if took:
            console.data(console.style(f"           {took}", "dim"))
    if spending.total_words:
        console.data(f"all steps: {spending.total_words}")
    for run in document.runs:
        status = "—" if run.status is None else run.status
        edits = f", {len(run.edits)} edit{'s' * (len(run.edits) != 1)}"
        target = printable(shown_url(run.upstream))
        console.data(
            f"run {run.number}: step {run.step} to {target}{edits},"
            f" got {status}: {run.verdict}"
        )
    print_unjudged(document, None, console)
    print_reservations(document, None, console)
    return 0


def _mended(words: str | None) -> str:
    return f", mended: {printable(words)}" if words else ""


def _events(reading: Any, args: argparse.Namespace, console: Console) -> int:
    rows = [
        {
            "event": event.number,
            "at_ms": event.at_ms,
            "name": event.name,
            "start": event.start,
            "end": event.end,
            "complete": event.complete,
            "flags": list(event.flags),
            "data": event.data.decode("utf-8", "backslashreplace"),
        }
        for event in reading.events
    ]
    if args.json:
        console.json({"format": 1, "events": rows})
        return 0
    for row in rows:
        at = f"{row['at_ms']:>9,.0f} ms" if row["at_ms"] is not None else " " * 12
        flags = f"  [{', '.join(row['flags'])}]" if row["flags"] else ""
        console.data(f"{row['event']:>5} {at}  {printable(str(row['data']))}{flags}")
    return 0


def _conversation(
    document: Document,
    reading: Reading,
    run: Run | None,
    args: argparse.Namespace,
    console: Console,
) -> int:
    from sigscope.cli.reservations import print_reservations
    from sigscope.cli.runs import print_run, run_row
    from sigscope.cli.unjudged import print_unjudged
    from sigscope.engine.sessions.mends import mend_rows
    from sigscope.engine.sessions.reservations import reservations, rows
    from sigscope.engine.sessions.tables import (
        hints_of,
        opaque_rows,
        unjudged_rows,
    )
    from sigscope.refusals.reader import read_refusal

    messages = [*reading.conversation.messages]
    reply = reading.reply.message
    if args.json:
        console.json(
            {
                "format": 1,
                "step": reading.number,
                "run": run_row(run) if run else None,
                "messages": [_message(m) for m in messages],
                "reply": _message(reply) if reply else None,
                "refusal": _refusal(read_refusal(reading)),
                "problems": [] if run else rows(reservations(document, args.step)),
                "dialect": reading.dialect.name if reading.dialect else None,
                "dialect_by": reading.decision.how or None,
                "service": reading.service,
                "not_judged": unjudged_rows(document, reading.number),
                "opaque": opaque_rows(document, reading.number),
                "hints": hints_of(reading),
                "mended": [] if run else mend_rows(document, {reading.number}),
            }
        )
        return 0
    if reading.dialect:
        whose = _whose(reading.dialect.services, reading.service)
        told = f"{reading.dialect.name}{whose} ({reading.decision.how})"
        console.data(console.style(told, "dim"))
    mended = None if run else reading.exchange.mended
    if mended is not None:
        told = printable(mended.words)
        console.data(
            console.style(f"mended: {told}", "info")
            + "; below is what was sent on, --raw client is what the client sent"
        )
        for remedy in mended.remedies:
            console.data(console.style(f"  {printable(remedy.words)}", "dim"))
    for message in messages:
        _print(message, console)
    console.data(
        console.style(
            f"── answer of {'run' if run else 'step'}"
            f" {run.number if run else reading.number}: {reading.status or '—'}",
            "dim",
        )
    )
    if reply:
        _print(reply, console)
    _print_hints(reading, console)
    if run:
        print_run(run, document, console)
        return 0
    refusal = document.refusals.get(reading.number)
    if refusal:
        console.data(console.style(refusal.text, "bad"), lines=True)
    print_unjudged(document, reading.number, console)
    print_reservations(document, reading.number, console)
    return 0


def _print_hints(reading: Reading, console: Console) -> None:
    """What signatures tell of themselves, those that tell the same together."""
    from sigscope.engine.sessions.tables import hints_of
    from sigscope.fingerprints import Hint, told

    alike: dict[str, list[str]] = {}
    for row in hints_of(reading):
        words = told([Hint(**hint) for hint in row["hints"]])
        alike.setdefault(words, []).append(row["signature"])
    for words, (first, *others) in alike.items():
        more = f" and {len(others)} more" if others else ""
        console.data(console.style(f"hint: {first}{more}: {words}", "dim"))


def _whose(services: Sequence[Service], name: str | None) -> str:
    """ " of Google Vertex AI", where one of several speaks it."""
    known = (service.title for service in services if service.name == name)
    title = next(known, None)
    return f" of {title}" if title and len(services) > 1 else ""


def _refusal(refusal: Any) -> Any:
    """What the service refused it with; null where it did not."""
    if refusal is None:
        return None
    return {
        "status": refusal.status,
        "text": refusal.text,
        "code": refusal.code or None,
        "provider": refusal.provider or None,
        "event": refusal.event,
        "about": str(refusal.ground),
        "rules": [match.rule for match in refusal.matches],
        "layers": list(refusal.layers),
    }


def _message(message: Any) -> dict[str, Any]:
    return {
        "role": str(message.role),
        "pointer": message.pointer,
        "parts": [
            {
                "kind": str(part.kind),
                "pointer": part.pointer,
                "text": part.text,
                "call_id": part.call_id,
                "name": part.name,
                "arguments": part.arguments,
            }
            for part in message.parts
        ],
    }


def _print(message: Any, console: Console) -> None:
    console.data(
        console.style(f"{message.role}", "bold")
        + console.style(f"  {message.pointer}", "dim")
    )
    for part in message.parts:
        text = printable(part.text, keep="\n")
        if part.kind == "call":
            console.data(f"  ⚒ {part.name}({part.arguments})")
        elif part.kind == "result":
            console.data(f"  ↳ {text[:2000]}", lines=True)
        elif part.kind == "thought":
            console.data(console.style(f"  thought, {len(part.text):,} chars", "dim"))
        else:
            console.data("  " + text.replace("\n", "\n  "), lines=True)
