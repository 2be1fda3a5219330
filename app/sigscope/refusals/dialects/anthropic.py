"""How Anthropic Messages words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import ONE, PAIR, STREAM, TURN, TWO_HOSTS, built
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import Wording

_CLAUDE = "Anthropic Messages"
_BLOCK = "messages.{i}.content.{j}"

_PATTERNS = (
    words(
        "ANT-6",
        f"<{_BLOCK}" + ": Invalid {~}>bound to a different conversation",
        Place.BLOCK,
    ),
    words(
        "ANT-1",
        f"<{_BLOCK}" + "<:>>Invalid signature in thinking block",
        Place.BLOCK,
        unless=("ANT-6",),
    ),
    words(
        "ANT-1",
        f"<{_BLOCK}" + "<:>>Invalid data in redacted_thinking block",
        Place.BLOCK,
    ),
    words(
        "ANT-2",
        "messages.{i}.content.{zero}.type: Expected thinking or redacted_thinking<, "
        "but found {found}>",
        Place.BLOCK,
    ),
    words("ANT-2", "Expected thinking or redacted_thinking, but found"),
    words("ANT-2", "a final assistant message must start with a thinking block"),
    words(
        "ANT-3",
        f"<{_BLOCK}"
        + ": {~}>blocks in the latest assistant message cannot be modified",
        Place.BLOCK,
    ),
    words("ANT-4", _BLOCK + ".thinking.signature: Field required", Place.BLOCK),
    words("ANT-4", "thinking.signature: Field required"),
    words("ANT-4", _BLOCK + ".redacted_thinking.data: Field required", Place.BLOCK),
    words(
        "ANT-4",
        _BLOCK + ".thinking.signature.str: Input should be a valid string",
        Place.BLOCK,
        source="a signature that is null: litellm PR #26152 [issue report]",
    ),
    words("ANT-5", "each thinking block must contain thinking"),
    words(
        "ANT-9",
        "<messages.{i}: >tool_use ids were found without tool_result blocks "
        "immediately after<: {id$}>",
        Place.BLOCK,
    ),
    words(
        "ANT-9",
        f"<{_BLOCK}" + ": >unexpected tool_use_id found in tool_result blocks<: {id}.>",
        Place.BLOCK,
    ),
    words(
        "ANT-11",
        f"<{_BLOCK}" + ": >When thinking is disabled, an assistant message in the final"
        " position cannot contain thinking",
        Place.BLOCK,
    ),
    words(
        "ANT-11",
        "When thinking is disabled, an assistant message cannot contain thinking",
    ),
)
_ENTRIES = (
    built(
        "ANT-1",
        _CLAUDE,
        "the named block, against the one received; was the model switched?",
        TURN,
    ),
    built(
        "ANT-2",
        _CLAUDE,
        "the first block of the named message; was one answer stored as two messages?",
        TURN,
    ),
    built(
        "ANT-3",
        _CLAUDE,
        "the blocks of the last assistant message, against those received",
        TURN,
    ),
    built(
        "ANT-4",
        _CLAUDE,
        "whether the client keeps signature_delta, the last event of the block",
        STREAM,
    ),
    built(
        "ANT-5",
        _CLAUDE,
        "whether a gateway strips thinking texts",
        TURN,
    ),
    built(
        "ANT-6",
        _CLAUDE,
        "what changed before the named block: system prompt, tools, trimmed or"
        " rewritten messages",
        TURN,
    ),
    built(
        "ANT-7",
        _CLAUDE,
        "whether the model was switched",
        TURN,
    ),
    built(
        "ANT-8",
        _CLAUDE,
        "whether the account was changed",
        TWO_HOSTS,
    ),
    built(
        "ANT-9",
        _CLAUDE,
        "the message after the named one: it must begin with the results",
        ONE,
    ),
    built(
        "ANT-10",
        _CLAUDE,
        "what ANT-1 to ANT-6 say",
        TURN,
    ),
    built(
        "ANT-11",
        _CLAUDE,
        "`thinking` of the request: was it removed or disabled on the way?",
        PAIR,
    ),
)
WORDING = Wording(
    name="anthropic",
    prefix="ANT-",
    patterns=_PATTERNS,
    entries=_ENTRIES,
    wants=frozenset({"ANT-2"}),
)
