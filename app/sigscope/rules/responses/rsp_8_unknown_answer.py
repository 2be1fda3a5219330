"""previous_response_id names an answer that the service does not keep.

Why it matters: 400, code previous_response_not_found: "Previous response with id
'resp_...' not found." It was made with `store: false`, has expired, or is another
account's.
Bad:  {"previous_response_id": "resp_1", "input": ["user: go on"]}
Good: {"input": ["user: hi", "assistant: hello", "user: go on"]}
False alarms: beforehand only of an answer that tells of itself that it is not stored.
Fix: the whole history in place of the id, where the recording has it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sigscope.conversation import Json
from sigscope.reader import Reading
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, drop, node, put
from sigscope.rules.responses.items import is_stored

_AT = "/previous_response_id"


def check(subject: Subject) -> Iterator[Claim]:
    """The answer's word, or that of the answer that is named."""
    name = subject.reading.conversation.continues
    if not name or subject.is_accepted:
        return
    before = answered(subject, name)
    is_known = before is not None and is_stored(subject, before.number) is False
    if "RSP-8" in subject.heard or is_known:
        why = f", the answer of step {before.number}" if before else ""
        yield Claim(
            _AT,
            f"the service does not keep {name}{why}",
            fix=_fix(subject, name),
            worst=None if "RSP-8" in subject.heard else Severity.WARNING,
        )


def answered(subject: Subject, name: str) -> Reading | None:
    """The latest step before this one that was answered with that answer."""
    steps = subject.once_in_session(_steps_by_answer).get(name, ())
    before = bisect_left(steps, subject.step)
    return subject.readings[steps[before - 1]] if before else None


def _steps_by_answer(subject: Subject) -> Mapping[str, Sequence[int]]:
    """By the id of their answer; ascending."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for step in sorted(subject.readings):
        found[subject.readings[step].reply.response_id].append(step)
    return found


def _fix(subject: Subject, name: str) -> Fix | None:
    """The items of the chain, without what only the service could read."""
    items: list[Json] = []
    while name:
        before = answered(subject, name)
        output = node(before.response_json, "/output") if before else None
        if before is None or not isinstance(output, list):
            return None
        sealed = [item for item in output if _can_be_sent(item)]
        items = [*_sent(before), *sealed, *items]
        name = before.conversation.continues
    whole = [*items, *_sent(subject.reading)]
    return (
        put("/input", whole, "put the whole history in"),
        drop(_AT, "take the id of an unknown answer away"),
    )


def _can_be_sent(item: Json) -> bool:
    is_reasoning = isinstance(item, dict) and item.get("type") == "reasoning"
    return not is_reasoning or bool(item.get("encrypted_content"))


def _sent(reading: Reading) -> list[Json]:
    return [
        {"role": "user", "content": item} if isinstance(item, str) else item
        for item in reading.entries
    ]


RULE = Rule(
    code="RSP-8",
    name="unknown-answer",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("responses",),
    checked_on="2026-11-22",
    source="platform.openai.com/docs/guides/conversation-state [docs],"
    " maximhq/bifrost#2441 [issue report]",
    check=check,
)
