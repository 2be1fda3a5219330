"""Print a step: the conversation, or the exact bytes of a body.

sigscope show FILE                     one line per step
sigscope show FILE --step 2            the conversation as sent, and the answer
sigscope show FILE --step 2 --raw request | jq .
sigscope show FILE --step 1 --events   every event of the stream
"""

from __future__ import annotations

import argparse
from typing import Any

from sigscope.cli.console import Console, printable
from sigscope.cli.options import add_file, add_json, add_step

HELP = "print steps, a conversation, events, or the raw bytes of a body"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --step, --raw, --events, --json."""
    add_file(parser)
    add_step(parser)
    parser.add_argument(
        "--raw",
        choices=("request", "response"),
        help="write the recorded body, byte for byte",
    )
    parser.add_argument(
        "--events", action="store_true", help="list the stream's events"
    )
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print what was asked for."""
    from sigscope.cli.documents import open_document
    from sigscope.errors import UsageError

    document = open_document(args, console)
    if args.step is None:
        if args.raw or args.events:
            raise UsageError("--raw and --events need --step N")
        return _list(document, args, console)
    reading = document.reading(args.step)
    if args.raw:
        body = reading.request_body if args.raw == "request" else reading.response_body
        console.raw(body.data)
        return 0
    if args.events:
        return _events(reading, args, console)
    return _conversation(document, reading, args, console)


def _list(document: Any, args: argparse.Namespace, console: Console) -> int:
    from sigscope.engine.tables import ledger_table

    steps = ledger_table(document)["steps"]
    if args.json:
        console.json({"format": 1, "steps": steps})
        return 0
    for step, reading in zip(steps, document.readings, strict=True):
        request = reading.exchange.request
        method = f"{request.method} {request.url}" if request else "(no request)"
        calls = f", {len(step['tool_calls'])} calls" if step["tool_calls"] else ""
        console.data(
            f"{step['step']:>3}  {step['status'] or '—':>4}"
            f"  {step['dialect'] or '—':13}"
            f" {step['model'] or '':24} {printable(method)}{calls}"
        )
    return 0


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
    document: Any, reading: Any, args: argparse.Namespace, console: Console
) -> int:
    messages = [*reading.conversation.messages]
    reply = reading.reply.message
    if args.json:
        console.json(
            {
                "format": 1,
                "step": reading.number,
                "messages": [_message(m) for m in messages],
                "reply": _message(reply) if reply else None,
            }
        )
        return 0
    for message in messages:
        _print(message, console)
    console.data(
        console.style(
            f"── answer of step {reading.number}: {reading.status or '—'}", "dim"
        )
    )
    if reply:
        _print(reply, console)
    refusal = document.refusals.get(reading.number)
    if refusal:
        console.data(console.style(printable(refusal.text), "bad"))
    return 0


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
            console.data(f"  ⚒ {part.name}({printable(part.arguments)})")
        elif part.kind == "result":
            console.data(f"  ↳ {text[:2000]}")
        elif part.kind == "thought":
            console.data(console.style(f"  thought, {len(part.text):,} chars", "dim"))
        else:
            console.data("  " + text.replace("\n", "\n  "))
