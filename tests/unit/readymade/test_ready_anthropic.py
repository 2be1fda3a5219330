"""Mistakes and cures of Messages make exactly the shapes they are named after."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests import builders as b
from tests.unit.readymade.making import (
    Change,
    check,
    check_mended,
    edited,
    edits_of,
    step,
)

TEXT = "  I look around, and then I read.\n"
SAYS = {"type": "text", "text": "I look."}
HISTORY = [
    b.user(),
    b.blocks(b.thinking(b.SIG_CL, TEXT), SAYS, b.tool_use(b.LS)),
    b.tool_results(b.LS),
    b.blocks({"type": "text", "text": "There is nothing in it at all."}),
    b.user("And a.md?"),
    b.blocks(
        b.thinking(b.SIG_CL_B, "Now.\n"), b.redacted("RGF0YQ"), b.tool_use(b.READ)
    ),
    b.tool_results(b.READ),
]


def on_thoughts(change: Any) -> Change:
    def make(history: list[Any]) -> None:
        for index in (1, 5):
            for block in history[index]["content"]:
                if "thinking" in block["type"]:
                    change(block)

    return make


def dropped(*indices: int) -> Change:
    def make(history: list[Any]) -> None:
        for index in indices:
            history[index]["content"] = [
                block
                for block in history[index]["content"]
                if "thinking" not in block["type"]
            ]

    return make


def unsigned(block: Any) -> None:
    block.pop("signature", None)


def set_text(change: Any) -> Any:
    def make(block: Any) -> None:
        if "thinking" in block:
            block["thinking"] = change(block["thinking"])

    return make


def sealed(block: Any) -> None:
    if "signature" in block:
        value = block["signature"]
        block.clear()
        block.update(type="redacted_thinking", data=value)


def as_text(block: Any) -> None:
    if "thinking" in block:
        text = f"<think>{block['thinking']}</think>"
        block.clear()
        block.update(type="text", text=text)


def text_first(history: list[Any]) -> None:
    blocks = history[1]["content"]
    blocks[0], blocks[1] = blocks[1], blocks[0]


def turned(history: list[Any]) -> None:
    blocks = history[5]["content"]
    blocks[0], blocks[1] = blocks[1], blocks[0]


def remark(history: list[Any]) -> None:
    history[6]["content"].insert(0, {"type": "text", "text": "By the way:"})


def split(history: list[Any]) -> None:
    *first, call = history[1]["content"]
    history[1:2] = [b.blocks(*first), b.blocks(call)]


CHANGES: dict[str, Change] = {
    "thinking-dropped": dropped(1, 5),
    "thinking-of-closed-turns-dropped": dropped(1),
    "unsigned": on_thoughts(unsigned),
    "text-trimmed": on_thoughts(set_text(str.strip)),
    "text-shortened": on_thoughts(
        set_text(lambda text: text if len(text) <= 12 else f"{text[:12]}...")
    ),
    "text-stripped": on_thoughts(set_text(lambda _: "")),
    "as-sealed": on_thoughts(sealed),
    "as-text": on_thoughts(as_text),
    "text-first": text_first,
    "turned-round": turned,
    "remark-first": remark,
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_makes_the_shape_it_is_named_after(name: str) -> None:
    check("anthropic", HISTORY, f"anthropic.{name}", CHANGES[name])


@pytest.mark.parametrize(
    "name",
    [
        "thinking-dropped",
        "unsigned",
        "text-trimmed",
        "text-stripped",
        "as-sealed",
        "text-first",
        "turned-round",
    ],
)
def test_the_thinking_comes_back_as_it_was_received(name: str) -> None:
    check_mended("anthropic", HISTORY, "anthropic.thinking-back", CHANGES[name])


def test_what_is_right_needs_no_cure() -> None:
    context = step("anthropic", HISTORY)
    assert edits_of(context, "anthropic.thinking-back") is None


def test_thinking_is_switched_off_for_the_request() -> None:
    body = edited(step("anthropic", HISTORY), "anthropic.thinking-off")
    assert "thinking" not in body
    assert body["messages"] == json.loads(json.dumps(HISTORY))


def test_a_reply_is_split_and_put_together_again() -> None:
    check("anthropic", HISTORY, "split", split)
    check_mended("anthropic", HISTORY, "merge", split)
