"""Places that errors name become nodes of this very request."""

import json
from typing import Any

import pytest
from tests import builders as b

from sigscope.reader import Reading
from sigscope.refusals import RefusalMatch, read_refusal
from sigscope.refusals.locate import READERS
from sigscope.refusals.pattern import Place

AI_STUDIO = (
    "Function call is missing a thought_signature in functionCall parts. Additional "
    "data, function call `default_api:{fn}` , position {n}. Please refer to x"
)
VERTEX = (
    "Unable to submit request because function call `default_api:{fn}` in the {n}. "
    "content block is missing a `thought_signature`. Learn more: x"
)
NOT_BASE64 = (
    "Invalid value at 'contents[{i}].parts[{j}].thought_signature' (TYPE_BYTES), "
    "Base64 "
    'decoding failed for "x"'
)


def refused(dialect: str, sent: list[Any], text: str, **error: Any) -> Reading:
    """A step that was refused with this text."""
    body = {"error": {"message": text, "code": 400, **error}}
    return b.record(dialect, [], sent=sent, status=400, error=body)[-1]


def match(reading: Reading, rule: str) -> RefusalMatch:
    refusal = read_refusal(reading)
    assert refusal is not None
    return next(found for found in refusal.matches if found.rule == rule)


def test_every_kind_of_place_has_a_reader() -> None:
    assert set(READERS) == set(Place)


# --- Native Gemini --------------------------------------------------------------------


@pytest.mark.parametrize(("text", "rule"), [(AI_STUDIO, "GEM-1"), (VERTEX, "GEM-2")])
def test_a_position_counts_native_contents_from_one(text: str, rule: str) -> None:
    sent = [
        b.ask(),
        b.gemini(b.LS),
        b.answers(b.LS),
        b.gemini(b.READ, b.LS, signature=None),
        b.answers(b.READ, b.LS),
    ]
    found = match(refused("gemini", sent, text.format(fn="read_file", n=4)), rule)
    assert found.pointers == ("/contents/3/parts/0",)
    assert found.note == "content 4 is /contents/3/parts/0"
    sibling = match(refused("gemini", sent, text.format(fn="list_files", n=4)), rule)
    assert sibling.pointers == ("/contents/3/parts/1",)


def test_the_unsigned_one_of_two_calls_of_a_name_is_meant() -> None:
    other = ("call_9", "list_files", {"path": "b"})
    parts = [b.call_part(b.LS, b.SIG), b.call_part(other)]
    sent = [b.ask(), b.says(*parts), b.answers(b.LS, other)]
    found = match(refused("gemini", sent, VERTEX.format(fn="list_files", n=2)), "GEM-2")
    assert found.pointers == ("/contents/1/parts/1",)


def test_a_wrapped_request_is_pointed_into_where_it_is_wrapped() -> None:
    sent = [b.ask(), b.gemini(b.LS, signature=None), b.answers(b.LS)]
    body = {"model": "gemini-3-pro-preview", "request": b.request_body("gemini", sent)}
    url = "https://cloudcode-pa.googleapis.com/v1internal:generateContent"
    error = {"error": {"message": AI_STUDIO.format(fn="list_files", n=2)}}
    (reading,) = b.read([b.exchange("gemini", body, error, status=400, url=url)])
    assert match(reading, "GEM-1").pointers == ("/request/contents/1/parts/0",)


def test_a_position_without_such_a_call_falls_back_to_unsigned_calls_of_the_name() -> (
    None
):
    sent = [
        b.ask(),
        b.gemini(b.LS, signature=None),
        b.answers(b.LS),
        b.says(b.text_part("Done.")),
        b.ask("Again"),
        b.gemini(b.LS, signature=None),
        b.answers(b.LS),
    ]
    found = match(refused("gemini", sent, VERTEX.format(fn="list_files", n=3)), "GEM-2")
    assert found.pointers == ("/contents/5/parts/0", "/contents/1/parts/0")
    assert found.note == (
        "content 3 does not fit: it is /contents/2 (as we count, from 1), which calls"
        " nothing; calls of `list_files` without a signature stand here"
    )
    assert not found.fits
    far = match(refused("gemini", sent, VERTEX.format(fn="list_files", n=99)), "GEM-2")
    assert far.pointers == found.pointers
    assert "content 99 does not fit this request: it has 7" in far.note


def test_siblings_of_a_signed_call_are_no_candidates() -> None:
    sent = [b.ask(), b.gemini(b.READ, b.LS), b.answers(b.READ, b.LS)]
    found = match(refused("gemini", sent, VERTEX.format(fn="list_files", n=9)), "GEM-2")
    assert found.pointers == ()
    assert "no unsigned calls of `list_files` elsewhere" in found.note


