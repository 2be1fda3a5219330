"""A function call that opens a step of the current turn has no signature.

Why it matters: Gemini 3 and newer answer 400, in the wording of the documentation
"Function call `FC1` in the `1.` content block is missing a `thought_signature`."
This rule speaks where the recording does not tell whether AI Studio (GEM-1) or
Vertex (GEM-2) was asked: no host, a gateway, Code Assist.
Bad:  {"functionCall": {"name": "ls", "args": {}}}
Good: {"functionCall": {"name": "ls", "args": {}}, "thoughtSignature": "EhkKFwHe..."}
False alarms: as for GEM-1.
Fix: the signature, as it was received, on the part it came on.
"""

from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.gemini.unsigned_calls import Unsigned

RULE = Rule(
    code="GEM-3",
    name="unsigned-call",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=("gemini",),
    checked_on="2026-11-21",
    source=(
        "docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures [docs]"
    ),
    check=Unsigned(surface=None),
)
