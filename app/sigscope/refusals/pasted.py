"""An error as people paste it: a text, and no recording.

Several readings of the text are tried: as it stands, and with percent signs decoded.
`patterns` searches each without white space and quotes, so that wraps, boxes and
escapes need nothing here. What was left out of a text (an ellipsis in its middle, a cut
end) leaves pieces of sentences; a piece that only one rule's sentence holds names that
rule, and is marked as such.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from urllib.parse import unquote_plus

from sigscope.records import dataclass
from sigscope.refusals.dialects import WORDINGS
from sigscope.refusals.grounds import ground_of
from sigscope.refusals.kinship import KIN
from sigscope.refusals.layers import Layer
from sigscope.refusals.own import own_patterns
from sigscope.refusals.pattern import squeeze
from sigscope.refusals.patterns import PATTERNS, PatternHit, find_rules
from sigscope.refusals.positions import Position, positions
from sigscope.refusals.squeezed import Squeezed
from sigscope.refusals.topics import BARE, Topic, find_topic
from sigscope.refusals.unwrap import Unwrapped, unwrap
from sigscope.refusals.words import Wording
from sigscope.utf8 import readable

MAX_STRUCTURED = 200_000
"""Characters of a text that are taken apart as JSON and the like. Of a longer one,
what stands around its last error."""
AROUND = 8_000
SENTENCE_CHARS = 400
MAX_PERCENT = 3
"""Times a text may have gone through a web address."""

_BORDERS = re.compile("[\u2500-\u259f\u200b-\u200f\ufeff]+")
_PAINT = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\^\[\[[0-9;]*m|\[\d{1,3}(?:;\d{1,3})*m")
_QUOTE_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+|^[ \t]*```\w*[ \t]*$", re.M)
_STATUS = re.compile(
    r"(?:HTTP(?:/\d(?:\.\d)?)?|status|code|error|failed|reason)[^\w\n]{0,8}"
    r"(?:code[^\w\n]{0,5})?(?P<a>[45]\d\d)(?!\d)|\[(?P<b>[45]\d\d)\]"
    r"|(?:^|[\s\"'])(?P<c>[45]\d\d)[ \t]+(?:[A-Z]|\{)|\((?P<d>[45]\d\d)\)",
    re.IGNORECASE | re.MULTILINE,
)
_SAID = re.compile(
    r"(?<![A-Za-z])(?:message|msg|detail|error|reason)\\*[\"']?\s{0,4}[:=]\s{0,4}\\*[\"']"
    r"(?P<said>[^\"{}\\][^\"{}]{4,2000}?)\\*[\"']\s{0,40}(?:[,}\]\\]|\Z)",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:code|type|status|reason)\\*[\"']\s{0,4}:\s{0,4}\\*[\"'](\w{4,60})"
)
_TELLING = re.compile(r"error|exception|fail|invalid|denied|refused|not |missing", re.I)
_WRAP = re.compile(r"[ \t]*\r?\n[ \t]*")
_PERCENT = re.compile(r"%(?:20|22|0A|3A|5B|7B)", re.I)
_ELLIPSES = re.compile(r"…|\.{3,}|\[truncated\]|<snip>|\[snip\]|\[cut\]")
PIECE = 24
"""Squeezed signs of a sentence that name its rule, where no other sentence has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedDialect:
    """A rule whose words a text holds."""

    rule: str
    positions: tuple[Position, ...] = ()
    functions: tuple[str, ...] = ()
    """Called functions that it names, in the client's spelling."""
    ids: tuple[str, ...] = ()
    """Ids and members that it names."""
    like: tuple[str, ...] = ()
    """Other rules that are told in the same words."""
    via: str = ""
    """The rule whose words these are, where a gateway has a rule of its own for them;
    else empty."""
    is_piece: bool = False
    """Only a piece of its sentence is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """What a text says."""

    spoken: tuple[PastedDialect, ...]
    sentence: str
    """The innermost sentence found, in one line; empty where there are no words."""
    layers: tuple[str, ...] = ()
    """Who wrapped it, from the outside in."""
    provider: str = ""
    status: int | None = None
    topic: Topic | None = None
    """What it is about, where no rule is known and its words leave no doubt."""


def read_pasted(text: str) -> Pasted:
    """What a pasted text says. Never raises; costs one pass over the text.

    Of a long one, only the rules are looked for everywhere.
    """
    readings = tuple(_readings(text))
    part = _structured(readings[-1])
    found = unwrap(part)
    hits: dict[str, PatternHit] = {}
    for reading in readings:
        for hit in find_rules((*found.layers, Layer(text=reading))):
            hits.setdefault(hit.pattern.rule, hit)
    through = [w for w in WORDINGS if w.marks and w.marks.search(part)]
    spoken = dict(_spoken(hits, through))
    squeezed = "" if spoken else Squeezed(part).text
    if not spoken:
        spoken = {
            rule: PastedDialect(rule=rule, is_piece=True) for rule in _pieces(squeezed)
        }
    status = _status(part)
    return Pasted(
        spoken=tuple(spoken.values()),
        sentence=_sentence(found, part),
        layers=found.wrappings,
        provider=found.provider,
        status=status,
        topic=None if spoken else _topic(found, part, squeezed, status),
    )


def decode(data: bytes) -> str:
    """Piped bytes as text: UTF-8, or what PowerShell writes. Never raises."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return readable(data)