def test_a_misplaced_signature_signs_nothing() -> None:
    lost = b.copilot(b.LS, opaque=None)
    lost["tool_calls"][0]["thought_signature"] = b.OPAQUE
    sent = [b.user(), b.copilot(b.LS), b.result(b.LS), lost, b.result(b.LS)]
    text = VERTEX.format(fn="list_files", n=3)
    found = match(refused("copilot-chat", sent, text), "CPC-1")
    assert found.pointers == ("/messages/3",)
    assert found.note.endswith("call of `list_files` without a signature stands here")


def test_parts_that_are_no_base64_are_pointed_at_where_they_stand() -> None:
    snake = b.call_part(b.READ)
    snake["thought_signature"] = "abc..."
    sent = [
        b.ask(),
        b.says(b.text_part("Hm.", thought=True), b.call_part(b.LS, "cut…")),
        b.answers(b.LS),
        b.says(snake),
        b.answers(b.READ),
    ]
    text = "\n".join(NOT_BASE64.format(i=i, j=j) for i, j in ((1, 1), (3, 0)))
    found = match(refused("gemini", sent, text), "GEM-6")
    assert found.pointers == (
        "/contents/1/parts/1/thoughtSignature",
        "/contents/3/parts/0/thought_signature",
    )


def test_a_part_that_is_not_there_is_not_invented() -> None:
    sent = [b.ask()]
    found = match(refused("gemini", sent, NOT_BASE64.format(i=7, j=0)), "GEM-6")
    assert found.pointers == ()
    found = match(refused("gemini", sent, NOT_BASE64.format(i=0, j=5)), "GEM-6")
    assert found.pointers == ("/contents/0",)


def test_an_unknown_field_is_found_in_either_spelling() -> None:
    part = b.call_part(b.LS)
    part["functionCall"]["thoughtSignature"] = b.SIG
    sent = [b.ask(), b.says(part), b.answers(b.LS)]
    text = (
        'Invalid JSON payload received. Unknown name "thoughtSignature" at '
        "'contents[1].parts[0].function_call': Cannot find field."
    )
    assert match(refused("gemini", sent, text), "GEM-13").pointers == (
        "/contents/1/parts/0/functionCall/thoughtSignature",
    )


def test_an_image_part_is_counted_both_ways() -> None:
    image = {"inlineData": {"mimeType": "image/png", "data": "aaaa"}}
    text = "Image part is missing a thought_signature in content position 2, part "
    both = [b.ask(), b.says(image, image)]
    found = match(refused("gemini", both, text + "position 1."), "GEM-15")
    assert found.pointers == ("/contents/1/parts/0", "/contents/1/parts/1")
    assert "from 0" in found.note
    one = [b.ask(), b.says(b.text_part("Here"), image)]
    found = match(refused("gemini", one, text + "position 1."), "GEM-15")
    assert found.pointers == ("/contents/1/parts/1",)


def test_a_bad_signature_without_a_place_is_certain_only_if_alone() -> None:
    one = [b.ask(), b.gemini(b.LS), b.answers(b.LS)]
    found = match(refused("gemini", one, "Corrupted thought signature."), "GEM-4")
    assert found.pointers == ("/contents/1/parts/0/thoughtSignature",)
    two = [*one, b.gemini(b.READ, signature=b.SIG_B), b.answers(b.READ)]
    found = match(refused("gemini", two, "Corrupted thought signature."), "GEM-4")
    assert found.pointers == ()
    assert found.note == "the error does not say which of the 2 signatures sent"
    found = match(refused("gemini", [b.ask()], "Invalid thought signature."), "GEM-4")
    assert found.pointers == ()


# --- Translated requests --------------------------------------------------------------


def test_copilot_s_message_is_pointed_at_and_the_system_message_does_not_count() -> (
    None
):
    sent = [b.system(), b.user(), b.copilot(b.LS, opaque=None), b.result(b.LS)]
    reading = refused("copilot-chat", sent, VERTEX.format(fn="list_files", n=2))
    for rule in ("CPC-1", "GEM-2"):
        found = match(reading, rule)
        assert found.pointers == ("/messages/2",)
        assert found.note == (
            "content 2 is /messages/2: the system message does not count"
        )


