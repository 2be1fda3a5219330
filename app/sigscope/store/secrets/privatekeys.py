r"""Private keys as text: PEM (RFC 7468), and as programs print its lines.

    -----BEGIN PRIVATE KEY-----\nMIIE...\n-----END    line ends are escaped or not
         1→-----BEGIN ...    +-----BEGIN ...    "-----BEGIN ...\n" +
    {"line":1,"text":"-----BEGIN ..."}                      what stands before each line

What parts one line from the next is the same after each, but for numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_Span = tuple[int, int]

_MARK = b"-----BEGIN "
_BEGIN = re.compile(
    rb"-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|SEED|OpenVPN Static key V\d)"
    rb"(?: BLOCK)?-----"
    # The fields of RFC 1421, of PGP's version and comments.
    rb"(?:(?:\s|\\+[rn])*+[A-Z][A-Za-z0-9-]{1,30}: [^\r\n\\]{1,120}){0,8}"
)
_TO_ITS_END = re.compile(rb"""(?:[^-"\\]|\\++"?|"(?!\s{0,40}:)){24,}+(?=-----END)""")
"""Up to the end in the same member of JSON, if perhaps in another string of a list.
No byte can be matched in two ways: the cost is the length."""
_WORD_OF_KEY = re.compile(rb"[A-Za-z0-9+/=]{16}")
"""What stands in each; a program may have two strings, to put a key between."""
_CUT = re.compile(
    rb"(?:[A-Za-z0-9+/=\s]|\\++[rn]){64,}(?![\w+/=-])"
    rb"|(?:\s|\\++[rn]){0,8}[A-Za-z0-9+/]{24,}={0,2}"
)
_FIRST_LINE = re.compile(
    rb"(?P<between>[^\x00]{0,160}?(?:\\[nrt]|\\u[0-9a-f]{4}|[^A-Za-z0-9+/=\\]))"
    rb"(?P<line>[A-Za-z0-9+/]{40,}={0,2})",
    re.DOTALL,
)
_BLANK = re.compile(rb"(?:\s|\\++[nrt])*")
_NUMBERS = re.compile(rb"(\d+)|(\s+)")


def find_private_keys(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    """The keys whose first line begins in a part of a text; one whose lines have other
    text between them, line by line."""
    place = data.find(_MARK, lo, hi)
    while place >= 0:
        begin = _BEGIN.match(data, place)
        if begin:
            yield from _of(data, begin.end())
        place = data.find(_MARK, place + len(_MARK), hi)


def _of(data: bytes, start: int) -> Iterator[_Span]:
    whole = _TO_ITS_END.match(data, start)
    if whole:
        if _WORD_OF_KEY.search(data, *whole.span()):
            yield whole.span()
        return
    first = _FIRST_LINE.match(data, start)
    if first and not _BLANK.fullmatch(first["between"]):
        yield from _lines(data, first)
        return
    cut = _CUT.match(data, start)
    if cut:
        yield cut.span()


def _lines(data: bytes, first: re.Match[bytes]) -> Iterator[_Span]:
    """Those that have the same between them; none, if that is one line alone."""
    further = re.compile(
        _pattern_of(first["between"]) + rb"(?P<line>[A-Za-z0-9+/]{2,}={0,2})"
    )
    line = further.match(data, first.end())
    if line:
        yield first.span("line")
    while line:
        yield line.span("line")
        line = further.match(data, line.end())


def _pattern_of(between: bytes) -> bytes:
    """Of what parts two lines, with other numbers in another width."""
    out, place = b"", 0
    for part in _NUMBERS.finditer(between):
        out += re.escape(between[place : part.start()])
        out += rb"\d{1,9}" if part[1] else rb"\s{1,40}+"
        place = part.end()
    return out + re.escape(between[place:])
