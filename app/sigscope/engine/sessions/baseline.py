"""Findings that are known, so that they do not stop a build.

    {"format":1,"tool":"sigscope 0.1.0","findings":[
      {"fingerprint":"9f3a...","rule":"CPC-1","severity":"error",
       "place":"step 2, request /messages/1","message":"..."}]}

Fingerprint and severity are compared: what was a remark on a request that the service
took is not known when it refuses one. The rest is for who reads the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from sigscope.engine.export.newfile import write_new
from sigscope.errors import InputError
from sigscope.export.checked import CheckedFile, place_words
from sigscope.rules.findings import Finding, Severity

FORMAT = 1
_GRAVEST_FIRST = tuple(Severity)
Known = Mapping[str, Severity]
"""Fingerprints of findings, and how bad they were."""


def is_known(finding: Finding, fingerprint: str, known: Known) -> bool:
    """Whether a finding was there before, and as bad."""
    before = known.get(fingerprint)
    return before is not None and _gravity(before) <= _gravity(finding.severity)


def read_baseline(path: Path) -> Known:
    """What is in it. Raises InputError for what is no baseline: nothing is left out by
    a file that was not understood."""
    try:
        data: Any = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        words = "there is no such file; --write-baseline FILE makes one"
        raise InputError(words, path=str(path)) from error
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"cannot be read: {reason}", path=str(path)) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no JSON: {error}", path=str(path)) from error
    rows = data.get("findings") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        raise InputError(
            "is no baseline; --write-baseline FILE makes one", path=str(path)
        )
    if data.get("format") != FORMAT:
        raise InputError(
            f"is of format {data.get('format')!r}, not {FORMAT}: write it anew with"
            " --write-baseline",
            path=str(path),
        )
    found = [row.get("fingerprint") if isinstance(row, dict) else None for row in rows]
    if not all(isinstance(each, str) for each in found):
        raise InputError(
            "has a finding without a fingerprint: what `check --json` prints is no"
            " baseline; --write-baseline FILE makes one",
            path=str(path),
        )
    known: dict[str, Severity] = {}
    for row in rows:
        # Those of before do not say.
        severity = Severity.ERROR
        with suppress(ValueError):
            severity = Severity(row.get("severity", severity))
        each = str(row["fingerprint"])
        known[each] = min(known.get(each, severity), severity, key=_gravity)
    return known


def _gravity(severity: Severity) -> int:
    return _GRAVEST_FIRST.index(severity)


def write_baseline(path: Path, files: Iterable[CheckedFile], *, tool: str) -> int:
    """Write one with all findings, replacing what was there; how many faults it has.
    Raises InputError."""
    rows: dict[str, dict[str, str]] = {}
    found = [(f, file) for file in files for f in (*file.shown, *file.left_out)]
    for finding, file in sorted(found, key=lambda pair: _gravity(pair[0].severity)):
        fingerprint = file.fingerprint(finding)
        row = {
            "fingerprint": fingerprint,
            "rule": finding.rule,
            "severity": finding.severity.value,
            "place": place_words(finding),
            "message": finding.message,
        }
        rows.setdefault(fingerprint, row)
    ordered = sorted(rows.values(), key=lambda row: (row["rule"], row["fingerprint"]))
    data = {"format": FORMAT, "tool": tool, "findings": ordered}
    text = json.dumps(data, ensure_ascii=False, indent=1)
    lines = text.encode("utf-8", "backslashreplace") + b"\n"
    write_new(path, lines, force=True, is_open=True)
    return len(rows)
