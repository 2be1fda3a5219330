"""Badges for the JSON pane, and what its rows may be switched on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from sigscope.ledger import Ledger
from sigscope.rules.findings import Finding
from sigscope.tui.json import MarkKey, NodeMark
from sigscope.tui.place import NodePlace
from sigscope.tui.symbols import Symbols, severity_glyph
from sigscope.tui.views.findings import INKS
from sigscope.tui.views.marks import Marks, SignatureMark
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.signatures import grade_of, say_fate


def json_marks(
    marks: Marks,
    symbols: Symbols,
    palette: Palette,
    *,
    mended: Collection[Finding] = (),
) -> dict[MarkKey, tuple[NodeMark, ...]]:
    """Signatures first, then findings, by place; `mended`: those that are none of what
    was sent."""
    found: defaultdict[MarkKey, list[NodeMark]] = defaultdict(list)
    for place, signatures in marks.signatures.items():
        found[key_of(place)] += [_signature(m, symbols, palette) for m in signatures]
    for place, findings in marks.findings.items():
        for finding in findings:
            is_mended = finding in mended
            glyph = severity_glyph(symbols, finding.severity)
            mark = NodeMark(
                glyph=symbols.good if is_mended else glyph,
                text=finding.rule,
                ink="good" if is_mended else INKS[finding.severity],
                target=finding,
            )
            if mark not in found[key_of(place)]:
                found[key_of(place)].append(mark)
    return {key: tuple(list_) for key, list_ in found.items()}


def json_chips(
    ledger: Ledger, symbols: Symbols, palette: Palette
) -> dict[str, NodeMark]:
    """The signatures of a session by their text, and where each is from."""
    return {
        signature.value: NodeMark(
            glyph=symbols.signature,
            text=palette.id(signature.sha256),
            ink=palette.ink(signature.sha256),
            note="" if signature.step is None else f"from step {signature.step}",
            target=f"signature:{signature.sha256}",
        )
        for signature in ledger.signatures
    }


def key_of(place: NodePlace) -> MarkKey:
    """A place in the words of the JSON pane."""
    return place.side, place.event, place.pointer


def _signature(mark: SignatureMark, symbols: Symbols, palette: Palette) -> NodeMark:
    note = ""
    if mark.fate is not None:
        glyph, words, ink = say_fate(mark.fate, symbols)
        note = glyph if ink == "good" else words
        note = ", ".join(filter(None, (note, grade_of(mark.fate))))
        note = note.replace(f"{glyph}, ", f"{glyph} ")
    return NodeMark(
        glyph=symbols.ghost if mark.is_ghost else symbols.signature,
        text=palette.id(mark.sha256),
        ink=palette.ink(mark.sha256),
        note=note,
        target=f"signature:{mark.sha256}",
    )
