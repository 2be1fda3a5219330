"""Refusals that no rule explains: what the service says, and what it says it about.

Asked last, and only where no other finding explains the error. Four grounds, one code
each: the request (REF-1), access (REF-2), a limit (REF-3), the service (REF-4).
"""

from sigscope.rules.refusal.ref_1_unexplained_refusal import RULE as REF_1
from sigscope.rules.refusal.ref_2_access_refused import RULE as REF_2
from sigscope.rules.refusal.ref_3_limit_reached import RULE as REF_3
from sigscope.rules.refusal.ref_4_service_failed import RULE as REF_4

RULES = (REF_1, REF_2, REF_3, REF_4)
