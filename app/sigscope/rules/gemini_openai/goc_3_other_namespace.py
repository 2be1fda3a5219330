"""A signature that came under `vertex` is sent under `google`, or the other way round.

Why it matters: what the service makes of it is not known. Clients that work keep the
word they got; where the other is not read, the call counts as unsigned (GOC-1).
Bad:  {"extra_content": {"google": {"thought_signature": "AY89a18I..."}}}
Good: {"extra_content": {"vertex": {"thought_signature": "AY89a18I..."}}}
False alarms: it warns at most; of an accepted request it is a remark. A signature that
stands under both words is right.
Fix: the object under the word it came with.
"""

from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.kinds.renamed import Renamed

RULE = Rule(
    code="GOC-3",
    name="other-namespace",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.REPORTED,
    dialects=("gemini-openai",),
    checked_on="2026-11-22",
    source="earendil-works/pi#7745 [issue report]; docs/wire/gemini-openai.md#goc-3",
    check=Renamed(),
)
