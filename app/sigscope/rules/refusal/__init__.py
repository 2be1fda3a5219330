"""Refusals that no rule explains: what the service says, and what it says it about.

Asked last, and only where no other finding explains the error. Four grounds, one code
each: the request (REF-1), access (REF-2), a limit (REF-3), the service (REF-4).
"""

from sigscope.rules.base import Rule
from sigscope.rules.refusal import (
    ref_1_unexplained_refusal,
    ref_2_access_refused,
    ref_3_limit_reached,
    ref_4_service_failed,
)

RULES: tuple[Rule, ...] = (
    ref_1_unexplained_refusal.RULE,
    ref_2_access_refused.RULE,
    ref_3_limit_reached.RULE,
    ref_4_service_failed.RULE,
)
