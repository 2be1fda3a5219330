"""Cards of the signatures pane: the ledger, one card per signature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from sigscope.conversation import SignatureKind
from sigscope.fingerprints import told
from sigscope.ledger import Fate, FateAt, Grade, Ledger, Signature
from sigscope.ledger.opaque_fields import OpaqueField
from sigscope.ledger.records import LOST, UNSEEN, Origin
from sigscope.ledger.unjudged import why_unjudged
from sigscope.records import dataclass
from sigscope.tui import figures
from sigscope.tui.lines import Line, Span, fit, line, width
from sigscope.tui.linewrap import wrap
from sigscope.tui.shown import shown
from sigscope.tui.symbols import Symbols, fate_glyph
from sigscope.tui.views.outcome import SentOutcome
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.shownsession import Overview

CHIPS_LINES = 4
"""Lines of fates in a card that is not under the cursor."""

_CARRIED = {
    SignatureKind.SEALED: "sealed reasoning",
    SignatureKind.ENVELOPE: "envelope",
    SignatureKind.BYPASS: "bypass",
    SignatureKind.TEXT: "readable reasoning",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureCard:
    signature: Signature
    here: FateAt | None = None
    """Its fate in the request on show, where that is a run's."""
    run: int | None = None
    """The run that `here` belongs to."""


def cards_of(
    ledger: Ledger, *, run: int | None = None, run_ledger: Ledger | None = None
) -> tuple[SignatureCard, ...]:
    """A card for each signature. With `run_ledger` (the ledger as it would be had the
    run been sent in place of its step) each card says what became of it there."""
    if run is None or run_ledger is None:
        return tuple(SignatureCard(signature=s) for s in ledger.signatures)
    last = max((step for t in run_ledger.threads for step in t.steps), default=0)
    in_run = {(s.sha256, s.step): s.fate_in(last) for s in run_ledger.signatures}
    return tuple(
        SignatureCard(signature=s, here=here, run=run)
        if (here := in_run.get((s.sha256, s.step)))
        else SignatureCard(signature=s)  # as before: it need not be laid out anew
        for s in ledger.signatures
    )


def lay_card(
    card: SignatureCard,
    cells: int,
    symbols: Symbols,
    palette: Palette,
    *,
    step: int,
    is_open: bool,
) -> list[Line]:
    """The lines of a card; `is_open` adds the reasons, for the one under the cursor."""
    signature = card.signature
    ink = palette.ink(signature.sha256)
    mark = symbols.signature if signature.received else symbols.ghost
    lines = [
        fit(
            line(
                (f"{mark} ", ink),
                (signature.id, f"{ink} bold"),
                f"  {_origin(signature, cells - len(signature.id) - 4)}",
            ),
            cells,
        ),
        *_size_lines(signature, symbols, cells),
    ]
    if card.here is not None and card.run is not None:
        lines += run_lines(card.here, card.run, cells, symbols)
    was = step if card.here is not None else None
    chips = fate_chips(stretches_of(signature), symbols, step, was=was)
    shown_lines = _flow(chips, cells, indent=2)
    if not is_open and len(shown_lines) > CHIPS_LINES:
        hidden = len(shown_lines) - CHIPS_LINES + 1
        lines += shown_lines[: CHIPS_LINES - 1]
        lines.append(line((f"  … {figures.count(hidden, 'more line')}", "dim")))
    else:
        lines += shown_lines
    if is_open:
        lines += _reasons(signature, cells)
        lines += _hints(signature, cells)
    return [*lines, ()]


def run_lines(here: FateAt, run: int, cells: int, symbols: Symbols) -> list[Line]:
    """What became of it in a run; all that makes a card taller than one without."""
    head = line((f"  run {run} ", "bold"))
    return wrap(_chip(here, symbols), cells, first=head, hang=line("    "))


def lay_field(field: OpaqueField, cells: int, symbols: Symbols) -> list[Line]:
    """A card of a field that is followed by name and shape, and not judged."""
    name = shown(field.value) if field.is_reference else field.id
    first = field.first
    came = "received" if field.received else "sent, never received here,"
    event = f", ev {first.event}" if first.event is not None else ""
    again = [spot.step for spot in field.sent_again]
    same = "named again in" if field.is_reference else "same bytes sent in"
    steps = figures.ranges(sorted(set(again))) if again else ""
    size = figures.count(len(field.value), "char")
    head = line((f"{symbols.ghost} ", "dim"), (name, "bold"))
    rows = (
        line(f"{came} step {first.step}{event}"),
        line((f"{size} {symbols.dot} {field.name}", "dim")),
        line(f"{same} {steps}" if steps else "in no later request"),
        line(("by name and shape; not judged", "dim")),
    )
    above, *below = rows
    room = width(head) + 2 + width(above) <= cells
    lines = [(*head, Span("  "), *above)] if room else [fit(head, cells)]
    for row in below if room else rows:
        lines += wrap(list(row), cells, first=line("  "), hang=line("    "))
    return [*lines, ()]


