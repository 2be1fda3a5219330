"""A Gemini 3 image model's signature was not sent back.

Why it matters: Google's pages disagree. Vertex: not enforced, no 400. Others: editing
an image needs all of them, on every part.
Bad:  {"inlineData": {"mimeType": "image/png", "data": "iVBO..."}}
Good: {"inlineData": {"mimeType": "image/png"}, "thoughtSignature": "EhkKFwHe..."}
False alarms: contested, so it warns; an accepted request earns a remark. Each
signature is mentioned once, where it is first left out.
Fix: the signature, as it was received, on the part it came on.
"""

import re
from collections.abc import Iterator

from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.losses import about

_VERSION = re.compile(r"gemini-(\d+)")
WORDS = (
    "{signature} {fate}; whether an image model insists on it is contested, but edits"
    " may need it"
)


def check(subject: Subject) -> Iterator[Claim]:
    """What a request to an image model lost for the first time."""
    if _is_image_model(subject.reading.model):
        for loss in subject.losses:
            if loss.is_first:
                yield about(subject, loss, WORDS)


def _is_image_model(model: str) -> bool:
    """ "gemini-3-pro-image-preview"; the fact is about Gemini 3 and newer."""
    version = _VERSION.search(model.lower())
    return "image" in model.lower() and version is not None and int(version[1]) >= 3


RULE = Rule(
    code="GEM-15",
    name="image-signature-left-out",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.DOCUMENTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "ai.google.dev/gemini-api/docs/thought-signatures, "
        "docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures [docs, "
        "in conflict] [contested]"
    ),
    check=check,
)
