"""From the text of a JSON value to the value, strictly where possible.

Never raises on broken text: what cannot be read stays as the text it is.
"""

from __future__ import annotations

import json
import re
import sys
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from sigscope.jsontext.nodes import Kind
from sigscope.utf8 import to_text

_HEX = "[0-9a-fA-F]"
_ESCAPED = re.compile(
    rf"\\u([dD][89abAB]{_HEX}{{2}})\\u([dD][c-fC-F]{_HEX}{{2}})"
    rf"|\\u({_HEX}{{4}})|\\([\"\\/bfnrt'])"
)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

_NO_JSON_NUMBERS = {
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
"""What Python's own `json.dumps` writes although it is not JSON."""


def decode_text(data: bytes) -> str:
    """As text; bytes that are not UTF-8 become lone surrogates U+DC80 to U+DCFF."""
    return to_text(data)


def read_string(literal: bytes) -> str:
    """The string a literal spells, be its quotes missing, single or unclosed.

    Escapes that JSON does not know stand for themselves.
    """
    if literal[:1] in (b'"', b"'"):
        quote = literal[:1]
        closed = len(literal) > 1 and literal.endswith(quote)
        inner = literal[1:-1] if closed else literal[1:]
        if b"\\" not in inner:
            return decode_text(inner)
        if quote == b'"':
            try:
                return str(_LENIENT.decode(decode_text(literal)))
            except ValueError:
                pass
            # An unclosed literal may end in an escaped quote.
            inner = _without_closing_quote(literal)
    else:
        inner = literal
    return _ESCAPED.sub(_unescape, decode_text(inner))


def _without_closing_quote(literal: bytes) -> bytes:
    body = literal[1:]
    if not body.endswith(b'"'):
        return body
    before = body[:-1]
    backslashes = len(before) - len(before.rstrip(b"\\"))
    return body if backslashes % 2 else before


def _unescape(match: re.Match[str]) -> str:
    high, low, single, short = match.groups()
    if high:
        code = 0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00
        return chr(code)
    if single:
        return chr(int(single, 16))
    return _SHORT.get(short, short)


def read_int(digits: str) -> int | float:
    """An integer; beyond the interpreter's limit of digits (4300) a float."""
    try:
        return int(digits)
    except ValueError:
        return float(digits)


def refuse(constant: str) -> NoReturn:
    """For `parse_constant`: NaN and the infinities are not JSON."""
    raise ValueError(f"{constant} is not JSON")


_STRICT = json.JSONDecoder(strict=True, parse_constant=refuse)
_STRICT_BIG = json.JSONDecoder(strict=True, parse_constant=refuse, parse_int=read_int)
_LENIENT = json.JSONDecoder(strict=False, parse_int=read_int)


def read_scalar(kind: Kind, literal: bytes) -> Any:
    """The value of anything but a container. Broken text stays text."""
    if kind == "string":
        return read_string(literal)
    if kind == "number":
        text = literal.decode("ascii")
        return read_int(text) if text.lstrip("-").isdigit() else float(text)
    if kind in ("true", "false"):
        return kind == "true"
    if kind == "null" or not literal:
        return None
    text = decode_text(literal)
    return _NO_JSON_NUMBERS.get(text, text)


def fits_double(number: str) -> bool:
    """Whether a number keeps its value through a double and back.

    JavaScript and many gateways read every number as a double (IEEE 754 binary64)
    and write the shortest decimal that reads the same.
    """
    if len(number) <= 15 and "e" not in number and "E" not in number:
        return True
    try:
        return Decimal(repr(float(number))) == Decimal(number)
    except InvalidOperation:
        # An exponent beyond what even Decimal holds.
        return False


# --- Whole texts -------------------------------------------------------------------

DEEPEST = 600
"""Levels of containers that are read at once. What walks the value may recurse, and
Python's stack has room for a thousand calls."""
_READS_DEEP = sys.version_info >= (3, 12)
"""Whether `json` reads deeper than Python can call."""


def read_text(text: str) -> tuple[Any, bool]:
    """The value of a text, and whether it is JSON by RFC 8259.

    Raises ValueError for what `json` cannot read at all, RecursionError for what is
    nested too deep: some Pythons (3.12, 3.13) read ten thousand levels, which whatever
    then walks the value could not.
    """
    value, strict = _read(text)
    if not _READS_DEEP:
        return value, strict
    if text.count("[") + text.count("{") > DEEPEST and is_deeper(value, DEEPEST):
        raise RecursionError(f"nested deeper than {DEEPEST} levels")
    return value, strict


def is_deeper(value: Any, levels: int) -> bool:
    """Whether a value nests containers deeper than this; costs a pass over it."""
    row = [value]
    for _ in range(levels):
        row = [
            child
            for holder in row
            for child in (holder.values() if type(holder) is dict else holder)
            if type(child) is dict or type(child) is list
        ]
        if not row:
            return False
    return True


def _read(text: str) -> tuple[Any, bool]:
    try:
        return _STRICT.decode(text), True
    except json.JSONDecodeError:
        pass
    except ValueError:
        # A constant, or an integer of more digits than `int` takes.
        try:
            return _STRICT_BIG.decode(text), True
        except ValueError:
            pass
    return _LENIENT.decode(text), False


def is_plain(text: str) -> bool:
    """Whether a text is JSON that means the same to every reader: sound, no key
    twice, no number that needs more than a double."""
    try:
        _PLAIN.decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def _look_at_pairs(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key twice")


def _look_at_number(literal: str) -> None:
    if not fits_double(literal):
        raise ValueError("more than a double")


_PLAIN = json.JSONDecoder(
    object_pairs_hook=_look_at_pairs,
    parse_int=_look_at_number,
    parse_float=_look_at_number,
    parse_constant=refuse,
)
