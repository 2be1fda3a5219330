"""Signatures that are sent, but not as they were received, or not where: what GEM-4
and GEM-5 say in the words of their surfaces."""

from __future__ import annotations

from collections.abc import Iterator, Set

from sigscope import opaque
from sigscope.conversation import Sighting, SignatureKind
from sigscope.ledger import Fate
from sigscope.rules.base import Claim, Severity, Subject
from sigscope.rules.fixes import maybe_home
from sigscope.rules.gemini.unsigned_calls import placed_at
from sigscope.rules.losses import about
from sigscope.rules.outcome import all_the_same
from sigscope.rules.places import is_enforced, read_on_parts, signing
from sigscope.rules.subject import Loss
from sigscope.rules.words import HAPPENED, told


def report(subject: Subject) -> Iterator[Claim]:
    """Damaged signatures that still are base64, so that only decoding them fails, and
    parts that carry another's signature."""
    told_of: set[str] = set()
    near = subject.once(_messages_near_signatures)
    for loss in subject.losses:
        if loss.fate in (Fate.ALTERED, Fate.CUT):
            for sighting in subject.placed(loss.signature):
                if opaque.decode(sighting.value) is not None:
                    yield _damaged(subject, loss, sighting)
                    break
        elif loss.fate in (Fate.DROPPED, Fate.MOVED) and (
            loss.instead or loss.index in near
        ):
            other = _mistaken_for(subject, loss)
            if other is not None:
                told_of.add(other.pointer)
                yield _mistaken(subject, loss, other)
    for loss in subject.losses:
        stray = _strayed_to(subject, loss) if loss.fate is Fate.MOVED else None
        if stray is not None and stray.pointer not in told_of:
            yield _strayed(subject, loss, stray)


def _damaged(subject: Subject, loss: Loss, sighting: Sighting) -> Claim:
    fate = loss.signature.fate_in(subject.step)
    how = f" ({fate.note.partition(';')[0]})" if fate and fate.note else ""
    said = (
        f"{told(loss.signature)} {HAPPENED[loss.fate]} on the way{how}; the"
        f" {len(sighting.value)} characters sent are base64, but not what was issued"
    )
    is_sure = loss.is_current and is_enforced(subject, loss.index)
    # Whether those of closed turns and older models are verified is not known.
    return _claim(subject, loss, sighting, said, None if is_sure else Severity.WARNING)


def _messages_near_signatures(subject: Subject) -> Set[int]:
    """Messages that hold a signature on a part, and others of the same reply: what is
    lost from any other has nobody's in its home."""
    found = {index for index, _ in subject.once(read_on_parts)}
    for link in subject.ledger.links.get(subject.step, ()):
        if len(link.messages) > 1 and not found.isdisjoint(link.messages):
            found.update(link.messages)
    return found


def _mistaken_for(subject: Subject, loss: Loss) -> Sighting | None:
    """The other signature that stands in a lost one's home; None if none does."""
    if loss.instead:
        return next((s for s in subject.sent if s.pointer == loss.instead), None)
    home = maybe_home(subject, loss.signature, loss.index)
    if home is None:
        return None
    part = home.pointer.rpartition("/")[0]
    others = [
        sighting
        for sighting in subject.sent
        if sighting.anchor.part == part and sighting.is_read
    ]
    if not others or others[0].kind is SignatureKind.BYPASS:
        return None
    return others[0]


def _mistaken(subject: Subject, loss: Loss, other: Sighting) -> Claim:
    said = (
        f"signature {opaque.fingerprint(other.value)} stands where"
        f" {told(loss.signature)} belongs; a signature counts on its own part only"
    )
    return _claim(subject, loss, other, said, Severity.WARNING)


def _strayed_to(subject: Subject, loss: Loss) -> Sighting | None:
    """The part of another that a signature stands on; None if on none, or if it left
    a first call of the current turn unsigned (GEM-1, GEM-11)."""
    if loss.is_current and is_enforced(subject, loss.index):
        calls = subject.messages[loss.index].calls
        if calls and not signing(subject, loss.index, calls[0]):
            return None
    places = subject.placed(loss.signature)
    return next((s for s in places if s.is_read and s.anchor.part), None)


def _strayed(subject: Subject, loss: Loss, stray: Sighting) -> Claim:
    said = (
        f"{told(loss.signature)} stands on {stray.anchor.part}, which is not the part"
        " it came on; a signature counts on its own part only"
    )
    return _claim(subject, loss, stray, said, Severity.WARNING)


def _claim(
    subject: Subject, loss: Loss, at: Sighting, said: str, worst: Severity | None
) -> Claim:
    said = f"{placed_at(subject, loss.index)}: {said}{all_the_same(subject)}"
    return about(subject, loss, lambda *_: said, at=at.pointer, worst=worst)
