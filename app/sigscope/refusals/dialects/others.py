"""How services word their errors whose APIs no dialect reads."""

from __future__ import annotations

from sigscope.refusals.entry import ONE, TURN, TWO_HOSTS, known
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import MISSING, Wording, marks

_COMPATIBLE = "Gemini's OpenAI-compatible endpoint"
_DEEPSEEK = "DeepSeek"
_KIMI = "Kimi (Moonshot)"
_XAI = "xAI"
_BEDROCK = "Amazon Bedrock Converse"
_COMPATIBLE_DOCS = "ai.google.dev/gemini-api/docs/openai"
_GOOGLE_DOCS = "ai.google.dev/gemini-api/docs/thought-signatures"

_GEMINI_OPENAI_ENTRIES = (
    known(
        "GOC-1",
        _COMPATIBLE,
        "The first call of a step of the current turn lacks"
        " extra_content.google.thought_signature.",
        "whether the client's SDK drops extra_content, which is no field of OpenAI's",
        TURN,
        "reported; how entries are counted is inferred",
        f"{_COMPATIBLE_DOCS} [docs], openai-python #2758 [issue report]",
    ),
    known(
        "GOC-2",
        _COMPATIBLE,
        "A signature in extra_content was altered, or comes from elsewhere.",
        "whether the value is byte for byte the one received, from this service",
        TWO_HOSTS,
        "inferred",
        f"{_GOOGLE_DOCS} [docs]",
    ),
    known(
        "GOC-3",
        _COMPATIBLE,
        "A signature that came under extra_content.vertex is sent as google, or the"
        " other way round.",
        "the member's name in the answer and in the request",
        TURN,
        "reported",
        "pi #7745, #6733 [issue report]",
    ),
    known(
        "GOC-4",
        _COMPATIBLE,
        "The calls of one step are spread over several assistant messages.",
        "whether parallel calls of one answer became messages of their own",
        TURN,
        "inferred",
        f"{_COMPATIBLE_DOCS} [docs]",
    ),
)
GEMINI_OPENAI = Wording(
    name="gemini-openai",
    prefix="GOC-",
    marks=marks(r"/v1beta/openai/|/endpoints/openapi/"),
    behind={
        **dict.fromkeys(MISSING, "GOC-1"),
        **dict.fromkeys(("GEM-4", "GEM-5", "GEM-6"), "GOC-2"),
    },
    entries=_GEMINI_OPENAI_ENTRIES,
    kin={
        "GOC-1": frozenset(MISSING),
        "GOC-2": frozenset({"GEM-4", "GEM-5", "GEM-6"}),
        "GOC-4": frozenset(MISSING),
    },
    wants=frozenset({"GOC-1"}),
)
_DEEPSEEK_PATTERNS = (
    words(
        "DSK-1",
        "Missing reasoning_content field in the assistant message< at message index {i}"
        "<. For more>>",
        Place.MESSAGE,
    ),
    words("DSK-2", "reasoning_content in the thinking mode must be passed back"),
    words("DSK-2", "content[].thinking in the thinking mode must be passed back"),
    words("DSK-4", "No tool output found for tool call {id$}", Place.ID),
)
_DEEPSEEK_ENTRIES = (
    known(
        "DSK-1",
        _DEEPSEEK,
        "An assistant message with tool calls lacks reasoning_content (V3.2).",
        "the named message; an empty reasoning has to be sent as an empty string",
        TURN,
        "documented",
        "api-docs.deepseek.com/guides/thinking_mode [docs], opencode #9397"
        " [issue report]",
    ),
    known(
        "DSK-2",
        _DEEPSEEK,
        "An assistant message with tool calls lacks its reasoning (V4; also MiMo).",
        "every assistant message with tool calls, those of earlier turns too",
        TURN,
        "documented",
        "api-docs.deepseek.com/guides/thinking_mode [docs], opencode #24722"
        " [issue report]",
    ),
    known(
        "DSK-3",
        _DEEPSEEK,
        "The first deepseek-reasoner refused reasoning_content in its input; later ones"
        " want it.",
        "which model is asked",
        ONE,
        "documented in an older edition",
        "api-docs.deepseek.com [docs]",
    ),
    known(
        "DSK-4",
        "DeepSeek, Responses API",
        "Calls and their outputs are interleaved; an output is not found after its"
        " call.",
        "the order: all calls of a step, then all outputs",
        ONE,
        "observed",
        "recordings of pydantic-ai [real traffic]",
    ),
)
DEEPSEEK = Wording(
    name="deepseek",
    prefix="DSK-",
    patterns=_DEEPSEEK_PATTERNS,
    entries=_DEEPSEEK_ENTRIES,
)
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
    kin={
        "BED-1": frozenset({"ANT-1", "ANT-2", "ANT-3", "ANT-4"}),
        "BED-2": frozenset({"LLM-6"}),
    },
)
AZURE = Wording(
    name="azure",
    prefix="RSP-",
    marks=marks(r"openai\.azure\.com"),
    behind={"RSP-4": "RSP-9"},
)
