"""The same entry of `reasoning_details` is sent twice under the same id.

Why it matters: OpenAI upstreams answer "Duplicate item found with id ...".
Bad:  [{"type": "reasoning.encrypted", "id": "rs_1"}, {"id": "rs_1"}]
Good: [{"type": "reasoning.encrypted", "id": "rs_1"}]
False alarms: a summary and an encrypted entry share one id by design, and several
summaries of one id differ in index; only entries equal in all of their keys count. For
other upstreams than OpenAI and Azure this warns, and a message whose response brought
the repetition itself is left alone. An accepted request earns a remark.
Fix: the later copies go.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Json, Role
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop, spell
from sigscope.rules.openrouter.details import (
    OPENAI_FORMATS,
    DetailsEntry,
    details_of,
    entry_at,
    is_of,
    received_entries,
)


def check(subject: Subject) -> Iterator[Claim]:
    """Entries that stand in the request before."""
    for same, entry in _repeated(subject):
        if _came_twice(subject, entry):
            continue
        yield Claim(
            entry.pointer,
            f"{entry.type} entry {entry.id} stands at {same.pointer} already",
            fix=(drop(entry.pointer, f"take the second {entry.id} away"),),
            severity=_severity(subject, entry),
        )


def _repeated(subject: Subject) -> Iterator[tuple[DetailsEntry, DetailsEntry]]:
    """Each entry that stands in the request before, behind its first place."""
    first: dict[str, tuple[int, int]] = {}
    for index, spelled in enumerate(subject.reading.facts(_spelled)):
        if not spelled or subject.messages[index].role is not Role.ASSISTANT:
            continue
        for number, text in spelled:
            place = (index, number)
            same = first.setdefault(text, place)
            if same is not place:
                yield entry_at(subject, *same), entry_at(subject, *place)


def _spelled(raw: Json) -> list[tuple[int, str]]:
    """The entries of a message that have an id, in one spelling."""
    return [
        (number, spell(sorted(value.items())))
        for number, value in enumerate(details_of(raw))
        if isinstance(value, dict)
        and DetailsEntry(index=0, pointer="", value=value).id is not None
    ]


def _came_twice(subject: Subject, entry: DetailsEntry) -> bool:
    received = received_entries(subject, entry.index) or []
    return received.count(entry.value) > 1


def _severity(subject: Subject, entry: DetailsEntry) -> Severity:
    if subject.is_accepted:
        return Severity.INFO
    is_openai = is_of(entry.value, OPENAI_FORMATS)
    return Severity.ERROR if is_openai else Severity.WARNING


RULE = Rule(
    code="ORT-3",
    name="duplicate-entry",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("openrouter",),
    checked_on="2026-11-21",
    source=(
        "OpenRouterTeam/ai-sdk-provider, "
        "openrouter.ai/docs/guides/best-practices/reasoning-tokens [issue report, "
        "source code]"
    ),
    check=check,
)
