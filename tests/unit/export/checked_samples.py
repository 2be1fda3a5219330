"""Checked files for tests of reports."""

from __future__ import annotations

from sigscope.export.checked import CheckedFile
from sigscope.rules.findings import Confidence, Finding, Severity

LOST = Finding(
    rule="CPC-1",
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    step=2,
    pointer="/messages/1",
    message="reasoning_opaque was dropped\n::error::100%",
)
FADED = Finding(
    rule="CPC-2",
    severity=Severity.WARNING,
    confidence=Confidence.REPORTED,
    step=1,
    pointer="",
    message="odd: a, b \x00 \x1b[31m",
)
KNOWN = Finding(
    rule="GEM-1",
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    step=3,
    pointer="/contents/0",
    message="known",
)
PRINTS = {"CPC-1": "aa", "CPC-2": "bb", "GEM-1": "cc"}
CHECKED = CheckedFile(
    name="recorded/a b.session.jsonl",
    steps={1: "POST /one", 2: "POST /two", 3: "POST /three", 4: "GET /four"},
    against=(LOST,),
    others=(FADED,),
    left_out=(KNOWN,),
    fingerprint=lambda finding: PRINTS[finding.rule],
    not_judged={4: "nobody knows what it speaks"},
    doubts=("no request came",),
)
