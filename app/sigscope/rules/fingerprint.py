"""By what a finding is known again, in another recording of the same conversation.

The rule, the place without its numbers, and what stands there without what is made anew
each time: ids, signatures, times. So a finding stays the same when a client is recorded
again, when a message is put before it, and when a later request repeats it.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from sigscope.errors import PointerError
from sigscope.pointer import resolve
from sigscope.reader import Reading
from sigscope.rules.findings import Finding

_NUMBER = re.compile(r"/\d+(?=/|$)")
_MADE_ANEW = re.compile(
    r"(?:^|_)(?:id|ids|created|created_at|time|timestamp|cache_key|nonce|seed)$"
    r"|signature|opaque|encrypted|Id$|^usage$|^data$"
)
"""Keys of what no two recordings share."""
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
    body = reading.request_json
    while pointer:
        try:
            found = resolve(body, pointer)
        except PointerError:
            found = None
        if isinstance(found, dict | list):
            return json.dumps(_lasting(found), sort_keys=True, ensure_ascii=False)
        pointer = _LEAF.sub("", pointer)
    return ""


def _lasting(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _lasting(each)
            for key, each in value.items()
            if not _MADE_ANEW.search(key)
        }
    if isinstance(value, list):
        return [_lasting(each) for each in value]
    return value
