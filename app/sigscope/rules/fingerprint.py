"""By what a finding is known again, in another recording of the same conversation.

The rule, the place without its numbers, and what stands there but for texts, ids and
signatures. So a finding stays the same when a client is recorded again, when a message
is put before it, and when a later request repeats it; the name of another tool, a field
more or less, makes it another.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from sigscope.comparison.halves import half_of
from sigscope.comparison.masks import EVERYTHING, DifferenceMasker
from sigscope.reader import Reading
from sigscope.rules.findings import Finding

_NUMBER = re.compile(r"/\d+(?=/|$)")
_COUNTERS = frozenset({"index", "output_index", "content_index", "summary_index"})
_REPEATED = re.compile(r"(.{4,}?)\1+")
"""Clients that join the pieces of a stream join `reasoning.text` too."""
_SHORT = 300
_LEAF = re.compile(r"/[^/]*$")


def fingerprint_of(finding: Finding, reading: Reading) -> str:
    """32 hex digits; the same for the same fault. `reading`: its step."""
    place = _NUMBER.sub("/*", finding.pointer)
    side = "response" if finding.in_response else "request"
    dialect = reading.dialect.name if reading.dialect else ""
    content = "" if finding.in_response else _content(finding.pointer, reading)
    parts = (finding.rule, dialect, side, place, content)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def _content(pointer: str, reading: Reading) -> str:
    """What stands at the place; where a leaf is meant, or missing, what holds it. Of
    the whole body, nothing: it is another in each request."""
    half = half_of(reading)
    while pointer:
        node = half.text.maybe_locate(pointer)
        if node is not None and node.is_container:
            return _gist(str(DifferenceMasker(half, EVERYTHING).shape(node)))
        pointer = _LEAF.sub("", pointer)
    return ""


def _gist(shape: str) -> str:
    """A shape in which what is repeated stands once: into how many pieces a thought
    comes is the model's doing."""
    try:
        return json.dumps(_once(json.loads(shape)), sort_keys=True)
    except (ValueError, RecursionError):
        return shape


def _once(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _once(each) for key, each in value.items() if key not in _COUNTERS}
    if isinstance(value, list):
        kept = [_once(each) for each in value]
        return [each for at, each in enumerate(kept) if at == 0 or each != kept[at - 1]]
    if isinstance(value, str) and len(value) <= _SHORT:
        return _REPEATED.sub(r"\1", value)
    return value
