"""What changed between two requests, as lines of a diff: only the changed spans.

@@ /messages/2 @@
-  "content": []
+  "content": null
+  "reasoning_opaque": "lQx0b3A+c2VjcmV0L2ZpcnN0K2Vu… (1,464 characters)"
"""

from __future__ import annotations

from collections import Counter

from sigscope import pointer as pointers
from sigscope.edits.diff import diff
from sigscope.edits.records import Edit, Op
from sigscope.exchange import Headers, Request
from sigscope.export.figures import json_lines
from sigscope.jsontext import JsonText

_FOLLOWS = frozenset({"content-length", "content-encoding"})
"""Headers that change with the body and mean nothing else."""


def request_difference(
    old: Request, new: Request, old_body: bytes, new_body: bytes
) -> list[str]:
    """URL, headers and body; nothing where they are the same. Bodies come decoded."""
    lines: list[str] = []
    if old.url != new.url:
        lines += ["@@ URL @@", f"-{old.url}", f"+{new.url}"]
    lines += _headers(old.headers, new.headers)
    lines += body_difference(old_body, new_body)
    return lines


def body_difference(old: bytes, new: bytes) -> list[str]:
    """Changed members and elements, under the pointer of what they are in."""
    if old == new:
        return []
    before = JsonText(old)
    changes: dict[str, list[str]] = {}
    for edit in diff(before, new):
        above = pointers.parent(edit.pointer) if edit.pointer else ""
        changes.setdefault(above, []).extend(_change(edit, before))
    lines = [
        line
        for above, changed in changes.items()
        for line in (f"@@ {above or 'the whole body'} @@", *changed)
    ]
    return lines or ["@@ the whole body @@", " only spelled differently"]


def _change(edit: Edit, before: JsonText) -> list[str]:
    name = _name(edit, before)
    lines: list[str] = []
    node = before.maybe_locate(edit.pointer) if edit.op is not Op.INSERT else None
    if node is not None:
        text = before.text(node).decode("utf-8", "backslashreplace")
        lines += _marked("-", name, text)
    if edit.value is not None and edit.op is not Op.DROP:
        lines += _marked("+", name, edit.value)
    return lines


def _name(edit: Edit, before: JsonText) -> str:
    """What stands before the value: a key, or the place in an array."""
    if not edit.pointer:
        return ""
    last = pointers.parse(edit.pointer)[-1]
    above = before.maybe_locate(pointers.parent(edit.pointer))
    if above is not None and above.kind == "array":
        if edit.op is Op.INSERT:
            return "(at the end) " if last == "-" else f"(before [{last}]) "
        return f"[{last}] "
    return f'"{last}": '


def _marked(mark: str, name: str, text: str) -> list[str]:
    first, *rest = json_lines(text)
    return [f"{mark}  {name}{first}", *(f"{mark}  {line}" for line in rest)]


def _headers(old: Headers, new: Headers) -> list[str]:
    before, after = (
        Counter((n.lower(), v) for n, v in headers if n.lower() not in _FOLLOWS)
        for headers in (old, new)
    )
    gone = [f"-{name}: {value}" for name, value in (before - after).elements()]
    come = [f"+{name}: {value}" for name, value in (after - before).elements()]
    return ["@@ headers @@", *gone, *come] if gone or come else []
