"""What stands where a signature belongs is not what was issued there: damaged or
exchanged, a bypass, no base64, or another service's."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.opaque import decode
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Subject
from sigscope.rules.kinds.altered import Altered
from sigscope.rules.kinds.bypass import Replaced, is_current, is_misspelt
from sigscope.rules.kinds.foreign import Foreign
from sigscope.rules.losses import about

DAMAGED = Altered(
    words="{signature} {damaged}{all_the_same}",
    exchanged="another signature stands where {signature} belongs{all_the_same}",
)
STAND_INS = Replaced(grave=lambda *of: is_current(*of) or is_misspelt(*of))
UNREADABLE = "what stands where {signature} belongs is no base64"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotIssued:
    """Of services whose signatures are base64."""

    title: str
    """Whose they should be: "Gemini"."""
    families: frozenset[str]
    """As in `Foreign`, which an accepted request is not asked about."""

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each place."""
        found = [*DAMAGED(subject), *STAND_INS(subject)]
        yield from found
        told = {claim.pointer for claim in found}
        for loss in subject.losses:
            for sighting in subject.sighted.get(loss.index, ()):
                is_bad = sighting.is_read and decode(sighting.value) is None
                if is_bad and sighting.pointer not in told:
                    yield about(subject, loss, UNREADABLE, at=sighting.pointer)
        if not subject.is_accepted:
            yield from Foreign(title=self.title, families=self.families)(subject)