def test_openrouter_s_own_rule_gets_the_place_that_google_named() -> None:
    sent = [b.user(), b.openrouter(b.LS, details=[]), b.result(b.LS)]
    inner = json.dumps({"error": {"message": VERTEX.format(fn="list_files", n=2)}})
    raw = (
        "Gemini models require OpenRouter reasoning details to be preserved in each "
        f"request. Upstream error: {inner}"
    )
    error = {"metadata": {"raw": raw, "provider_name": "Google"}}
    reading = refused("openrouter", sent, "Provider returned error", **error)
    assert match(reading, "ORT-1").pointers == ("/messages/1",)
    assert match(reading, "GEM-2").pointers == ("/messages/1",)


def test_litellm_s_call_is_pointed_at() -> None:
    sent = [b.user(), b.litellm(b.LS, signatures=()), b.result(b.LS)]
    text = "litellm.BadRequestError: GeminiException BadRequestError - "
    text += AI_STUDIO.format(fn="list_files", n=2)
    reading = refused("litellm", sent, text)
    assert match(reading, "LLM-2").pointers == ("/messages/1/tool_calls/0",)
    assert match(reading, "GEM-1").pointers == ("/messages/1/tool_calls/0",)


def two_parallel_steps_and_two_more() -> list[Any]:
    """Counted with results once: 1 to 9; each: 1 to 11. The calls of the last two
    steps are unsigned and of one name."""
    calls = [(f"call_{n}", "list_files", {"n": n}) for n in range(6)]
    return [
        b.user(),
        b.copilot(calls[0], calls[1]),
        b.result(calls[0]),
        b.result(calls[1]),
        b.copilot(calls[2], calls[3]),
        b.result(calls[2]),
        b.result(calls[3]),
        b.copilot(calls[4], opaque=None),
        b.result(calls[4]),
        b.copilot(calls[5], opaque=None),
        b.result(calls[5]),
    ]


def test_ways_of_counting_that_differ_give_several_candidates_and_say_so() -> None:
    text = VERTEX.format(fn="list_files", n=8)
    sent = two_parallel_steps_and_two_more()
    found = match(refused("copilot-chat", sent, text), "CPC-1")
    assert found.pointers == ("/messages/9", "/messages/7")
    assert found.note == (
        "content 8 may be /messages/9 if results of one step count once, /messages/7 "
        "if every tool message counts"
    )


@pytest.mark.parametrize(
    ("position", "pointer", "clause"),
    [
        (6, "/messages/7", "results of one step count once"),
        (10, "/messages/9", "every tool message counts"),
    ],
)
def test_a_way_of_counting_that_finds_no_such_call_is_out(
    position: int, pointer: str, clause: str
) -> None:
    text = VERTEX.format(fn="list_files", n=position)
    sent = two_parallel_steps_and_two_more()
    found = match(refused("copilot-chat", sent, text), "CPC-1")
    assert found.pointers == (pointer,)
    assert found.note == f"content {position} is {pointer}: {clause}"


def test_a_split_message_is_found_through_its_second_half() -> None:
    sent = [
        b.user(),
        b.copilot(content="Let me look."),
        b.copilot(b.LS, opaque=None, thought=None),
        b.result(b.LS),
    ]
    text = VERTEX.format(fn="list_files", n=2)
    found = match(refused("copilot-chat", sent, text), "CPC-1")
    assert found.pointers == ("/messages/2",)


def test_broken_signatures_behind_a_gateway_are_found() -> None:
    sent = [
        b.system(),
        b.user(),
        b.litellm(b.LS),
        b.result(b.LS),
        b.litellm(b.READ, signatures=["cut…"]),
        b.result(b.READ),
    ]
    text = NOT_BASE64.format(i=3, j=0)
    found = match(refused("litellm", sent, text), "GEM-6")
    place = "/messages/4/tool_calls/0/provider_specific_fields/thought_signature"
    assert found.pointers == (place,)
    found = match(refused("litellm", sent, NOT_BASE64.format(i=1, j=0)), "GEM-6")
    assert found.pointers == (place.replace("/4/", "/2/"),)
    found = match(refused("litellm", sent, NOT_BASE64.format(i=9, j=0)), "GEM-6")
    assert found.pointers == (place,)
    assert "no base64" in found.note


def test_a_claude_block_is_found_in_the_message_it_was_made_from() -> None:
    sent = [b.system(), b.user(), b.copilot(b.LS), b.result(b.LS)]
    text = "messages.1.content.0: Invalid signature in thinking block"
    reading = refused("copilot-chat", sent, text, code="invalid_request_body")
    found = match(reading, "CPC-5")
    assert found.pointers == ("/messages/2/reasoning_opaque",)
    assert "does not count" in found.note


