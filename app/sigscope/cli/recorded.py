"""What `record` and `run` say while traffic passes, and at the end."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.cli.findings import STYLES, summary
from sigscope.cli.keymask import mask_data
from sigscope.cli.mends import print_mends, print_unmended
from sigscope.engine.recording.clients import LaunchPlan, table
from sigscope.engine.recording.recording import Recorded
from sigscope.engine.sessions.mends import mend_rows, unmended_rows
from sigscope.engine.sessions.tables import findings_table, unjudged_rows
from sigscope.exchange import Request, remedy_words
from sigscope.recorder.tape import Summary
from sigscope.rules.findings import Finding
from sigscope.store.secrets.learner import Known
from sigscope.store.secrets.marker import mark_url
from sigscope.store.secrets.masker import mask_text
from sigscope.wire.urls import split_url

NOTHING_CAME = 3
"""Exit code of --check where nothing was seen, so that nothing can be said."""
LOST = 3
"""Exit code where exchanges passed that could not be written."""
MANY = 5000
"""Exchanges of which it is told that they are looked at: about 3 s."""
_LONGEST = 80
"""Longer command lines are not repeated whole."""


def json_line(console: Console, event: str, **values: Any) -> None:
    """One line for programs: {"event":"step","step":2,"status":400,...}"""
    console.json({"event": event, **values}, indent=None)
    console.out.flush()


def step_row(step: Summary, keys: Sequence[str] = ()) -> dict[str, Any]:
    """One exchange as JSON. `keys`: those that requests were sent with."""
    return {
        "step": step.number,
        "method": mask_text(step.method, keys)[0],
        "url": mask_text(mark_url(step.url)[0], keys)[0],
        "status": step.status,
        "ending": step.ending,
        "first_byte_ms": step.first_byte_ms,
        "duration_ms": step.duration_ms,
        "sent": step.sent,
        "received": step.received,
        "remarks": [mask_text(remark, keys)[0] for remark in step.remarks],
        "mended": [mask_data(asdict(remedy), keys) for remedy in step.remedies],
    }


def show_json(console: Console) -> Callable[[Summary], None]:
    """Shows exchanges to programs, on stdout. Says once where nobody takes them."""
    is_told = False
    known = Known()

    def show(step: Summary) -> None:
        nonlocal is_told
        known.learn(_sent(step))
        try:
            json_line(console, "step", **step_row(step, known.secrets))
        except OSError as error:
            if not is_told:
                is_told = True
                reason = error.strerror or error
                console.fail(f"output: {reason}; recording goes on")

    return show


def show_lines(console: Console, *, quiet: bool) -> Callable[[Summary], None]:
    """Shows exchanges to people, on stderr."""
    talk = Console(console.err)
    known = Known()

    def show(step: Summary) -> None:
        if not quiet:
            known.learn(_sent(step))
            with suppress(OSError):  # where nobody hears it, recording goes on
                talk.data(step_line(step, talk, known.secrets))
                talk.out.flush()

    return show


def _sent(step: Summary) -> Request:
    """The request's head, which holds its keys."""
    return Request(method=step.method, url=step.url, headers=step.headers)


def step_line(step: Summary, console: Console, keys: Sequence[str] = ()) -> str:
    """One exchange: `step 2  400  POST api.example /chat  812 ms  1.2 kB → 90 B`.

    `keys`: those that requests were sent with.
    """
    status = step.status
    style = "dim" if status is None else "good" if status < 400 else "bad"
    shown = console.style(f"{status or '—':>3}", style)
    url = split_url(mask_text(mark_url(step.url)[0], keys)[0])
    place, method = f"{url.host} {url.path}", mask_text(step.method, keys)[0]
    words = [
        f"step {step.number:>3}  {shown}  {printable(method)} {printable(place)}",
        _duration(step.duration_ms),
        f"{_size(step.sent)} → {_size(step.received)}",
    ]
    if step.pieces > 1:
        words.append(f"{step.pieces} pieces")
    if step.remedies:
        mended = f"mended: {remedy_words(step.remedies)}"
        words.append(console.style(mended, "info"))
    if step.ending != "complete":
        words.append(console.style(step.ending, "warn"))
    return "  ".join(words)


