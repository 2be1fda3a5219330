"""What an error's text means: from words that were pasted to rules and what to do.

The one entry is `explain`; `format_explanation` and `explanation_table` say it for
people and for programs.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from sigscope.records import dataclass
from sigscope.refusals.pasted import Pasted, PastedDialect, read_pasted
from sigscope.refusals.positions import NOWHERE, Position
from sigscope.refusals.topics import MEANINGS, Topic
from sigscope.rules.meanings import Meaning, meaning_of

FORMAT = 1
"""Of `explanation_table`; raised only when a field changes its meaning or goes away."""

RECORD = (
    "the conversation from its first message to the refused request, with all"
    " answers: the signature came with one of them"
)
"""What to record where no rule says it better."""

CHECK = "sigscope check capture.har"
RUN = "sigscope run -- CLIENT"
NEXT = ((CHECK, "where you have a recording: HAR, curl, a log"), (RUN, "to make one"))
"""What to do next, and when."""
_NOT_OURS = "nothing about signatures is said; a recording shows the whole answer"
_OF_TOPIC = dict.fromkeys(
    (Topic.KEY, Topic.LIMIT, Topic.SERVICE, Topic.LINE), _NOT_OURS
)
_UNKNOWN = "unknown: no rule knows these words"
_UNDECIDED = "undecided: these words fit more than one rule"
_PAGES = {
    Topic.BARE: "CPC-2",
    Topic.KEY: "REF-2",
    Topic.LIMIT: "REF-3",
    Topic.SERVICE: "REF-4",
}
"""What `check` calls such an answer."""
MOST = 8
"""Places, functions and ids that are named; a log may hold thousands."""
_LABEL = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldRule:
    """One rule that a text speaks of."""

    spoken: PastedDialect
    meaning: Meaning


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What a text says, and what it means."""

    pasted: Pasted
    told: tuple[ToldRule, ...]
    """The surest first."""

    @property
    def is_known(self) -> bool:
        """Whether a rule's words were found."""
        return bool(self.told)


def explain(text: str) -> Explanation:
    """Explain a pasted error. Never raises; linear in the text."""
    pasted = read_pasted(text)
    told = ((spoken, meaning_of(spoken.rule)) for spoken in pasted.spoken)
    return Explanation(
        pasted=pasted,
        told=tuple(
            ToldRule(spoken=spoken, meaning=meaning)
            for spoken, meaning in told
            if meaning
        ),
    )


# --- For people -----------------------------------------------------------------------


def format_explanation(explanation: Explanation, width: int = 80) -> str:
    """The explanation as lines of at most that many cells, commands excepted."""
    return "\n".join(lay_explanation(explanation, width))


def lay_explanation(explanation: Explanation, width: int = 80) -> Iterator[str]:
    pasted = explanation.pasted
    last = None
    for told in explanation.told:
        yield from _lay_rule(told, last, width)
        yield ""
        last = told
    if not explanation.is_known:
        yield from _lay_unknown(pasted, width)
        yield ""
    if pasted.sentence:
        yield from _lay("the error", f"“{pasted.sentence}”", width, indent=0)
    if pasted.layers:
        yield from _lay("wrapped in", " → ".join(pasted.layers), width, indent=0)
    if pasted.status:
        yield from _lay("status", str(pasted.status), width, indent=0)
    for command, when in NEXT:
        yield f"{'next':{_LABEL}}{command}    {when}"


def _lay_rule(told: ToldRule, last: ToldRule | None, width: int) -> Iterator[str]:
    """A rule; `last`: the one above, whose lines are not said again."""
    meaning, spoken = told.meaning, told.spoken
    is_new = last is None or last.spoken.positions != spoken.positions
    is_recorded = last is not None and last.meaning.record == meaning.record
    yield "  ".join(filter(None, (meaning.code, meaning.name)))
    yield from textwrap.wrap(f"{meaning.api} · {meaning.confidence}", width)
    yield ""
    yield from textwrap.wrap(
        meaning.summary, width, initial_indent="  ", subsequent_indent="  "
    )
    if spoken.is_piece:
        words = (
            "only a piece of its sentence is there; paste the whole error to be sure"
        )
        yield from _lay("likely", words, width)
    if spoken.via:
        yield from _lay("told in", f"the words of {spoken.via}", width)
    yield from _lay("names", _names(spoken), width)
    for place in _places(spoken.positions) if is_new else ():
        yield from _lay("which is", place, width)
    yield from _lay("look at", meaning.look, width)
    if not is_recorded:
        yield from _lay("record", meaning.record, width)
    if spoken.like:
        yield from _lay("same words", _like(spoken), width)
    more = f"sigscope explain {meaning.code}" if meaning.has_page else meaning.source
    yield from _lay("more", more, width)


