"""Readable reasoning, alone or beside an envelope, is not what the response brought.

Why it matters: the text comes in several chunks, each with its own new lines at the
end: they are joined with no separator, as VS Code does. What the service makes of
another text beside its envelope nobody has told; where the text is all there is, it is
taken for what the model thought.
Bad:  {"reasoning_text": "Looking.  I will read it.", "reasoning_opaque": "XLn4..."}
Good: {"reasoning_text": "Looking. I will read it.", "reasoning_opaque": "XLn4..."}
False alarms: a text that was left out beside an envelope is no change, nor an empty one
where the response thought nothing. White space at either end is not mentioned where the
request was accepted. A change is told once where it was accepted, with the first
request that has it.
Fix: the text of all chunks, joined.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Part, PartKind, SignatureKind
from sigscope.dialects.base import Dialect
from sigscope.dialects.copilot_chat import CopilotChat
from sigscope.dialects.registry import DIALECTS
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import node, put
from sigscope.rules.kinds.kept import ReturnedMessage, kept, returned
from sigscope.rules.words import told


def check(subject: Subject) -> Iterator[Claim]:
    """Messages whose reasoning reads otherwise than it came."""
    for back in returned(subject):
        parts = [p for p in back.message.parts if p.kind is PartKind.THOUGHT]
        came = back.reply.thoughts
        if came and not parts and back.message.calls:
            yield from _emptied(subject, back)
        if len(parts) != 1 or not came or parts[0].text in ("", came):
            continue
        if back.is_told(parts[0].pointer):
            continue
        text = parts[0].text
        if is_state(subject.reading.dialect):
            if back.reply.calls:
                yield _finding(subject, back, parts[0])
            continue
        if subject.is_accepted and text.strip() == came.strip():
            continue
        for signature in kept(subject, back):
            places = {s.anchor.message for s in subject.placed(signature)}
            if back.index in places:
                yield _finding(subject, back, parts[0], told(signature))
                break


def is_state(dialect: Dialect | None) -> bool:
    """Whether the text itself is what a service wants back."""
    kinds = {c.kind for c in dialect.carriers if c.is_read} if dialect else ()
    return SignatureKind.TEXT in kinds


def _emptied(subject: Subject, back: ReturnedMessage) -> Iterator[Claim]:
    """An empty text in place of one that is all there is: it passes."""
    dialect = subject.reading.dialect
    if dialect is None or not is_state(dialect) or back.is_told(back.message.pointer):
        return
    place = f"{back.message.pointer}/{dialect.thought_key}"
    if node(subject.reading.request_json, place) == "":
        came = back.reply.thoughts
        yield Claim(
            place,
            f"{dialect.thought_key} is empty, and step {back.step} brought"
            f" {len(came):,} characters of it: the history says that nothing was"
            " thought",
            fix=(put(place, came, "set the text of all chunks, joined"),)
            if back.is_whole
            else None,
        )


def _finding(
    subject: Subject, back: ReturnedMessage, part: Part, beside: str = ""
) -> Claim:
    came, text = back.reply.thoughts, part.text
    said = part.pointer.rpartition("/")[2] + (f" beside {beside}" if beside else "")
    if "".join(text.split()) == "".join(came.split()):
        said += (
            f" has the words of step {back.step} with other white space: its chunks are"
            " to be joined with no separator, and nothing taken off"
        )
    else:
        said += (
            f" has {len(text):,} characters that are not the {len(came):,} of step"
            f" {back.step}"
        )
    return Claim(
        part.pointer,
        said,
        fix=(put(part.pointer, came, "set the text of all chunks, joined"),)
        if back.is_whole
        else None,
    )


RULE = Rule(
    code="SES-4",
    name="reasoning-text-changed",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=(CopilotChat.name, *(d.name for d in DIALECTS if is_state(d))),
    checked_on="2026-11-22",
    source=(
        "microsoft/vscode-copilot-chat, olimorris/codecompanion.nvim#2419 [client's "
        "notes, real traffic; effect unknown]; docs/wire/copilot-chat.md#carriers, "
        "docs/wire/copilot-chat.md#policy, docs/wire/README.md#outcomes"
    ),
    check=check,
)
