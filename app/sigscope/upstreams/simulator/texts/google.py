"""Google, on both surfaces (docs/wire/gemini.md#rules)."""

from __future__ import annotations

from sigscope.upstreams.simulator.texts import ErrorText

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
    text="Invalid value at '{field}' ({kind}), {value}",
    source="Google's JSON parser, as GEM-6 [inferred for other types]",
    code="INVALID_ARGUMENT",
)
ONEOF = ErrorText(
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
    text=(
        "Please ensure that the number of function response parts is equal to the "
        "number of function call parts of the function call turn."
    ),
    source="[issue report: microsoft/vscode #299295, gemini-cli #7705, #15568]",
    code="INVALID_ARGUMENT",
)
CALL_OUT_OF_TURN = ErrorText(
    text=(
        "Please ensure that function call turn comes immediately after a user turn or "
        "after a function response turn."
    ),
    source="[issue report; source code of several clients that match on it]",
    code="INVALID_ARGUMENT",
)
RESULT_OUT_OF_TURN = ErrorText(
    text=(
        "Please ensure that function response turn comes immediately after a function "
        "call turn."
    ),
    source="[issue report; source code of several clients that match on it]",
    code="INVALID_ARGUMENT",
)
BAD_ROLE = ErrorText(
    text="Please use a valid role: user, model.",
    source="[issue report]",
    code="INVALID_ARGUMENT",
)
NO_CONTENTS = ErrorText(
    text="* GenerateContentRequest.contents: contents is not specified\n",
    source="[issue report]",
    code="INVALID_ARGUMENT",
)
BAD_JSON_GOOGLE = ErrorText(
    text="Invalid JSON payload received. {problem}\n{excerpt}\n{caret}",
    source="Google's JSON parser [issue report; the problem's wording is Python's]",
    code="INVALID_ARGUMENT",
)
NO_MODEL_GOOGLE = ErrorText(
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
    text=(
        "Request had invalid authentication credentials. Expected OAuth 2 access "
        "token, login cookie or other valid authentication credential. See "
        "https://developers.google.com/identity/sign-in/web/devconsole-project."
    ),
    source="[docs]",
    status=401,
    code="UNAUTHENTICATED",
)
