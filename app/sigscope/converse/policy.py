"""What a client keeps and sends back, as data.

Every field is one decision that some real client takes; its values are the ways it is
known to be taken (docs/wire, docs/wire/accumulators.md). Defaults are the
faithful ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from sigscope.records import dataclass

Surface = Literal["ai-studio", "vertex"]

Keep = Literal["first", "last", "all", "overwrite"]
MergeEntries = Literal["type-index-id", "type-index", "index", "fragments", "last"]
MergeCalls = Literal["index", "id", "position"]
SignedPart = Literal["call", "text", "empty", "thought"]
FlowName = Literal["event", "tool-use", "side-table", "never", "stripped"]
On = Literal[
    "message",
    "same",
    "calls",
    "first-call",
    "next-part",
    "next-call",
    "id",
    "results",
    "next-message",
]
As = Literal["value", "list", "entries"]
When = Literal["always", "calls", "answer"]
Content = Literal["null", "empty-list", "empty-string", "absent"]
Stored = Literal["whole", "split"]
Parallel = Literal["together", "split", "interleaved"]
ThoughtText = Literal["kept", "trimmed", "cut", "none"]
CallIds = Literal["kept", "plain", "plain-in-results"]
Texts = Literal["joined", "as-received"]
Scope = Literal["all", "current-turn", "last-message"]
Form = Literal[
    "kept", "url-safe", "standard", "encoded-again", "cut", "ellipsis", "name"
]
Stamp = Literal["never", "first-unsigned", "unsigned", "all"]
Bypass = Literal["raw", "base64", "raw-2", "base64-2"]
Orphans = Literal["kept", "dropped"]
ItemEvent = Literal["done", "added", "completed"]
ReasoningForm = Literal["whole", "id", "sealed", "renamed", "dropped"]
ItemIds = Literal["kept", "dropped", "fixed", "own"]
ItemOrder = Literal["before", "after"]
TitleHistory = Literal["words", "history"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What is taken from a reply, and how its pieces are put together."""

    thoughts: tuple[str, ...] = ()
    """Fields of a delta read as reasoning text; none: it is not read. In Gemini's
    dialect thought parts are always read."""
    signatures: tuple[str, ...] = ()
    """Paths in a delta read as signatures: a string, a list of strings, or a list of
    `reasoning_details` entries."""
    call_signatures: tuple[str, ...] = ()
    """Paths in a tool call of a delta."""
    signed_parts: tuple[SignedPart, ...] = ("call", "text", "empty", "thought")
    """Gemini, Messages: kinds of part whose signature is read; `empty` is a text of no
    length, in Messages a sealed thought too."""
    keep: Keep = "last"
    """Which of several signatures of one reply. `overwrite`: every delta, or part of
    Gemini's, replaces what was kept, also by nothing. Does not concern entries and
    signatures in calls of chat completions."""
    only_with_calls: bool = False
    """Keep it only if the reply ended in tool calls."""
    merge_entries: MergeEntries = "type-index-id"
    """What makes two pieces one `reasoning_details` entry. `fragments`: nothing does;
    `last`: the last piece replaces all before."""
    merge_calls: MergeCalls = "index"
    """What makes two pieces one call. `position`: the place in the delta's array, so
    that calls in separate deltas run together."""
    drop_unsigned: bool = False
    """Drop readable entries that carry no signature."""
    strip_keys: tuple[str, ...] = ()
    """Keys a sanitizer removes from entries."""
    item: ItemEvent = "done"
    """Responses: the event whose reasoning item is kept, by its `output_item` verb, or
    the list of `completed`."""
    answer_id: bool = False
    """Responses: whether the answer's id is kept, to go on from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """Responses: what of an answer's items goes back."""

    reasoning: ReasoningForm = "whole"
    """`id`: without its sealed value; `sealed`: without its id; `renamed`: under an id
    of the client's own."""
    ids: ItemIds = "kept"
    """Of texts and calls. `fixed`: every text has the same one, calls have none.
    `own`: the client makes them, those of calls from their call ids."""
    order: ItemOrder = "before"
    """Where reasoning stands: before what it led to, or after it."""
    store: bool = False
    """Whether the service is asked to keep its answers."""
    chain: bool = False
    """Whether `previous_response_id` stands for all that was said before."""
    include: bool = True
    """Whether sealed reasoning is asked for."""
    summary: str = "auto"
    """Which summary is asked for; empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry:
    """How what was captured gets to the message store."""

    flow: FlowName = "event"
    """`event`: an event of its own, which the agent collects. `tool-use`: on the tool
    use events. `side-table`: kept by the provider, looked up by call ids when the next
    request is built. `never`: captured, and no one is told. `stripped`: told, and
    removed when the message is stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureWrite:
    """One place where a signature is put into a request."""

    on: On
    """`same`: the call or part it came on. `next-message`: the assistant message after
    its own. `results`: the tool messages. `id`: behind `__thought__` in the call id."""
    path: str = ""
    """Keys below that, with slashes: "function/thought_signature". Empty for `id`."""
    form: As = "value"
    """A string, a list of strings, or the captured entries as they came."""
    when: When = "always"
    """In messages with calls, in answers without, or in both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryShape:
    """The form of messages."""

    content_without_text: Content = "null"
    """`content` of a message that has only calls."""
    stored: Stored = "whole"
    """`split`: text and reasoning are one message, calls another."""
    merged: bool = False
    """Whether split messages are joined again in requests."""
    parallel: Parallel = "together"
    """`split`: each call a message of its own, then the results. `interleaved`: each
    call followed by its result."""
    thoughts: str = ""
    """Field of a message in which reasoning text is sent; empty: it is not sent. In
    dialects of parts (Gemini, Messages) anything but empty keeps thought parts."""
    thought_text: ThoughtText = "kept"
    """Messages: what becomes of the text of a thinking block. `trimmed`: white space at
    its ends goes. `cut`: its beginning and an ellipsis stay. `none`: it is empty."""
    texts: Texts = "joined"
    """Gemini: whether unsigned text parts of one reply are joined."""
    call_ids: CallIds = "kept"
    """`plain`: what follows `__thought__` is cut off; `plain-in-results`: only in tool
    messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What of earlier exchanges is sent again."""

    signatures: Scope = "all"
    """Whose signatures are sent: every reply's, those of the current turn, or only the
    most recent reply's."""
    answers: bool = True
    """Whether signatures of replies without calls are sent."""
    messages: int = 0
    """Only so many of the latest entries are sent; 0: all."""
    orphans: Orphans = "kept"
    """What happens to results whose call was trimmed away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What is done to a signature's text on its way."""

    form: Form = "kept"
    """`encoded-again`: base64 of the base64. `name`: the field's name in its place."""
    length: int = 61
    """Characters that `cut` and `ellipsis` leave. 1 modulo 4 is no base64 any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamping:
    """Whether bypasses are put where signatures belong."""

    calls: Stamp = "never"
    """Which calls of a message; `all` stamps over genuine signatures."""
    value: Bypass = "base64"
    path: str = ""
    """Below the call; below the message where `form` is entries. Gemini: the part."""
    form: As = "value"
    scope: Scope = "all"
    """Which messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """A request on the side, for the name of the conversation."""

    after_turn: int = 0
    """After the final answer of this turn; 0: none is sent."""
    model: str = ""
    """Empty: the conversation's."""
    carries: TitleHistory = "words"
    """The user's words alone, or the history so far without tools."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSettings:
    """How it presents itself. Says nothing about signatures."""

    system: str = "You are a coding assistant. Use the tools to look before you answer."
    headers: Mapping[str, str] = field(default_factory=dict)
    """Besides those of the service; the same name replaces."""
    body: Mapping[str, Any] = field(default_factory=dict)
    """More members of the request body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    name: str
    about: str
    """One line."""
    source: str = ""
    """Where the behaviour is described:
    "docs/wire/copilot-chat.md#wrong-placements"."""
    dialects: tuple[str, ...]
    """The APIs it speaks; the first is taken where none is asked for."""
    model: str = "gemini-3-pro-preview"
    service: str = ""
    """Whose API, where several speak the dialect; empty: the first's."""
    surface: Surface | None = None
    """Google's, where the URL tells."""
    stream: bool = True
    read: Read = Read()
    carry: Carry = Carry()
    write: tuple[SignatureWrite, ...] = ()
    """Places, each tried; none: signatures are not sent."""
    shape: HistoryShape = HistoryShape()
    items: Items = Items()
    history: History = History()
    value: Value = Value()
    bypass: Stamping = Stamping()
    title: Title = Title()
    client: ClientSettings = ClientSettings()
