"""Edits of header lines and URL; the length and coding of a changed body."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sigscope.edits.records import Edit, Op
from sigscope.edits.words import describe
from sigscope.errors import EditError
from sigscope.exchange import Headers

_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
"""field-name of RFC 9110 section 5.1."""

_BAD_VALUE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]")
_BAD_URL = re.compile(r"[\x00-\x20\x7f]")


def edited_headers(headers: Headers, edits: Iterable[Edit]) -> Headers:
    """The header lines with the edits; the order and the case of names stay.

    A header that is set keeps its first place and loses its repetitions. Raises
    EditError for what cannot be a header, and for removing one that is not there.
    """
    done: set[tuple[Op, str]] = set()
    for edit in edits:
        change = edit.op, (edit.name or "").lower()
        if edit.op not in (Op.HEADER, Op.UNHEADER) or change in done:
            continue
        done.add(change)
        headers = (_set if edit.op is Op.HEADER else _removed)(headers, edit)
    return headers


def edited_url(url: str, edits: Iterable[Edit]) -> str:
    """The URL, or the one an edit names."""
    for edit in edits:
        if edit.op is Op.URL:
            if not edit.value or _BAD_URL.search(edit.value):
                raise EditError(
                    f"cannot send to the URL {edit.value or ''!r}: a URL is not empty "
                    "and holds no blanks"
                )
            url = edit.value
    return url


def disagreements(edits: Iterable[Edit]) -> Iterator[tuple[Edit, Edit]]:
    """Pairs of edits that want different things of one header, or of the URL."""
    seen: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.op in (Op.HEADER, Op.UNHEADER):
            name = (edit.name or "").lower()
        elif edit.op is Op.URL:
            name = " url"
        else:
            continue
        for earlier in seen.setdefault(name, []):
            if (earlier.op, earlier.value) != (edit.op, edit.value):
                yield earlier, edit
        seen[name].append(edit)


def _set(headers: Headers, edit: Edit) -> Headers:
    name, value = edit.name or "", edit.value or ""
    if not _NAME.fullmatch(name):
        raise EditError(
            f"{name!r} cannot be a header name: letters, digits and !#$%&'*+-.^_`|~"
        )
    if _BAD_VALUE.search(value):
        raise EditError(
            f"the value of header {name} holds a line break, a control character or "
            "one beyond latin-1"
        )
    wanted = name.lower()
    lines: list[tuple[str, str]] = []
    placed = False
    for line in headers:
        if line[0].lower() != wanted:
            lines.append(line)
        elif not placed:
            lines.append((line[0], value))
            placed = True
    return tuple(lines) if placed else (*lines, (name, value))


def _removed(headers: Headers, edit: Edit) -> Headers:
    wanted = (edit.name or "").lower()
    lines = tuple(line for line in headers if line[0].lower() != wanted)
    if len(lines) == len(headers):
        names = ", ".join(dict.fromkeys(name for name, _ in headers)) or "none"
        raise EditError(f"cannot {describe(edit)}: the request has {names}")
    return lines


def for_changed_body(headers: Headers, size: int, *, decoded: bool) -> Headers:
    """The header lines for another body: its length where one is told, and no
    content coding any more if the body was decoded."""
    return tuple(
        (name, str(size) if name.lower() == "content-length" else value)
        for name, value in headers
        if not (decoded and name.lower() == "content-encoding")
    )
