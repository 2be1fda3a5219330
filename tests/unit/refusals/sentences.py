"""Errors as the services write them, and what people make of them on the way."""

from __future__ import annotations

import json

_DOCS = "https://docs.example.com/thought-signatures"

SENTENCES = {
    "GEM-1": "Function call is missing a thought_signature in functionCall parts. This"
    " is required for tools to work correctly, and missing thought_signature may lead"
    " to degraded model performance. Additional data, function call"
    f" `default_api:list_files` , position 12. Please refer to {_DOCS} for more"
    " details.",
    "GEM-2": "Unable to submit request because function call `default_api:list_files`"
    " in the 12. content block is missing a `thought_signature`. Learn more:"
    f" {_DOCS}",
    "GEM-4": "Corrupted thought signature.",
    "GEM-5": "Unable to submit request because Thought signature is not valid.. Learn"
    f" more: {_DOCS}",
    "GEM-6": "Invalid value at 'contents[4].parts[1].thought_signature' (TYPE_BYTES),"
    ' Base64 decoding failed for "abc"',
    "GEM-13": 'Invalid JSON payload received. Unknown name "thoughtSignature" at'
    " 'contents[4].parts[1].function_call': Cannot find field.",
    "GEM-15": "Image part is missing a thought_signature in content position 2, part"
    f" position 1. Please refer to {_DOCS} for more details.",
    "GEM-18": "Please ensure that the number of function response parts is equal to the"
    " number of function call parts of the function call turn.",
    "ORT-1": "Gemini models require OpenRouter reasoning details to be preserved in"
    f" each request. Please refer to our docs: {_DOCS}.",
    "ORT-3": "Duplicate item found with id rs-0a1b. Remove duplicate items from your"
    " input and try again.",
    "CPC-3": "Unrecognized request argument supplied: reasoning_effort",
    "CPC-4": "model gemini-3-pro-preview is not supported via Responses API.",
    "CPC-8": "Multiple reasoning_opaque values received in a single response. Only one"
    " thinking part per response is supported.",
    "RSP-1": "Item 'rs_0a1b' of type 'reasoning' was provided without its required"
    " following item.",
    "RSP-2": "Item 'fc_0a1b' of type 'function_call' was provided without its required"
    " 'reasoning' item: 'rs_0a1b'.",
    "RSP-3": "The encrypted content gAAA...x1Q= could not be verified. Reason:"
    " Encrypted content could not be decrypted or parsed.",
    "RSP-4": "Item with id 'rs_0a1b' not found. Items are not persisted when `store` is"
    " set to false. Try again with `store` set to true, or remove this item from your"
    " input.",
    "RSP-5": "Encrypted content item_id did not match the target item id.",
    "RSP-6": "Invalid 'input[2].id': string too long. Expected a string with maximum"
    " length 64, but got a string with length 416 instead.",
    "RSP-7": "input item ID does not belong to this connection",
    "RSP-12": "encrypted_content was not issued to this caller",
    "RSP-14": "No tool output found for function call call_1.",
    "LLM-3": "Missing corresponding tool call for tool response message. Received -"
    " message={'role': 'tool', 'tool_call_id': 'call-7', 'content': 'x'}",
    "LLM-4": "Invalid 'messages[3].tool_calls[0].id': string too long. Expected a"
    " string with maximum length 40, but got a string with length 416 instead.",
    "LLM-6": "This model doesn't support the reasoningContent.reasoningText.signature"
    " field. Remove reasoningContent.reasoningText.signature and try again.",
    "ANT-1": "messages.3.content.12: Invalid `signature` in `thinking` block",
    "ANT-2": "messages.3.content.0.type: Expected `thinking` or `redacted_thinking`,"
    " but found `tool_use`. When `thinking` is enabled, a final `assistant` message"
    " must start with a thinking block (preceeding the lastmost set of `tool_use` and"
    " `tool_result` blocks).",
    "ANT-3": "messages.3.content.1: `thinking` or `redacted_thinking` blocks in the"
    " latest assistant message cannot be modified. These blocks must remain as they"
    " were in the original response.",
    "ANT-4": "messages.3.content.1.thinking.signature: Field required",
    "ANT-5": "messages.3.content.1: each thinking block must contain thinking",
    "ANT-6": "messages.3.content.0: Invalid `signature` in `thinking` block. The block"
    " is bound to a different conversation. Remove the block.",
    "ANT-9": "messages.3: `tool_use` ids were found without `tool_result` blocks"
    " immediately after: toolu-1. Each `tool_use` block must have one.",
    "ANT-11": "When thinking is disabled, an assistant message cannot contain thinking",
    "RSP-8": "Previous response with id 'resp-1' not found.",
    "DSK-1": "Missing `reasoning_content` field in the assistant message at message"
    f" index 12. For more information, please refer to {_DOCS}",
    "DSK-2": "The `reasoning_content` in the thinking mode must be passed back to the"
    " API.",
    "DSK-3": "The reasoning_content is an intermediate result for display purposes only"
    " and will not be included in the context for inference.",
    "DSK-4": "No tool output found for tool call call-a.",
    "KIM-1": "thinking is enabled but reasoning_content is missing in assistant tool"
    " call message at index 12",
    "XAI-1": "Could not decrypt the provided encrypted_content. Ensure the value is the"
    " unmodified encrypted_content from a previous response.",
    "XAI-2": "Could not decode the compaction blob. Ensure it is unmodified from the"
    " compact response.",
}
"""Rule → its error, as the service writes it."""

CODES = {
    "CPC-2": ("invalid request body", "invalid_request_body"),
    "CPC-4": ("no", "unsupported_api_for_model"),
    "GEM-17": ("the model stopped", "MISSING_THOUGHT_SIGNATURE"),
    "RSP-3": ("no", "invalid_encrypted_content"),
    "RSP-8": ("Previous response is gone.", "previous_response_not_found"),
    "RSP-13": ("refused", "thinking_signature_invalid"),
}
"""Rule → a message that says little, and the code that names it."""


def openai(message: str, code: str = "invalid_request_error") -> str:
    return json.dumps(
        {"error": {"message": message, "type": code, "param": None, "code": code}}
    )


def google(message: str, code: str = "INVALID_ARGUMENT") -> str:
    error = {"error": {"code": 400, "message": message, "status": code}}
    return json.dumps(error, indent=2)


def google_array(message: str, code: str = "INVALID_ARGUMENT") -> str:
    return f"[{google(message, code)}\n]"


def anthropic(message: str, code: str = "invalid_request_error") -> str:
    inner = {"type": code, "message": message}
    return json.dumps({"type": "error", "error": inner, "request_id": "req_1"})


def openrouter(message: str, code: str = "") -> str:
    raw = {"raw": google(message, code), "provider_name": "Google"}
    error = {"message": "Provider returned error", "code": 400, "metadata": raw}
    return json.dumps({"error": error, "user_id": "user_1"})


def python_repr(message: str, code: str = "invalid_request_error") -> str:
    return f"Error code: 400 - { ({'error': {'message': message, 'code': code}})!r}"


def litellm(message: str, code: str = "INVALID_ARGUMENT") -> str:
    body = google(message, code).encode()
    return (
        f"litellm.BadRequestError: VertexAIException BadRequestError - {body!r}\n\n"
        "LiteLLM: model group 'gem' failed with the error above. No fallback was"
        " attempted."
    )


def bare(message: str, code: str = "") -> str:
    return f"{code}: {message}" if code else message


BODIES = (
    bare, openai, google, google_array, anthropic, openrouter, python_repr, litellm,
)  # fmt: skip
