"""A signature that stands where its service does not read it."""

from __future__ import annotations

from collections.abc import Callable

from sigscope.conversation import Sighting
from sigscope.rules.base import Subject
from sigscope.rules.edits import Fix, drop, with_bearers
from sigscope.rules.fixes import send_back
from sigscope.rules.losses import loss_at
from sigscope.rules.relocation import homecoming
from sigscope.rules.subject import Loss

Return = Callable[[Subject, Loss], Fix | None]


def maybe_home(
    subject: Subject, sighting: Sighting, give: Return = send_back
) -> Fix | None:
    """Edits that bring it home; None where its home is not certain."""
    loss = loss_at(subject, sighting.pointer)
    found = give(subject, loss) if loss else None
    return found or homecoming(subject, sighting)


def away(subject: Subject, pointer: str, why: str) -> Fix:
    """The edit that takes it away, with what was only made to hold it."""
    return (drop(with_bearers(subject.reading.request_json, pointer), why),)
