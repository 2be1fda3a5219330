"""The words of every rule are recognised, and only those."""

import re

import pytest

from sigscope.refusals.layers import Layer
from sigscope.refusals.pattern import Place
from sigscope.refusals.patterns import PATTERNS, PatternHit, find_rules

DOCS = "https://docs.example/thought-signatures"
MUST_THINK = (
    "messages.{i}.content.0.type: Expected `thinking` or `redacted_thinking`, but "
    "found `{found}`. When `thinking` is enabled, a final `assistant` message must "
    "start with a thinking block (preceeding the lastmost set of `tool_use` and "
    "`tool_result` blocks). We recommend you include thinking blocks from previous "
    "turns. To avoid this requirement, disable `thinking`."
)

TEXTS = [
    # (rule, text, what is read from it)
    (
        "GEM-1",
        "Function call is missing a thought_signature in functionCall parts. This is "
        "required for tools to work correctly, and missing thought_signature may lead "
        "to degraded model performance. Additional data, function call "
        f"`default_api:list_files` , position 12. Please refer to {DOCS} for more "
        "details.",
        {"fn": "list_files", "n": "12"},
    ),
    (
        "GEM-1",
        "Function call is missing a thought_signature in functionCall parts. "
        "Additional data, function call default_api:skill_list , position 21. Please "
        "refer to x",
        {"fn": "skill_list", "n": "21"},
    ),
    (
        "GEM-1",
        "function call is missing a thought_signature in functioncall parts.",
        {},
    ),
    (
        "GEM-2",
        "Unable to submit request because function call `default_api:list_files` in "
        "the "
        f"2. content block is missing a `thought_signature`. Learn more: {DOCS}",
        {"fn": "list_files", "n": "2"},
    ),
    (
        "GEM-2",
        "Unable to submit request because function call read.file in the 4. content "
        "block is missing a thought_signature.",
        {"fn": "read.file", "n": "4"},
    ),
    (
        "GEM-3",
        "Function call `FC1` in the `1.` content block is missing a "
        "`thought_signature`.",
        {"fn": "FC1", "n": "1"},
    ),
    ("GEM-4", "Corrupted thought signature.", {}),
    ("GEM-4", "Invalid thought signature.", {}),
    (
        "GEM-5",
        "Unable to submit request because Thought signature is not valid.. Learn more: "
        "https://cloud.google.com/x",
        {},
    ),
    (
        "GEM-6",
        "Invalid value at 'contents[3].parts[1].thought_signature' (TYPE_BYTES), "
        "Base64 "
        'decoding failed for "abc..."',
        {"i": "3", "j": "1"},
    ),
    (
        "GEM-6",
        "gemini.Request.Contents: []*genai.Content: Parts: []*genai.Part: "
        "genai.Part.ThoughtSignature: decode base64: illegal base64 data at input byte "
        "40, error found in #10 byte of ...",
        {},
    ),
    (
        "GEM-13",
        'Invalid JSON payload received. Unknown name "thoughtSignature" at '
        "'contents[1].parts[0].function_call': Cannot find field.",
        {"key": "thoughtSignature", "path": "contents[1].parts[0].function_call"},
    ),
    (
        "GEM-15",
        "Image part is missing a thought_signature in content position 2, part "
        "position 1. Please refer to x for more details.",
        {"kind": "Image", "n": "2", "j": "1"},
    ),
    ("GEM-17", "finish reason MISSING_THOUGHT_SIGNATURE", {}),
    (
        "ORT-1",
        "Gemini models require OpenRouter reasoning details to be preserved in each "
        "request. Please refer to our docs: https://openrouter.ai/docs/x.",
        {},
    ),
    (
        "ORT-3",
        "Duplicate item found with id rs_0a1b. Remove duplicate items from your input "
        "and try again.",
        {"id": "rs_0a1b"},
    ),
    (
        "CPC-3",
        "Unrecognized request argument supplied: reasoning_effort",
        {"key": "reasoning_effort"},
    ),
    (
        "CPC-4",
        "model gemini-3-pro-preview is not supported via Responses API.",
        {},
    ),
    (
        "CPC-4",
        'model "gpt-x" is not accessible via the /chat/completions endpoint',
        {},
    ),
    (
        "GEM-18",
        "Please ensure that the number of function response parts is equal to the "
        "number of function call parts of the function call turn.",
        {},
    ),
    (
        "CPC-6",
        "Please ensure that function call turn comes immediately after a user turn or "
        "after a function response turn.",
        {},
    ),
    (
        "CPC-8",
        "Multiple reasoning_opaque values received in a single response. Only one "
        "thinking part per response is supported.",
        {},
    ),
    (
        "LLM-3",
        "Missing corresponding tool call for tool response message.\nReceived - "
        "message={'role': 'tool', 'content': 'x', 'tool_call_id': 'call_7'}, "
        "last_message_with_tool_calls={'role': 'assistant', 'tool_calls': []}",
        {"id": "call_7"},
    ),
    (
        "LLM-4",
        "Invalid 'messages[3].tool_calls[0].id': string too long. Expected a string "
        "with maximum length 40, but got a string with length 416 instead.",
        {"path": "messages[3].tool_calls[0].id"},
    ),
    (
        "LLM-4",
        "messages.5.content.1.tool_use.id: String should match pattern "
        "'^[a-zA-Z0-9_-]+$'",
        {"i": "5", "j": "1"},
    ),
    (
        "LLM-6",
        "This model doesn't support the reasoningContent.reasoningText.signature "
        "field. Remove reasoningContent.reasoningText.signature and try again.",
        {},
    ),
    (
        "ANT-1",
        "messages.1.content.0: Invalid `signature` in `thinking` block",
        {"i": "1", "j": "0"},
    ),
    (
        "ANT-1",
        "messages.3.content.2: Invalid `data` in `redacted_thinking` block",
        {"i": "3", "j": "2"},
    ),
    (
        "ANT-4",
        "messages.0.content.1.redacted_thinking.data: Field required",
        {"i": "0", "j": "1"},
    ),
    (
        "ANT-9",
        "messages.48.content.1: unexpected `tool_use_id` found in `tool_result` "
        "blocks: toolu_1. Each `tool_result` block must have a corresponding "
        "`tool_use` block in the previous message.",
        {"i": "48", "j": "1", "id": "toolu_1"},
    ),
    (
        "ANT-11",
        "messages.1.content.0: When thinking is disabled, an `assistant` message in "
        "the final position cannot contain `thinking`.",
        {"i": "1", "j": "0"},
    ),
    (
        "ANT-1",
        "messages.3.content.2: Invalid signature in thinking block",
        {"i": "3", "j": "2"},
    ),
    (
        "ANT-2",
        MUST_THINK.format(i=7, found="tool_use"),
        {"i": "7", "found": "tool_use"},
    ),
    (
        "ANT-3",
        "messages.5.content.1: `thinking` or `redacted_thinking` blocks in the latest "
        "assistant message cannot be modified. These blocks must remain as they were "
        "in the original response.",
        {"i": "5", "j": "1"},
    ),
    (
        "ANT-4",
        "messages.2.content.1.thinking.signature: Field required",
        {"i": "2", "j": "1"},
    ),
    (
        "ANT-4",
        "messages.2.content.1.thinking.signature.str: Input should be a valid string",
        {"i": "2", "j": "1"},
    ),
    ("ANT-5", "each thinking block must contain thinking", {}),
    (
        "ANT-6",
        "messages.1.content.0: Invalid `signature` in `thinking` block. The block is "
        "bound to a different conversation. Remove the block, or set x.",
        {"i": "1", "j": "0"},
    ),
    (
        "ANT-9",
        "messages.4: `tool_use` ids were found without `tool_result` blocks "
        "immediately after: toolu_1. Each `tool_use` block must have one.",
        {"i": "4", "id": "toolu_1"},
    ),
    (
        "ANT-11",
        "When thinking is disabled, an assistant message cannot contain thinking",
        {},
    ),
    (
        "RSP-1",
        "Item 'rs_1' of type 'reasoning' was provided without its required following "
        "item.",
        {"id": "rs_1"},
    ),
    (
        "RSP-2",
        "Item 'fc_1' of type 'function_call' was provided without its required "
        "'reasoning' item: 'rs_1'.",
        {"id": "fc_1", "type": "function_call", "rs": "rs_1"},
    ),
    (
        "RSP-3",
        "The encrypted content gAAA...xx could not be verified. Reason: Encrypted "
        "content could not be decrypted or parsed.",
        {},
    ),
    (
        "RSP-4",
        "Item with id 'rs_1' not found. Items are not persisted when `store` is set to "
        "false. Try again with `store` set to true, or remove this item.",
        {"id": "rs_1"},
    ),
    ("RSP-5", "Encrypted content item_id did not match the target item id.", {}),
    (
        "RSP-6",
        "Invalid 'input[2].id': string too long. Expected a string with maximum length "
        "64, but got a string with length 416",
        {"i": "2"},
    ),
    ("RSP-7", "input item ID does not belong to this connection", {}),
    ("RSP-12", "encrypted_content was not issued to this caller", {}),
    (
        "RSP-14",
        "No tool output found for function call call_1.",
        {"id": "call_1"},
    ),
    (
        "RSP-14",
        "No tool call found for function call output with call_id call_1.",
        {"id": "call_1"},
    ),
    (
        "DSK-1",
        "Missing `reasoning_content` field in the assistant message at message index "
        "3. For more information, please refer to x",
        {"i": "3"},
    ),
    (
        "DSK-2",
        "The `reasoning_content` in the thinking mode must be passed back to the API.",
        {},
    ),
    (
        "DSK-2",
        "The `content[].thinking` in the thinking mode must be passed back to the API.",
        {},
    ),
    (
        "DSK-3",
        "The reasoning_content is an intermediate result for display purposes only and "
        "will not be included in the context for inference.",
        {},
    ),
    ("DSK-4", "No tool output found for tool call call-a.", {"id": "call-a"}),
    (
        "KIM-1",
        "thinking is enabled but reasoning_content is missing in assistant tool call "
        "message at index 2",
        {"i": "2"},
    ),
    (
        "XAI-1",
        "Could not decrypt the provided encrypted_content. Ensure the value is the "
        "unmodified encrypted_content from a previous response.",
        {},
    ),
    (
        "XAI-2",
        "Could not decode the compaction blob. Ensure it is unmodified from the "
        "compact response.",
        {},
    ),
]

