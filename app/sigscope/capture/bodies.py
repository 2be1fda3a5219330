"""Bodies as recordings of several kinds keep them."""

from __future__ import annotations

from sigscope.capture.shape import Tree, text
from sigscope.capture.values import json_bytes, text_bytes

Found = tuple[bytes, str]
"""A body, and a remark on it; an empty remark where it is as it was on the wire."""

REBUILT = "the body is rebuilt from parsed JSON; its bytes are not in the recording"


def text_or_tree(value: Tree) -> Found:
    """A body kept as its text, or parsed where it is JSON."""
    if value is None or isinstance(value, str):
        return text_bytes(text(value)), ""
    return rebuilt(value)


def rebuilt(tree: Tree) -> Found:
    """A body that is kept parsed, whatever it is."""
    try:
        return json_bytes(tree), REBUILT
    except ValueError as error:
        return b"", f"the body cannot be rebuilt from parsed JSON: {error}"


def noted(found: Found, side: str, remarks: list[str]) -> bytes:
    """The body; what is to be said of it goes to the remarks. `side`: "request"."""
    body, remark = found
    if remark:
        remarks.append(f"{side}: {remark}")
    return body
