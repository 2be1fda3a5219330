"""An entry of `reasoning_details` has lost the key that carries its state.

Why it matters: 400 "Invalid input: expected string, received undefined"; the path
names `reasoning_details.*.data`. A sanitizer that removes long strings, or an
accumulator that glues the strings of two entries together, makes such entries. The same
accumulators repeat a role or a format that came with each piece of a stream
(`assistantassistant`; openai-python 3.52 `completions.stream()` [observed]); that these
are refused is inferred from the closed lists in the schema.
Bad:  {"type": "reasoning.encrypted", "id": "call_1"}
Good: {"type": "reasoning.encrypted", "id": "call_1", "data": "EhkKFwHe..."}
False alarms: `reasoning.text` may lack text or signature and is left alone; a missing
`summary` is judged by analogy and warns; a type that is not known is left alone,
unless two known ones are glued in it. An accepted request earns a remark.
Fix: the whole list as received; the sequence of entries is not to be changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Json, Role
from sigscope.dialects.chat import ROLES, said_once
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, put
from sigscope.rules.openrouter.details import (
    ENCRYPTED,
    FORMATS,
    SUMMARY,
    TYPES,
    DetailsEntry,
    details_of,
    entries,
    received_entries,
)

PAYLOAD = {ENCRYPTED: "data", SUMMARY: "summary"}


def check(subject: Subject) -> Iterator[Claim]:
    """Entries without payload, entries of two types at once, words said twice."""
    yield from _repeated_roles(subject)
    for entry in _odd_entries(subject):
        problem = _problem(entry)
        if problem is not None:
            has_summary = isinstance(entry.value.get("summary"), str)
            is_sure = entry.type != SUMMARY or has_summary
            yield Claim(
                entry.pointer,
                problem,
                fix=_whole(subject, entry),
                worst=None if is_sure else Severity.WARNING,
            )


def _problem(entry: DetailsEntry) -> str | None:
    """What is wrong with an entry; None where nothing is."""
    key = PAYLOAD.get(entry.type)
    if key is not None and not isinstance(entry.value.get(key), str):
        state = "null" if key in entry.value else "missing"
        return f"{entry.type} entry of {entry.id or 'no id'}: `{key}` is {state}"
    if entry.type not in TYPES and sum(t in entry.type for t in TYPES) > 1:
        return (
            f"the type {entry.type!r} is two types glued together: entries that share"
            " an index were merged as one"
        )
    spoken, once = entry.value.get("format"), _format(entry)
    if spoken != once:
        return (
            f"the format {spoken!r} is {once!r} several times over: the pieces of a"
            " stream were added up with their format"
        )
    return None


def _odd_entries(subject: Subject) -> Iterator[DetailsEntry]:
    for index in subject.odd(_has_odd_entry):
        if subject.messages[index].role is Role.ASSISTANT:
            yield from entries(subject, index)


def _has_odd_entry(raw: Json) -> bool:
    """Whether `check` may have something to say about an entry of a message."""
    found = (value for value in details_of(raw) if isinstance(value, dict))
    return any(
        _is_odd(DetailsEntry(index=0, pointer="", value=value)) for value in found
    )


def _is_odd(entry: DetailsEntry) -> bool:
    key = PAYLOAD.get(entry.type)
    if key is not None and not isinstance(entry.value.get(key), str):
        return True
    return entry.type not in TYPES or entry.value.get("format") != _format(entry)


def _format(entry: DetailsEntry) -> Json:
    spoken = entry.value.get("format")
    return said_once(spoken, FORMATS) if isinstance(spoken, str) else spoken


def _repeated_roles(subject: Subject) -> Iterator[Claim]:
    for index in subject.odd(_repeats_role):
        message = subject.messages[index]
        role = subject.reading.entries[index]["role"]
        once = said_once(role, ROLES)
        pointer = f"{message.pointer}/role"
        yield Claim(
            pointer,
            f"the role is {once!r} {len(role) // len(once)} times over: the pieces of a"
            " stream were added up with their role; nothing in this message is read as"
            f" the {once}'s",
            fix=(put(pointer, once, f"say the role once: {once}"),),
        )


def _repeats_role(raw: Json) -> bool:
    role = raw.get("role") if isinstance(raw, dict) else None
    return isinstance(role, str) and said_once(role, ROLES) != role


def _whole(subject: Subject, entry: DetailsEntry) -> Fix | None:
    received = received_entries(subject, entry.index)
    if not received:
        return None
    at = entry.pointer.rpartition("/")[0]
    return (put(at, received, "put back the entries as received"),)


RULE = Rule(
    code="ORT-2",
    name="entry-without-payload",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("openrouter",),
    checked_on="2026-11-21",
    source=(
        "cline/cline#8214, openrouter.ai/docs/guides/best-practices/reasoning-tokens, "
        "OpenRouterTeam/ai-sdk-provider [issue report]"
    ),
    check=check,
)