def longest_of(texts: Sequence[str], room: int) -> str:
    """The first of them that fits, or else the last."""
    return next((text for text in texts if len(text) <= room), texts[-1])


def fields_title(
    overview: Overview, room: int = 999, outcome: SentOutcome | None = None
) -> str:
    """ "3 followed by name"; what is not judged is no "0 received". With what came of
    the step on show where it was sent."""
    count, ledger = len(overview.opaque), overview.ledger
    words = [signatures_title(ledger, room, outcome)] if overview.has_judged else []
    words += [f"{count} followed by name"] if count else []
    words += [] if words else ["nothing judged"]
    return " · ".join(words)


def _origin(signature: Signature, room: int) -> str:
    """ "received step 1, ev 3", in as many words as fit."""
    if not signature.received:
        origin = signature.origin
        return longest_of((UNSEEN[origin], str(origin)), room)
    place = signature.received[0]
    event = f", ev {place.sighting.event}" if place.sighting.event else ""
    step = f"step {place.step}"
    return longest_of((f"received {step}{event}", f"{step}{event}", step), room)


def _size_lines(signature: Signature, symbols: Symbols, cells: int) -> list[Line]:
    """ "1,464 chars · reasoning_opaque · envelope", on as many lines as it takes."""
    places = signature.received or signature.sent
    carriers = dict.fromkeys(carrier_name(p.sighting.carrier) for p in places)
    size = figures.count(len(signature.value), "char")
    names = list(carriers)[:2]
    kind = _CARRIED.get(signature.kind)
    lines = _packed([size, *names, *([kind] if kind else [])], symbols, cells)
    if kind:
        # What nearly all of one service's are is worth no line of its own.
        is_plain = signature.kind is SignatureKind.ENVELOPE
        other = [size, *names] if is_plain else [size, kind, *names]
        lines = min(lines, _packed(other, symbols, cells), key=len)
    return [fit(line((f"  {text}", "dim")), cells) for text in lines]


def _packed(words: Sequence[str], symbols: Symbols, cells: int) -> list[str]:
    """Words in their order, on as few lines as take them."""
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {symbols.dot} {word}"
        if len(longer) + 2 <= cells:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def carrier_name(carrier: str) -> str:
    """ "copilot.reasoning_opaque" -> "reasoning_opaque": the dialect is known."""
    return carrier.partition(".")[2] or carrier


@dataclass(frozen=True, slots=True)
class Chip:
    """Steps in a row that share a fate."""

    steps: Sequence[int]
    fate: FateAt


def stretches_of(signature: Signature) -> Iterator[Chip]:
    """Its fates by step, as few as tell them: a session of a thousand steps has
    hundreds of thousands of fates, and a few stretches for each signature."""
    parts = signature.stretches
    if all(one.steps[-1] < other.steps[0] for one, other in pairwise(parts)):
        yield from (Chip(stretch.steps, stretch.fate) for stretch in parts)
    else:  # two conversations side by side
        yield from (Chip((fate.step,), fate) for fate in signature.fates)


def chips_of(parts: Iterable[Chip]) -> list[Chip]:
    """Neighbouring steps of which the same is said, taken together."""
    found: list[Chip] = []
    for part in parts:
        last = found[-1] if found else None
        if last and _likeness(last.fate) == _likeness(part.fate):
            found[-1] = Chip((*last.steps, *part.steps), part.fate)
        else:
            found.append(part)
    return found


def _likeness(fate: FateAt) -> tuple[Fate, Grade]:
    return fate.fate, fate.grade


def fate_chips(
    parts: Iterable[Chip], symbols: Symbols, step: int, *, was: int | None = None
) -> list[tuple[Line, str]]:
    """For each chip its spans; the step on show is underlined. `was`: a step of which
    a run tells another fate by now."""
    found = []
    for chip in chips_of(parts):
        numbers = figures.ranges(chip.steps)
        ink = "bold" if step in chip.steps else ""
        target = f"step:{chip.steps[0]}"
        head = Span(numbers, ink, target)
        said = _chip(chip.fate, symbols)
        if was is not None and list(chip.steps) == [was]:
            said = tuple(Span(span.text, "dim", span.target) for span in said)
        found.append(((head, Span(" "), *said), target))
    return found


def _chip(fate: FateAt, symbols: Symbols) -> Line:
    glyph, words, ink = say_fate(fate, symbols)
    grade = grade_of(fate)
    if not grade:
        return (Span(f"{glyph} {words}", ink),)
    said = Span(grade, ink if fate.is_lost else "dim")
    return Span(f"{glyph} {words}, ", ink), said


GRADES = {
    Grade.REQUIRED: "required",
    Grade.OPTIONAL: "optional",
    Grade.SUPERSEDED: "superseded",
    Grade.NOT_APPLICABLE: "not required",
}
"""Grades as they are shown; "applicable" is a word of the ledger."""


def grade_of(fate: FateAt) -> str:
    """ "required", after the words of a fate; empty where these say it, or where the
    ledger does not know who issued it."""
    says_it = fate.fate is Fate.DROPPED and not fate.is_lost
    is_unknown = fate.fate in (Fate.EARLIER, Fate.FOREIGN, Fate.STORED)
    if says_it or is_unknown:
        return ""
    if fate.fate is Fate.BYPASS and fate.grade is Grade.NOT_APPLICABLE:
        return ""
    return GRADES[fate.grade]


