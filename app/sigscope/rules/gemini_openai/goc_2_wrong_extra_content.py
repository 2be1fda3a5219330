"""A signature in `extra_content` was altered, or another service issued it.

Why it matters: 400 in Gemini's words: "Corrupted thought signature.", "Invalid thought
signature.", "Thought signature is not valid", or a failed base64 decoding.
Bad:  {"extra_content": {"google": {"thought_signature": "RWhrS0Z3..."}}}
Good: {"extra_content": {"google": {"thought_signature": "EhkKFwHe..."}}}
False alarms: bytes are compared, so alphabet and padding are no alteration. That the
endpoint verifies as Gemini itself does is inferred, so it warns until a refusal says
so; an accepted request earns a remark.
Fix: the signature as it was received; of one of another service none is known.
"""

from collections.abc import Iterator

from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.kinds.altered import Altered
from sigscope.rules.kinds.foreign import Foreign

DAMAGED = Altered(
    words="{signature} {fate} on the way: {sent} characters are sent, {received} were"
    " received{all_the_same}",
    exchanged="another signature stands where {signature} belongs{all_the_same}",
)
FOREIGN = Foreign(title="Gemini", families=frozenset({"google"}))


def check(subject: Subject) -> Iterator[Claim]:
    """Damaged and exchanged signatures, then those of others."""
    yield from DAMAGED(subject)
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
