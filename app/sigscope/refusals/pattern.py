"""One sentence in which a service names a rule.

A pattern is a sentence as the service writes it, with slots in braces (`SLOTS`); what
stands in `<>` may be missing. White space, quotes, backticks and escapes do not count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from sigscope.records import dataclass


class Place(StrEnum):
    """How the words name a node of the request; `locate` has a reader for each."""

    NONE = "none"
    CONTENT = "content"
    """Group `n`: 1-based index into Google's `contents`; `fn`: the function called."""
    CONTENT_PART = "content part"
    """Group `n` as before, `j`: "part position", its base unknown; `kind`: of part."""
    PART = "part"
    """Groups `i`, `j`: 0-based `contents[i].parts[j]`."""
    FIELD = "field"
    """Group `path`: where, in Google's spelling; `key`: the member it complains of."""
    BLOCK = "block"
    """Groups `i`, `j`: 0-based Anthropic message and content block; `j` may miss."""
    MESSAGE = "message"
    """Group `i`: 0-based index into `messages`."""
    INPUT = "input"
    """Group `i`: 0-based index into `input` of the Responses API."""
    PATH = "path"
    """Group `path`, or the error's `param`: "messages.2.reasoning_details.0.data"."""
    ID = "id"
    """Group `id`: an id that stands somewhere in the request."""
    TWIN = "twin"
    """The same, sent twice: the second place is meant."""
    MEMBER = "member"
    """Group `key`: a member of the body."""
    RESULT = "result"
    """Group `id`: the call id of a tool result without its call; may miss."""
    PAIRING = "pairing"
    """No position: calls and results that do not fit each other."""
    SIGNATURE = "signature"
    """No position: some signature of the request."""
    SCHEMA = "schema"
    """Group `path`: a place in the service's own schema; may miss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One rule's words."""

    rule: str
    words: str
    """As in the table, with slots."""
    core: str
    """A piece of the squeezed words without slots; a text without it is not
    searched."""
    regex: re.Pattern[str]
    """Of the squeezed words."""
    place: Place = Place.NONE
    in_code: bool = False
    """The words are a code: searched in the codes of the layers, and in messages where
    they are spelled as a code is."""
    is_short: bool = False
    """So few words that they must be a sentence of their own."""
    written: re.Pattern[str] | None = None
    """What the words must look like as they were written; None for anything."""
    needs: str = ""
    """What the field that the layer names must hold: others use these words too."""
    unless: tuple[str, ...] = ()
    """Rules whose words contain these too: where one of them spoke, this did not."""
    is_own: bool = False
    """Others use these words too: they mean this rule only where its own API is
    spoken, or none is known."""
    source: str = ""
    """Where the words were seen, if not under the rule's id in docs/wire."""


SLOTS: Mapping[str, str] = {
    "fn": r"(?:defaultapi:)?(?P<fn>[^\s{},()…]{1,200}?)",
    "n": r"(?P<n>\d{1,9})",
    "i": r"(?P<i>\d{1,9})",
    "j": r"(?P<j>\d{1,9})",
    "zero": r"(?P<j>0)",
    "id": r"(?P<id>[\w.:…-]{1,700}?)",
    "id$": r"(?P<id>[\w-]{1,700})",
    "rs": r"(?P<rs>[\w-]{1,700})",
    "type": r"(?P<type>\w{1,40}?)",
    "found": r"(?P<found>(?:tooluse|toolresult|redactedthinking|text|[a-z]{1,20}))",
    "kind": r"(?P<kind>image|text|inlinedata|functioncall|[a-z]{1,20}?)",
    "key": r"(?P<key>[\w.]{1,80})",
    "signed": r"(?P<key>thoughtsignature|extracontent)",
    "path": r"(?P<path>[\w.\[\]]{1,300}?)",
    "result": r"(?P<path>messages\[\d{1,9}\]\.(?:toolcalls\[\d{1,9}\]\.id|toolcallid))",
    "any": r"\w{1,40}",
    "entry": r"reasoningdetails[.,\[\]]{1,3}\d{1,4}",
    "~": r".{0,400}?",
    "near": r".{0,40}?",
    "!because": r"(?<!because)",
}
"""What may stand in a pattern's braces; `~` and `near` are gaps, a name with `$` ends
the words that are known."""

OPEN = frozenset({"n", "i", "j", "id", "key", "fn", "rs"})
"""Groups that stop at a blank where nothing known follows them."""

_SQUEEZED_AWAY = re.compile(r"[\s'\"`_*|+#~^{}\\]+")


def squeeze(words: str) -> str:
    """Words as `Squeezed` leaves them."""
    return _SQUEEZED_AWAY.sub("", words).lower()


def _compile(words: str) -> tuple[str, str]:
    """A sentence as a regular expression, and its longest piece without slots."""
    made, cores, depth = [], [""], 0
    for piece in re.split(r"(\{[^{}]*\}|[<>|])", words):
        if piece in ("<", ">"):
            depth += 1 if piece == "<" else -1
            made.append("(?:" if piece == "<" else ")?")
        elif piece.startswith("{"):
            made.append(SLOTS[piece[1:-1]])
        else:
            plain = squeeze(piece)
            made.append(re.escape(plain))
            if not depth:
                cores.append(plain)
    return "".join(made), max(cores, key=len)


def words(
    rule: str,
    words: str,
    place: Place = Place.NONE,
    *,
    in_code: bool = False,
    is_short: bool = False,
    written: str = "",
    needs: str = "",
    unless: tuple[str, ...] = (),
    is_own: bool = False,
    source: str = "",
) -> Pattern:
    regex, core = _compile(words)
    if in_code:
        written = rf"\A{re.escape(words)}\Z"
    return Pattern(
        rule=rule,
        words=words,
        core=core,
        regex=re.compile(regex, re.DOTALL),
        place=place,
        in_code=in_code,
        is_short=is_short,
        written=re.compile(written, re.IGNORECASE) if written else None,
        needs=needs,
        unless=unless,
        is_own=is_own,
        source=source,
    )
