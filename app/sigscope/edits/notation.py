"""Edits as one line of text, and as JSON.

    set /messages/2/content null        drop /messages/4/reasoning_details
    insert /messages/0 {"role": ...}    type /messages/2/content list
    move FROM TO    copy FROM TO        header Name: value
    unheader Name                       url https://...

A pointer ends at white space; one that contains some is written in double quotes,
as a JSON string. What follows it is the value: JSON, spelled as it shall stand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from json.decoder import JSONDecoder

from sigscope import pointer as pointers
from sigscope.edits.asjson import from_json, to_json
from sigscope.edits.records import Edit, Op
from sigscope.edits.retype import JSON_TYPES, retyped
from sigscope.edits.words import describe, shortened, unknown_word
from sigscope.errors import EditError, PointerError
from sigscope.jsontext import JsonText, dumps
from sigscope.jsontext.writer import margin_at, style_of
from sigscope.utf8 import to_bytes

__all__ = ["describe", "from_json", "parse", "swap_type", "to_json"]

_WORD = re.compile(r"\s*(\S*)\s*")
_BARE = re.compile(r'[^\s"]\S*')


# --- From text -----------------------------------------------------------------------


def parse(text: str, raw: bytes | JsonText | None = None) -> Edit:
    """The edit a line of text means; its JSON form is taken too.

    `type` looks at the value it swaps and needs the body. Raises EditError with what
    was understood and how to write it.
    """
    if text.lstrip().startswith("{"):
        return _parse_json(text)
    match = _WORD.match(text)
    word = match[1] if match else ""
    rest = text[match.end() :].rstrip() if match else ""
    reader = _READERS.get(word.lower())
    if word.lower() == "type":
        return _read_type(rest, raw)
    if reader is None:
        raise EditError(unknown_word(word))
    return reader(rest)


def _read_drop(rest: str) -> Edit:
    pointer, rest = _take_pointer("drop", rest)
    _end("drop POINTER", rest)
    return Edit(op=Op.DROP, pointer=pointer)


def _read_set(rest: str) -> Edit:
    pointer, rest = _take_pointer("set", rest)
    return Edit(op=Op.SET, pointer=pointer, value=_take_value("set", pointer, rest))


def _read_insert(rest: str) -> Edit:
    pointer, rest = _take_pointer("insert", rest)
    value = _take_value("insert", pointer, rest)
    return Edit(op=Op.INSERT, pointer=pointer, value=value)


def _read_move(rest: str) -> Edit:
    return _read_transfer(Op.MOVE, rest)


def _read_copy(rest: str) -> Edit:
    return _read_transfer(Op.COPY, rest)


def _read_transfer(op: Op, rest: str) -> Edit:
    source, rest = _take_pointer(op.value, rest)
    if not rest:
        raise EditError(f"{op} {source}: where to? Write: {op} FROM TO")
    target, rest = _take_pointer(op.value, rest)
    _end(f"{op} FROM TO", rest)
    return Edit(op=op, source=source, pointer=target)


def _read_header(rest: str) -> Edit:
    name, colon, value = rest.partition(":")
    # An HTTP/2 name begins with the colon.
    if not name:
        name, colon, value = rest[1:].partition(":")
        name = ":" + name
    if not colon or not name.strip(": "):
        raise EditError(f"header {rest}: write it as: header Name: value")
    return Edit(op=Op.HEADER, name=name.strip(), value=value.strip())


def _read_unheader(rest: str) -> Edit:
    if not rest or any(c.isspace() for c in rest):
        raise EditError("write: unheader Name")
    return Edit(op=Op.UNHEADER, name=rest)


def _read_url(rest: str) -> Edit:
    if not rest or any(c.isspace() for c in rest):
        raise EditError("write: url https://host/path (no blanks in it)")
    return Edit(op=Op.URL, value=rest)


def _read_type(rest: str, raw: bytes | JsonText | None) -> Edit:
    pointer, rest = _take_pointer("type", rest)
    kind = rest.lower()
    if kind not in JSON_TYPES:
        raise EditError(
            f"type {pointer} {rest}: to which type? One of {', '.join(JSON_TYPES)}"
        )
    if raw is None:
        raise EditError("a type can only be swapped where the body is known")
    return swap_type(raw if isinstance(raw, JsonText) else JsonText(raw), pointer, kind)


def swap_type(document: JsonText, pointer: str, kind: str) -> Edit:
    """The edit that gives the value at `pointer` another type; see `retype`.

    `kind` is string, null, list, number, bool or object. Raises EditError.
    """
    try:
        node = document.locate(pointer)
        changed = retyped(document.value(node), kind)
    except PointerError as error:
        raise EditError(str(error)) from None
    except EditError as error:
        raise EditError(f"type {pointer} {kind}: {error}") from None
    margin = margin_at(document, node.begin).decode()
    text = dumps(changed, style_of(document), margin=margin)
    return Edit(op=Op.SET, pointer=pointer, value=text, label=f"{kind} for {pointer}")


_READERS: Mapping[str, Callable[[str], Edit]] = {
    "drop": _read_drop,
    "set": _read_set,
    "insert": _read_insert,
    "move": _read_move,
    "copy": _read_copy,
    "header": _read_header,
    "unheader": _read_unheader,
    "url": _read_url,
}


def _take_pointer(word: str, text: str) -> tuple[str, str]:
    """A pointer at the beginning of a text, and what follows it."""
    if text.startswith('"'):
        try:
            pointer, end = JSONDecoder().raw_decode(text)
        except ValueError:
            raise EditError(f"{word} {text}: the quoted pointer never ends") from None
    else:
        match = _BARE.match(text)
        if match is None:
            raise EditError(f"{word} needs a pointer, such as /messages/2/content")
        pointer, end = match[0], match.end()
    try:
        pointers.parse(pointer)
    except PointerError as error:
        raise EditError(f"{word}: {error}") from None
    return pointer, text[end:].lstrip()


def _end(form: str, rest: str) -> None:
    if rest:
        raise EditError(
            f"{rest!r} is too much; write: {form} (a pointer with blanks in it goes "
            "into double quotes)"
        )


def _take_value(word: str, pointer: str, text: str) -> str:
    if not text:
        raise EditError(f"{word} {pointer}: to what? Write: {word} {pointer} null")
    document = JsonText(to_bytes(text))
    if not document.is_broken:
        return text
    where = next((p for p in document.check() if p.flaw == "syntax"), None)
    reason = f" ({where.message}, column {where.column})" if where else ""
    quoted = shortened(json.dumps(_unquoted(text), ensure_ascii=False))
    raise EditError(
        f"{word} {pointer}: the value {shortened(text)} is not JSON{reason}. Was a "
        f"string meant? Then write {word} {pointer} {quoted}, in a shell with single "
        "quotes around the whole edit"
    )


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1]
    return text


def _parse_json(text: str) -> Edit:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise EditError(f"an edit that begins with {{ is JSON; this: {error}") from None
    return from_json(data)