def _names(spoken: PastedDialect) -> str:
    named = [f"the function `{name}`" for name in spoken.functions]
    named += [place.said for place in spoken.positions]
    named += [f"`{found}`" for found in spoken.ids]
    return ", ".join(_some(named)) or f"nothing: {NOWHERE}"


def _places(positions: Sequence[Position]) -> Iterator[str]:
    """The nodes, and once for all that count alike, how."""
    by_counts: dict[str, list[str]] = {}
    for place in positions:
        by_counts.setdefault(place.counts, []).append(place.node or "no entry")
    for counts, nodes in by_counts.items():
        yield f"{', '.join(_some(nodes))}: {counts}"


def _some(words: Sequence[str]) -> list[str]:
    """The first of many."""
    more = len(words) - MOST
    return [*words[:MOST], f"and {more} more"] if more > 0 else list(words)


def _like(spoken: PastedDialect) -> str:
    """Other causes of the same words: "GEM-7 interleaved-results"."""
    found = [meaning for code in spoken.like if (meaning := meaning_of(code))]
    return ", ".join(" ".join(filter(None, (m.code, m.name))) for m in found)


def _lay_unknown(pasted: Pasted, width: int) -> Iterator[str]:
    if not pasted.sentence:
        yield "there are no words here"
    else:
        yield _UNDECIDED if pasted.topic is Topic.BARE else _UNKNOWN
    if pasted.topic:
        yield from _lay("it means", MEANINGS[pasted.topic], width)
    yield from _lay("record", _record(pasted), width)
    if pasted.topic in _PAGES:
        yield from _lay("more", f"sigscope explain {_PAGES[pasted.topic]}", width)


def _record(pasted: Pasted) -> str:
    return _OF_TOPIC.get(pasted.topic, RECORD) if pasted.topic else RECORD


def _lay(label: str, words: str, width: int, indent: int = 2) -> Iterator[str]:
    start = " " * indent + f"{label:{_LABEL}}"
    yield from textwrap.wrap(
        words,
        max(width, _LABEL + 24),
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=True,
        break_on_hyphens=False,
    )


# --- For programs ---------------------------------------------------------------------


def explanation_table(explanation: Explanation) -> dict[str, Any]:
    """The explanation as JSON.

    {"format":1,"known":true,"rules":[{"code":"GEM-2","summary":"...","positions":
    [{"said":"position 5","node":"contents[4]","counts":"..."}],...}],"error":"..."}
    """
    pasted = explanation.pasted
    return {
        "format": FORMAT,
        "known": explanation.is_known,
        "rules": [_row(told) for told in explanation.told],
        "about": str(pasted.topic) if pasted.topic else None,
        "meaning": MEANINGS[pasted.topic] if pasted.topic else None,
        "error": pasted.sentence,
        "wrapped_in": list(pasted.layers),
        "provider": pasted.provider,
        "status": pasted.status,
        "record": None if explanation.is_known else _record(pasted),
        "next": [command for command, _ in NEXT],
    }


def _row(told: ToldRule) -> dict[str, Any]:
    meaning, spoken = told.meaning, told.spoken
    return {
        "code": meaning.code,
        "name": meaning.name,
        "api": meaning.api,
        "summary": meaning.summary,
        "confidence": meaning.confidence,
        "source": meaning.source,
        "has_page": meaning.has_page,
        "is_piece": spoken.is_piece,
        "via": spoken.via,
        "functions": list(spoken.functions),
        "ids": list(spoken.ids),
        "positions": [
            {"said": place.said, "node": place.node, "counts": place.counts}
            for place in spoken.positions
        ],
        "look": meaning.look,
        "record": meaning.record,
        "same_words": list(spoken.like),
    }