def test_a_claude_block_behind_openrouter_is_its_entry() -> None:
    entries = [
        {"type": "reasoning.text", "text": "a", "signature": "c2ln", "index": 0},
        {"type": "reasoning.text", "text": "b", "signature": "c2lnMg", "index": 1},
    ]
    sent = [b.user(), b.openrouter(b.LS, details=entries), b.result(b.LS)]
    text = "messages.1.content.1: Invalid `signature` in `thinking` block"
    found = match(refused("openrouter", sent, text), "ORT-5")
    assert found.pointers == ("/messages/1/reasoning_details/1/signature",)


# --- Paths, ids, members --------------------------------------------------------------


def test_the_entry_that_lacks_its_payload_is_found() -> None:
    entry = b.detail(b.LS)
    del entry["data"]
    sent = [b.user(), b.openrouter(b.LS, details=[entry]), b.result(b.LS)]
    reading = refused(
        "openrouter",
        sent,
        "Invalid input: expected string, received undefined",
        param="messages.1.reasoning_details.0.data",
    )
    assert match(reading, "ORT-2").pointers == ("/messages/1/reasoning_details/0",)


def test_of_two_entries_with_one_id_the_second_is_too_many() -> None:
    entry = {"type": "reasoning.encrypted", "id": "rs_1", "data": "gAAA", "index": 0}
    sent = [b.user(), b.openrouter(b.LS, details=[entry, entry]), b.result(b.LS)]
    text = "Duplicate item found with id rs_1. Remove duplicate items from your input."
    found = match(refused("openrouter", sent, text), "ORT-3")
    assert found.pointers == (
        "/messages/1/reasoning_details/1",
        "/messages/1/reasoning_details/0",
    )


def test_a_result_without_its_call_is_found_by_the_id_printed() -> None:
    call = (f"call_1__thought__{b.SIG}", "list_files", {})
    sent = [b.user(), b.litellm(call), b.result(call, call_id="call_1")]
    text = (
        "Missing corresponding tool call for tool response message.\nReceived - "
        "message={'role': 'tool', 'content': 'a', 'tool_call_id': 'call_1'}, last=None"
    )
    found = match(refused("litellm", sent, text), "LLM-3")
    assert found.pointers == ("/messages/2",)
    assert "with or without `__thought__`" in found.note


def test_unpaired_calls_and_results_are_found_though_the_error_names_none() -> None:
    text = "Please ensure that the number of function response parts is equal to the "
    text += "number of function call parts of the function call turn."
    sent = [
        b.user(),
        b.copilot(b.LS, b.READ),
        b.result(b.LS),
        b.copilot(b.GREP),
        b.result(b.GREP),
        b.result(("call_x", "gone", {})),
    ]
    found = match(refused("copilot-chat", sent, text), "CPC-6")
    assert found.pointers == ("/messages/1/tool_calls/1", "/messages/5")


def test_members_of_the_body_are_found_by_name() -> None:
    body = b.request_body("copilot-chat", [b.user()]) | {"reasoning_effort": "high"}
    text = "Unrecognized request argument supplied: reasoning_effort"
    error = {"error": {"message": text, "code": "invalid_request_body"}}
    (reading,) = b.read([b.exchange("copilot-chat", body, error, status=400)])
    assert match(reading, "CPC-3").pointers == ("/reasoning_effort",)
    text = 'model "gpt-x" is not accessible via the /chat/completions endpoint'
    reading = refused("copilot-chat", [b.user()], text)
    assert match(reading, "CPC-4").pointers == ("/model",)


def test_a_schema_s_complaint_names_the_message() -> None:
    sent = [b.user(), b.copilot(b.LS, content=[]), b.result(b.LS)]
    text = (
        "invalid request body, failed to validate schema: (1) Reason: got array, want "
        "string, Location: /properties/messages/items/properties/content/oneOf/0/type. "
    )
    reading = refused("copilot-chat", sent, text, code="invalid_request_body")
    assert match(reading, "CPC-2").pointers == ("/messages/1/content",)
    reading = refused(
        "copilot-chat", sent, "invalid request body", code="invalid_request_body"
    )
    assert match(reading, "CPC-2") == RefusalMatch(
        rule="CPC-2", note="the error names no place"
    )


def test_a_message_index_counts_the_system_message_too() -> None:
    sent = [b.system(), b.user(), b.copilot(b.LS), b.result(b.LS)]
    text = (
        "Missing `reasoning_content` field in the assistant message at message index 2"
    )
    found = match(refused("copilot-chat", sent, text), "DSK-1")
    assert found.pointers == ("/messages/2",)


