"""The exact error texts of the real services, with rule ids and sources.

Texts are quoted, not written: change one only together with its source. `{name}`
marks what the service fills in. Rule ids are those of docs/wire.
"""

from __future__ import annotations

from dataclasses import dataclass

from sigscope.upstreams.simulator.records import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorText:
    """One text as a service prints it."""

    rule: str
    """Rule id; empty for manners that have no id."""
    text: str
    source: str
    """Where it was seen. Tags: [docs], [issue report], [source code], [inferred]."""
    status: int = 400
    code: str = ""
    """The service's own code beside the text."""

    def refuse(
        self,
        *,
        pointer: str = "",
        position: int | None = None,
        rule: str | None = None,
        **fill: object,
    ) -> Refusal:
        """The refusal this text makes, filled in."""
        return Refusal(
            message=self.text.format(position=position, **fill),
            rule=self.rule if rule is None else rule,
            source=self.source,
            status=self.status,
            code=self.code,
            pointer=pointer,
            position=position,
        )


# Google, both surfaces (docs/wire/gemini.md#rules)

MISSING_AI_STUDIO = ErrorText(
    rule="GEM-1",
    text=(
        "Function call is missing a thought_signature in functionCall parts. This is "
        "required for tools to work correctly, and missing thought_signature may lead "
        "to degraded model performance. Additional data, function call "
        "`default_api:{name}` , position {position}. Please refer to "
        "https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
    ),
    source=(
        "ai.google.dev/gemini-api/docs/thought-signatures, "
        "google-gemini/gemini-cli#26682 [issue report, dozens; docs confirm the 400]; "
        "docs/wire/gemini.md#gem-1"
    ),
    code="INVALID_ARGUMENT",
)
MISSING_VERTEX = ErrorText(
    rule="GEM-2",
    text=(
        "Unable to submit request because function call `default_api:{name}` in the "
        "{position}. content block is missing a `thought_signature`. Learn more: "
        "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures"
    ),
    source=(
        "docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures, "
        "n8n-io/n8n#31303 [client's notes] [issue report]; docs/wire/gemini.md#gem-2"
    ),
    code="INVALID_ARGUMENT",
)
CORRUPTED = ErrorText(
    rule="GEM-4",
    text="Corrupted thought signature.",
    source=(
        "google-gemini/gemini-cli#13467, lbjlaq/Antigravity-Manager#3337 [issue "
        "report]; docs/wire/gemini.md#gem-4"
    ),
    code="INVALID_ARGUMENT",
)
INVALID = ErrorText(
    rule="GEM-4",
    text="Invalid thought signature.",
    source=(
        "google-gemini/gemini-cli#13467, lbjlaq/Antigravity-Manager#3337 [issue "
        "report]; docs/wire/gemini.md#gem-4"
    ),
    code="INVALID_ARGUMENT",
)
INVALID_VERTEX = ErrorText(
    rule="GEM-5",
    text=(
        "Unable to submit request because Thought signature is not valid.. Learn more: "
        "https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini"
    ),
    source=(
        "langchain-ai/langchain-google#1570, googleapis/go-genai#711 [issue report]; "
        "docs/wire/gemini.md#gem-5"
    ),
    code="INVALID_ARGUMENT",
)
NOT_BASE64 = ErrorText(
    rule="GEM-6",
    text=(
        "Invalid value at '{field}' (TYPE_BYTES), Base64 decoding failed for "
        '"{value}"'
    ),
    source=(
        "crmne/ruby_llm#521, google-gemini/gemini-cli#8003, BerriAI/litellm#42201 "
        "[issue report: ruby_llm #521, gemini-cli #8003]; docs/wire/gemini.md#gem-6"
    ),
    code="INVALID_ARGUMENT",
)
UNKNOWN_NAME = ErrorText(
    rule="GEM-13",
    text=(
        'Invalid JSON payload received. Unknown name "{name}"{at}: Cannot find field.'
    ),
    source=(
        "router-for-me/CLIProxyAPI [source code: CLIProxyAPI; text inferred]; "
        "docs/wire/gemini.md#gem-13"
    ),
    code="INVALID_ARGUMENT",
)
BAD_TYPE = ErrorText(
    rule="",
    text="Invalid value at '{field}' ({kind}), {value}",
    source="Google's JSON parser, as GEM-6 [inferred for other types]",
    code="INVALID_ARGUMENT",
)
ONEOF = ErrorText(
    rule="",
    text=(
        "Invalid value at '{field}' (oneof), oneof field 'data' is already set. "
        "Cannot set '{name}'"
    ),
    source="Google's JSON parser [source code: protobuf tests; public client code]",
    code="INVALID_ARGUMENT",
)
IMAGE_UNSIGNED = ErrorText(
    rule="GEM-15",
    text=(
        "{kind} part is missing a thought_signature in content position {position}, "
        "part position {part}. Please refer to https://ai.google.dev/gemini-api/docs/"
        "thought-signatures#model-behavior for more details."
    ),
    source=(
        "gemini-3-pro-image-preview on AI Studio [issue report: archestra #2548, "
        "langchain-google #1431, lobehub #10404]; contested: docs/wire/gemini.md#gem-15"
    ),
    code="INVALID_ARGUMENT",
)
COUNT_DIFFERS = ErrorText(
    rule="",
    text=(
        "Please ensure that the number of function response parts is equal to the "
        "number of function call parts of the function call turn."
    ),
    source="[issue report: microsoft/vscode #299295, gemini-cli #7705, #15568]",
    code="INVALID_ARGUMENT",
)
CALL_OUT_OF_TURN = ErrorText(
    rule="",
    text=(
        "Please ensure that function call turn comes immediately after a user turn or "
        "after a function response turn."
    ),
    source="[issue report; source code of several clients that match on it]",
    code="INVALID_ARGUMENT",
)
RESULT_OUT_OF_TURN = ErrorText(
    rule="",
    text=(
        "Please ensure that function response turn comes immediately after a function "
        "call turn."
    ),
    source="[issue report; source code of several clients that match on it]",
    code="INVALID_ARGUMENT",
)
BAD_ROLE = ErrorText(
    rule="",
    text="Please use a valid role: user, model.",
    source="[issue report]",
    code="INVALID_ARGUMENT",
)
NO_CONTENTS = ErrorText(
    rule="",
    text="* GenerateContentRequest.contents: contents is not specified\n",
    source="[issue report]",
    code="INVALID_ARGUMENT",
)
BAD_JSON_GOOGLE = ErrorText(
    rule="",
    text="Invalid JSON payload received. {problem}\n{excerpt}\n{caret}",
    source="Google's JSON parser [issue report; the problem's wording is Python's]",
    code="INVALID_ARGUMENT",
)
NO_MODEL_GOOGLE = ErrorText(
    rule="",
    text=(
        "models/{name} is not found for API version {version}, or is not supported for "
        "generateContent. Call ModelService.ListModels to see the list of available "
        "models and their supported methods."
    ),
    source="[real traffic: recorded 404 of AI Studio]",
    status=404,
    code="NOT_FOUND",
)
NO_KEY_GOOGLE = ErrorText(
    rule="",
    text=(
        "Request had invalid authentication credentials. Expected OAuth 2 access "
        "token, login cookie or other valid authentication credential. See "
        "https://developers.google.com/identity/sign-in/web/devconsole-project."
    ),
    source="[docs]",
    status=401,
    code="UNAUTHENTICATED",
)

