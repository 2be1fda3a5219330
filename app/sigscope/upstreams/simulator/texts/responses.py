"""Services of the Responses API (docs/wire/responses.md#rules)."""

from __future__ import annotations

from sigscope.upstreams.simulator.texts import ErrorText

_DOCS = "docs/wire/responses.md"

UNFOLLOWED = ErrorText(
    rule="RSP-1",
    text="Item '{name}' of type 'reasoning' was provided without its required"
    " following item.",
    source=f"recorded by pydantic/pydantic-ai; vercel/ai#7099; {_DOCS}#rsp-1",
)
WITHOUT_REASONING = ErrorText(
    rule="RSP-2",
    text="Item '{name}' of type '{type}' was provided without its required"
    " 'reasoning' item: '{reasoning}'.",
    source=f"continuedev/continue#12620 [issue report]; {_DOCS}#rsp-2",
)
UNVERIFIED = ErrorText(
    rule="RSP-3",
    text="The encrypted content {name} could not be verified. Reason: Encrypted content"
    " could not be decrypted or parsed.",
    source=f"openai/codex#17541 [issue report]; {_DOCS}#rsp-3",
    code="invalid_encrypted_content",
)
OTHER_ORGANIZATION = ErrorText(
    rule="RSP-3",
    text="The encrypted content {name} could not be verified. Reason: Encrypted content"
    " organization_id did not match the target organization.",
    source=f"openai/codex#13724 [issue report]; {_DOCS}#rsp-3",
    code="invalid_encrypted_content",
)
NOT_PERSISTED = ErrorText(
    rule="RSP-4",
    text="Item with id '{name}' not found. Items are not persisted when `store` is set"
    " to false. Try again with `store` set to true, or remove this item from your"
    " input.",
    source=f"vercel/ai#12689 [issue report]; {_DOCS}#rsp-4",
    status=404,
)
NOT_FOUND = ErrorText(
    rule="RSP-4",
    text="Item with id '{name}' not found.",
    source=f"vercel/ai#12689 [issue report]; {_DOCS}#rsp-4",
    status=404,
)
OTHER_ITEM = ErrorText(
    rule="RSP-5",
    text="The encrypted content {name} could not be verified. Reason: Encrypted content"
    " item_id did not match the target item id.",
    source=f"openclaw/openclaw#71333 [issue report]; {_DOCS}#rsp-5",
    code="invalid_encrypted_content",
)
LONG_ID = ErrorText(
    rule="RSP-6",
    text="Invalid 'input[{position}].id': string too long. Expected a string with"
    " maximum length 64, but got a string with length {length} instead.",
    source=f"can1357/oh-my-pi#284 [issue report]; {_DOCS}#rsp-6",
    code="string_above_max_length",
)
OTHER_CONNECTION = ErrorText(
    rule="RSP-7",
    text="input item ID does not belong to this connection",
    source=f"anomalyco/opencode#31236 [issue report]; {_DOCS}#rsp-7",
    status=401,
)
UNKNOWN_ANSWER = ErrorText(
    rule="RSP-8",
    text="Previous response with id '{name}' not found.",
    source=f"maximhq/bifrost#2441 [issue report]; {_DOCS}#rsp-8",
    code="previous_response_not_found",
)
ISSUED_TO_ANOTHER = ErrorText(
    rule="RSP-12",
    text="reasoning `encrypted_content` was not issued to this caller",
    source=f"anomalyco/opencode#48773, of Muse Spark [issue report]; {_DOCS}#rsp-12",
)
UNANSWERED = ErrorText(
    rule="RSP-14",
    text="No tool output found for function call {name}.",
    source=f"bytedance/trae-agent#245 [issue report]; {_DOCS}#rsp-14",
)
UNCALLED = ErrorText(
    rule="RSP-14",
    text="No tool call found for function call output with call_id {name}.",
    source=f"microsoft/vscode#320060 [issue report]; {_DOCS}#rsp-14",
)

# Manners without a rule

NO_INPUT = ErrorText(
    text="Missing required parameter: 'input'.",
    source="[inferred from the form of others]",
    code="missing_required_parameter",
)
NO_SUMMARY = ErrorText(
    text="Missing required parameter: 'input[{position}].summary'.",
    source="openai/openai-agents-python#1235 [issue report]",
    code="missing_required_parameter",
)
WRONG_ID = ErrorText(
    text="Invalid 'input[{position}].id': '{name}'. Expected an ID that begins with"
    " '{prefix}'.",
    source="openai/openai-agents-python#1063 [issue report]",
    code="invalid_value",
)
NO_ANSWER = ErrorText(
    text="Response with id '{name}' not found.",
    source="[inferred from the words of RSP-8; platform.openai.com/docs/api-reference"
    "/responses/get says 404]",
    status=404,
)
STORES = ErrorText(
    text="Store must be set to false",
    source="openai/codex#26173 [issue report]",
)
NOT_STREAMED = ErrorText(
    text="Stream must be set to true",
    source="QuantumNous/new-api#5819 [issue report]",
)
BAD_JSON = ErrorText(
    text="We could not parse the JSON body of your request. (HINT: This likely means"
    " you aren't using your HTTP library correctly. The OpenAI API expects a JSON"
    " payload, but what was sent was not valid JSON. If you have trouble figuring out"
    " how to fix this, please contact us through our help center at help.openai.com.)",
    source="[issue report]",
)
NO_KEY = ErrorText(
    text="Missing bearer or basic authentication in header",
    source="[issue report]",
    status=401,
)