def tell_result(
    recording: Recorded,
    console: Console,
    *,
    as_json: bool,
    plan: LaunchPlan | None = None,
) -> Sequence[Finding]:
    """Print what was recorded and what is wrong with it. `plan`: how the client was
    started, where we started it. Raises InputError."""
    document = recording.document()
    new = {s.number for s in document.steps if s.number >= recording.first}
    if len(new) >= MANY:
        console.talk(
            f"looking for what is wrong in {len(new):,} exchanges; all of them are in"
            f" {recording.path} already, and Ctrl+C ends no more than this"
        )
    findings = tuple(f for f in document.findings if f.step in new)
    if as_json:
        json_line(
            console,
            "result",
            **findings_table(findings),
            file=str(recording.path),
            steps=len(new),
            lost=recording.lost,
            refused=recording.refused,
            mended=mend_rows(document, new),
            unmended=unmended_rows(document, new),
            hop_losses=[asdict(loss) for loss in document.hop_losses],
            not_judged=unjudged_rows(document),
            **({"client": plan.client, "set": list(plan.names)} if plan else {}),
        )
        return findings
    for finding in findings:
        if finding.severity != "info":
            word = f"{finding.severity}[{finding.rule}]"
            shown = console.style(word, STYLES[finding.severity])
            console.data(f"step {finding.step:>3}  {shown} {finding.message}")
    for loss in document.hop_losses:
        if loss.inner in new:
            word = console.style("between the hops", "bad")
            console.data(f"step {loss.inner:>3}  {word} {loss.note}")
    for group in document.unjudged:
        if new.intersection(group.steps):
            console.data(console.style(printable(str(group)), "warn"))
    print_mends(document, new, console)
    print_unmended(document, new, console)
    if new:
        console.data(summary(findings, document, console))
    if recording.refused:
        requests = f"{recording.refused} request{'s' * (recording.refused != 1)}"
        console.talk(
            f"{requests} of web pages or for other hosts refused, not recorded"
        )
    if recording.is_empty:
        console.talk("nothing was recorded: no request came")
        if plan is not None:
            console.talk(_silence(plan))
        return findings
    count = f"{len(new)} exchange{'s' * (len(new) != 1)}"
    console.talk(f"{count} in {recording.path}")
    if recording.lost:
        exchanges = f"{recording.lost} exchange{'s' * (recording.lost != 1)}"
        verb = "is" if recording.lost == 1 else "are"
        console.fail(f"{exchanges} passed through and {verb} not in the file")
    if new:
        console.talk(f"look at them with: sigscope {recording.path}")
    return findings


def _silence(plan: LaunchPlan) -> str:
    """Why no request may have come, and what to do about it."""
    known = table()
    in_code: dict[str, list[str]] = {}
    for each in known.libraries:
        in_code.setdefault(each.argument, []).append(each.name)
    reads = [f"{name} of {' and '.join(libs)}" for name, libs in in_code.items()]
    words = shlex.join(plan.line.words)
    command = words if len(words) <= _LONGEST else f"{plan.client} ..."
    arguments = [] if plan.line.is_quoted else [" ".join(plan.arguments)]
    given = ", ".join(filter(None, [*plan.names, *arguments]))
    lines = (
        *plan.notes,
        f"set for {plan.client}: {given}",
        "It may read none of these. Where it takes its address from another variable,"
        " name that one:",
        f"  sigscope run --env NAME=SERVICE -- {command}",
        f"  with SERVICE, or SERVICE/path, one of {', '.join(known.services)}",
        "Where the address stands in its code, have that read a variable of yours:"
        f" {'; '.join(reads)}",
        "Where it stands in its settings: sigscope record --upstream URL, and what that"
        " prints in place of URL",
    )
    return "\n".join(lines)


def _duration(ms: float | None) -> str:
    if ms is None:
        return "—"
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def _size(size: int) -> str:
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.1f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"