CODES = [
    ("CPC-2", "invalid request body", "invalid_request_body"),
    ("CPC-4", "no", "unsupported_api_for_model"),
    ("GEM-17", "the stream ended", "MISSING_THOUGHT_SIGNATURE"),
    ("RSP-3", "no", "invalid_encrypted_content"),
    ("RSP-8", "no", "previous_response_not_found"),
    ("RSP-13", "no", "thinking_signature_invalid"),
]


def spoken(*layers: Layer, dialect: str = "") -> dict[str, PatternHit]:
    return {hit.pattern.rule: hit for hit in find_rules(layers, dialect)}


@pytest.mark.parametrize(
    ("rule", "text", "read"), TEXTS, ids=[f"{r}-{t[:24]}" for r, t, _ in TEXTS]
)
def test_a_rule_is_known_by_its_words_and_by_no_other(
    rule: str, text: str, read: dict[str, str]
) -> None:
    found = spoken(Layer(text=text))
    assert list(found) == [rule]
    (groups,) = found[rule].groups
    assert {key: groups[key] for key in read} == read


@pytest.mark.parametrize(("rule", "text", "code"), CODES)
def test_a_rule_is_known_by_its_code(rule: str, text: str, code: str) -> None:
    assert list(spoken(Layer(text=text, code=code))) == [rule]