# GitHub Copilot (docs/wire/copilot-chat.md#rules)

INVALID_BODY = ErrorText(
    rule="CPC-2",
    text="invalid request body",
    source=(
        "zed-industries/zed#43024 [client's notes]; docs/wire/copilot-chat.md#cpc-2"
    ),
    code="invalid_request_body",
)
UNSUPPORTED_ARGUMENT = ErrorText(
    rule="CPC-3",
    text="Unrecognized request argument supplied: {name}",
    source=(
        "caozhiyuan/copilot-api#102 [issue report]; docs/wire/copilot-chat.md#cpc-3"
    ),
    code="invalid_request_body",
)
NOT_ON_RESPONSES = ErrorText(
    rule="CPC-4",
    text="model {name} is not supported via Responses API.",
    source=(
        "zed-industries/zed#43024, caozhiyuan/copilot-api#113 [client's notes]; "
        "docs/wire/copilot-chat.md#cpc-4"
    ),
    code="unsupported_api_for_model",
)
NOT_ON_CHAT = ErrorText(
    rule="CPC-4",
    text='model "{name}" is not accessible via the /chat/completions endpoint',
    source=(
        "zed-industries/zed#43024, caozhiyuan/copilot-api#113 [issue report]; "
        "docs/wire/copilot-chat.md#cpc-4"
    ),
    code="unsupported_api_for_model",
)
CLAUDE_BLOB = ErrorText(
    rule="CPC-5",
    text="messages.{position}.content.0: Invalid signature in thinking block",
    source=(
        "caozhiyuan/copilot-api#73, ericc-ch/copilot-api#166, badlogic/pi-mono#1502 "
        "[issue report]; docs/wire/copilot-chat.md#cpc-5"
    ),
    code="invalid_request_body",
)
NO_KEY_COPILOT = ErrorText(
    rule="",
    text="unauthorized: token expired",
    source="[issue report]",
    status=401,
    code="unauthorized",
)

