"""An item's id is longer than this service takes.

Why it matters: 400 "Invalid 'input[2].id': string too long. Expected a string with
maximum length 64". Copilot's ids have some 400 characters: a conversation that began
there cannot go on elsewhere with them.
Bad:  [{"type": "function_call", "id": "8fQk2JzmVt8fQk2JzmVt8fQk2JzmVt8fQk2JzmVt"}]
Good: [{"type": "function_call", "call_id": "call_1"}]
False alarms: only at OpenAI, Azure and Codex.
Fix: the id is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Json
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop
from sigscope.rules.responses.items import LIMITS_IDS, LONGEST_ID, entry, text


def check(subject: Subject) -> Iterator[Claim]:
    """One claim for each."""
    if subject.reading.service not in LIMITS_IDS and "RSP-6" not in subject.heard:
        return
    for index in subject.odd(_is_too_long):
        message = subject.messages[index]
        name, at = text(entry(subject, message), "id"), f"{message.pointer}/id"
        yield Claim(
            at,
            f"the id has {len(name)} characters, and {LONGEST_ID} are taken: it is"
            " another service's",
            fix=(drop(at, "take the id of another service away"),),
        )


def _is_too_long(item: Json) -> bool:
    return isinstance(item, dict) and len(text(item, "id")) > LONGEST_ID


RULE = Rule(
    code="RSP-6",
    name="id-too-long",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("responses",),
    checked_on="2026-11-22",
    source="can1357/oh-my-pi#284 [issue report]",
    check=check,
)
