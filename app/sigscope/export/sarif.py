"""Findings as SARIF 2.1.0, which code scanning and editors read.

A result's partial fingerprint is the finding's own (`rules.fingerprint`): rule, place
and content, no step, line or time. What was left out is there too, as suppressed.

Source: OASIS, Static Analysis Results Interchange Format Version 2.1.0 (sections 3.27
result, 3.35 suppression); GitHub's docs, SARIF support for code scanning, which asks
for a region in every physical location.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sigscope.export.checked import CheckedFile, fix_words, place_words
from sigscope.rules.findings import Finding, Severity
from sigscope.rules.registry import rule_named

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json"
)
LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
}
KEY = "sigscopeFinding/v1"
"""Of partial fingerprints; another one when they are made otherwise."""


def sarif_log(files: Sequence[CheckedFile], *, version: str) -> bytes:
    """One run over all files. `version`: sigscope's."""
    findings = [f for file in files for f in (*file.shown, *file.left_out)]
    codes = sorted({finding.rule for finding in findings})
    driver = {
        "name": "sigscope",
        "version": version,
        "semanticVersion": version,
        "rules": [_rule(code) for code in codes],
    }
    results = [row for file in files for row in _results(file, codes)]
    notes = [
        _note(file, text)
        for file in files
        for text in (*file.not_judged.values(), *file.doubts, *file.remarks)
    ]
    invocation: dict[str, Any] = {"executionSuccessful": True}
    if notes:
        invocation["toolExecutionNotifications"] = notes
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    text = json.dumps(log, ensure_ascii=False, indent=2)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _rule(code: str) -> dict[str, Any]:
    card = rule_named(code)
    if card is None:
        return {"id": code}
    return {
        "id": code,
        "name": card.name,
        "shortDescription": {"text": card.name.replace("-", " ")},
        "help": {"text": card.manual or card.name},
        "defaultConfiguration": {"level": LEVELS[card.severity]},
        "properties": {
            "confidence": str(card.confidence),
            "dialects": list(card.dialects),
            "source": card.reference,
        },
    }


def _results(file: CheckedFile, codes: Sequence[str]) -> Iterator[dict[str, Any]]:
    for finding in file.shown:
        yield _result(finding, file, codes)
    for finding in file.left_out:
        yield _result(finding, file, codes) | {"suppressions": [{"kind": "external"}]}


def _result(
    finding: Finding, file: CheckedFile, codes: Sequence[str]
) -> dict[str, Any]:
    text = "\n".join(
        [finding.message, *(f"Fix: {words}" for words in fix_words(finding))]
    )
    return {
        "ruleId": finding.rule,
        "ruleIndex": codes.index(finding.rule),
        "level": LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [
            {
                "physicalLocation": _file(file),
                "logicalLocations": [
                    {"fullyQualifiedName": place_words(finding), "kind": "member"}
                ],
            }
        ],
        "partialFingerprints": {KEY: file.fingerprint(finding)},
        "properties": {"basis": finding.basis, "step": finding.step},
    }


def _note(file: CheckedFile, text: str) -> dict[str, Any]:
    return {
        "level": "warning",
        "message": {"text": text},
        "locations": [{"physicalLocation": _file(file)}],
    }


def _file(file: CheckedFile) -> dict[str, Any]:
    path = Path(file.name)
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    return {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}}
