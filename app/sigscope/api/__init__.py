"""What programs of others may call: docs/python-api.md, and its promise.

    session     `open`, and what an open session tells: steps, ledger, findings, replay
    records     the values that it tells with; plain data, no engine in them
    question    one request, one answer: what exported pytest files stand on

Everything else in the package may change with any version.
"""

from sigscope.api.question import (
    Anchor,
    Answer,
    Service,
    ask,
    edited,
    is_live,
    request,
)
from sigscope.api.records import Fate, Finding, Place, Run, Signature, Step
from sigscope.api.session import OpenSession, open

__all__ = [
    "Anchor",
    "Answer",
    "Fate",
    "Finding",
    "OpenSession",
    "Place",
    "Run",
    "Service",
    "Signature",
    "Step",
    "ask",
    "edited",
    "is_live",
    "open",
    "request",
]
