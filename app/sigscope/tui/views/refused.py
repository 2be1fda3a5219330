"""What a service refused the request on show with, and what came of it since."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.refusals.grounds import Ground
from sigscope.refusals.wording import likely_dialect
from sigscope.rules.findings import Finding, Severity
from sigscope.runs import Run
from sigscope.tui.lines import Line, Span, fit, line, sides, width
from sigscope.tui.linewrap import wrap
from sigscope.tui.shown import one_line
from sigscope.tui.symbols import Symbols, verdict_glyph
from sigscope.tui.views.outcome import verdict_words
from sigscope.tui.views.runs import verdict_ink
from sigscope.tui.views.shownsession import Shown

MOST_LINES = 4
"""Lines for the sentence; all of one that is longer stands in the chat."""
LONGEST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """What there is to say of a refusal before anything is looked for."""

    status: int | None
    """None where the recording holds none."""
    said: str
    """The service's own sentence."""
    why: str = "no rule knows why"
    offer: str = ""
    """What to do where no rule is sure of the cause; empty where one is."""
    command: str = "compare"
    """The id of the command that does it."""
    key: str = "D"
    """What to press for it."""
    sent: Run | None = None
    """The run in which the request was sent as it is now; None where it was not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unrefused:
    """A step that was not refused, in a session where another one was: its line keeps
    the panes where they are."""

    status: int | None
    """None where the recording holds none."""
    word: str = ""
    """The finish reason, or what is odd about it."""
    is_accepted: bool = False
    """False where nothing says so: it waits, or was not read."""


def refused_of(
    shown: Shown,
    partner: int | None,
    sent: Run | None,
    key: Callable[[str], str],
) -> Refused | None:
    """`partner`: the nearest step that was accepted, if there is one; `key`: what to
    press for a command. None where the request was not refused."""
    refusal = shown.refusal
    if refusal is None:
        return None
    said = refusal.text or refusal.code or "without a word"
    found = Refused(status=refusal.status, said=one_line(said, LONGEST), sent=sent)
    if not is_unexplained(refusal, shown.findings):
        return found
    spoken = likely_dialect(shown.reading, refusal)
    if spoken:
        offer = f"Dialect says that it speaks {spoken}, and then it is judged"
        return replace(
            found,
            why=f"these are words of {spoken}",
            offer=offer,
            command="app.palette",
            key=key("app.palette"),
        )
    suspect = next(filter(_may_explain, shown.findings), None)
    if suspect is not None:
        why = f"what {suspect.rule} found may be why"
        offer = "applies its fix"
        return replace(found, why=why, offer=offer, command="fix", key=key("fix"))
    return replace(found, offer=_offer(partner), key=key("compare"))


def _may_explain(finding: Finding) -> bool:
    """Whether it is a fault of the request that a fix is known for."""
    is_sent = not finding.is_echo and not finding.in_response
    return is_sent and finding.severity is not Severity.INFO and bool(finding.fix)


def is_unexplained(refusal: Refusal, findings: tuple[Finding, ...]) -> bool:
    """Whether the request was refused for itself, and no rule knows what for."""
    explains = (
        finding.severity is Severity.ERROR and not finding.is_echo
        for finding in findings
    )
    return refusal.ground is Ground.REQUEST and not any(explains)


def _offer(partner: int | None) -> str:
    if partner is None:
        return "compares it with another request"
    return f"compares it with step {partner}, which was accepted"


def lay_refused(refused: Refused, cells: int, symbols: Symbols) -> list[Line]:
    """ "✗ 400 invalid request body        ✓ fix confirmed"; what came of it has a
    line of its own where the last one has no room for it."""
    status = "refused" if refused.status is None else str(refused.status)
    head = line((f"{symbols.bad} {status} ", "bad bold"))
    words = refused.said.removeprefix(f"{status} ")  # a proxy's page begins with it
    said = wrap([Span(words, "bad")], cells, first=head, hang=line("  "))
    if len(said) > MOST_LINES:
        last = fit((*said[MOST_LINES - 1], Span(" …", "bad")), cells)
        said = [*said[: MOST_LINES - 1], last]
    more = _came(refused.sent, symbols) if refused.sent else _offered(refused)
    if not more:
        return said
    if width(said[-1]) + width(more) + 3 <= cells:
        return [*said[:-1], sides(said[-1], more, cells)]
    return [*said, fit((*line("  "), *more), cells)]


def lay_unrefused(step: Unrefused, cells: int, symbols: Symbols) -> Line:
    """ "✓ 200 accepted · tool_calls"; "– no answer"."""
    glyph, ink = (
        (symbols.good, "good") if step.is_accepted else (symbols.nothing, "dim")
    )
    status = "" if step.status is None else f"{step.status} "
    words = ("accepted" if step.is_accepted else "", one_line(step.word, LONGEST))
    said = f" {symbols.dot} ".join(filter(None, words))
    return fit(line((f"{glyph} {status}", f"{ink} bold"), (said, "dim")), cells)


def _came(run: Run, symbols: Symbols) -> Line:
    """ "✓ fix confirmed"; the header above says what it got, and where."""
    glyph = verdict_glyph(symbols, run.verdict, failed=True)
    words = f"{glyph} {verdict_words(run, failed=True)}"
    return (Span(words, f"{verdict_ink(run, failed=True)} bold"),)


def _offered(refused: Refused) -> Line:
    if not refused.offer:
        return ()
    return (
        Span(f"{refused.why}; ", "dim"),
        Span(refused.key, "key bold", refused.command),
        Span(f" {refused.offer}", "", refused.command),
    )
