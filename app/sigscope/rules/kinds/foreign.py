"""A signature that the service asked did not issue, by the record or by its looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sigscope.conversation import Sighting
from sigscope.fingerprints import guess_origin
from sigscope.ledger import Fate, Signature
from sigscope.opaque import sha256
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Subject
from sigscope.rules.edits import Fix
from sigscope.rules.words import told


def strangers(subject: Subject, *fates: Fate) -> Iterator[tuple[Signature, Sighting]]:
    """What the service reads of signatures that met one of these fates; by default
    those that another service issued, or that came from before the recording."""
    for signature, stretch in subject.met(*(fates or (Fate.EARLIER, Fate.FOREIGN))):
        if signature.received and stretch.fate.fate is Fate.EARLIER:
            continue  # stands where a masked one belongs: it may be that
        for sighting in stretch.sightings:
            if sighting.is_read:
                yield signature, sighting


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """Signatures of other services, as the record or their first bytes tell."""

    title: str
    """Whose they should be: "Copilot"."""
    families: frozenset[str] = frozenset()
    """Of `fingerprints.guess_origin`: whose first bytes its own signatures have. What
    looks like none is not judged."""
    fix: Callable[[Subject, Sighting], Fix | None] = lambda *_: None

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each place."""
        for signature, sighting in strangers(subject):
            problem = self.problem(subject, signature, sighting)
            if problem is not None:
                yield Claim(
                    sighting.pointer,
                    problem,
                    fix=self.fix(subject, sighting),
                    signature=sha256(sighting.value),
                )

    def problem(
        self, subject: Subject, signature: Signature, sighting: Sighting
    ) -> str | None:
        """Why it is another's; None where it may be its own."""
        if signature.received:
            issuer = subject.readings[signature.received[0].step]
            who = issuer.dialect.title if issuer.dialect else issuer.probe.host
            return f"{told(signature)} was issued by {who}, not by {self.title}"
        origin = guess_origin(sighting.value)
        if origin.family in ("unknown", *self.families):
            return None
        return (
            f"by its first bytes the value is {origin.detail}'s, not {self.title}'s own"
        )
