"""The upstream looks up an entry by its id, and does not hold it.

Why it matters: 404 "Item with id 'rs_...' not found. Items are not persisted when
`store` is set to false." inside `metadata.raw`. Nothing is wrong with an id as such:
it comes with every entry of an OpenAI model and is accepted as a rule. So this speaks
only where the answer says it; some clients remove ids beforehand.
Bad:  {"type": "reasoning.encrypted", "id": "rs_1", "data": "gAAAAABp..."}
Good: {"type": "reasoning.encrypted", "data": "gAAAAABp..."}
False alarms: none, it needs the answer's word.
Fix: the ids of the OpenAI entries go, as in the client that had the error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop
from sigscope.rules.kinds.told import named
from sigscope.rules.openrouter.details import OPENAI_FORMATS, all_entries, is_of

_WORDS = re.compile(
    r"Item with id '(?P<name>[^']*)' not found\. Items are not persisted", re.IGNORECASE
)


def check(subject: Subject) -> Iterator[Claim]:
    """Entries with the id that the upstream did not find."""
    wanted = named(subject, _WORDS)
    for entry in all_entries(subject) if wanted else ():
        if entry.id in wanted and is_of(entry.value, OPENAI_FORMATS):
            yield Claim(
                f"{entry.pointer}/id",
                f"the upstream looks up {entry.id} in its store and does not find it",
                fix=(
                    drop(
                        f"{entry.pointer}/id",
                        "take the id away: without it nothing is looked up",
                    ),
                ),
            )


RULE = Rule(
    code="ORT-4",
    name="stored-item-id",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.OBSERVED,
    dialects=("openrouter",),
    checked_on="2026-11-21",
    source=(
        "RooCodeInc/Roo-Code (src/api/providers/openrouter.ts), vercel/ai#12689 "
        "[source code]; docs/wire/openrouter.md#ort-4, docs/wire/responses.md#rsp-4"
    ),
    check=check,
)
