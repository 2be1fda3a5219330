"""Finding secrets in bodies and texts, by look and by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from sigscope.store.secrets.addresses import find_in_addresses
from sigscope.store.secrets.calls import find_in_calls
from sigscope.store.secrets.carriers import is_carried
from sigscope.store.secrets.commands import find_in_commands
from sigscope.store.secrets.contexts import CONTEXTS
from sigscope.store.secrets.documents import find_after_id, find_in_documents
from sigscope.store.secrets.groups import find_in_groups
from sigscope.store.secrets.jars import find_in_jars
from sigscope.store.secrets.languages import find_in_languages
from sigscope.store.secrets.named import find_named
from sigscope.store.secrets.parameters import find_in_form, find_in_urls
from sigscope.store.secrets.presence import Presence
from sigscope.store.secrets.printed import find_in_prints
from sigscope.store.secrets.privatekeys import find_private_keys
from sigscope.store.secrets.secret import Secret, merged
from sigscope.store.secrets.shapes import APART, SCHEMES, SecretShape
from sigscope.store.secrets.words import find_words, stands_alone

_Span = tuple[int, int]

_OF_PATTERNS = {
    **dict.fromkeys((b"type=", b"fill("), b"pass"),
    **dict.fromkeys((b'send "', b"send \\", b"send -- "), b"\\r"),
    b"net use ": b"\\\\",
    **dict.fromkeys((b"user ", b"USER ", b"setuser ", b"SETUSER "), b" on >"),
}
"""What the patterns of some beginnings have in them, and what is rarer than these."""
_SHAPES = (*APART, *CONTEXTS)
_BEGUN_BY: dict[bytes, list[tuple[int, int]]] = {}
"""Which shapes, and which beginnings of theirs, a text is a sign of."""
for _number, _shape in enumerate(_SHAPES):
    for _place, _text in enumerate(_shape.starts):
        _sign = _OF_PATTERNS.get(_text, _text)
        _BEGUN_BY.setdefault(_sign, []).append((_number, _place))
_TEXTS = tuple(_BEGUN_BY)


def find_secrets(
    data: bytes, start: int = 0, end: int | None = None, *, is_form: bool = False
) -> list[Secret]:
    """The secrets that begin in a part of a text, in order, none overlapping.

    `is_form`: the text is a form (`a=1&b=2`), in which short names count too. Costs
    about 60 ns a byte.
    """
    hi = len(data) if end is None else end
    found: list[Secret] = []
    lower = data[start:hi].lower()
    seen = Presence(data[start:hi], lower)
    begun = sorted(each for text in seen.among(_TEXTS) for each in _BEGUN_BY[text])
    for number, places in groupby(begun, key=itemgetter(0)):
        shape = _SHAPES[number]
        texts = [shape.starts[place] for _, place in places]
        _add(found, _find_shape(data, shape, texts, start, hi), shape.kind)
    for shape in SCHEMES:
        if seen.has(shape.starts[0]):
            _add(found, _find_scheme(data, shape, start, lower), shape.kind)
    _add(found, find_private_keys(data, start, hi), "private key")
    merged(found, find_words(data, start, hi))
    _add(found, find_named(data, start, lower, seen), "secret by its name")
    _add(found, find_in_addresses(data, start, hi, seen), "password in URL")
    documents = find_in_documents(data, start, hi, seen)
    merged(found, (each for each in documents if not is_carried(data, each.start)))
    _add(found, find_in_commands(data, start, hi, seen), "password of a command")
    _add(found, find_in_calls(data, start, hi), "argument of a call")
    _add(found, find_in_prints(data, start, hi, seen), "printed by a command")
    groups = find_in_groups(data, start, hi, seen)
    spans = (span for span in groups if not is_carried(data, span[0]))
    _add(found, spans, "secret by its group")
    _add(found, find_in_jars(data, start, hi), "cookie")
    _add(found, find_in_languages(data, start, hi), "secret by its name")
    ids = [each for each in found if each.kind == "AWS access key"]
    _add(found, _after_ids(data, ids), "AWS secret key")
    _add(found, find_in_urls(data, start, hi), "key in URL")
    if is_form:
        _add(found, find_in_form(data), "form field")
    return found


def _after_ids(data: bytes, ids: Iterable[Secret]) -> Iterator[_Span]:
    for each in ids:
        span = find_after_id(data, each.end)
        if span and not is_carried(data, span[0]):
            yield span


def _add(found: list[Secret], spans: Iterator[_Span], kind: str) -> None:
    merged(found, (Secret(start=start, end=end, kind=kind) for start, end in spans))


def _find_shape(
    data: bytes, shape: SecretShape, starts: Iterable[bytes], lo: int, hi: int
) -> Iterator[_Span]:
    for text in starts:
        place = data.find(text, lo, hi)
        while place >= 0:
            match = shape.pattern.match(data, place)
            if match and stands_alone(data, match, shape):
                groups = shape.pattern.groupindex
                start = match.end("keep") if "keep" in groups else match.start()
                is_ended = "end" in groups and match["end"] is not None
                yield (start, match.start("end") if is_ended else match.end())
                place = match.end()
            place = data.find(text, place + 1, hi)


def _find_scheme(
    data: bytes, shape: SecretShape, lo: int, lower: bytes
) -> Iterator[_Span]:
    place = lower.find(shape.starts[0])
    while place >= 0:
        match = shape.pattern.match(data, lo + place)
        if match and stands_alone(data, match, shape):
            yield match.end("keep"), match.end()
        place = lower.find(shape.starts[0], place + 1)
