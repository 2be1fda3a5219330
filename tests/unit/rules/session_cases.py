"""Cases for the rules about sessions, SES-1 and on."""

from __future__ import annotations

from tests.unit.rules import litellm_cases
from tests.unit.rules.cases import WARNING, Bad, Good

BAD: tuple[Bad, ...] = (
    Bad(
        id="a stand-in on every call",
        rule="SES-1",
        exchanges=litellm_cases.fading(),
        step=4,
        pointer="/choices/0/message/content",
        severity=WARNING,
        says=("from turn 2 (step 4) on", "60% of what step 2 said", "0% in step 8"),
        has_fix=False,
        in_response=True,
    ),
)

GOOD: tuple[Good, ...] = ()