def test_case_and_surroundings_do_not_matter() -> None:
    text = "[400]: CORRUPTED THOUGHT SIGNATURE. (reset after 30s)"
    assert list(spoken(Layer(text=text))) == ["GEM-4"]


def test_every_pattern_has_a_text_in_these_tables() -> None:
    told = {rule for rule, *_ in TEXTS} | {rule for rule, *_ in CODES} | {"ORT-2"}
    assert {pattern.rule for pattern in PATTERNS} == told


def test_patterns_read_what_their_kind_of_place_needs() -> None:
    needed = {
        Place.CONTENT: {"n"},
        Place.CONTENT_PART: {"n", "j", "kind"},
        Place.PART: {"i", "j"},
        Place.FIELD: {"path", "key"},
        Place.BLOCK: {"i"},
        Place.MESSAGE: {"i"},
        Place.INPUT: {"i"},
        Place.ID: {"id"},
        Place.TWIN: {"id"},
        Place.RESULT: {"id"},
    }
    for pattern in PATTERNS:
        groups = set(pattern.regex.groupindex)
        assert needed.get(pattern.place, set()) <= groups, pattern.rule


def test_several_bad_parts_are_all_read() -> None:
    line = (
        "Invalid value at 'contents[{}].parts[0].thought_signature' (TYPE_BYTES), "
        "Base64"
        ' decoding failed for "x"'
    )
    text = "\n".join(line.format(index) for index in (2, 4, 4))
    groups = spoken(Layer(text=text))["GEM-6"].groups
    assert [found["i"] for found in groups] == ["2", "4"]