# OpenRouter (docs/wire/openrouter.md#rules)

PRESERVE_DETAILS = ErrorText(
    rule="ORT-1",
    text=(
        "Gemini models require OpenRouter reasoning details to be preserved in each "
        "request. Please refer to our docs: https://openrouter.ai/docs/guides/"
        "best-practices/reasoning-tokens#preserving-reasoning-blocks. Upstream error: "
        "{upstream}"
    ),
    source=(
        "openrouter.ai/docs/guides/best-practices/reasoning-tokens, "
        "microsoft/vscode#279676, janhq/jan#7009 [issue report]; "
        "docs/wire/openrouter.md#ort-1"
    ),
)
NO_PAYLOAD = ErrorText(
    rule="ORT-2",
    text="Invalid input: expected {expected}, received {received}",
    source=(
        "cline/cline#8214 [issue report: cline #8214; wrapping inferred]; "
        "docs/wire/openrouter.md#ort-2"
    ),
)
DUPLICATE_ITEM = ErrorText(
    rule="ORT-3",
    text=(
        "Duplicate item found with id {name}. Remove duplicate items from your input "
        "and try again."
    ),
    source=(
        "OpenRouterTeam/ai-sdk-provider [issue report; source code: ai-sdk-provider]; "
        "docs/wire/openrouter.md#ort-3"
    ),
)
NOT_PERSISTED = ErrorText(
    rule="ORT-4",
    text=(
        "Item with id '{name}' not found. Items are not persisted when `store` is set "
        "to false. Try again with `store` set to true, or remove this item from your "
        "input."
    ),
    source=(
        "RooCodeInc/Roo-Code (src/api/providers/openrouter.ts), vercel/ai#12689 "
        "[source code: Roo; issue report]; docs/wire/openrouter.md#ort-4, "
        "docs/wire/responses.md#rsp-4"
    ),
    status=404,
)
OPENAI_UNVERIFIED = ErrorText(
    rule="RSP-3",
    text=(
        "The encrypted content {name} could not be verified. Reason: Encrypted content "
        "could not be decrypted or parsed."
    ),
    source="openai/codex#17541 [issue report]; docs/wire/responses.md#rsp-3",
    code="invalid_encrypted_content",
)
XAI_UNDECIPHERED = ErrorText(
    rule="XAI-1",
    text=(
        "Could not decrypt the provided encrypted_content. Ensure the value is the "
        "unmodified encrypted_content from a previous response."
    ),
    source="docs.x.ai [issue report]; docs/wire/others.md#xai-1",
    code="invalid-argument",
)
NO_KEY_OPENROUTER = ErrorText(
    rule="",
    text="No auth credentials found",
    source="[docs][issue report]",
    status=401,
)

# Anthropic, behind OpenRouter and LiteLLM (docs/wire/anthropic.md#rules)

CLAUDE_SIGNATURE = ErrorText(
    rule="ANT-1",
    text="messages.{position}.content.{part}: Invalid `signature` in `thinking` block",
    source=(
        "docs.claude.com/en/docs/build-with-claude/extended-thinking, "
        "anthropics/anthropic-sdk-python#1598 [issue report]; "
        "docs/wire/anthropic.md#ant-1"
    ),
    code="invalid_request_error",
)

# LiteLLM (docs/wire/litellm.md#rules)

MISSING_CALL = ErrorText(
    rule="LLM-3",
    text=(
        "Missing corresponding tool call for tool response message. Received - "
        "message={message}, last_message_with_tool_calls={last}"
    ),
    source=(
        "BerriAI/litellm#26965 [source code, executed; issue report: #26965]; "
        "docs/wire/litellm.md#llm-3"
    ),
    status=500,
)
BAD_ARGUMENTS = ErrorText(
    rule="",
    text=(
        "Unable to convert openai tool calls={message} to gemini tool calls. Received "
        "error={problem}"
    ),
    source="litellm 1.106.2 [executed]",
    status=500,
)
NO_KEY_LITELLM = ErrorText(
    rule="",
    text="Authentication Error, No api key passed in.",
    source="[source code]",
    status=401,
)

# Plain HTTP manners of chat completions services

NO_MESSAGES = ErrorText(
    rule="",
    text='Input required: specify "prompt" or "messages"',
    source="[issue report: OpenRouter]",
)
BAD_JSON = ErrorText(
    rule="",
    text="Invalid JSON in request body: {problem}",
    source="[inferred]",
)
