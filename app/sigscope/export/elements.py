"""HTML and SVG elements whose text and attributes are always escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from sigscope.export.markup import visible


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | None
"""Plain text (escaped), `Html` (taken as it is), or nothing."""

LONG = 12
"""Rows from which a table scrolls within itself in a narrow window."""
BRIEF = 12
"""Characters up to which a cell stays on one line: "step 2", "copilot-chat"."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"
_VOID = frozenset({"meta", "br", "hr", "rect", "line", "path"})


def tag(name: str, /, *children: Child | Iterable[Child], **attributes: str) -> Html:
    """One element. `class_` is `class`; other underscores become hyphens."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(visible(value))}"'
        for key, value in attributes.items()
    )
    if name in _VOID and not children:
        return Html(f"<{name}{given}/>")
    return Html(f"<{name}{given}>{joined(*children)}</{name}>")


def document(title: str, tool: str, css: str, body: Iterable[Child]) -> bytes:
    """A whole HTML file, which may load nothing: a policy forbids it to the browser."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content=tool),
        tag("title", title),
        tag("style", Html(css)),
    )
    page = tag("html", head, tag("body", body), lang="en")
    return f"<!doctype html>\n{page}\n".encode("utf-8", "backslashreplace")


def joined(*children: Child | Iterable[Child]) -> Html:
    """Several one after the other."""
    pieces: list[str] = []
    for child in children:
        if child is None:
            continue
        for each in [child] if isinstance(child, str) else child:
            if each is not None:
                pieces.append(each if isinstance(each, Html) else _escaped(each))
    return Html("".join(pieces))


def table(head: Iterable[str], rows: Iterable[Iterable[Child]]) -> Html:
    """A table; each cell has the head of its column in `data-head`, so that a narrow
    window can show a row as a card. One of many rows is `long`."""
    names = list(head)
    body = [
        tag("tr", [_cell(name, cell) for name, cell in zip(names, row, strict=True)])
        for row in rows
    ]
    return tag(
        "div",
        tag(
            "table",
            tag("thead", tag("tr", [tag("th", name) for name in names])),
            tag("tbody", body),
        ),
        class_="wide long" if len(body) > LONG else "wide",
    )


def _cell(head: str, cell: Child) -> Html:
    told = {"data_head": head} if head and cell else {}
    if cell and not isinstance(cell, Html):
        if len(cell) <= BRIEF:
            told["class_"] = "brief"
        cell = Html(_escaped(cell).replace("/", "<wbr/>/"))
    return tag("td", cell, **told)


def _escaped(text: str) -> str:
    return escape(visible(text), quote=False)
