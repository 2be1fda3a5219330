"""One signature stands on several function calls.

Why it matters: not documented. Several ports copy a step's signature onto all of its
calls; some report success, others "Corrupted thought signature".
Bad:  {"parts": ["FC1 signed S", "FC2 signed S"]}
Good: {"parts": ["FC1 signed S", "FC2"]}
False alarms: bypasses do not count, nor a signature that the response itself repeats.
Contested, so it warns; an accepted request earns a remark.
Fix: the copies go; the signature stays on the call it came on, else on the first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sigscope import opaque
from sigscope.conversation import PartKind, Sighting, SignatureKind
from sigscope.ledger.links import plain
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop, joined
from sigscope.rules.gemini.unsigned_calls import placed_at
from sigscope.rules.places import part_of


def check(subject: Subject) -> Iterator[Claim]:
    """Copies on other calls than the one a signature came on."""
    read = [sighting for sighting in subject.sent if sighting.is_read]
    known = subject.once_in_session(_keys)
    keys = [known[sighting.value] for sighting in read]
    if len(set(keys)) == len(keys):
        return
    on_calls: defaultdict[bytes, list[Sighting]] = defaultdict(list)
    for key, sighting in zip(keys, read, strict=True):
        if _is_on_call(subject, sighting):
            on_calls[key].append(sighting)
    for key, sightings in on_calls.items():
        if len({s.anchor.part for s in sightings}) > 1:
            yield from _copies(subject, key, sightings)


def _keys(_: Subject) -> opaque.Keys:
    return opaque.Keys()


def _is_on_call(subject: Subject, sighting: Sighting) -> bool:
    if sighting.kind is SignatureKind.BYPASS or sighting.anchor.message < 0:
        return False
    part = part_of(subject, sighting)
    return part is not None and part.kind is PartKind.CALL


def _copies(
    subject: Subject, key: bytes, sightings: Sequence[Sighting]
) -> Iterator[Claim]:
    homes: set[str] = set()
    issuers: set[int | None] = set()
    known = subject.once_in_session(_keys)
    for signature, _ in subject.ledger.stretches_in(subject.step):
        if known[signature.value] == key and not signature.is_unruled:
            homes.update(map(plain, signature.call_ids))
            issuers.add(signature.step)
        # Several issuers only where a recorder hid signatures behind one word.
        if len(homes) > 1 or len(issuers) > 1:
            return
    ours = [s for s in sightings if plain(s.anchor.call_id or "") in homes]
    home = (ours or sightings)[0]
    copies = [s for s in sightings if s.anchor.part != home.anchor.part]
    where = placed_at(subject, copies[0].anchor.message)
    name = opaque.fingerprint(home.value)
    yield Claim(
        copies[0].pointer,
        f"{where}: signature {name} of {home.anchor.part} stands on"
        f" {len(copies)} other call{'s' if len(copies) > 1 else ''} too",
        fix=joined(
            drop(s.pointer, f"take {name} away: only one call carries it")
            for s in copies
        ),
        signature=opaque.sha256(home.value),
    )


RULE = Rule(
    code="GEM-12",
    name="copied-signature",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.REPORTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source="google/adk-js#268, google/adk-go#764 [issue report, contested]",
    check=check,
)
