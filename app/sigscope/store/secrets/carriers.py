"""Whether a value is of a member that carries signatures: no mask may hit it."""

from __future__ import annotations

import re

_BLANKS = rb"(?:\s|\\+[nrt])*"
"""Also of JSON that is printed over lines and stands in a string."""
_CARRIER = re.compile(
    rb"(?:thought_?signatures?|signature|data|reasoning_opaque|encrypted_content|"
    rb'redacted_?content|cot_id)\\*["\']\s*:'
    + _BLANKS
    + rb"(?:\["
    + _BLANKS
    + rb'(?:\\*["\'](?:[\w+=-]|\\*/)*\\*["\']\s*,'
    + _BLANKS
    + rb')*)?\\*["\']\Z',
    re.IGNORECASE,
)
_IN_LIST = re.compile(rb"[\[,]" + _BLANKS + rb"""\\*["']\Z""")
LOOK_BACK = 16 * 1024
"""Bytes before a secret that decide whether it is one ..."""
_NEAR = 1024
"""... where it is the value of a member, and not in a list."""


def is_carried(data: bytes, start: int) -> bool:
    """Whether a value beginning here is that of a member that carries signatures."""
    if data[start - 1 : start] not in (b'"', b"'"):
        return False
    near = data[max(0, start - _NEAR) : start]
    if _CARRIER.search(near):
        return True
    if _IN_LIST.search(near) is None:
        return False
    before = data[max(0, start - LOOK_BACK) : start]
    return _CARRIER.search(before) is not None
