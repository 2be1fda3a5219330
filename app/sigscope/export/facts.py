"""What reports tell, as plain words; the reports add only their markup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import groupby

from sigscope.edits.words import describe
from sigscope.errors import PointerError
from sigscope.export.difference import request_difference
from sigscope.export.figures import count, joined, json_lines, numbered
from sigscope.export.records import Evidence
from sigscope.fingerprints import told
from sigscope.jsontext import JsonText
from sigscope.ledger import Signature
from sigscope.ledger.opaque_fields import track
from sigscope.ledger.records import UNSEEN, FateStretch
from sigscope.ledger.unjudged import BY_SHAPE, in_steps, unjudged, why_unjudged
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.refusals.grounds import Ground
from sigscope.rules.findings import Finding
from sigscope.runs import Run, Verdict
from sigscope.upstreams.target import SIMULATOR
from sigscope.wire.urls import split_url

VERDICTS = {
    Verdict.REPRODUCED: "reproduced: the recorded outcome came again",
    Verdict.GONE: "gone: the recorded error did not come",
    Verdict.DIFFERENT: "different: another outcome than the recorded one",
    Verdict.UNCLEAR: "unclear: no evidence about the request",
}
UNRECORDED = VERDICTS | {
    Verdict.REPRODUCED: "reproduced: the same outcome as without edits",
    Verdict.GONE: "gone: accepted, as it was not without edits",
    Verdict.DIFFERENT: "different: another outcome than without edits",
}
"""The same where no answer was recorded."""
_LONGEST_ANSWER = 4000
"""Bytes of an error's answer that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactPlace:
    """A node of a request that an error is about."""

    rule: str
    """Empty where the words name it, and are no rule's."""
    pointer: str
    excerpt: str
    """The node's JSON, shortened; empty where the pointer names nothing."""
    note: str
    is_likeliest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A run that did not fail, and what it changed."""

    run: Run
    is_live: bool
    lines: tuple[str, ...]
    """A diff of the request, from the recorded one to that of the run."""


def in_short(evidence: Evidence) -> str:
    """The whole story in one sentence or two."""
    by_reason: Counter[str] = Counter()
    for group in unjudged(evidence.readings):
        by_reason[group.reason] += len(group.steps)
    told = [f"{count(n, 'step')} not judged: {why}." for why, n in by_reason.items()]
    remarks = len(evidence.remarks)
    left = f"Read with {count(remarks, 'remark')}: see Findings." if remarks else ""
    return " ".join(filter(None, (_story(evidence), *told, left)))


def _story(evidence: Evidence) -> str:
    steps = count(len(evidence.readings), "step")
    failed = list(evidence.refusals)
    if not failed:
        lost = sum(
            any(stretch.fate.is_lost for stretch in signature.stretches)
            for signature in evidence.ledger.signatures
        )
        words = f"{steps}, none of which was refused{_unknown(evidence)}."
        return words + (f" {count(lost, 'signature')} lost on the way." if lost else "")
    which = joined([f"step {number}" for number in failed])
    words = f"{which[0].upper()}{which[1:]} of {len(evidence.readings)} failed."
    errors = evidence.refusals.values()
    if not any(e.matches or e.ground is Ground.REQUEST for e in errors):
        return f"{words} What was said is about the key, a limit or the service."
    done = fixes(evidence).values()
    if any(fix.is_live for fix in done):
        return f"{words} A fix is confirmed by the live service."
    if done:
        return f"{words} A fix is confirmed by the strict simulator."
    return f"{words} No fix is confirmed yet."


def _unknown(evidence: Evidence) -> str:
    """What no outcome was recorded of: ", of 2 no status was recorded"."""
    answers = [reading.exchange.response for reading in evidence.readings]
    silent = sum(answer is None for answer in answers)
    bare = sum(answer is not None and answer.status is None for answer in answers)
    words = [
        f"of {count(bare, 'step')} no status was recorded" if bare else "",
        f"{count(silent, 'step')} without an answer" if silent else "",
    ]
    return "".join(f", {word}" for word in words if word)


def making(evidence: Evidence) -> Iterator[str]:
    """Where this comes from, what could not be read, what was removed."""
    session = evidence.session
    made = f", made {session.created_at}" if session.created_at else ""
    by = f" by {session.tool}" if session.tool else ""
    yield f"Written by {evidence.tool} from session {session.id}{made}{by}"
    if session.format != "session":
        yield f"Read from a recording of the format {session.format}"
    for problem in session.problems:
        words = ": ".join(filter(None, (problem.where, problem.message)))
        yield f"Not readable: {words}"
    removed = [f"{number} × {kind}" for kind, number in evidence.removed.items()]
    yield f"Removed before writing: {joined(removed) or 'nothing'}"
    if evidence.removed_before:
        levels = joined(list(evidence.removed_before))
        yield f"Removed when the session was written: {levels}"


# --- Steps ----------------------------------------------------------------------------

STEP_HEAD = ("step", "thread", "request", "dialect", "model", "status", "answer")


def step_rows(evidence: Evidence) -> Iterator[tuple[str, ...]]:
    """One row of `STEP_HEAD` for each step."""
    for reading in evidence.readings:
        thread = evidence.ledger.thread_of.get(reading.number)
        side = f" ({thread.kind})" if thread and thread.kind != "main" else ""
        yield (
            str(reading.number),
            f"{thread.number}{side}" if thread else "",
            asked(reading),
            spoken(reading),
            reading.model,
            status_of(reading),
            answered(reading),
        )


def spoken(reading: Reading) -> str:
    """The dialect; whether a step without one is judged."""
    if reading.dialect:
        return reading.dialect.name
    return "not recognised" if reading.is_judged else "not known, not judged"


FIELD_HEAD = ("name", "value", "characters", "received", "sent in")


def field_rows(evidence: Evidence) -> Iterator[tuple[str, ...]]:
    """One row of `FIELD_HEAD` for each opaque field that is followed by name."""
    for field in track(evidence.readings):
        first = field.received[0] if field.received else None
        event = f", event {first.event}" if first and first.event else ""
        yield (
            field.name,
            field.id,
            f"{len(field.value):,}",
            f"step {first.step}{event}, {first.pointer}" if first else "not recorded",
            joined([f"step {spot.step}, {spot.pointer}" for spot in field.sent])
            or "no later request",
        )


def no_findings(evidence: Evidence) -> str:
    """What stands where no finding does."""
    judged = not unjudged(evidence.readings) or any(
        r.dialect and not why_unjudged(r) for r in evidence.readings
    )
    return "None." if judged else "Nothing was judged."


def no_signatures(evidence: Evidence) -> str:
    """What stands where no signature does."""
    if not unjudged(evidence.readings):
        return "None was received or sent."
    if any(r.dialect for r in evidence.readings):
        return "None was received or sent in the steps that are judged."
    return "No step is judged."


FIELDS_TITLE = f"Opaque fields ({BY_SHAPE})"


def not_judged(evidence: Evidence) -> tuple[str, ...]:
    """ "not judged: dialect not known: steps 3, 5-9 (POST host/path)"."""
    return tuple(map(str, unjudged(evidence.readings)))


def asked(reading: Reading) -> str:
    """ "POST openrouter.ai/api/v1/chat/completions"; without the query."""
    request = reading.exchange.request
    if request is None:
        return "(no request recorded)"
    url = split_url(request.url)
    return f"{request.method} {url.host}{url.path}"


def status_of(reading: Reading) -> str:
    """The status, with what a bare number would hide."""
    if reading.exchange.response is None:
        return "no answer"
    word = "not recorded" if reading.status is None else str(reading.status)
    if reading.status == 200 and reading.reply.has_error:
        return f"{word}, error inside"
    ending = reading.exchange.response.ending
    return word if ending in ("complete", "unknown") else f"{word}, {ending}"


def answered(reading: Reading) -> str:
    """ "31 events, 2 calls, 120 characters of text"."""
    words = [count(len(reading.events), "event")] if reading.is_streamed else []
    message = reading.reply.message
    if message:
        if message.calls:
            words.append(count(len(message.calls), "call"))
        if message.text:
            words.append(f"{count(len(message.text), 'character')} of text")
        if message.thoughts:
            words.append(f"{count(len(message.thoughts), 'character')} of reasoning")
    return ", ".join(words)


# --- Signatures -----------------------------------------------------------------------

SIGNATURE_HEAD = ("signature", "kind", "characters", "received", "hints", "fates")


def received(signature: Signature) -> str:
    """ "step 1, event 14, /choices/0/delta/reasoning_opaque"."""
    if not signature.received:
        return UNSEEN[signature.origin]
    place = signature.received[0]
    event = place.sighting.event
    words = [f"step {place.step}", f"event {event}" if event else ""]
    words.append(place.sighting.pointer)
    return ", ".join(filter(None, words))


def hint_words(signature: Signature) -> str:
    """What its outer bytes tell of it: "OpenAI (inferred); sealed ..."."""
    return told(signature.hints)


def fate_words(stretch: FateStretch) -> str:
    """ "step 2: dropped (required)", "steps 5-1000: exact (required)"."""
    fate = stretch.fate
    note = f": {fate.note}" if fate.note else ""
    return f"{in_steps(stretch.steps)}: {fate.fate} ({fate.grade}){note}"


# --- Errors ---------------------------------------------------------------------------


def places(evidence: Evidence, step: int, refusal: Refusal) -> Iterator[FactPlace]:
    """The nodes that an error's words point at, the likeliest first."""
    text = evidence.reading(step).request_text
    matches = refusal.matches
    if not any(match.pointers for match in matches) and refusal.place:
        matches = (refusal.place,)
    for match in matches:
        for number, pointer in enumerate(match.pointers):
            yield FactPlace(
                rule=match.rule,
                pointer=pointer,
                excerpt=_excerpt(text, pointer),
                note=_sentence(match.note) if number == 0 else "",
                is_likeliest=number == 0,
            )


