"""A function call that opens a step of the current turn has no signature (AI Studio).

Why it matters: Gemini 3 and newer answer 400 INVALID_ARGUMENT, "Function call is
missing a thought_signature in functionCall parts. ... function call
`default_api:NAME`, position N". N counts `contents` from 1. One offender is named
per answer, so others may follow once it is mended.
Bad:  {"functionCall": {"name": "ls", "args": {}}}
Good: {"functionCall": {"name": "ls", "args": {}}, "thoughtSignature": "EhkKFwHe..."}
False alarms: parallel siblings of a signed call, earlier turns, Gemini 2.5 and older,
image models and calls with a documented bypass are left alone. Calls of a step that
a client spread over several contents belong to GEM-7 and GEM-8. An accepted request
earns a warning if the signature is known, else a remark.
Fix: the signature, as it was received, on the part it came on.
"""

from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.gemini.unsigned_calls import Unsigned

RULE = Rule(
    code="GEM-1",
    name="unsigned-call-on-ai-studio",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "ai.google.dev/gemini-api/docs/thought-signatures, "
        "google-gemini/gemini-cli#26682 [docs, issue report]"
    ),
    check=Unsigned(surface="ai-studio"),
)
