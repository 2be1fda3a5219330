"""What is known about each rule id, also of APIs that have no rules here yet.

One record per id. Where a rule has a manual page (`sigscope.rules`), the page says what
it means, how sure that is and where it stands; the record only adds what one who holds
nothing but the error's text asks next. `rules.meanings` puts the two together.
"""

from __future__ import annotations

from dataclasses import dataclass

_TURN = (
    "the answer that brought the signature, and the refused request: from the first"
    " message of the turn on"
)
_PAIR = "the refused request, and the answer to it"
_ONE = "the refused request alone tells it"
_TWO_HOSTS = (
    "the whole conversation with the addresses: who issued the signature, and who"
    " was asked with it"
)
_STREAM = "the answer with its stream, event by event"
_SERIES = "several turns, with their answers: the change shows over time"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is known about one rule id."""

    rule: str
    """ "RSP-1"."""
    api: str
    """Who says so, in words."""
    look: str
    """What to look at first, as a sentence."""
    record: str
    """What to record to be sure."""
    meaning: str = ""
    """One sentence; empty where the rule has a manual page."""
    confidence: str = ""
    """ "documented", "observed", "reported" or "inferred"; empty where there is a
    page."""
    source: str = ""
    """Public; empty where there is a page."""

    @property
    def has_page(self) -> bool:
        """Whether a rule is built, so that its manual page says more."""
        return not self.meaning


def _built(rule: str, api: str, look: str, record: str) -> Entry:
    return Entry(rule=rule, api=api, look=look, record=record)


def _known(
    rule: str,
    api: str,
    meaning: str,
    look: str,
    record: str,
    confidence: str,
    source: str,
) -> Entry:
    return Entry(
        rule=rule,
        api=api,
        look=look,
        record=record,
        meaning=meaning,
        confidence=confidence,
        source=source,
    )


_STUDIO, _VERTEX = "Gemini API (AI Studio)", "Gemini on Vertex AI"
_GEMINI = "Gemini API"
_INTERACTIONS = "Gemini Interactions API"
_COMPATIBLE = "Gemini's OpenAI-compatible endpoint"
_OPENROUTER, _COPILOT, _LITELLM = "OpenRouter", "GitHub Copilot", "LiteLLM proxy"
_RESPONSES = "Responses API (OpenAI, Azure, Codex, Copilot)"
_CLAUDE = "Anthropic Messages"
_DEEPSEEK, _KIMI, _XAI = "DeepSeek", "Kimi (Moonshot)", "xAI"
_BEDROCK = "Amazon Bedrock Converse"

_CLAUDE_DOCS = "docs.claude.com/en/docs/build-with-claude/extended-thinking"
_OPENAI_DOCS = "platform.openai.com/docs/guides/reasoning"
_COMPATIBLE_DOCS = "ai.google.dev/gemini-api/docs/openai"
_GOOGLE_DOCS = "ai.google.dev/gemini-api/docs/thought-signatures"

_FIRST_CALL = (
    "the first function call of the named entry: did its answer bring a signature, and"
    " where did the client put it?"
)

CATALOGUE: tuple[Entry, ...] = (
    _built("GEM-1", _STUDIO, _FIRST_CALL, _TURN),
    _built("GEM-2", _VERTEX, _FIRST_CALL, _TURN),
    _built("GEM-3", _VERTEX, _FIRST_CALL, _TURN),
    _built(
        "GEM-4",
        _STUDIO,
        "whether the model, the key or the service was changed within the conversation,"
        " and whether the value is byte for byte the one received",
        _TWO_HOSTS,
    ),
    _built(
        "GEM-5",
        _VERTEX,
        "whether the value was issued by Vertex, and whether a bypass literal was sent"
        " in base64",
        _TWO_HOSTS,
    ),
    _built(
        "GEM-6",
        _GEMINI,
        "the end of the named value: cut, with an ellipsis, quoted twice, or raw bytes",
        _TURN,
    ),
    _built(
        "GEM-7",
        _GEMINI,
        "the order of parallel calls and their results: all calls first, then all"
        " results",
        _ONE,
    ),
    _built(
        "GEM-8",
        _GEMINI,
        "whether the parallel calls of one answer were split over several entries",
        _TURN,
    ),
    _built("GEM-9", _GEMINI, "nothing: closed turns are not checked", _ONE),
    _built("GEM-10", _GEMINI, "nothing is refused for it", _TURN),
    _built(
        "GEM-11",
        _GEMINI,
        "which of the parallel calls carries the signature: it must be the first",
        _TURN,
    ),
    _built("GEM-12", _GEMINI, "whether one signature stands on several calls", _TURN),
    _built(
        "GEM-13",
        _GEMINI,
        "the named object: the signature belongs on the part, beside functionCall",
        _ONE,
    ),
    _built(
        "GEM-14",
        _GEMINI,
        "whether the service, the model or the key changed since the value came",
        _TWO_HOSTS,
    ),
    _built(
        "GEM-15",
        "Gemini image models",
        "the named part of the model's earlier answer: every part came signed",
        _TURN,
    ),
    _built(
        "GEM-16",
        _GEMINI,
        "whether the client shortened the thought's text and kept its signature",
        _TURN,
    ),
    _built(
        "GEM-17",
        _GEMINI,
        "the request before this answer: a call of its current turn has no signature",
        _TURN,
    ),
    _built(
        "GEM-18",
        _GEMINI,
        "the entry after each entry with calls: as many functionResponse as"
        " functionCall parts, none doubled, none left out",
        _ONE,
    ),
    _known(
        "GIN-1",
        _INTERACTIONS,
        "A stateless request leaves out thought steps or signatures of earlier steps.",
        "with store=false: whether all earlier steps are sent back as they came",
        _TURN,
        "documented, its error text is not known",
        "ai.google.dev/gemini-api/docs/interactions/thinking [docs]",
    ),
    _known(
        "GIN-2",
        _INTERACTIONS,
        "previous_interaction_id is unknown or has expired.",
        "the id: whose key it was made with, and when",
        _PAIR,
        "inferred, its error text is not known",
        "ai.google.dev/gemini-api/docs/interactions [docs]",
    ),
    _known(
        "GOC-1",
        _COMPATIBLE,
        "The first call of a step of the current turn lacks"
        " extra_content.google.thought_signature.",
        "whether the client's SDK drops extra_content, which is no field of OpenAI's",
        _TURN,
        "reported; how entries are counted is inferred",
        f"{_COMPATIBLE_DOCS} [docs], openai-python #2758 [issue report]",
    ),
    _known(
        "GOC-2",
        _COMPATIBLE,
        "A signature in extra_content was altered, or comes from elsewhere.",
        "whether the value is byte for byte the one received, from this service",
        _TWO_HOSTS,
        "inferred",
        f"{_GOOGLE_DOCS} [docs]",
    ),
    _known(
        "GOC-3",
        _COMPATIBLE,
        "A signature that came under extra_content.vertex is sent as google, or the"
        " other way round.",
        "the member's name in the answer and in the request",
        _TURN,
        "reported",
        "pi #7745, #6733 [issue report]",
    ),
    _known(
        "GOC-4",
        _COMPATIBLE,
        "The calls of one step are spread over several assistant messages.",
        "whether parallel calls of one answer became messages of their own",
        _TURN,
        "inferred",
        f"{_COMPATIBLE_DOCS} [docs]",
    ),
    _built(
        "ORT-1",
        _OPENROUTER,
        "the assistant message with tool calls: its reasoning_details must be those"
        " that came",
        _TURN,
    ),
    _built(
        "ORT-2",
        _OPENROUTER,
        "the named entry of reasoning_details: its data, text or summary is gone",
        _TURN,
    ),
    _built("ORT-3", _OPENROUTER, "both entries with the named id", _ONE),
    _built(
        "ORT-4",
        _OPENROUTER,
        "the id of openai-responses-v1 entries: the service looks it up",
        _TURN,
    ),
    _built(
        "ORT-5",
        _OPENROUTER,
        "whether fragments of a stream were joined into one entry, unaltered",
        _STREAM,
    ),
    _built(
        "ORT-6",
        _OPENROUTER,
        "`provider` of the answer that issued it, and of the refusal: pin one",
        _TWO_HOSTS,
    ),
    _built("ORT-7", _OPENROUTER, "nothing is refused for it", _TURN),
    _built("ORT-8", _OPENROUTER, "the error inside the stream's last chunk", _STREAM),
    _built(
        "CPC-1",
        _COPILOT,
        "reasoning_opaque on the assistant message that has the tool calls",
        _TURN,
    ),
    _built(
        "CPC-2",
        _COPILOT,
        "`content` of assistant messages ([] is refused), and signature fields inside"
        " tool calls",
        _PAIR,
    ),
    _built("CPC-3", _COPILOT, "the named argument: this model takes none such", _ONE),
    _built(
        "CPC-4",
        _COPILOT,
        "supported_endpoints of the model in the answer of /models",
        _ONE,
    ),
    _built(
        "CPC-5",
        _COPILOT,
        "whether the value is one that this account and model got, not a field's name",
        _TURN,
    ),
    _built(
        "CPC-6",
        _COPILOT,
        "whether each tool message still has its call, and each call its answer",
        _ONE,
    ),
    _built("CPC-7", _COPILOT, "nothing is refused for it", _TURN),
    _built(
        "CPC-8",
        _COPILOT,
        "how many reasoning_opaque values the stream brought; the client gave up, the"
        " service did not",
        _STREAM,
    ),
    _built("CPC-9", _COPILOT, "the finish reason of the last chunk", _STREAM),
    _known(
        "RSP-1",
        _RESPONSES,
        "A reasoning item is sent without the item that it led to.",
        "the item after the named one: it was trimmed, or sorted elsewhere",
        _TURN,
        "observed",
        f"{_OPENAI_DOCS} [docs], vercel/ai #7099 [issue report]",
    ),
    _known(
        "RSP-2",
        _RESPONSES,
        "An item is sent with its id and without the reasoning item it came with.",
        "whether reasoning items are dropped while the ids of the others are kept",
        _TURN,
        "documented",
        f"{_OPENAI_DOCS} [docs], continue #12620 [issue report]",
    ),
    _known(
        "RSP-3",
        _RESPONSES,
        "encrypted_content was altered or cut, or another organisation, account or"
        " vendor issued it.",
        "whether the value is that of output_item.done (not of .added), and whether"
        " account, project or model was changed",
        _TWO_HOSTS,
        "reported",
        "openai/codex #8145, #17541 [issue report]",
    ),
    _known(
        "RSP-4",
        _RESPONSES,
        "An item's id is sent where nothing was stored (store is false), without its"
        " encrypted_content.",
        "`include`: it must ask for reasoning.encrypted_content; else drop the ids",
        _TURN,
        "reported",
        f"{_OPENAI_DOCS} [docs], vercel/ai #12689 [issue report]",
    ),
    _known(
        "RSP-5",
        _RESPONSES,
        "encrypted_content stands beside an id that is not the one it came with.",
        "whether the client makes ids of its own, shorter or unique ones",
        _TURN,
        "reported",
        "openclaw #71333, #72602 [issue report]",
    ),
    _known(
        "RSP-6",
        _RESPONSES,
        "An item's id is longer than this server takes; Copilot's ids are.",
        "whether the conversation began at Copilot and goes on elsewhere",
        _TWO_HOSTS,
        "reported",
        "oh-my-pi #284 [issue report]",
    ),
    _known(
        "RSP-7",
        _RESPONSES,
        "An item's id belongs to another connection.",
        "whether ids of an earlier connection or session are sent",
        _TWO_HOSTS,
        "reported",
        "opencode #31236 [issue report]",
    ),
    _known(
        "RSP-8",
        _RESPONSES,
        "previous_response_id is not known here: not stored, expired, or another"
        " account's.",
        "whether that response was made with store=true, by this account",
        _TURN,
        "reported",
        "platform.openai.com/docs/guides/conversation-state [docs]",
    ),
    _known(
        "RSP-9",
        "Azure OpenAI, Responses API",
        "A reasoning id is sent with store=false; told in the words of RSP-4.",
        "the ids of reasoning items: leave them out on Azure",
        _TURN,
        "reported",
        "vercel/ai #12689 [issue report]",
    ),
    _known(
        "RSP-10",
        _RESPONSES,
        "All reasoning items and the ids of the others were removed: accepted, but each"
        " step starts cold.",
        "nothing is refused for it",
        _TURN,
        "documented",
        f"{_OPENAI_DOCS} [docs]",
    ),
    _known(
        "RSP-11",
        _RESPONSES,
        "A reasoning item is sent with its content and without its id: said to be"
        " accepted.",
        "nothing is refused for it, as far as is known",
        _TURN,
        "reported",
        "vercel/ai #12689 [issue report]",
    ),
    _known(
        "RSP-12",
        _RESPONSES,
        "encrypted_content was issued to another caller.",
        "whether account, key or proxy pool changed within the conversation",
        _TWO_HOSTS,
        "reported",
        "gentle-ai #4595 [issue report]",
    ),
    _known(
        "RSP-13",
        "gateways to the Responses API",
        "A gateway's own name for a refused signature; its words hide the service's.",
        "the gateway's log: the service's own sentence",
        _PAIR,
        "reported",
        "openclaw #92941 [issue report]",
    ),
    _built(
        "LLM-1",
        _LITELLM,
        "where on the tool call the client puts the signature: only some places are"
        " read",
        _TURN,
    ),
    _built(
        "LLM-2",
        _LITELLM,
        "the version of the proxy, and whether the model's name tells it that this is"
        " Gemini 3",
        _TURN,
    ),
    _built(
        "LLM-3",
        _LITELLM,
        "the id of the call and the tool_call_id of its result, `__thought__` part"
        " included",
        _ONE,
    ),
    _built(
        "LLM-4",
        _LITELLM,
        "the named id: the signature in it makes it too long, or a client cleaned it",
        _TURN,
    ),
    _built("LLM-5", _LITELLM, "the named value, against the one received", _TURN),
    _built(
        "LLM-6",
        _LITELLM,
        "which model behind Bedrock is asked: it takes no signatures",
        _ONE,
    ),
    _built("LLM-7", _LITELLM, "the finish reason behind the empty answer", _PAIR),
    _built("LLM-8", _LITELLM, "thinking blocks of a rebuilt stream", _STREAM),
    _known(
        "ANT-1",
        _CLAUDE,
        "A thinking block's signature or text was altered, cut, merged with another, or"
        " comes from another model or account.",
        "the named block, against the one received; was the model switched?",
        _TURN,
        "reported",
        f"{_CLAUDE_DOCS} [docs], anthropic-sdk-python #1598 [issue report]",
    ),
    _known(
        "ANT-2",
        _CLAUDE,
        "Thinking is on, and the last assistant message with tool use does not begin"
        " with its thinking block.",
        "the first block of the named message; was one answer stored as two messages?",
        _TURN,
        "documented",
        f"{_CLAUDE_DOCS} [docs], opencode #3077 [issue report]",
    ),
    _known(
        "ANT-3",
        _CLAUDE,
        "Blocks of the latest assistant message were changed, removed or reordered.",
        "the blocks of the last assistant message, against those received",
        _TURN,
        "documented",
        f"{_CLAUDE_DOCS} [docs]",
    ),
    _known(
        "ANT-4",
        _CLAUDE,
        "A thinking block is sent without its signature.",
        "whether the client keeps signature_delta, the last event of the block",
        _STREAM,
        "reported",
        "dirge #823, llama_index #20851 [issue report]",
    ),
    _known(
        "ANT-5",
        _CLAUDE,
        "A thinking block is sent with its signature and without its text.",
        "whether a gateway strips thinking texts",
        _TURN,
        "reported",
        "theia #18044 [issue report]",
    ),
    _known(
        "ANT-6",
        _CLAUDE,
        "The conversation before a thinking block is not the one it was made in.",
        "what changed before the named block: system prompt, tools, trimmed or"
        " rewritten messages",
        _TURN,
        "documented",
        "platform.claude.com, preserved thinking [docs], opencode #48637"
        " [issue report]",
    ),
    _known(
        "ANT-7",
        _CLAUDE,
        "A block of another model is left out without an error.",
        "whether the model was switched",
        _TURN,
        "documented",
        "platform.claude.com, preserved thinking [docs]",
    ),
    _known(
        "ANT-8",
        _CLAUDE,
        "A block bound to one account is used from another; told in the words of"
        " ANT-1, or left out.",
        "whether the account was changed",
        _TWO_HOSTS,
        "documented",
        "platform.claude.com, preserved thinking [docs]",
    ),
    _known(
        "ANT-9",
        _CLAUDE,
        "A tool_use block is not followed by its tool_result in the next message.",
        "the message after the named one: it must begin with the results",
        _ONE,
        "documented",
        "docs.claude.com/en/docs/agents-and-tools/tool-use [docs]",
    ),
    _known(
        "ANT-10",
        _CLAUDE,
        "The same checks, in the endpoint that counts tokens.",
        "what ANT-1 to ANT-6 say",
        _TURN,
        "documented",
        f"{_CLAUDE_DOCS} [docs]",
    ),
    _known(
        "ANT-11",
        _CLAUDE,
        "Thinking is switched off while thinking blocks are sent.",
        "`thinking` of the request: was it removed or disabled on the way?",
        _PAIR,
        "reported",
        "litellm #18926 [source code]",
    ),
    _known(
        "DSK-1",
        _DEEPSEEK,
        "An assistant message with tool calls lacks reasoning_content (V3.2).",
        "the named message; an empty reasoning has to be sent as an empty string",
        _TURN,
        "documented",
        "api-docs.deepseek.com/guides/thinking_mode [docs], opencode #9397"
        " [issue report]",
    ),
    _known(
        "DSK-2",
        _DEEPSEEK,
        "An assistant message with tool calls lacks its reasoning (V4; also MiMo).",
        "every assistant message with tool calls, those of earlier turns too",
        _TURN,
        "documented",
        "api-docs.deepseek.com/guides/thinking_mode [docs], opencode #24722"
        " [issue report]",
    ),
    _known(
        "DSK-3",
        _DEEPSEEK,
        "The first deepseek-reasoner refused reasoning_content in its input; later ones"
        " want it.",
        "which model is asked",
        _ONE,
        "documented in an older edition",
        "api-docs.deepseek.com [docs]",
    ),
    _known(
        "DSK-4",
        "DeepSeek, Responses API",
        "Calls and their outputs are interleaved; an output is not found after its"
        " call.",
        "the order: all calls of a step, then all outputs",
        _ONE,
        "observed",
        "recordings of pydantic-ai [real traffic]",
    ),
    _known(
        "KIM-1",
        _KIMI,
        "Thinking is on, and an assistant message with tool calls lacks"
        " reasoning_content.",
        "the named message: is the field missing, or empty? Some models take an empty"
        " one for a missing one",
        _TURN,
        "reported",
        "platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model [docs], mastra"
        " #12592 [issue report]",
    ),
    _known(
        "KIM-2",
        _KIMI,
        "reasoning_content is an empty string, which k2.5 and k2.6 take for missing.",
        "the value: one blank is the least that passes",
        _ONE,
        "reported",
        "pi #4178, llmgateway #2093 [issue report]",
    ),
    _known(
        "KIM-3",
        _KIMI,
        "K3 refuses an assistant message with empty content.",
        "`content` of assistant messages",
        _ONE,
        "reported, its error text is not known",
        "tolokaforge #1286 [issue report]",
    ),
    _known(
        "XAI-1",
        _XAI,
        "encrypted_content was altered, or another account's service issued it.",
        "whether the value is byte for byte the one received",
        _TWO_HOSTS,
        "reported",
        "sub2api #4535 [issue report]",
    ),
    _known(
        "XAI-2",
        _XAI,
        "A reasoning item without `summary` is taken for a compaction item.",
        "the reasoning items: each needs summary, if only []",
        _TURN,
        "reported",
        "grok2api #688, #689 [issue report]",
    ),
    _known(
        "BED-1",
        _BEDROCK,
        "A reasoning block was altered, moved, or lacks its signature; told in"
        " Anthropic's words inside a ValidationException.",
        "the named block, and whether redactedContent was encoded twice",
        _TURN,
        "observed",
        "docs.aws.amazon.com, Converse [docs], llama_index #20851 [issue report]",
    ),
    _known(
        "BED-2",
        _BEDROCK,
        "A signature is sent to a model that takes none.",
        "which model is asked: leave reasoningText.signature out",
        _ONE,
        "reported",
        "strands-agents PR #682, pi #686 [issue report]",
    ),
)

_BY_RULE = {entry.rule: entry for entry in CATALOGUE}


def entry(rule: str) -> Entry | None:
    """What is known about a rule id, whatever its case; None for one nobody knows."""
    return _BY_RULE.get(rule.strip().upper())
