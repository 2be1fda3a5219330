"""A signature in `extra_content` was altered, replaced, or issued by another service.

Why it matters: 400 in Gemini's words: "Corrupted thought signature.", "Invalid thought
signature.", "Thought signature is not valid", or a failed base64 decoding.
Bad:  {"extra_content": {"google": {"thought_signature": "RWhrS0Z3..."}}}
Good: {"extra_content": {"google": {"thought_signature": "EhkKFwHe..."}}}
False alarms: bytes are compared, so alphabet and padding are no alteration. That the
endpoint verifies as Gemini itself does is inferred, so it warns until a refusal says
so; an accepted request earns a remark, or a warning for a stand-in: it passes, and the
reasoning behind the genuine one is lost.
Fix: the signature as it was received; of one of another service none is known.
"""

from collections.abc import Iterator

from sigscope.opaque import decode
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.kinds.altered import Altered
from sigscope.rules.kinds.foreign import Foreign
from sigscope.rules.kinds.stand_in import Replaced, is_current, is_misspelt
from sigscope.rules.losses import about

DAMAGED = Altered(
    words="{signature} {fate} on the way: {sent} characters are sent, {received} were"
    " received{all_the_same}",
    exchanged="another signature stands where {signature} belongs{all_the_same}",
)
FOREIGN = Foreign(title="Gemini", families=frozenset({"google"}))
STAND_INS = Replaced(grave=lambda *of: is_current(*of) or is_misspelt(*of))


def check(subject: Subject) -> Iterator[Claim]:
    """Damaged and exchanged signatures, stand-ins, then those of others."""
    found = [*DAMAGED(subject), *STAND_INS(subject)]
    yield from found
    for loss in subject.losses:
        for sighting in subject.sighted.get(loss.index, ()):
            is_told = any(claim.pointer == sighting.pointer for claim in found)
            if sighting.is_read and not is_told and decode(sighting.value) is None:
                said = "what stands where {signature} belongs is no base64"
                yield about(subject, loss, said, at=sighting.pointer)
    if not subject.is_accepted:
        yield from FOREIGN(subject)


RULE = Rule(
    code="GOC-2",
    name="wrong-extra-content",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=("gemini-openai",),
    checked_on="2026-11-22",
    source=(
        "ai.google.dev/gemini-api/docs/thought-signatures [docs], the shared backend "
        "[inferred]; docs/wire/gemini-openai.md#goc-2"
    ),
    check=check,
)
