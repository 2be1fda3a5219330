"""A call was changed, and the signature that it came with was kept.

Why it matters: a signature belongs to what it was made for. Claude's documentation asks
for unchanged blocks, and its newest families verify the conversation; what Gemini does
with other arguments under a genuine signature nobody has told. The model reads a
history in which it called something else than it thought of.
Bad:  {"functionCall": {"name": "read_file", "args": {"path": "b.md"}}}
Good: {"functionCall": {"name": "read_file", "args": {"path": "a.md"}}}
False alarms: calls are compared with those of the recorded response, by their values:
other white space, escapes or order of keys is a remark at most, and none where the
request was accepted. A change is told once where it was accepted, with the first
request that has it.
Fix: name and arguments as received.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from sigscope.conversation import Json, Part
from sigscope.dialects.registry import DIALECTS
from sigscope.ledger.links import plain
from sigscope.ledger.models import is_claude
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, node, put
from sigscope.rules.kinds.kept import ReturnedMessage, covers, kept, returned
from sigscope.rules.outcome import all_the_same
from sigscope.rules.words import called, short, told

FIELDS = (
    ("function", "arguments"),
    ("functionCall", "args"),
    ("function_call", "args"),
    ("", "arguments"),
    ("", "input"),
)
"""The object of a call that has its name, empty where it is the call itself, and what
its arguments are called there."""


def check(subject: Subject) -> Iterator[Claim]:
    """Calls that say something else than the response did."""
    for back in returned(subject):
        for call in back.message.calls:
            received = _received(back, call)
            if (
                received is None
                or _is_same(received, call)
                or back.is_told(call.pointer)
            ):
                continue
            for signature in kept(subject, back):
                if covers(subject, signature, back, received):
                    yield from _changed(
                        subject, back, call, received, told(signature), signature.sha256
                    )
                    break


def _received(back: ReturnedMessage, call: Part) -> Part | None:
    """The call of the reply that this one is: by id, else by its place."""
    calls = back.reply.calls
    if call.call_id is not None and any(each.call_id for each in calls):
        same = (c for c in calls if plain(c.call_id or "") == plain(call.call_id))
        return next(same, None)
    place = back.message.calls.index(call)
    is_alike = len(calls) == len(back.message.calls)
    return calls[place] if is_alike and calls[place].name == call.name else None


def _is_same(one: Part, other: Part) -> bool:
    return one.arguments == other.arguments and one.name == other.name


def _changed(
    subject: Subject,
    back: ReturnedMessage,
    call: Part,
    received: Part,
    name: str,
    sha: str,
) -> Iterator[Claim]:
    is_value = received.name != call.name or _values(received) != _values(call)
    place = _place(subject, call)
    if not is_value and (subject.is_accepted or place.endswith("/input")):
        return  # `input` has no spelling of its own: it comes in pieces of text
    if call.name != received.name:
        said = f"{called(call)} was called {received.name} when {name} came with it"
    elif is_value:
        said = (
            f"{called(call)} has the arguments {short(call.arguments, 60)}, and"
            f" {short(received.arguments, 60)} when {name} came with it"
        )
    else:
        said = (
            f"the arguments of {called(call)} were written anew since {name} came with"
            " them; their values are the same"
        )
    if is_value:
        said += _effect(subject)
    is_remark = subject.is_accepted or not is_value
    # An item stands alone: a reply of several is spread as it has to be.
    is_item = place == f"{call.pointer}/arguments"
    yield Claim(
        place,
        said,
        fix=(_restored(subject, back, call, received) or None)
        if back.is_whole or is_item
        else None,
        signature=sha,
        severity=Severity.INFO if is_remark else None,
    )


def _values(call: Part) -> Json:
    try:
        return json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return call.arguments


def _effect(subject: Subject) -> str:
    if subject.is_accepted:
        return all_the_same(subject)
    if is_claude(subject.reading.model):
        return "; Claude may refuse what it signed in another conversation"
    return "; what the service makes of that is not known"


def _place(subject: Subject, call: Part) -> str:
    raw = node(subject.reading.request_json, call.pointer)
    for holder, field in FIELDS:
        inner = _of(raw, holder) if isinstance(raw, dict) else None
        if isinstance(inner, dict) and field in inner:
            return f"{_at(call, holder)}/{field}"
    return call.pointer


def _restored(
    subject: Subject, back: ReturnedMessage, call: Part, received: Part
) -> Fix:
    """Puts of what differs, where both sides have the same shape."""
    ours = node(subject.reading.request_json, call.pointer)
    theirs = node(subject.readings[back.step].response_json, received.pointer)
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        return ()
    for holder, field in FIELDS:
        there, here = _of(theirs, holder), ours.get(holder) if holder else ours
        if not isinstance(there, dict) or not isinstance(here, dict):
            continue
        if not holder and field not in there:
            continue
        at = _at(call, holder)
        return tuple(
            put(f"{at}/{key}", there[key], f"put back {key} as received")
            for key in ("name", field)
            if key in there and (here.get(key) != there[key] or key not in here)
        )
    return ()


def _at(call: Part, holder: str) -> str:
    return f"{call.pointer}/{holder}" if holder else call.pointer


def _of(raw: Json, holder: str) -> Json:
    """An object by its name, in either of the two spellings that Gemini takes; itself
    where it has none."""
    if not holder:
        return raw
    twins = {"functionCall": "function_call", "function_call": "functionCall"}
    return raw.get(holder) or raw.get(twins.get(holder, holder))


RULE = Rule(
    code="SES-3",
    name="call-changed",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=tuple(dialect.name for dialect in DIALECTS),
    checked_on="2026-11-22",
    source=(
        "docs.claude.com/en/docs/build-with-claude/extended-thinking [docs for "
        "Claude; unknown for Gemini]; docs/wire/README.md#outcomes, "
        "docs/wire/anthropic.md#ant-3, docs/wire/anthropic.md#ant-6"
    ),
    check=check,
)