def test_the_gateway_s_rule_comes_before_that_of_the_service_behind() -> None:
    outer = Layer(
        text="Gemini models require OpenRouter reasoning details to be preserved"
    )
    inner = Layer(
        text="Unable to submit request because function call `f` in the 2. content "
        "block is missing a `thought_signature`."
    )
    assert list(spoken(outer, inner)) == ["ORT-1", "GEM-2"]


def test_a_missing_payload_is_told_by_the_field_beside_the_words() -> None:
    words = "Invalid input: expected string, received undefined"
    field = "messages.2.reasoning_details.0.data"
    assert spoken(Layer(text=words, param=field))["ORT-2"].param == field
    assert not spoken(Layer(text=words, param="messages.2.content"))
    assert not spoken(Layer(text=words))


def test_of_several_layers_with_the_words_the_innermost_counts() -> None:
    text = "Corrupted thought signature."
    outer, inner = Layer(text=text, param="outer"), Layer(text=text, param="inner")
    assert spoken(outer, inner)["GEM-4"].param == "inner"


def test_the_code_of_a_refused_body_counts_only_where_no_word_says_more() -> None:
    code = "invalid_request_body"
    text = "Unrecognized request argument supplied: reasoning_effort"
    assert list(spoken(Layer(text=text, code=code))) == ["CPC-3"]
    text = "messages.1.content.0: Invalid signature in thinking block"
    assert list(spoken(Layer(text=text, code=code))) == ["ANT-1"]


def test_words_that_others_use_too_count_in_the_rule_s_own_dialect() -> None:
    text = "Please ensure that function call turn comes immediately after a user turn "
    text += "or after a function response turn."
    assert list(spoken(Layer(text=text), dialect="copilot-chat")) == ["CPC-6"]
    assert not spoken(Layer(text=text), dialect="gemini")


def test_results_that_do_not_fit_their_calls_are_named_for_every_dialect() -> None:
    text = "Please ensure that the number of function response parts is equal to the "
    text += "number of function call parts of the function call turn."
    for dialect in ("", "gemini", "copilot-chat", "openrouter"):
        assert list(spoken(Layer(text=text), dialect=dialect)) == ["GEM-18"]


def test_patterns_do_not_backtrack_forever() -> None:
    text = "Function call is missing a thought_signature in functionCall parts" + (
        " function call `" * 2000
    )
    assert list(spoken(Layer(text=text))) == ["GEM-1"]
    text = "messages.1.content.1" * 2000
    assert not spoken(Layer(text=text))


def test_ordinary_errors_speak_for_no_rule() -> None:
    for text in (
        "Rate limit reached",
        "model not found",
        "Provider returned error",
        "The signature of the request is wrong",
    ):
        assert not spoken(Layer(text=text)), text


def test_rule_ids_are_spelled_like_rule_ids() -> None:
    for pattern in PATTERNS:
        assert re.fullmatch(r"[A-Z]{3}-\d+", pattern.rule)
