"""Exports: the session is redacted first, then everything is derived anew and written.

So a format cannot leak what the session file would not hold, and what a report says
about stand-ins is what its reader will see in the exported session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import NamedTuple

from sigscope import extensions
from sigscope.engine.export.regression import regression_of
from sigscope.engine.sending.simulation import default_path
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.reservations import lines, remarks
from sigscope.engine.sessions.runkeeper import SIGNATURE, redactor_for, signature_texts
from sigscope.errors import UsageError
from sigscope.exchange import Exchange
from sigscope.export.curl import curl_script
from sigscope.export.figures import joined, size
from sigscope.export.har import har_file
from sigscope.export.httpx_script import httpx_script
from sigscope.export.page import html_file
from sigscope.export.records import Evidence, ScriptedRequest
from sigscope.export.regression import regression_file
from sigscope.export.report import report_file
from sigscope.export.vcr import shortfall, vcr_cassette
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.store import Redactor
from sigscope.store.header import header_of
from sigscope.utf8 import to_bytes

SESSION = "session"
Written = bytes | Iterator[bytes]
"""A file; in pieces, where it grows with the square of the steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    path: str
    """"-" for standard output."""
    format: str
    size: int
    """Bytes."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """What was taken out of the session for it, by kind."""
    removed_before: tuple[str, ...] = ()
    """What the session had been written without: "secrets", "signatures"."""
    lacks: tuple[str, ...] = ()
    """As in `Rendered`."""

    def __str__(self) -> str:
        """One line: file, size, what was removed, what else it does not hold."""
        gone = joined([f"{n} × {kind}" for kind, n in sorted(self.removed.items())])
        if not gone:
            gone = "nothing"
            if self.removed_before:
                levels = joined(list(self.removed_before))
                gone += f" ({levels} had been removed from the session before)"
        told = f"{self.path}: {size(self.size)}; removed: {gone}"
        return "; ".join((told, *self.lacks))


class Rendered(NamedTuple):
    """An export that is not written yet."""

    pieces: Iterator[bytes]
    removed: Counter[str]
    lacks: tuple[str, ...] = ()
    """What its format has no place for: "1 step left out, as ..."."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """A copy of a document without its secrets."""

    document: Document
    removed: Counter[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    document: Document
    """Redacted."""
    step: int | None
    run: int | None
    removed: Mapping[str, int]
    removed_before: tuple[str, ...]
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way to export."""

    name: str
    suffix: str
    words: str
    """What it is, for menus and help."""
    write: Callable[[Task], Written] | None = None
    """None: the session file, which `Keeper` writes."""
    lacks: Callable[[Task], Sequence[str]] = lambda _: ()
    """What it has no place for, as in `Rendered`. Raises UsageError where it has for
    nothing."""
    takes_step: bool = False
    """Whether a step or run can be chosen."""
    is_of_one: bool = False
    """Whether it is about one step or run, not about the session."""
    is_script: bool = False


def redacted(
    document: Document, *, stand_ins: bool, content: bool, tool: str
) -> Redacted:
    """The session without secrets; without signatures and texts if asked."""
    session = document.session
    redactor = redactor_for(document, stand_ins=stand_ins, content=content)
    steps = [redactor.step(step) for step in session.steps]
    runs = [redactor.run(run) for run in session.runs]
    removed = Counter[str]()
    for found in (*(each[1] for each in steps), *(each[1] for each in runs)):
        removed.update(found)
    if stand_ins:
        removed[SIGNATURE] = len(signature_texts(document))
    header = redactor.header(header_of(session), removed)
    copy = replace(
        session,
        title=header.title,
        story=header.story,
        tags=header.tags,
        tool=session.tool or tool,
        redaction=header.redaction,
        steps=tuple(step for step, _ in steps),
        runs=[run for run, _ in runs],
        notes=[redactor.note(note, removed) for note in session.notes],
    )
    return Redacted(document=document.over(copy), removed=+removed)


def evidence_of(task: Task) -> Evidence:
    """All that reports tell."""
    document = task.document
    return Evidence(
        session=document.session,
        readings=document.readings,
        ledger=document.ledger,
        refusals=document.refusals,
        findings=document.findings,
        remarks=lines(remarks(document)),
        run_readings={run.number: document.run_reading(run) for run in document.runs},
        removed=task.removed,
        removed_before=task.removed_before,
        tool=task.tool,
    )


# --- The formats ----------------------------------------------------------------------


def _report(task: Task) -> bytes:
    return report_file(evidence_of(task))


def _html(task: Task) -> bytes:
    return html_file(evidence_of(task))


def _har(task: Task) -> Written:
    session = task.document.session
    return har_file(
        _chosen_readings(task),
        title=session.title,
        created_at=session.created_at,
        tool=task.tool,
        removed=task.removed,
    )


def _curl(task: Task) -> bytes:
    return curl_script(sent_of(task))


def _httpx(task: Task) -> bytes:
    return httpx_script(sent_of(task))


def _pytest(task: Task) -> bytes:
    return regression_file(regression_of(task.document, sent_of(task)))


def _vcr(task: Task) -> Written:
    title = task.document.session.title
    return vcr_cassette(_chosen_readings(task), title=title, tool=task.tool)