def _sentence(note: str) -> str:
    """It stands behind a full stop."""
    return note[:1].upper() + note[1:]


def answer_text(evidence: Evidence, step: int, refusal: Refusal) -> str:
    """The body, or the event, that brought an error; cut where it is very long."""
    reading = evidence.reading(step)
    if refusal.event is not None:
        data = reading.events[refusal.event - 1].data
    else:
        data = reading.response_body.data
    text = data[:_LONGEST_ANSWER].decode("utf-8", "backslashreplace")
    left = len(data) - _LONGEST_ANSWER
    return f"{text}\n… {left:,} more bytes" if left > 0 else text


def _excerpt(text: JsonText, pointer: str) -> str:
    try:
        node = text.locate(pointer)
    except PointerError:
        return ""
    return "\n".join(json_lines(text.text(node).decode("utf-8", "backslashreplace")))


# --- Findings -------------------------------------------------------------------------


def where(finding: Finding) -> str:
    """ "step 2, request", "step 1, event 14"."""
    if not finding.in_response:
        side = "request"
    elif finding.event is None:
        side = "response"
    else:
        side = f"event {finding.event}"
    return f"step {finding.step}, {side}"


# --- Runs and the fix -----------------------------------------------------------------

RUN_HEAD = ("run", "of", "to", "edits", "predicted", "got", "verdict")


