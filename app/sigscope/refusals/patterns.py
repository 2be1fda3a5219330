"""Which rule speaks in which words: a table of data.

Texts and rule ids are those of dialects.md, sections 1 to 8 under (d); patterns begin
from its section 13. They are searched in every layer of an error, whatever the case,
whatever the HTTP status: gateways change it. To add one: a line, and its text in the
table of the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sigscope.refusals.layers import Layer


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
    regex: re.Pattern[str]
    place: Place = Place.NONE
    in_code: bool = False
    """Search the codes of the layers, not their messages."""
    unless: tuple[str, ...] = ()
    """Rules whose words contain these too: where one of them spoke, this did not."""
    dialects: tuple[str, ...] = ()
    """Dialects this rule belongs to where the words are used elsewhere too; empty
    for all."""
    source: str = ""
    """Where the words were seen, if not under the rule's id in dialects.md."""


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


def _words(
    rule: str,
    regex: str,
    place: Place = Place.NONE,
    *,
    in_code: bool = False,
    unless: tuple[str, ...] = (),
    dialects: tuple[str, ...] = (),
    source: str = "",
) -> Pattern:
    return Pattern(
        rule=rule,
        regex=re.compile(regex, re.IGNORECASE | re.DOTALL),
        place=place,
        in_code=in_code,
        unless=unless,
        dialects=dialects,
        source=source,
    )


_FN = r"`?(?:default_api:)?(?P<fn>[^`,\s]+)`?"
_BLOCK = r"messages\.(?P<i>\d+)\.content\.(?P<j>\d+)"
_UNPAIRED = (
    r"number of function response parts is equal to the number of function call parts"
    r"|function call turn comes immediately after a user turn"
    r"|function response turn comes immediately after a function call turn"
)