def say_fate(fate: FateAt, symbols: Symbols) -> tuple[str, str, str]:
    """Glyph, words and ink of a fate under its grade.

    What the service does not ask for is no loss, and must not look like one.
    """
    glyph = fate_glyph(symbols, fate.fate)
    word = str(fate.fate)
    if fate.fate is Fate.EXACT:
        return glyph, word, "good"
    if fate.is_lost:
        return glyph, word, "bad"
    if fate.fate is Fate.DROPPED:
        words = {
            Grade.OPTIONAL: "not sent, optional",
            Grade.SUPERSEDED: "superseded",
            Grade.NOT_APPLICABLE: "not required",
        }
        return symbols.nothing, words.get(fate.grade, word), "dim"
    if fate.fate in (Fate.EARLIER, Fate.STORED):
        return glyph, word, "dim"
    if fate.fate in LOST or fate.fate in (Fate.FOREIGN, Fate.DUPLICATED):
        return glyph, word, "warn"
    return glyph, word, ""


def _flow(chips: Sequence[tuple[Line, str]], cells: int, indent: int) -> list[Line]:
    """Chips side by side, as many as fit on each line; of one that is too long the
    grade stands below."""
    lines: list[Line] = []
    row: list[Span] = []
    for spans, _ in chips:
        if row and width(row) + 3 + width(spans) > cells:
            lines.append(tuple(row))
            row = []
        row += [Span("   " if row else " " * indent), *spans]
        if width(row) > cells:
            *head, last = row
            lines.append(fit(head, cells))
            row = [Span(" " * (indent + 2)), last]
    return [fit(line_, cells) for line_ in (*lines, *([tuple(row)] if row else []))]


def _reasons(signature: Signature, cells: int) -> list[Line]:
    """Why the grades are what they are, each reason once."""
    notes: dict[str, list[int]] = {}
    for stretch in signature.worded:
        if stretch.fate.note and stretch.fate.note != UNSEEN.get(signature.origin):
            notes.setdefault(stretch.fate.note, []).extend(stretch.steps)
    lines: list[Line] = []
    for note, steps in list(notes.items())[:6]:
        text = f"{figures.ranges(sorted(steps))}: {shown(note)}"
        lines += wrap([Span(text, "dim italic")], cells, first=line("  "),
                      hang=line("    "))  # fmt: skip
    return lines


def _hints(signature: Signature, cells: int) -> list[Line]:
    """What its outer bytes tell, each with how sure that is."""
    words = told(signature.hints)
    if not words:
        return []
    said = [Span(f"hint: {shown(words)}", "dim italic")]
    return wrap(said, cells, first=line("  "), hang=line("    "))


def _lost_words(lost: Counter[str], outcome: SentOutcome) -> Iterator[str]:
    """ "1 dropped", "none lost in run 3"; the run in place of its step."""
    for word, count in lost.most_common():
        if count:
            yield f"{count} {word}"
    step, ledger = outcome.run.step, outcome.sent.ledger
    if why_unjudged(outcome.sent.reading):
        yield f"not judged in run {outcome.run.number}"
        return
    here = Counter(
        str(fate.fate) for _, fate in ledger.concerning(step, LOST) if fate.is_lost
    )
    words = ", ".join(f"{count} {word}" for word, count in here.items())
    yield f"{words or 'none lost'} in run {outcome.run.number}"


def _ways_lost(signature: Signature, outcome: SentOutcome | None) -> Iterator[str]:
    """How a signature was lost, the step aside that was sent again."""
    for stretch in signature.stretches:
        again = outcome is not None and outcome.run.step in stretch.steps
        if stretch.fate.is_lost and len(stretch.steps) > again:
            yield str(stretch.fate.fate)


def signatures_title(
    ledger: Ledger | None, room: int = 999, outcome: SentOutcome | None = None
) -> str:
    """ "2 received · 1 dropped": of signatures, also where one was lost in many steps.
    Where that does not fit, what went wrong goes first: "1 dropped of 2". Where a step
    was sent, with what was lost in that run instead: "2 received · none lost in run 3".
    """
    if ledger is None:
        return ""
    lost: Counter[str] = Counter()
    for signature in ledger.signatures:
        lost.update(set(_ways_lost(signature, outcome)))
    origins = Counter(signature.origin for signature in ledger.signatures)
    received = origins[Origin.RECEIVED]
    if outcome is None:
        words = [f"{n:,} {word}" for word, n in lost.most_common()]
        words += [f"{origins[o]} {o}" for o in UNSEEN if origins[o]]
    else:
        words = list(_lost_words(lost, outcome))
    whole = " · ".join([f"{received:,} received", *words])
    if not words:
        return whole
    return longest_of(
        (whole, f"{' · '.join(words)} of {received:,}", " · ".join(words), words[0]),
        room,
    )
