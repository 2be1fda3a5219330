"""A signature that the service asked did not issue, by the record or by its looks."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Sighting
from sigscope.ledger import Fate, Signature
from sigscope.rules.base import Subject


def strangers(subject: Subject, *fates: Fate) -> Iterator[tuple[Signature, Sighting]]:
    """What the service reads of signatures that met one of these fates; by default
    those that another service issued, or that came from before the recording."""
    for signature, _ in subject.met(*(fates or (Fate.EARLIER, Fate.FOREIGN))):
        for sighting in subject.placed(signature):
            if sighting.is_read:
                yield signature, sighting
