"""JSON text laid out for eyes: white space between its parts, nothing else changed."""

from __future__ import annotations

import re

_PARTS = re.compile(
    rb'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[\[\]{},:]|[^\s"\[\]{},:]+', re.DOTALL
)


def laid_out(raw: bytes, indent: int = 2) -> bytes:
    """The text with each member on a line of its own; strings, numbers, the order and
    repeated keys stay as they are. For sound JSON in UTF-8; other text comes out with
    its white space changed and no more."""
    parts = _PARTS.findall(raw)
    out = bytearray()
    depth = 0
    for place, part in enumerate(parts):
        following = parts[place + 1] if place + 1 < len(parts) else b""
        before = parts[place - 1] if place else b""
        if part in (b"}", b"]"):
            depth = max(0, depth - 1)
            if before not in (b"{", b"["):
                out += b"\n" + b" " * (indent * depth)
        out += part
        if part in (b"{", b"["):
            depth += 1
            if following not in (b"}", b"]"):
                out += b"\n" + b" " * (indent * depth)
        elif part == b",":
            out += b"\n" + b" " * (indent * depth)
        elif part == b":":
            out += b" "
    return bytes(out) + b"\n"