def run_rows(evidence: Evidence) -> Iterator[tuple[str, ...]]:
    """One row of `RUN_HEAD` for each run; for neighbours that say the same, one."""
    for said, same in groupby(evidence.session.runs, partial(_said, evidence)):
        runs = list(same)
        again = f", attempt {runs[0].attempt}" if runs[0].attempt > 1 else ""
        yield f"{numbered(run.number for run in runs)}{again}", *said[1:]


def _said(evidence: Evidence, run: Run) -> tuple[str, ...]:
    """What a row says of a run beside its number."""
    return (
        str(run.attempt),
        f"run {run.parent}" if run.parent else f"step {run.step}",
        run.upstream,
        "; ".join(edit_words(run)) or "none",
        predicted_words(run),
        "no answer" if run.status is None else str(run.status),
        verdict_words(run, evidence),
    )


def told_errors(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """What runs were refused with, the same of several once: "Runs 1, 3 and 4"."""
    numbers: dict[str, list[int]] = {}
    for run in evidence.session.runs:
        if run.error:
            numbers.setdefault(run.error, []).append(run.number)
    for error, runs in numbers.items():
        several = len(runs) > 1
        head = f"Runs {numbered(runs)} were" if several else f"Run {runs[0]} was"
        yield f"{head} told:", error


def predicted_words(run: Run) -> str:
    """The status that was foretold, and the rules where they foretold another."""
    status = "none" if run.predicted is None else str(run.predicted)
    if run.rules is None or not run.rules.differs_from(run.predicted):
        return status
    return f"{status}, but {run.rules.words}"


def verdict_words(run: Run, evidence: Evidence) -> str:
    if run.verdict is Verdict.UNCLEAR and run.reason:
        return f"unclear: {run.reason}"
    recorded = evidence.reading(run.step)
    is_bare = recorded.status is None and not recorded.is_accepted
    is_bare = is_bare and run.step not in evidence.refusals
    said = (UNRECORDED if is_bare else VERDICTS)[run.verdict]
    return f"{said} ({run.reason})" if run.reason else said


def edit_words(run: Run) -> list[str]:
    """What each edit is for, or does."""
    return [edit.label or describe(edit) for edit in run.edits]


def fixes(evidence: Evidence) -> dict[int, Fix]:
    """For each refused step the run that proves a fix, if one does.

    A live answer counts for more than the simulator's; then the fewest edits, then the
    latest run.
    """
    best: dict[int, Run] = {}
    for run in evidence.session.runs:
        if run.verdict is not Verdict.GONE or not (run.edits or run.parent):
            continue
        if run.step in evidence.refusals:
            held = best.get(run.step)
            if held is None or _weight(run) >= _weight(held):
                best[run.step] = run
    return {step: _fix(evidence, run) for step, run in sorted(best.items())}


def _weight(run: Run) -> tuple[bool, int]:
    return run.upstream != SIMULATOR, -len(run.edits)


def _fix(evidence: Evidence, run: Run) -> Fix:
    old, new = evidence.reading(run.step), evidence.run_readings[run.number]
    lines: list[str] = []
    if old.exchange.request and new.exchange.request:
        lines = request_difference(
            old.exchange.request,
            new.exchange.request,
            old.request_body.data,
            new.request_body.data,
        )
    return Fix(run=run, is_live=run.upstream != SIMULATOR, lines=tuple(lines))
