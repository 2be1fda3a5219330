"""A thought's or an answer's text was changed while its signature was kept.

Why it matters: "Invalid thought signature." is reported for Gemini 3.7 flash when a
client shortened a thought to "..."; no other model is known to check it, and of answers
under a signature nothing is reported.
Bad:  {"text": "...", "thought": true, "thoughtSignature": "EhkKFwHe..."}
Good: {"text": "I will look first.", "thought": true, "thoughtSignature": "EhkKFwHe..."}
False alarms: pieces of a streamed text that a client joined or divided otherwise are
no change, nor is white space at its ends. One report only, so it warns; an accepted
request earns a remark, for an answer only the first that has it.
Fix: the text as it was received.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Json, PartKind
from sigscope.ledger import Fate
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import put
from sigscope.rules.gemini.unsigned_calls import placed_at
from sigscope.rules.kinds.kept import Changed, changed_thoughts, kept, returned
from sigscope.rules.places import part_of, signed_parts
from sigscope.rules.words import told


def check(subject: Subject) -> Iterator[Claim]:
    """Signed texts that read otherwise than they were received."""
    yield from _answers(subject)
    if subject.odd(_has_thought):
        for each in changed_thoughts(subject, Fate.EXACT):
            # All of them in one: clients join the pieces of a stream.
            if each.part.text != each.whole:
                yield _claim(subject, each, "thought")


def _answers(subject: Subject) -> Iterator[Claim]:
    for back in returned(subject):
        if _is_same(back.message.text, back.reply.text):
            continue
        for signature in kept(subject, back):
            signed = signed_parts(signature, subject.readings[back.step])
            texts = [part for part in signed if part.kind is PartKind.TEXT]
            for sighting in subject.placed(signature) if texts else ():
                if sighting.anchor.message != back.index:
                    continue
                part = part_of(subject, sighting)
                if part is None or part.kind is not PartKind.TEXT:
                    continue
                if back.is_told(part.pointer):
                    continue
                if part.text and not _is_same(part.text, texts[0].text):
                    each = Changed(
                        signature=signature,
                        index=back.index,
                        part=part,
                        received=texts[0],
                    )
                    yield _claim(subject, each, "text")


def _is_same(text: str, other: str) -> bool:
    return text.strip() == other.strip()


def _has_thought(raw: Json) -> bool:
    """Whether a content has a part that is a thought."""
    parts = raw.get("parts") if isinstance(raw, dict) else None
    return any(
        isinstance(part, dict) and part.get("thought") is True
        for part in (parts if isinstance(parts, list) else ())
    )


def _claim(subject: Subject, each: Changed, what: str) -> Claim:
    pointer = f"{each.part.pointer}/text"
    return Claim(
        pointer,
        f"{placed_at(subject, each.index)}: the {what} signed with"
        f" {told(each.signature)} has {len(each.part.text)} characters where"
        f" {len(each.received.text)} were received; the signature was kept",
        fix=(put(pointer, each.received.text, "put back the text as received"),),
        signature=each.signature.sha256,
    )


RULE = Rule(
    code="GEM-16",
    name="signed-thought-altered",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.REPORTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source="lbjlaq/Antigravity-Manager#3337 [issue report] [contested]",
    check=check,
)