PATTERNS: tuple[Pattern, ...] = (
    # Gateways first: their words stand outside of those of the services behind them.
    _words(
        "ORT-1", r"Gemini models require OpenRouter reasoning details to be preserved"
    ),
    _words(
        "GEM-1",
        r"Function call is missing a thought_signature in functionCall parts"
        rf"(?:.{{0,400}}?function call {_FN}\s*,\s*position (?P<n>\d+))?",
        Place.CONTENT,
    ),
    _words(
        "GEM-3",
        rf"(?<!because )function call {_FN} in the `(?P<n>\d+)\.` content block is "
        r"missing a `?thought_signature`?",
        Place.CONTENT,
    ),
    _words(
        "GEM-2",
        rf"function call {_FN} in the `?(?P<n>\d+)\.`? content block is missing a "
        r"`?thought_signature`?",
        Place.CONTENT,
        unless=("GEM-3",),
    ),
    _words("GEM-5", r"Thought signature is not valid", Place.SIGNATURE),
    _words("GEM-4", r"(?:Corrupted|Invalid) thought signature", Place.SIGNATURE),
    _words(
        "GEM-6",
        r"Invalid value at '(?:request\.)?contents\[(?P<i>\d+)\]\.parts\[(?P<j>\d+)\]"
        r"\.thought_?signature' \(TYPE_BYTES\)",
        Place.PART,
    ),
    _words(
        "GEM-6",
        r"ThoughtSignature: (?:decode base64: )?illegal base64 data at input byte",
        Place.SIGNATURE,
        source="a gateway in Go: python-genai #2105 [issue report]",
    ),
    _words(
        "GEM-13",
        r"Unknown name \"(?P<key>thought_?signature|extra_content)\""
        r"(?: at '(?P<path>[^']*)')?",
        Place.FIELD,
    ),
    _words(
        "GEM-15",
        r"\b(?P<kind>\w{1,40}) part is missing a thought_signature in content position "
        r"(?P<n>\d+), part position (?P<j>\d+)",
        Place.CONTENT_PART,
        source="archestra #2548, open_webui_functions #225 [issue report]",
    ),
    _words("GEM-17", r"MISSING_THOUGHT_SIGNATURE"),
    _words("GEM-17", r"MISSING_THOUGHT_SIGNATURE", in_code=True),
    _words(
        "ORT-2",
        r"Invalid input: expected \w+, received undefined",
        Place.PATH,
        source="the path comes as `param`: cline #8214, #8295 [issue report]",
    ),
    _words("ORT-3", r"Duplicate item found with id (?P<id>[^\s.,'\"]+)", Place.TWIN),
    _words(
        "CPC-3",
        r"Unrecognized request argument supplied: (?P<key>[\w.]+)",
        Place.MEMBER,
    ),
    _words(
        "CPC-4",
        r"not supported via Responses API"
        r"|not accessible via the /chat/completions endpoint"
        r"|unsupported_api_for_model",
        Place.MEMBER,
    ),
    _words("CPC-4", r"unsupported_api_for_model", Place.MEMBER, in_code=True),
    _words(
        "CPC-6",
        _UNPAIRED,
        Place.PAIRING,
        dialects=("copilot-chat",),
        source="microsoft/vscode #299295, vscode-copilot-chat #4628 [issue report]",
    ),
    _words("CPC-8", r"Multiple reasoning_opaque values received"),
    _words(
        "LLM-3",
        r"Missing corresponding tool call for tool response message"
        r"(?:.*?['\"]tool_call_id['\"]: ['\"](?P<id>[^'\"]+)['\"])?",
        Place.RESULT,
    ),
    _words(
        "LLM-4",
        r"'(?P<path>messages\[\d+\]\.(?:tool_calls\[\d+\]\.id|tool_call_id))': "
        r"string too long",
        Place.PATH,
        source="agno #5382, vercel/ai #8132, autogen #6377 [issue report]",
    ),
    _words(
        "LLM-4",
        rf"{_BLOCK}\.tool_(?:use\.id|result\.tool_use_id): String should match",
        Place.BLOCK,
        source="bifrost #5097, forgecode #1142 [issue report]",
    ),
    _words(
        "LLM-6",
        r"doesn't support the reasoningContent\.reasoningText\.signature field",
        Place.SIGNATURE,
    ),
    _words(
        "ANT-6",
        rf"(?:{_BLOCK}.{{0,120}}?)?bound to a different conversation",
        Place.BLOCK,
    ),
    _words(
        "ANT-1",
        rf"{_BLOCK}: Invalid [`'\"]?signature[`'\"]? in [`'\"]?thinking[`'\"]? block",
        Place.BLOCK,
        unless=("ANT-6",),
    ),
    _words(
        "ANT-2",
        r"messages\.(?P<i>\d+)\.content\.(?P<j>0)\.type: Expected `?thinking`? or "
        r"`?redacted_thinking`?, but found `?(?P<found>\w+)`?",
        Place.BLOCK,
    ),
    _words(
        "ANT-3",
        rf"(?:{_BLOCK}.{{0,120}}?)?blocks in the latest assistant message cannot be "
        r"modified",
        Place.BLOCK,
    ),
    _words("ANT-4", rf"{_BLOCK}\.thinking\.signature: Field required", Place.BLOCK),
    _words("ANT-5", r"each thinking block must contain thinking"),
    _words(
        "ANT-9",
        r"messages\.(?P<i>\d+): `?tool_use`? ids were found without `?tool_result`? "
        r"blocks immediately after(?:: (?P<id>[\w-]+))?",
        Place.BLOCK,
    ),
    _words(
        "ANT-11",
        r"When thinking is disabled, an `?assistant`? message cannot contain "
        r"`?thinking`?",
    ),
    _words(
        "RSP-1",
        r"Item '(?P<id>rs_[^']*)' of type 'reasoning' was provided without its "
        r"required following item",
        Place.ID,
    ),
    _words(
        "RSP-2",
        r"Item '(?P<id>[^']*)' of type '(?P<type>\w+)' was provided without its "
        r"required 'reasoning' item: '(?P<rs>rs_[^']*)'",
        Place.ID,
    ),
    _words(
        "RSP-3",
        r"encrypted content .{0,60}could not be verified"
        r"(?:.{0,40}for item (?P<id>\w+))?",
        Place.ID,
    ),
    _words("RSP-3", r"invalid_encrypted_content", Place.SIGNATURE, in_code=True),
    _words(
        "RSP-4",
        r"Item with id '(?P<id>[^']*)' not found\. Items are not persisted",
        Place.ID,
    ),
    _words("RSP-5", r"Encrypted content item_id did not match"),
    _words("RSP-6", r"Invalid 'input\[(?P<i>\d+)\]\.id': string too long", Place.INPUT),
    _words("RSP-7", r"input item ID does not belong to this connection"),
    _words("RSP-8", r"previous_response_not_found"),
    _words("RSP-8", r"previous_response_not_found", in_code=True),
    _words("RSP-12", r"encrypted_content was not issued to this caller"),
    _words("RSP-13", r"thinking_signature_invalid"),
    _words("RSP-13", r"thinking_signature_invalid", in_code=True),
    _words(
        "DSK-1",
        r"Missing `?reasoning_content`? field in the assistant message at message "
        r"index (?P<i>\d+)",
        Place.MESSAGE,
    ),
    _words(
        "DSK-2",
        r"The `?(?:reasoning_content|content\[\]\.thinking)`? in the thinking mode "
        r"must be passed back",
    ),
    _words("DSK-4", r"No tool output found for tool call (?P<id>[^\s.]+)", Place.ID),
    _words(
        "KIM-1",
        r"thinking is enabled but reasoning_content is missing in assistant tool call "
        r"message at index (?P<i>\d+)",
        Place.MESSAGE,
    ),
    _words("XAI-1", r"Could not decrypt the provided encrypted_content"),
    _words("XAI-2", r"Could not decode the compaction blob"),
    # Last: the code stands beside many messages; these words alone say little.
    _words(
        "CPC-2",
        r"invalid_request_body",
        Place.SCHEMA,
        in_code=True,
        unless=("CPC-3", "ANT-1", "CPC-6", "GEM-1", "GEM-2", "GEM-3"),
    ),
)


