"""How Anthropic Messages words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import ONE, PAIR, STREAM, TWO_HOSTS
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import Wording

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
WORDING = Wording(
    name="anthropic",
    api="Anthropic Messages",
    prefix="ANT-",
    patterns=_PATTERNS,
    looks={
        "ANT-1": "the named block, against the one received; was the model switched?",
        "ANT-2": "the first block of the named message; was one answer stored as two"
        " messages?",
        "ANT-3": "the blocks of the last assistant message, against those received",
        "ANT-4": "whether the client keeps signature_delta, the last event of the"
        " block",
        "ANT-5": "whether a gateway strips thinking texts",
        "ANT-6": "what changed before the named block: system prompt, tools, trimmed or"
        " rewritten messages",
        "ANT-7": "whether the model was switched",
        "ANT-8": "whether the account was changed",
        "ANT-9": "the message after the named one: it must begin with the results",
        "ANT-10": "what ANT-1 to ANT-6 say",
        "ANT-11": "`thinking` of the request: was it removed or disabled on the way?",
    },
    records={"ANT-4": STREAM, "ANT-8": TWO_HOSTS, "ANT-9": ONE, "ANT-11": PAIR},
    wants=frozenset({"ANT-2"}),
)