def test_positions_of_a_translated_input_are_not_pretended_to_be_ours() -> None:
    text = "Invalid 'input[2].id': string too long. Expected a string"
    found = match(refused("openrouter", [b.user()], text), "RSP-6")
    assert found.pointers == ()
    assert "no input" in found.note


def test_a_request_of_no_known_dialect_gives_no_nodes() -> None:
    url = "https://example.test/other"
    error = {"error": {"message": VERTEX.format(fn="f", n=2)}}
    (reading,) = b.read(
        [b.exchange("copilot-chat", {"x": 1}, error, status=400, url=url)]
    )
    assert reading.dialect is None or reading.conversation.messages == ()
    assert match(reading, "GEM-2").pointers == ()


# --- Places that do not fit -----------------------------------------------------------


def test_a_function_that_the_request_does_not_call_is_said_to_be_none_of_it() -> None:
    sent = [b.ask(), b.gemini(b.LS, signature=None), b.answers(b.LS)]
    found = match(refused("gemini", sent, VERTEX.format(fn="other", n=2)), "GEM-2")
    assert found.pointers == ()
    assert not found.fits
    assert "it is /contents/1" in found.note
    assert "which calls `list_files`" in found.note
    assert "no call of `other` at all" in found.note


def test_the_place_of_a_gateway_is_told_with_the_way_of_counting() -> None:
    sent = [b.system(), b.user(), b.copilot(b.LS, opaque=None), b.result(b.LS)]
    found = match(
        refused("copilot-chat", sent, VERTEX.format(fn="list_files", n=9)), "GEM-2"
    )
    assert "it has 3 (as we count, from 1; the system message does not count)" in (
        found.note
    )


@pytest.mark.parametrize("fn", ["mcp:list files", "mcp_list_files"])
def test_signs_that_google_does_not_know_make_no_other_name(fn: str) -> None:
    call = ("call_1", "mcp:list_files", {"path": "."})
    sent = [b.ask(), b.gemini(call, signature=None), b.answers(call)]
    said = VERTEX.format(fn=fn.replace(" ", "_"), n=2)
    found = match(refused("gemini", sent, said), "GEM-2")
    assert (found.pointers, found.fits) == (("/contents/1/parts/0",), True)


@pytest.mark.parametrize(
    ("dialect", "text", "rule", "said"),
    [
        ("gemini", NOT_BASE64.format(i=7, j=0), "GEM-6", "it has 1, counted from 0"),
        (
            "gemini",
            "image part is missing a thought_signature in content position 8, part"
            " position 1",
            "GEM-15",
            "it has 1 (as we count, from 1)",
        ),
        (
            "copilot-chat",
            "Missing `reasoning_content` field in the assistant message at message"
            " index 9",
            "DSK-1",
            "this request has 1, counted from 0",
        ),
    ],
)
def test_a_number_beyond_the_request_is_said_to_be_beyond(
    dialect: str, text: str, rule: str, said: str
) -> None:
    sent = [b.ask()] if dialect == "gemini" else [b.user()]
    found = match(refused(dialect, sent, text), rule)
    assert found.pointers == ()
    assert not found.fits
    assert "does not fit" in found.note
    assert said in found.note


@pytest.mark.parametrize("body", [{"model": "x"}, [], {"messages": "hello"}])
def test_a_message_of_a_request_that_has_none_is_said_not_to_be_there(
    body: Any,
) -> None:
    text = "messages.3.content.1: Invalid `signature` in `thinking` block"
    error = {"type": "error", "error": {"type": "x", "message": text}}
    (reading,) = b.read([b.exchange("anthropic", body, error, status=400)])
    found = match(reading, "ANT-1")
    assert found.pointers == ()
    assert not found.fits
    assert found.note == "message 3 does not fit: this request has no messages"


def test_of_a_step_that_speaks_nothing_known_no_place_is_denied() -> None:
    url = "https://example.test/other"
    error = {"error": {"message": VERTEX.format(fn="list_files", n=2)}}
    body = {"contents": [b.ask(), b.gemini(b.LS, signature=None)]}
    (reading,) = b.read([b.exchange("gemini", body, error, status=400, url=url)])
    found = match(reading, "GEM-2")
    if reading.dialect is None:
        assert "not known" in found.note
        assert "no call" not in found.note
    else:
        assert found.pointers == ("/contents/1/parts/0",)
