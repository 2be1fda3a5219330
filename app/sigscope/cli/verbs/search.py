r"""Search all request and response bodies of a session.

  sigscope search FILE 'call_7f3'            where it stood first, and what repeats it
  sigscope search FILE 're:"cached_tokens": [1-9]'
  sigscope search FILE thoughtSignature --json

A text is found however JSON spells it, also in strings inside strings; upper case
counts where there is some in it. A streamed answer is searched event by event and as
it reads put together. Bodies without their content codings are searched, not headers.

Exit code 1 if nothing is found.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.cli.options import add_file, add_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sigscope.engine.sessions.document import Document
    from sigscope.search.bodies import BodyHit, BodySearch
    from sigscope.search.text import Query

HELP = "search all bodies of a session; hits by step, what repeats told once"
BESIDE = 80
"""Characters after a match that are printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, TEXT, --json."""
    add_file(parser)
    parser.add_argument("text", metavar="TEXT", help="a text, or re:PATTERN")
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print hits; 1 if there are none."""
    from sigscope.cli.documents import open_document
    from sigscope.search.bodies import BodySearch

    query = _query(args.text)
    document = open_document(args, console)
    search = BodySearch(document.readings, query)
    for _ in search.look():
        pass
    _hide_keys(search.hits, document)
    console.verdict = 0 if search.hits else 1
    if args.json:
        console.json(_as_json(search))
    else:
        _print(search, console)
    return console.verdict


def _hide_keys(hits: Iterable[BodyHit], document: Document) -> None:
    """Stars for the keys of a recording of another tool, in what is printed around a
    match. The length stays."""
    from sigscope.cli.keymask import KeyMask
    from sigscope.store.secrets.learner import said_in

    mask = KeyMask(document)
    if not mask.is_foreign:
        return
    said: dict[tuple[int, bool], tuple[str, ...]] = {}
    for hit in hits:
        body = hit.step, hit.where == "request"
        if body not in said:
            said[body] = tuple(said_in(_body(document, *body)))
        hit.excerpt = mask.excerpt(hit.excerpt, said[body])
        hit.pointer = mask.excerpt(hit.pointer, said[body])


def _body(document: Document, step: int, is_request: bool) -> bytes:
    reading = document.reading(step)
    return (reading.request_body if is_request else reading.response_body).data


def _query(text: str) -> Query:
    """Raises UsageError."""
    from sigscope.errors import UsageError
    from sigscope.search.text import REGEX_MARK, BadPattern, make_query

    if not text.removeprefix(REGEX_MARK):
        raise UsageError("there is nothing to search for: TEXT is empty")
    try:
        return make_query(text)
    except BadPattern as error:
        raise UsageError(str(error)) from None


def _print(search: BodySearch, console: Console) -> None:
    from sigscope.search.bodies import told_by_step

    heads, step = told_by_step(search.hits), 0
    for hit in search.hits:
        if hit.step != step:
            step = hit.step
            console.data(console.style(f"step {step}: {heads[step]}", "bold"))
        again = f", repeated in {hit.repeated}" if hit.repeated else ""
        console.data(f"  {printable(hit.place)}{console.style(again, 'dim')}")
        console.data(f"    {printable(_line(hit))}")
    if not search.hits:
        console.data("not found in any body")
    for told in search.remarks:
        console.talk(told)


def _line(hit: BodyHit) -> str:
    """What stands around the match, as much as a terminal has room for."""
    end = hit.match[1] + BESIDE
    return hit.excerpt[:end] + "…" if len(hit.excerpt) > end + 1 else hit.excerpt


def _as_json(search: BodySearch) -> dict[str, Any]:
    steps: dict[int, dict[str, int]] = {}
    for hit in search.hits:
        here = steps.setdefault(hit.step, {"request": 0, "response": 0, "event": 0})
        here[hit.where] += 1
    return {
        "format": 1,
        "query": search.query.text,
        "is_cut": search.is_cut,
        "steps": [{"step": step, **counts} for step, counts in steps.items()],
        "hits": [_row(hit) for hit in search.hits],
        "unassembled": search.unassembled,
    }


def _row(hit: BodyHit) -> dict[str, Any]:
    row = asdict(hit)
    del row["at"]
    row["repeats"] = [list(stretch) for stretch in hit.repeats]
    return row
