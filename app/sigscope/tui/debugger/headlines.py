"""What the header, the status line and the line of keys say: functions of the model."""

from __future__ import annotations

from sigscope.ledger.records import LOST
from sigscope.rules.findings import Severity
from sigscope.tui import figures
from sigscope.tui.debugger.model import DebuggerModel, Sent
from sigscope.tui.place import NodePlace
from sigscope.tui.shown import one_line
from sigscope.tui.views.facts import likely_partner
from sigscope.tui.views.findings import counts_of
from sigscope.tui.views.headline import Headline, Status, name_of
from sigscope.tui.views.refused import Refused, Unrefused, refused_of
from sigscope.tui.views.runs import host_of, tally

LONG = 60
"""Steps above which the overview is offered in sight: more than a screen lists."""


def headline_of(model: DebuggerModel, called: str = "upstream") -> Headline:
    """`called`: what the upstream that requests are sent to is called."""
    shown, forecast = model.shown, model.forecast
    facts = shown.facts if shown else None
    return Headline(
        title=name_of(model.document.session),
        dialect=facts.dialect if facts else "",
        model=facts.model if facts else "",
        upstream=model.upstream.url,
        called=called,
        recorded=facts.status if facts else None,
        mended=_mended(model),
        run=shown.run if shown else None,
        edits=len(model.edits),
        predicted=forecast.status if forecast else None,
        rules=forecast.other_voice if forecast else "",
        is_thinking=forecast is None and shown is not None,
        can_predict=forecast is None or forecast.status is not None,
        problem=forecast.problem if forecast else "",
        sent=model.run_here,
    )


def _mended(model: DebuggerModel) -> str:
    """What was changed in the step's request before it was sent on."""
    shown = model.shown
    mended = shown.reading.exchange.mended if shown else None
    return mended.words if mended else ""


def refused_of_model(model: DebuggerModel) -> Refused | Unrefused | None:
    """The line of what the service refused, or that it did not while it refused other
    steps; None where it refused none."""
    shown = model.shown
    if shown is None:
        return None
    if shown.refusal is not None:
        partner = likely_partner(model.facts, shown.step)
        facts = next((fact for fact in model.facts if fact.number == partner), None)
        is_accepted = facts is not None and facts.is_accepted is True
        partner = partner if is_accepted else None
        return refused_of(shown, partner, model.run_here, model.key)
    if any(fact.is_accepted is False for fact in model.facts):
        now = shown.facts
        held = next(
            (f for f in model.facts if f.number == shown.step and f.is_held), now
        )
        return Unrefused(
            status=now.status, word=held.word, is_accepted=now.is_accepted is True
        )
    return None


def status_of(model: DebuggerModel, place: NodePlace | None) -> Status:
    """The status line; `place`: where the cursor is that counts."""
    selection, shown = model.selection, model.shown
    step = selection.step if selection else None
    mine = [run for run in model.runs if run.step == step]
    mended = model.outcome.mended if model.outcome else ()
    return Status(
        place=place,
        step=step,
        steps=len(model.document.steps),
        run=selection.run if selection else None,
        event=place.event if place else None,
        events=len(shown.reading.events) if shown and place and place.event else 0,
        findings=counts_of(shown.findings, mended) or _elsewhere(model)
        if shown
        else "",
        runs=tally(mine),
        busy=busy_words(model),
    )


def _elsewhere(model: DebuggerModel) -> str:
    """ "1 note in step 3": of a step without findings, where there are some. Beside a
    run nothing: its own are none."""
    selection = model.selection
    if model.overview is None or model.outcome or (selection and selection.run):
        return ""
    found = model.overview.findings
    steps = {finding.step for finding in found}
    where = f"{len(steps)} steps" if len(steps) > 1 else f"step {max(steps, default=0)}"
    return f"{counts_of(found)} in {where}" if found else ""


def busy_words(model: DebuggerModel) -> str:
    """What is going on, or why not all could be read; empty where nothing is."""
    if model.under_way is not None:
        return sent_words(model.under_way, model.key("back"))
    if model.problem:
        return f"could not read all: {one_line(model.problem, 200)}"
    pace = model.pace
    return f"{pace.what} … {pace.done} of {pace.total}" if pace is not None else ""