def _readings(text: str) -> Iterator[str]:
    """The text, and what it says where it went through a web address."""
    yield text
    signs = len(_PERCENT.findall(text[:MAX_STRUCTURED]))
    if signs > (0 if len(text) <= MAX_STRUCTURED else 99):
        text = _WRAP.sub("", text)
        for _ in range(MAX_PERCENT):
            text = unquote_plus(text)
            if not _PERCENT.search(text):
                break
            yield text
        yield text


def _structured(text: str) -> str:
    """The text without a terminal's and a chat's decoration, no longer than can be
    taken apart."""
    if len(text) > MAX_STRUCTURED:
        last = max(text.rfind('"message'), text.rfind("rror"), text.rfind("message'"))
        at = last if last >= 0 else len(text)
        text = text[max(0, at - AROUND) : at + AROUND]
    text = _QUOTE_MARK.sub("", _BORDERS.sub("", _PAINT.sub("", text)))
    return html.unescape(text) if "&" in text else text


# --- Rules ----------------------------------------------------------------------------


def _spoken(
    hits: dict[str, PatternHit], through: list[Wording]
) -> Iterator[tuple[str, PastedDialect]]:
    """A gateway's own rule before that of the service behind it."""
    for rule, hit in hits.items():
        told = _tell(hit)
        for wording in through:
            own = wording.behind.get(rule)
            if own and own not in hits:
                yield own, _named(told, own, via=rule)
        yield rule, _named(told, rule)


def _named(told: PastedDialect, rule: str, via: str = "") -> PastedDialect:
    like = tuple(
        other
        for other, words in KIN.items()
        if rule in words and not _has_words(other) and _is_of_one(other, rule)
    )
    return PastedDialect(
        rule=rule,
        positions=told.positions,
        functions=told.functions,
        ids=told.ids,
        like=like,
        via=via,
    )


def _has_words(rule: str) -> bool:
    return any(pattern.rule == rule for pattern in (*PATTERNS, *own_patterns()))


def _is_of_one(other: str, rule: str) -> bool:
    """Whether two rules are of one API; a gateway's own are told where it is seen."""
    return other[:3] == rule[:3]


def _tell(hit: PatternHit) -> PastedDialect:
    groups = hit.groups
    ids = (g[key] for g in groups for key in ("id", "rs", "key") if g.get(key))
    return PastedDialect(
        rule=hit.pattern.rule,
        positions=positions(hit),
        functions=tuple(dict.fromkeys(_bare(g["fn"]) for g in groups if g.get("fn"))),
        ids=tuple(dict.fromkeys(ids)),
    )


def _bare(function: str) -> str:
    """Google puts a prefix before the name that the client gave."""
    return function.removeprefix("default_api:")


@cache
def _pieces_of_sentences() -> dict[str, str]:
    """Piece → the one rule whose sentence has it."""
    found: dict[str, set[str]] = {}
    for pattern in PATTERNS:
        for segment in re.split(r"\{[^{}]*\}|[<>]", pattern.words):
            plain = squeeze(segment)
            for at in range(len(plain) - PIECE + 1):
                found.setdefault(plain[at : at + PIECE], set()).add(pattern.rule)
    return {
        piece: next(iter(rules)) for piece, rules in found.items() if len(rules) == 1
    }


def _pieces(squeezed: str) -> list[str]:
    """Rules of which a piece stands before or after something left out, or at the
    text's end."""
    known = _pieces_of_sentences()
    gaps = [found.span() for found in _ELLIPSES.finditer(squeezed)]
    stretches = [squeezed[max(0, start - PIECE) : start] for start, _ in gaps]
    stretches += [squeezed[end : end + PIECE] for _, end in gaps]
    tail = squeezed.rstrip("}])>.,;:")
    stretches.append(tail[-PIECE:])
    stretches.append(squeezed[:PIECE])
    return list(dict.fromkeys(known[s] for s in stretches if s in known))


# --- What else it says ----------------------------------------------------------------


def _status(text: str) -> int | None:
    found = _STATUS.search(text)
    if found is None:
        return None
    return int(next(number for number in found.groups() if number))


def _sentence(found: Unwrapped, part: str) -> str:
    """The innermost message; of a text that is none, the line that tells most."""
    inner = found.text
    if len(found.layers) < 2 or len(inner) > SENTENCE_CHARS * 2:
        said = [m["said"] for m in _SAID.finditer(part)]
        lines = [line.strip() for line in part.splitlines() if line.strip()]
        telling = [line for line in lines if _TELLING.search(line)]
        inner = next(iter([*said[-1:], *telling[-1:], *lines[:1]]), "")
    line = " ".join(inner.split())
    return line if len(line) <= SENTENCE_CHARS else line[: SENTENCE_CHARS - 1] + "…"


def _topic(
    found: Unwrapped, part: str, squeezed: str, status: int | None
) -> Topic | None:
    """Only of a text that is an error's: one with a status, a code, or the word."""
    codes = tuple(Layer(code=code) for code in _CODE.findall(part))
    is_error = re.search(f"error|exception|fail|{BARE}", squeezed)
    if status is None and not codes and not is_error:
        return None
    ground = ground_of((*codes, *found.layers), found.wrappings, status)
    return find_topic(squeezed, ground)
