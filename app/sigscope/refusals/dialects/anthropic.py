"""How Anthropic Messages words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import ONE, PAIR, STREAM, TURN, TWO_HOSTS, known
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import Wording

_CLAUDE = "Anthropic Messages"
_CLAUDE_DOCS = "docs.claude.com/en/docs/build-with-claude/extended-thinking"
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
    known(
        "ANT-1",
        _CLAUDE,
        "A thinking block's signature or text was altered, cut, merged with another, or"
        " comes from another model or account.",
        "the named block, against the one received; was the model switched?",
        TURN,
        "reported",
        f"{_CLAUDE_DOCS} [docs], anthropic-sdk-python #1598 [issue report]",
    ),
    known(
        "ANT-2",
        _CLAUDE,
        "Thinking is on, and the last assistant message with tool use does not begin"
        " with its thinking block.",
        "the first block of the named message; was one answer stored as two messages?",
        TURN,
        "documented",
        f"{_CLAUDE_DOCS} [docs], opencode #3077 [issue report]",
    ),
    known(
        "ANT-3",
        _CLAUDE,
        "Blocks of the latest assistant message were changed, removed or reordered.",
        "the blocks of the last assistant message, against those received",
        TURN,
        "documented",
        f"{_CLAUDE_DOCS} [docs]",
    ),
    known(
        "ANT-4",
        _CLAUDE,
        "A thinking block is sent without its signature.",
        "whether the client keeps signature_delta, the last event of the block",
        STREAM,
        "reported",
        "dirge #823, llama_index #20851 [issue report]",
    ),
    known(
        "ANT-5",
        _CLAUDE,
        "A thinking block is sent with its signature and without its text.",
        "whether a gateway strips thinking texts",
        TURN,
        "reported",
        "theia #18044 [issue report]",
    ),
    known(
        "ANT-6",
        _CLAUDE,
        "The conversation before a thinking block is not the one it was made in.",
        "what changed before the named block: system prompt, tools, trimmed or"
        " rewritten messages",
        TURN,
        "documented",
        "platform.claude.com, preserved thinking [docs], opencode #48637"
        " [issue report]",
    ),
    known(
        "ANT-7",
        _CLAUDE,
        "A block of another model is left out without an error.",
        "whether the model was switched",
        TURN,
        "documented",
        "platform.claude.com, preserved thinking [docs]",
    ),
    known(
        "ANT-8",
        _CLAUDE,
        "A block bound to one account is used from another; told in the words of"
        " ANT-1, or left out.",
        "whether the account was changed",
        TWO_HOSTS,
        "documented",
        "platform.claude.com, preserved thinking [docs]",
    ),
    known(
        "ANT-9",
        _CLAUDE,
        "A tool_use block is not followed by its tool_result in the next message.",
        "the message after the named one: it must begin with the results",
        ONE,
        "documented",
        "docs.claude.com/en/docs/agents-and-tools/tool-use [docs]",
    ),
    known(
        "ANT-10",
        _CLAUDE,
        "The same checks, in the endpoint that counts tokens.",
        "what ANT-1 to ANT-6 say",
        TURN,
        "documented",
        f"{_CLAUDE_DOCS} [docs]",
    ),
    known(
        "ANT-11",
        _CLAUDE,
        "Thinking is switched off while thinking blocks are sent.",
        "`thinking` of the request: was it removed or disabled on the way?",
        PAIR,
        "reported",
        "litellm #18926 [source code]",
    ),
)
WORDING = Wording(
    name="anthropic",
    prefix="ANT-",
    patterns=_PATTERNS,
    entries=_ENTRIES,
    wants=frozenset({"ANT-2"}),
)