def sent_words(sent: Sent, cancel: str) -> str:
    """ "sending to simulator · 200 · 1.2 kB · 31 ms · escape cancels"; `cancel`: the
    key."""
    words = [f"sending to {host_of(sent.upstream)}"]
    progress = sent.progress
    if progress is not None:
        if progress.status is not None:
            words.append(str(progress.status))
        words.append(figures.size(progress.size))
        words.append(figures.millis(progress.at_ms))
    words.append(f"{cancel} cancels")
    return " · ".join(words)


OF_A_STEP = ("send", "diff", "search", "stepping.open", "timeline.show", "chat.fold")
"""Ids of keys that want a step, of which a recording that has just begun has none."""


def idle_keys(model: DebuggerModel) -> frozenset[str]:
    """Ids of keys with nothing to do now: they stay out of the lowest line."""
    findings = model.shown.findings if model.shown else ()
    fixes = [set(finding.fix) for finding in findings if finding.fix]
    on = [fix for fix in fixes if fix <= set(model.edits)]
    history = model.history
    has_steps = len(model.document.steps) > 1
    is_refused = _is_refused(model)
    told = {
        "overview.show": is_long(model),
        "anomaly.next": _has_trouble_ahead(model),
        "bisect": is_refused,
        "compare": is_refused,
        "fix": len(on) < len(fixes),
        "fix.back": bool(on),
        "undo": history is not None and history.can_undo,
        "paths.show": _loses(model),
        "recording.hold-next": not model.is_held,  # one waits, and needs the room
        "step.previous": has_steps,
        "step.next": has_steps,
        **dict.fromkeys(OF_A_STEP, bool(model.document.steps)),
    }
    if model.is_held:
        told["send"] = False  # it is sent on, which has a key of its own
    return frozenset(name for name, is_of_use in told.items() if not is_of_use)


def apt_keys(model: DebuggerModel) -> tuple[str, ...]:
    """Ids of keys that the step on show asks for: they come first in the lowest line,
    at any width."""
    found: tuple[str, ...] = ()
    if model.is_held:
        found = ("fix", "fix.back")
    elif _is_refused(model):
        found = ("send", "fix", "fix.back", "bisect", "compare")
    found = (*found, "paths.show") if _loses(model) else found
    found = (*found, "timeline.show") if _fades(model) else found
    return ("overview.show", *found) if is_long(model) else found


def is_long(model: DebuggerModel) -> bool:
    """Whether there are so many steps that one looks at all of them first."""
    return len(model.facts) > LONG


def overview_offer(model: DebuggerModel) -> str:
    """The first tab of a long session: the id of the key that opens it; else empty."""
    return "overview.show" if is_long(model) else ""


def _is_refused(model: DebuggerModel) -> bool:
    return model.shown is not None and model.shown.facts.is_accepted is False


def _has_trouble_ahead(model: DebuggerModel) -> bool:
    """Whether a later step was refused, or has an error or a warning; there are more
    kinds of anomalies, which take longer to find."""
    overview, selection = model.overview, model.selection
    if overview is None or selection is None:
        return False
    return any(step > selection.step for step in overview.refusals) or any(
        found.step > selection.step and found.severity is not Severity.INFO
        for found in overview.findings
    )


def _loses(model: DebuggerModel) -> bool:
    """Whether what is on show lost a signature that the service insists on."""
    shown = model.shown
    if shown is None:
        return False
    fates = (one.fate for _, one in shown.ledger.stretches_in(shown.step, LOST))
    return any(fate.is_lost for fate in fates)


def _fades(model: DebuggerModel) -> bool:
    """Whether reasoning has begun to fade in the conversation of the step on show."""
    overview, shown = model.overview, model.shown
    if overview is None or shown is None:
        return False
    from sigscope.rules.session.ses_1_reasoning_fades import RULE as FADES

    thread = overview.ledger.thread_of.get(shown.step)
    return thread is not None and any(
        found.rule == FADES.code
        and found.step in thread.steps
        and found.step <= shown.step
        for found in overview.findings
    )