def find_rules(layers: Sequence[Layer], dialect: str = "") -> tuple[Hit, ...]:
    """Every rule whose words some layer uses, in the order of the table.

    A rule with several patterns is found once. `dialect`: the name of the one spoken.
    """
    found: dict[str, Hit] = {}
    for pattern in PATTERNS:
        if pattern.rule in found or any(rule in found for rule in pattern.unless):
            continue
        if dialect and pattern.dialects and dialect not in pattern.dialects:
            continue
        hit = _search(pattern, layers)
        if hit and _is_told(hit):
            found[pattern.rule] = hit
    return tuple(found.values())


def _search(pattern: Pattern, layers: Sequence[Layer]) -> Hit | None:
    """The innermost layer that speaks so: it is nearest to whoever said it."""
    for layer in reversed(layers):
        groups = tuple(_occurrences(pattern, layer))
        if groups:
            return Hit(
                pattern=pattern, groups=groups, param=layer.param, text=layer.text
            )
    return None


def _occurrences(pattern: Pattern, layer: Layer) -> Iterator[dict[str, str]]:
    seen: list[dict[str, str]] = []
    text = layer.code if pattern.in_code else layer.text
    for match in pattern.regex.finditer(text):
        groups = {key: value for key, value in match.groupdict().items() if value}
        if groups not in seen:
            seen.append(groups)
            yield groups


def _is_told(hit: Hit) -> bool:
    """Words that others use too need the field beside them."""
    return hit.pattern.rule != "ORT-2" or "reasoning_details" in hit.param
