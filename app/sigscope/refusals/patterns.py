"""Which rule speaks in which words: a table of data.

Texts and rule ids are those of docs/wire. They are searched in every layer of an error,
whatever the case, whatever the HTTP status: gateways change it. White space, quotes,
backticks and escapes do not count (`squeezed`): terminals, chats and gateways change
those.

A pattern is a sentence as the service writes it, with slots in braces (`SLOTS`); what
stands in `<>` may be missing. To add one: a line, and its text in the table of the
test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sigscope.refusals.dialects import wording_of
from sigscope.refusals.layers import Layer
from sigscope.refusals.squeezed import Squeezed


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A pattern's words found in an error."""

    pattern: Pattern
    groups: tuple[dict[str, str], ...]
    """What was read from each occurrence, distinct, in order."""
    param: str = ""
    """The field that the layer itself names."""
    text: str = ""
    """The layer's whole message."""


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


def _words(
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


_BLOCK = "messages.{i}.content.{j}"

PATTERNS: tuple[Pattern, ...] = (
    # Gateways first: their words stand outside of those of the services behind them.
    _words(
        "ORT-1", "Gemini models require OpenRouter reasoning details to be preserved"
    ),
    _words(
        "GEM-1",
        "Function call is missing a thought_signature<{~}<function call {fn}><,> "
        "position {n}<. Please refer>>",
        Place.CONTENT,
    ),
    _words(
        "GEM-1",
        "missing a thought_signature in functionCall parts<{~}<function call {fn}><,> "
        "position {n}<. Please refer>>",
        Place.CONTENT,
    ),
    _words(
        "GEM-3",
        "{!because}function call {fn} in the {n}. content block is missing a "
        "thought_signature",
        Place.CONTENT,
        written=r"in\s+the\s+`\d+\.`",
    ),
    _words(
        "GEM-2",
        "function call {fn} in the {n}<.> content block is missing a thought_signature",
        Place.CONTENT,
        unless=("GEM-3",),
    ),
    _words(
        "GEM-2",
        "Unable to submit request because function call {fn} in the {n}. content block",
        Place.CONTENT,
        unless=("GEM-3",),
    ),
    _words(
        "GEM-2",
        "content block is missing a thought_signature",
        unless=("GEM-3",),
    ),
    _words("GEM-5", "Thought signature is not valid", Place.SIGNATURE, is_short=True),
    _words("GEM-4", "Corrupted thought signature", Place.SIGNATURE, is_short=True),
    _words("GEM-4", "Invalid thought signature", Place.SIGNATURE, is_short=True),
    _words(
        "GEM-6",
        "Invalid value at <request.>contents[{i}].parts[{j}].thought_signature "
        "(TYPE_BYTES)",
        Place.PART,
    ),
    _words(
        "GEM-6",
        "ThoughtSignature: <decode base64: >illegal base64 data at input byte",
        Place.SIGNATURE,
        source="a gateway in Go: python-genai #2105 [issue report]",
    ),
    _words("GEM-13", "Unknown name {signed}< at {path}:>", Place.FIELD),
    _words(
        "GEM-15",
        "{kind} part is missing a thought_signature in content position {n}, part "
        "position {j}<. Please refer>",
        Place.CONTENT_PART,
        source="archestra #2548, open_webui_functions #225 [issue report]",
    ),
    _words(
        "GEM-1",
        "missing a thought_signature{~}position {n}<. Please refer>",
        Place.CONTENT,
        unless=("GEM-2", "GEM-3", "GEM-15"),
        source="its middle left out: pi-antigravity PR #22 [issue report]",
    ),
    _words("GEM-17", "MISSING_THOUGHT_SIGNATURE", in_code=True),
    _words(
        "GEM-18",
        "number of function response parts is equal to the number of function call "
        "parts",
        Place.PAIRING,
    ),
    _words(
        "ORT-2",
        "Invalid input: expected {any}, received undefined",
        Place.PATH,
        needs="reasoning_details",
        source="the path comes as `param`: cline #8214, #8295 [issue report]",
    ),
    _words(
        "ORT-2",
        "Invalid input: expected {any}, received undefined{near}{entry}",
        source="the path in a torn text: cline #8214, #8295 [issue report]",
    ),
    _words(
        "ORT-2",
        "{entry}{near}Invalid input: expected {any}, received undefined",
        source="the path in a torn text: cline #8214, #8295 [issue report]",
    ),
    _words("ORT-3", "Duplicate item found with id {id$}", Place.TWIN),
    _words("CPC-3", "Unrecognized request argument supplied: {key}", Place.MEMBER),
    _words("CPC-4", "not supported via Responses API", Place.MEMBER),
    _words("CPC-4", "not accessible via the /chat/completions endpoint", Place.MEMBER),
    _words("CPC-4", "unsupported_api_for_model", Place.MEMBER, in_code=True),
    _words(
        "CPC-6",
        "function call turn comes immediately after a user turn",
        Place.PAIRING,
        is_own=True,
        source="microsoft/vscode #299295, vscode-copilot-chat #4628 [issue report]",
    ),
    _words(
        "CPC-6",
        "function response turn comes immediately after a function call turn",
        Place.PAIRING,
        is_own=True,
        source="microsoft/vscode #299295, vscode-copilot-chat #4628 [issue report]",
    ),
    _words("CPC-8", "Multiple reasoning_opaque values received"),
    _words(
        "LLM-3",
        "Missing corresponding tool call for tool response message<{~}tool_call_id: "
        "{id$}>",
        Place.RESULT,
    ),
    _words(
        "LLM-4",
        "{result}: string too long",
        Place.PATH,
        source="agno #5382, vercel/ai #8132, autogen #6377 [issue report]",
    ),
    _words(
        "LLM-4",
        _BLOCK + ".tool_use.id: String should match",
        Place.BLOCK,
        source="bifrost #5097, forgecode #1142 [issue report]",
    ),
    _words(
        "LLM-4",
        _BLOCK + ".tool_result.tool_use_id: String should match",
        Place.BLOCK,
        source="bifrost #5097, forgecode #1142 [issue report]",
    ),
    _words(
        "LLM-6",
        "support the reasoningContent.reasoningText.signature field",
        Place.SIGNATURE,
    ),
    _words(
        "ANT-6",
        f"<{_BLOCK}" + ": Invalid {~}>bound to a different conversation",
        Place.BLOCK,
    ),
    _words(
        "ANT-1",
        f"<{_BLOCK}" + "<:>>Invalid signature in thinking block",
        Place.BLOCK,
        unless=("ANT-6",),
    ),
    _words(
        "ANT-2",
        "messages.{i}.content.{zero}.type: Expected thinking or redacted_thinking<, "
        "but found {found}>",
        Place.BLOCK,
    ),
    _words("ANT-2", "Expected thinking or redacted_thinking, but found"),
    _words("ANT-2", "a final assistant message must start with a thinking block"),
    _words(
        "ANT-3",
        f"<{_BLOCK}"
        + ": {~}>blocks in the latest assistant message cannot be modified",
        Place.BLOCK,
    ),
    _words("ANT-4", _BLOCK + ".thinking.signature: Field required", Place.BLOCK),
    _words("ANT-4", "thinking.signature: Field required"),
    _words(
        "ANT-4",
        _BLOCK + ".thinking.signature.str: Input should be a valid string",
        Place.BLOCK,
        source="a signature that is null: litellm PR #26152 [issue report]",
    ),
    _words("ANT-5", "each thinking block must contain thinking"),
    _words(
        "ANT-9",
        "<messages.{i}: >tool_use ids were found without tool_result blocks "
        "immediately after<: {id$}>",
        Place.BLOCK,
    ),
    _words(
        "ANT-11",
        "When thinking is disabled, an assistant message cannot contain thinking",
    ),
    _words(
        "RSP-1",
        "<Item {id} of type >reasoning was provided without its required following "
        "item",
        Place.ID,
    ),
    _words(
        "RSP-2",
        "<Item {id} of type {type}>was provided without its required reasoning item"
        "<: {rs}>",
        Place.ID,
    ),
    _words(
        "RSP-3",
        "encrypted content {~}could not be verified",
        Place.SIGNATURE,
        unless=("RSP-1",),
    ),
    _words("RSP-3", "invalid_encrypted_content", Place.SIGNATURE, in_code=True),
    _words(
        "RSP-4",
        "Item with id {id} not found. Items are not persisted",
        Place.ID,
    ),
    _words("RSP-4", "Items are not persisted when store is set to false", Place.NONE),
    _words("RSP-5", "Encrypted content item_id did not match"),
    _words("RSP-6", "Invalid input[{i}].id: string too long", Place.INPUT),
    _words("RSP-7", "input item ID does not belong to this connection"),
    _words("RSP-8", "previous_response_not_found", in_code=True),
    _words("RSP-12", "encrypted_content was not issued to this caller"),
    _words("RSP-13", "thinking_signature_invalid", in_code=True),
    _words(
        "DSK-1",
        "Missing reasoning_content field in the assistant message< at message index {i}"
        "<. For more>>",
        Place.MESSAGE,
    ),
    _words("DSK-2", "reasoning_content in the thinking mode must be passed back"),
    _words("DSK-2", "content[].thinking in the thinking mode must be passed back"),
    _words("DSK-4", "No tool output found for tool call {id$}", Place.ID),
    _words(
        "KIM-1",
        "thinking is enabled but reasoning_content is missing< in assistant tool call "
        "message at index {i}>",
        Place.MESSAGE,
    ),
    _words("XAI-1", "Could not decrypt the provided encrypted_content"),
    _words("XAI-2", "Could not decode the compaction blob"),
    # Last: the code stands beside many messages; these words alone say little.
    _words(
        "CPC-2",
        "invalid_request_body",
        Place.SCHEMA,
        in_code=True,
        unless=("CPC-3", "ANT-1", "CPC-6", "GEM-1", "GEM-2", "GEM-3", "GEM-18"),
    ),
    _words(
        "CPC-2",
        "invalid request body, failed to validate schema",
        Place.SCHEMA,
        source="copilot-api #176 [issue report]",
    ),
)

_SENTENCE_BEFORE = re.compile(
    r"(?:\A|[\n:.!({\[\]>\"'`“‘*—-]|\bbecause)\s*\Z", re.IGNORECASE
)
_SENTENCE_AFTER = re.compile(r"\s*\Z|[ \t]*[^\w \t,]|\s*\\")


def find_rules(layers: Sequence[Layer], dialect: str = "") -> tuple[Hit, ...]:
    """Every rule whose words some layer uses, in the order of the table.

    A rule with several patterns is found once, by the one that says most. `dialect`:
    the name of the one spoken.
    """
    texts = [Squeezed(layer.text) for layer in layers]
    own = wording_of(dialect).prefix or "?"
    found: dict[str, Hit] = {}
    for pattern in PATTERNS:
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
) -> Hit | None:
    """The innermost layer that speaks so: it is nearest to whoever said it."""
    for layer, text in zip(reversed(layers), reversed(texts), strict=True):
        if pattern.needs not in layer.param:
            continue
        groups = tuple(_occurrences(pattern, layer, text))
        if groups:
            return Hit(
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
