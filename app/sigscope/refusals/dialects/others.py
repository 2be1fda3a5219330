"""How services word their errors whose APIs no dialect reads."""

from __future__ import annotations

from sigscope.refusals.entry import ONE, TURN, TWO_HOSTS, known
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import Wording, marks

_KIMI = "Kimi (Moonshot)"
_XAI = "xAI"
_BEDROCK = "Amazon Bedrock Converse"

_KIMI_PATTERNS = (
    words(
        "KIM-1",
        "thinking is enabled but reasoning_content is missing< in assistant tool call "
        "message at index {i}>",
        Place.MESSAGE,
    ),
)
_KIMI_ENTRIES = (
    known(
        "KIM-1",
        _KIMI,
        "Thinking is on, and an assistant message with tool calls lacks"
        " reasoning_content.",
        "the named message: is the field missing, or empty? Some models take an empty"
        " one for a missing one",
        TURN,
        "reported",
        "platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model [docs], mastra"
        " #12592 [issue report]",
    ),
    known(
        "KIM-2",
        _KIMI,
        "reasoning_content is an empty string, which k2.5 and k2.6 take for missing.",
        "the value: one blank is the least that passes",
        ONE,
        "reported",
        "pi #4178, llmgateway #2093 [issue report]",
    ),
    known(
        "KIM-3",
        _KIMI,
        "K3 refuses an assistant message with empty content.",
        "`content` of assistant messages",
        ONE,
        "reported, its error text is not known",
        "tolokaforge #1286 [issue report]",
    ),
)
KIMI = Wording(
    name="kimi",
    prefix="KIM-",
    patterns=_KIMI_PATTERNS,
    entries=_KIMI_ENTRIES,
    kin={
        "KIM-2": frozenset({"KIM-1"}),
    },
)
_XAI_PATTERNS = (
    words("XAI-1", "Could not decrypt the provided encrypted_content"),
    words("XAI-2", "Could not decode the compaction blob"),
)
_XAI_ENTRIES = (
    known(
        "XAI-1",
        _XAI,
        "encrypted_content was altered, or another account's service issued it.",
        "whether the value is byte for byte the one received",
        TWO_HOSTS,
        "reported",
        "sub2api #4535 [issue report]",
    ),
    known(
        "XAI-2",
        _XAI,
        "A reasoning item without `summary` is taken for a compaction item.",
        "the reasoning items: each needs summary, if only []",
        TURN,
        "reported",
        "grok2api #688, #689 [issue report]",
    ),
)
XAI = Wording(
    name="xai",
    prefix="XAI-",
    patterns=_XAI_PATTERNS,
    entries=_XAI_ENTRIES,
)
_BEDROCK_ENTRIES = (
    known(
        "BED-1",
        _BEDROCK,
        "A reasoning block was altered, moved, or lacks its signature; told in"
        " Anthropic's words inside a ValidationException.",
        "the named block, and whether redactedContent was encoded twice",
        TURN,
        "observed",
        "docs.aws.amazon.com, Converse [docs], llama_index #20851 [issue report]",
    ),
    known(
        "BED-2",
        _BEDROCK,
        "A signature is sent to a model that takes none.",
        "which model is asked: leave reasoningText.signature out",
        ONE,
        "reported",
        "strands-agents PR #682, pi #686 [issue report]",
    ),
)
BEDROCK = Wording(
    name="bedrock",
    prefix="BED-",
    marks=marks(r"ValidationException|BedrockException|returned the following errors:"),
    behind={
        **dict.fromkeys(("ANT-1", "ANT-2", "ANT-3", "ANT-4"), "BED-1"),
        "LLM-6": "BED-2",
    },
    entries=_BEDROCK_ENTRIES,
)
AZURE = Wording(
    name="azure",
    prefix="RSP-",
    marks=marks(r"openai\.azure\.com"),
    behind={"RSP-4": "RSP-9"},
)
