"""Which rule speaks in which words.

Texts and rule ids are those of docs/wire; each API's stand in its own file of
`dialects`. They are searched in every layer of an error, whatever the case, whatever
the HTTP status: gateways change it. White space, quotes, backticks and escapes do not
count (`squeezed`): terminals, chats and gateways change those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sigscope.records import dataclass
from sigscope.refusals.dialects import WORDINGS, wording_of
from sigscope.refusals.layers import Layer
from sigscope.refusals.own import own_patterns
from sigscope.refusals.pattern import OPEN, Pattern, squeeze
from sigscope.refusals.squeezed import Squeezed

PATTERNS: tuple[Pattern, ...] = (
    *(pattern for wording in WORDINGS for pattern in wording.patterns),
    *(pattern for wording in WORDINGS for pattern in wording.last_patterns),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternHit:
    """A pattern's words found in an error."""

    pattern: Pattern
    groups: tuple[dict[str, str], ...]
    """What was read from each occurrence, distinct, in order."""
    param: str = ""
    """The field that the layer itself names."""
    text: str = ""
    """The layer's whole message."""


_SENTENCE_BEFORE = re.compile(
    r"(?:\A|[\n:.!({\[\]>\"'`“‘*—-]|\bbecause)\s*\Z", re.IGNORECASE
)
_SENTENCE_AFTER = re.compile(r"\s*\Z|[ \t]*[^\w \t,]|\s*\\")


def find_rules(layers: Sequence[Layer], dialect: str = "") -> tuple[PatternHit, ...]:
    """Every rule whose words some layer uses, in the order of the table.

    A rule with several patterns is found once, by the one that says most. `dialect`:
    the name of the one spoken.
    """
    texts = [Squeezed(layer.text) for layer in layers]
    own = wording_of(dialect).prefix or "?"
    found: dict[str, PatternHit] = {}
    for pattern in (*PATTERNS, *own_patterns()):
        if pattern.rule in found or any(rule in found for rule in pattern.unless):
            continue
        if dialect and pattern.is_own and not pattern.rule.startswith(own):
            continue
        hit = _search(pattern, layers, texts)
        if hit:
            found[pattern.rule] = hit
    return tuple(found.values())


def _search(
    pattern: Pattern, layers: Sequence[Layer], texts: Sequence[Squeezed]
) -> PatternHit | None:
    """The innermost layer that speaks so: it is nearest to whoever said it."""
    for layer, text in zip(reversed(layers), reversed(texts), strict=True):
        if pattern.needs not in layer.param:
            continue
        groups = tuple(_occurrences(pattern, layer, text))
        if groups:
            return PatternHit(
                pattern=pattern, groups=groups, param=layer.param, text=layer.text
            )
    return None


def _occurrences(
    pattern: Pattern, layer: Layer, text: Squeezed
) -> Iterator[dict[str, str]]:
    if pattern.in_code and pattern.core in squeeze(layer.code):
        yield {}
        return
    if pattern.core not in text.text:
        return
    seen: set[tuple[tuple[str, str], ...]] = set()
    for match in pattern.regex.finditer(text.text):
        if not _is_meant(pattern, match, text):
            continue
        groups = {
            key: text.word(
                *match.span(key), is_open=key in OPEN and match.end(key) == match.end()
            )
            for key, value in match.groupdict().items()
            if value
        }
        read = tuple(groups.items())
        if read not in seen:
            seen.add(read)
            yield groups


def _is_meant(pattern: Pattern, match: re.Match[str], text: Squeezed) -> bool:
    """Whether the words, as they were written, are those of the service."""
    start, end = match.span()
    if not text.is_apart(start, end):
        return False
    if pattern.written or pattern.is_short:
        written = text.written(start, end)
        if pattern.written:
            plain = re.sub(r"[\s\\]+", "", written) if pattern.in_code else written
            return pattern.written.search(plain) is not None
        first, last = text.origin(start), text.origin(end - 1)
        before = text.whole[max(0, first - 80) : first]
        return bool(
            (written[:1].isupper() or _SENTENCE_BEFORE.search(before))
            and _SENTENCE_AFTER.match(text.whole[last + 1 : last + 80])
        )
    return True
