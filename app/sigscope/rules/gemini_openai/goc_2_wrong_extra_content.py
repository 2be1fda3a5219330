"""A signature in `extra_content` was altered, replaced, or issued by another service.

Why it matters: 400 in Gemini's words: "Corrupted thought signature.", "Invalid thought
signature.", "Thought signature is not valid", or a failed base64 decoding.
Bad:  {"extra_content": {"google": {"thought_signature": "RWhrS0Z3..."}}}
Good: {"extra_content": {"google": {"thought_signature": "EhkKFwHe..."}}}
False alarms: bytes are compared, so alphabet and padding are no alteration. That the
endpoint verifies as Gemini itself does is inferred, so it warns until a refusal says
so; an accepted request earns a remark, or a warning for a bypass: it passes, and the
reasoning behind the genuine one is lost.
Fix: the signature as it was received; of one of another service none is known.
"""

from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.kinds.not_issued import NotIssued

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
    check=NotIssued(title="Gemini", families=frozenset({"google"})),
)