def _not_in_vcr(task: Task) -> Sequence[str]:
    return shortfall(_chosen_readings(task))


def _chosen_readings(task: Task) -> tuple[Reading, ...]:
    """The run's, the step's, or those of all steps."""
    document = task.document
    if task.run is not None:
        return (document.run_reading(document.run(task.run)),)
    return document.readings if task.step is None else (document.reading(task.step),)


def sent_of(task: Task) -> ScriptedRequest:
    """The request of the step or run. Raises UsageError where there is none."""
    document = task.document
    run = None if task.run is None else document.run(task.run)
    step = run.step if run else task.step
    if step is None:
        step = document.likeliest_step()
    if run and task.step not in (None, run.step):
        raise UsageError(f"run {run.number} is of step {run.step}, not {task.step}")
    recorded = document.reading(step)
    return ScriptedRequest(
        request=document.request(step, run.number if run else None),
        reading=document.run_reading(run) if run else recorded,
        title=document.session.title,
        step=step,
        run=run,
        path=default_path(recorded),
        tool=task.tool,
    )


_OWN = (
    Format(
        name=SESSION,
        suffix=".session.jsonl",
        words="session file: everything, to open again",
    ),
    Format(
        name="report",
        suffix=".md",
        words="Markdown report: story, error, findings, runs, the fix",
        write=_report,
    ),
    Format(
        name="html",
        suffix=".html",
        words="the same as a page for browsers, with chat and timeline",
        write=_html,
    ),
    Format(
        name="curl",
        suffix=".sh",
        words="curl command of one step or run, keys as $VARIABLES",
        write=_curl,
        takes_step=True,
        is_of_one=True,
        is_script=True,
    ),
    Format(
        name="har",
        suffix=".har",
        words="HAR 1.2 file, for browsers, proxies and other tools",
        write=_har,
        takes_step=True,
    ),
    Format(
        name="httpx",
        suffix=".py",
        words="Python script that sends one step or run with httpx",
        write=_httpx,
        takes_step=True,
        is_of_one=True,
        is_script=True,
    ),
    Format(
        name="pytest",
        suffix="_test.py",
        words="pytest file: reproduces the error of a step, proves the fix",
        write=_pytest,
        takes_step=True,
        is_of_one=True,
    ),
    Format(
        name="vcr",
        suffix=".yaml",
        words="cassette for VCR.py",
        write=_vcr,
        lacks=_not_in_vcr,
        takes_step=True,
    ),
)


def _refuse(form: Format) -> str:
    """Why an export of others cannot be taken; "" if it can."""
    if any(form.name == own.name for own in _OWN):
        return f"there is an export format {form.name!r} already"
    return "" if form.write else f"{form.name!r} writes nothing"


FORMATS: tuple[Format, ...] = (
    *_OWN,
    *extensions.loaded("exports", Format, _refuse),
)


def format_named(name: str) -> Format:
    """A format. Raises UsageError, naming those there are."""
    for each in FORMATS:
        if each.name == name:
            return each
    names = ", ".join(each.name for each in FORMATS)
    raise UsageError(f"there is no export format {name!r}; there are {names}")


def refuse_choice(form: Format, step: int | None, run: int | None) -> None:
    """Complain about a step or run for a format that holds all of them."""
    if not form.takes_step and (step is not None or run is not None):
        raise UsageError(
            f"the format {form.name!r} holds the whole session; leave out the step and"
            " the run"
        )


def refuse_source(document: Document, path: Path) -> None:
    """Complain about writing over what is being read, whatever was forced."""
    try:
        is_source = path.samefile(document.session.path or "")
    except (OSError, ValueError):  # one of them is not there
        return
    if is_source:
        raise UsageError(f"{path} is what is being exported; name another file")


def render(
    document: Document,
    name: str,
    *,
    step: int | None,
    run: int | None,
    stand_ins: bool,
    content: bool,
    tool: str,
) -> Rendered:
    """An export other than the session file."""
    form = format_named(name)
    if form.write is None:
        raise UsageError("a session file is written to a path, not in memory")
    refuse_choice(form, step, run)
    if step is not None:
        document.step(step)
    if run is not None:
        document.run(run)
    clean = redacted(document, stand_ins=stand_ins, content=content, tool=tool)
    task = Task(
        document=clean.document,
        step=step,
        run=run,
        removed=clean.removed,
        removed_before=document.session.redaction,
        tool=tool,
    )
    lacks = tuple(form.lacks(task))
    written = form.write(task)
    pieces = iter((written,)) if isinstance(written, bytes) else written
    removed = clean.removed
    if form.is_of_one:
        removed = _removed_from(document, task, stand_ins=stand_ins)
    return Rendered(pieces, removed, lacks)


def _removed_from(document: Document, task: Task, *, stand_ins: bool) -> Counter[str]:
    """What was removed from the one request that a script sends."""
    sent = sent_of(task)
    request = document.request(sent.step, sent.run.number if sent.run else None)
    bare = replace(document.step(sent.step), exchange=Exchange(request=request))
    _, removed = Redactor().step(bare)
    if stand_ins:
        body = Reading(bare.exchange).request_body.data
        texts = map(to_bytes, signature_texts(document))
        removed[SIGNATURE] = sum(text in body for text in texts)
    return +removed
