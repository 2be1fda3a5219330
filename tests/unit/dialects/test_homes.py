"""Where a signature goes back, by the four ways of the dialects."""

from __future__ import annotations

from typing import Any

import pytest

from sigscope.conversation import Message
from sigscope.dialects.carriers import CarrierTable
from sigscope.dialects.copilot_chat import CopilotChat
from sigscope.dialects.gemini import Gemini
from sigscope.dialects.homes import Delivery, Home, Nowhere
from sigscope.dialects.litellm import LiteLLM
from sigscope.dialects.openrouter import OpenRouter
from sigscope.dialects.registry import DIALECTS

CALLING = {"role": "assistant", "tool_calls": [{"id": "c1", "function": {}}]}
PARTS = {"role": "model", "parts": [{"functionCall": {"name": "f"}}]}
AT = "/messages/1"


def chat(**members: Any) -> Message:
    return CopilotChat().message({**CALLING, **members}, AT)


def test_on_a_part_in_the_spelling_that_it_uses() -> None:
    message = Gemini().message(PARTS, "/contents/1")
    part = message.parts[0]

    def path(holder: Any) -> str:
        given = Delivery(value="A", message=message, part=part, holder=holder)
        found = Gemini.home.of(given)
        assert found is not None
        assert found.at == "/contents/1/parts/0"
        return found.path

    assert path({"functionCall": {}}) == "thoughtSignature"
    assert path({"function_call": {}}) == "thought_signature"
    made = Gemini.home.of(Delivery(value="A", message=message))
    assert made is not None
    assert made.is_made_up


def test_on_the_message_in_the_member_of_its_carrier() -> None:
    def path(carrier: str) -> str:
        given = Delivery(value="A", message=chat(), carrier=carrier)
        found = CopilotChat.home.of(given)
        assert found is not None
        assert found.at == AT
        return found.path

    assert path("copilot.cot_id") == "cot_id"
    assert path("copilot.reasoning_opaque") == "reasoning_opaque"
    assert path("") == "reasoning_opaque"


def test_in_a_list_as_it_was_received_else_made_up() -> None:
    message = chat()
    entries = [{"type": "reasoning.text"}, {"data": "A"}]
    given = Delivery(value="A", message=message, entries=entries)
    assert OpenRouter.home.of(given) == Home(
        at=AT, path="reasoning_details", value=entries
    )
    made = OpenRouter.home.of(
        Delivery(value="A", message=message, part=message.calls[0])
    )
    assert made is not None
    assert made.is_made_up
    assert made.value == [
        {
            "type": "reasoning.encrypted",
            "data": "A",
            "id": "c1",
            "format": "google-gemini-v1",
            "index": 0,
        }
    ]


@pytest.mark.parametrize(
    ("item", "path"),
    [
        (
            {"role": "assistant", "content": "Hi"},
            "provider_specific_fields/thought_signatures",
        ),
        ({"role": "assistant", "content": [{"type": "text", "text": "Hi"}]}, None),
        (CALLING, None),
    ],
)
def test_beside_a_string_where_nothing_is_called(
    item: dict[str, Any], path: str | None
) -> None:
    message = LiteLLM().message(item, AT)
    found = LiteLLM.home.of(Delivery(value="A", message=message, others=("A", "B")))
    assert (found.path if found else None) == path
    assert found is None or found.value == ["A", "B"]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_a_carrier_that_is_read_finds_what_is_put_home(dialect: Any) -> None:
    """Carriers and homes say the same of a call's signature."""
    if isinstance(dialect.home, Nowhere):
        pytest.skip("it has no home yet")
    is_gemini = dialect.family == Gemini.family
    root, item = ("contents", PARTS) if is_gemini else ("messages", CALLING)
    body: dict[str, Any] = {root: [item]}
    message = dialect.message(item, f"/{root}/0")
    if not message.calls:
        pytest.skip("its calls stand elsewhere")
    part = message.calls[0]
    found = dialect.home.of(
        Delivery(value="QUJD", message=message, part=part, holder={})
    )
    assert found is not None
    value: Any = found.value
    for key in reversed(found.path.split("/")):
        value = {key: value}
    holder = item["parts"][0] if is_gemini else item
    if found.at.endswith("/tool_calls/0"):
        made = {**item, "tool_calls": [{**item["tool_calls"][0], **value}]}
    elif is_gemini:
        made = {**item, "parts": [{**holder, **value}]}
    else:
        made = {**item, **value}
    body = {root: [made]}
    read = CarrierTable(c for c in dialect.carriers if c.is_read)
    assert [hit.value for hit in read.find(body, "request")] == ["QUJD"]
