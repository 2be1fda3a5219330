"""A signature that stands where its service does not read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sigscope.conversation import Sighting
from sigscope.opaque import fingerprint, sha256
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Severity, Subject
from sigscope.rules.edits import Fix, drop, with_bearers
from sigscope.rules.fixes import send_back
from sigscope.rules.losses import loss_at
from sigscope.rules.outcome import all_the_same
from sigscope.rules.places import misplaced
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
    return (
        drop(
            with_bearers(subject.reading.request_json, pointer), f"take it away: {why}"
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Misplaced:
    """Signatures in messages at places that are not read; each goes home, or away."""

    words: str
    """What follows "signature 9f3a21 stands in tool_calls/0/id, "."""
    why: str
    """Why it goes: "Copilot knows no such field"."""
    give: Return = send_back
    worst: Callable[[str], Severity | None] = lambda _: None
    """As in `Claim`, given the place below its message."""

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each."""
        for sighting in misplaced(subject):
            yield self.claim(subject, sighting)

    def claim(self, subject: Subject, sighting: Sighting) -> Claim:
        """What is said of one."""
        message = subject.messages[sighting.anchor.message]
        inside = sighting.pointer.removeprefix(f"{message.pointer}/")
        name = fingerprint(sighting.value)
        return Claim(
            sighting.pointer,
            f"signature {name} stands in {inside}, {self.words}{all_the_same(subject)}",
            fix=maybe_home(subject, sighting, self.give)
            or away(subject, sighting.pointer, self.why),
            signature=sha256(sighting.value),
            worst=self.worst(inside),
        )
