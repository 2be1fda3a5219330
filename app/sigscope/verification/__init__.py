"""Was it fixed? The same conversation recorded again after the client was changed.

In: two recordings, each with its steps, ledger and findings. Out: which findings are
gone, left or new, which signature now travels, and a verdict. `correspondence` finds
the steps of one again in the other, by what they say (never by ids); `outcome` says
what became of each finding and signature; `records` what such an answer is;
`verify` there puts it together.

Nothing is called gone that was not put to the test: the new recording has to reach the
step, and the service has to have taken it.
"""

from sigscope.verification.correspondence import Correspondence, Meeting, correspond
from sigscope.verification.outcome import JudgedRecording, verify
from sigscope.verification.records import (
    FindingState,
    FixVerdict,
    ReviewedFinding,
    ReviewedSignature,
    TravelState,
    Verification,
)

__all__ = [
    "Correspondence",
    "FindingState",
    "FixVerdict",
    "JudgedRecording",
    "Meeting",
    "ReviewedFinding",
    "ReviewedSignature",
    "TravelState",
    "Verification",
    "correspond",
    "verify",
]
