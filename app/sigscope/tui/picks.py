"""What the compare screen compares: which requests, which masks, in which colours."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope import opaque
from sigscope.comparison import (
    EVERYTHING,
    NOTHING,
    Comparison,
    Half,
    Mask,
    compare,
    half_of,
)
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.envelopes import around_words, differing_around
from sigscope.ledger.unjudged import expect_body
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.tui.views.headline import name_of
from sigscope.tui.views.palette import COLOURS, Palette

MASKINGS: tuple[frozenset[Mask], ...] = (
    NOTHING,
    frozenset({Mask.TEXT, Mask.IDS}),
    EVERYTHING,
)
"""What one key goes through."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A request: of a step as recorded, or of a run."""

    document: Document
    step: int
    run: int | None = None

    @property
    def title(self) -> str:
        """ "step 2", "run 1 of step 2"."""
        step = f"step {self.step}"
        return step if self.run is None else f"run {self.run} of {step}"

    def reading(self) -> Reading:
        """The exchange. Raises UsageError where it has no request."""
        self.document.request(self.step, self.run)
        if self.run is None:
            return self.document.reading(self.step)
        return self.document.run_reading(self.document.run(self.run))


def compare_picks(left: Pick, right: Pick, masks: frozenset[Mask]) -> Comparison:
    """Compare two requests; parses both. Raises UsageError where one is missing, or was
    recorded without its body."""
    return compare(_half(left, right), _half(right, left), masks)


def around_picks(left: Pick, right: Pick) -> str:
    """What differs in where two requests go and in their headers, in words; empty where
    nothing does, or the left one is a run: edits are those of a step."""
    if left.run is not None:
        return ""
    made = (left.document, left.step, right.document, right.step, right.run)
    return around_words(differing_around(*made))


def _half(pick: Pick, other: Pick) -> Half:
    reading = pick.reading()
    title = pick.title
    expect_body(reading, title)
    if pick.document is not other.document:
        title = f"{title} of {name_of(pick.document.session)}"
    dialect = reading.dialect.name if reading.dialect else "unknown dialect"
    status = reading.status
    words = [title, "no answer" if status is None else str(status), dialect]
    return half_of(reading, " · ".join(words))


def next_masks(masks: frozenset[Mask]) -> frozenset[Mask]:
    """What is masked after this, around the end."""
    at = MASKINGS.index(masks) if masks in MASKINGS else -1
    return MASKINGS[(at + 1) % len(MASKINGS)]


def masks_words(masks: frozenset[Mask]) -> str:
    """ "text and ids masked"; empty where nothing is."""
    if masks == EVERYTHING:
        return "text, ids, signatures masked"
    return f"{', '.join(m.value for m in Mask if m in masks)} masked" if masks else ""


def signature_inks(comparison: Comparison, palette: Palette | None) -> dict[str, str]:
    """A colour for each signature, by its id: the session's own where it has one."""
    known = palette.inks if palette is not None else {}
    found: dict[str, str] = {}
    turn = len(known)
    for value in _values(comparison):
        sha256 = opaque.sha256(value)
        name = opaque.fingerprint(value)
        if name in found:
            continue
        if opaque.maybe_bypass(value):
            found[name] = "warn"
        elif sha256 in known:
            found[name] = known[sha256]
        else:
            found[name] = f"sig-{turn % COLOURS + 1}"
            turn += 1
    return found


def _values(comparison: Comparison) -> Iterator[str]:
    for half in (comparison.left, comparison.right):
        yield from (sighting.value for sighting in half.sent)
