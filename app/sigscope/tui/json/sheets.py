"""What a value looks like in an editor, and what comes back from there. Pure.

A string is offered as the text it means, one that holds JSON as that JSON, laid out;
everything else as JSON, laid out. A string that plain text cannot carry (control
characters, halves of surrogate pairs, bytes that are not UTF-8) is offered as JSON too,
so that editor and file cannot lose any of it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from sigscope.errors import EditError
from sigscope.jsontext import JsonText, Node, Style, dumps
from sigscope.jsontext.layout import is_same_but_for_space, laid_out, spaced
from sigscope.jsontext.values import decode_text
from sigscope.jsontext.writer import margin_at, style_of
from sigscope.records import dataclass
from sigscope.tui.json.embedded import held_in
from sigscope.utf8 import to_bytes

Form = Literal["text", "json", "json in a string"]

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]")
"""What editors break lines at, show as something else, or cannot keep."""
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFile:
    pointer: str
    form: Form
    data: bytes
    """The file; ends with a line feed that is not part of the value."""
    now: str
    """JSON text of the value as it would be sent."""
    recorded: str
    """JSON text of the recorded value."""
    style: Style
    """White space of the body, or of the JSON in the string."""
    margin: str = ""
    """White space before the line the value begins on."""

    @property
    def suffix(self) -> str:
        """Ending of the file's name, by which editors know what it holds."""
        return ".txt" if self.form == "text" else ".json"


def sheet_of(document: JsonText, node: Node, now: str) -> ValueFile:
    """The sheet for a value of the recorded body; `now` is what an edit made of it,
    or how it is spelled."""
    raw = to_bytes(now)
    style = style_of(document)
    form: Form = "json"
    is_container = raw.startswith((b"{", b"["))
    data = laid_out(raw) if is_container else raw + b"\n"
    if is_container and len(raw) > 2 and b"\n" not in raw:
        style = replace(style, indent=None)
    text = _plain(raw)
    if text is not None:
        held = held_in(text)
        if held is not None and held.kind == "json" and not held.coding:
            form, style = "json in a string", style_of(JsonText(held.data))
            is_laid_out = b"\n" in held.data
            data = held.data + b"\n" if is_laid_out else laid_out(held.data)
        else:
            form, data = "text", text.encode() + b"\n"
    return ValueFile(
        pointer=document.pointer(node),
        form=form,
        data=data,
        now=now,
        recorded=decode_text(document.text(node)),
        style=style,
        margin=decode_text(margin_at(document, node.begin)),
    )


def read_back(sheet: ValueFile, data: bytes) -> str | None:
    """JSON text of the value a file holds now; None if nothing was changed.

    Where it says the same as the recorded value, the recorded spelling comes back.
    Raises EditError, with line and column, for a file that cannot be read.
    """
    data = data.removeprefix(_BOM)
    if data == sheet.data or (data == sheet.data[:-1] and data[-1:] != b"\n"):
        return None
    if sheet.form == "text":
        found = dumps(_text_of(data))
    else:
        _check(data)
        if sheet.form == "json in a string":
            found = dumps(decode_text(_inner(sheet, data)))
        else:
            found = decode_text(spaced(data, sheet.style, sheet.margin))
    for known in (sheet.now, sheet.recorded):
        if _is_same(found, known, sheet.form):
            return None if known is sheet.now else known
    return found


def _is_same(one: str, other: str, form: Form) -> bool:
    raw, known = to_bytes(one), to_bytes(other)
    if form == "json":
        return is_same_but_for_space(raw, known)
    if known[:1] != b'"':
        return False
    one_text, other_text = JsonText(raw).parsed, JsonText(known).parsed
    if form == "text":
        return bool(one_text == other_text)
    return is_same_but_for_space(to_bytes(one_text), to_bytes(other_text))


def _plain(raw: bytes) -> str | None:
    """The text of a sound string that any editor can keep."""
    document = JsonText(raw)
    if raw[:1] != b'"' or document.is_broken:
        return None
    text = document.parsed
    return text if isinstance(text, str) and not _UNSAFE.search(text) else None


def _text_of(data: bytes) -> str:
    """Without the line feed at the end, which is the file's."""
    try:
        text = data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise EditError(f"line {line}, column {column}: not UTF-8") from None
    return text.removesuffix("\n")


def _inner(sheet: ValueFile, data: bytes) -> bytes:
    """The JSON for the inside of a string, spaced as what stood there."""
    if b"\n" in sheet.data[:-1] and sheet.style.indent is None:
        return spaced(data, sheet.style)
    return data.replace(b"\r\n", b"\n").removesuffix(b"\n")


def _check(data: bytes) -> None:
    """Refuse what is not JSON."""
    document = JsonText(data)
    if not document.is_broken:
        return
    if not data.strip():
        raise EditError("line 1, column 1: the file is empty; JSON needs a value")
    syntax = [found for found in document.check() if found.flaw == "syntax"]
    raise EditError(str((syntax or document.check() or ("not JSON",))[0]))
