"""Places are found again however a service spells them."""

import pytest

from sigscope.refusals.paths import find_ids, find_schema_place, resolve, split

BODY = {
    "model": "m",
    "messages": [
        {"role": "user", "content": "hi"},
        {
            "content": [],
            "tool_calls": [{"id": "c1", "function": {"name": "f"}}],
            "reasoning_details": [{"type": "reasoning.encrypted", "id": "c1"}],
        },
        {"role": "tool", "tool_call_id": "c1", "a/b": {"x~y": 1}},
    ],
    "contents": [{"parts": [{"functionCall": {"thoughtSignature": "x"}}]}],
}


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("messages[2].tool_calls[0].id", ("messages", "2", "tool_calls", "0", "id")),
        ("messages.2.reasoning_details.0", ("messages", "2", "reasoning_details", "0")),
        ("", ()),
        ("...[]", ()),
    ],
)
def test_paths_of_dots_and_brackets_are_taken_apart(
    path: str, steps: tuple[str, ...]
) -> None:
    assert split(path) == steps


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ("messages[1].tool_calls[0].id", "/messages/1/tool_calls/0/id"),
        ("messages.1.reasoning_details.0.data", "/messages/1/reasoning_details/0"),
        (
            "contents[0].parts[0].function_call.thought_signature",
            "/contents/0/parts/0/functionCall/thoughtSignature",
        ),
        ("messages[2].toolCallId", "/messages/2/tool_call_id"),
        ("messages.2.a/b.x~y", "/messages/2/a~1b/x~0y"),
        ("messages.9.content", "/messages"),
        ("messages.-1", "/messages"),
        ("messages.0.content.0.text", "/messages/0/content"),
        ("nowhere.at.all", None),
        ("", None),
    ],
)
def test_the_deepest_node_that_exists_is_found(path: str, pointer: str | None) -> None:
    assert resolve(BODY, split(path)) == pointer


def test_objects_with_an_id_are_found_in_order() -> None:
    assert find_ids(BODY, "c1") == (
        "/messages/2",
        "/messages/1/tool_calls/0",
        "/messages/1/reasoning_details/0",
    )
    assert find_ids(BODY, "c9") == ()
    assert find_ids(None, "c1") == ()


def test_a_schema_s_location_names_the_nodes_of_that_type() -> None:
    location = "/properties/messages/items/properties/content/oneOf/0/type"
    assert find_schema_place(BODY, location, "array") == ("/messages/1/content",)
    assert find_schema_place(BODY, location, "string") == ("/messages/0/content",)
    assert find_schema_place(BODY, location, "object") == ()
    assert find_schema_place(BODY, "/definitions/x", "array") == ()
    assert find_schema_place(BODY, "/", "array") == ()
