"""Markdown that recorded text cannot break out of."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sigscope.export.markup import code, fenced, prose, quoted, table

NASTY = st.text(alphabet="`~\n\\|<>_*[]!&#@ab \t\x1b\u202e\ud800")


@given(NASTY)
@example("a\n```\nb")
@example("````")
def test_a_fence_closes_only_at_its_end(text: str) -> None:
    first, *inside, last = fenced(text, "text").split("\n")
    ticks = len(last)
    assert first == "`" * ticks + "text"
    assert last == "`" * ticks
    closing = [line.strip() for line in inside if set(line.strip()) == {"`"}]
    assert not any(len(line) >= ticks for line in closing)


@given(NASTY)
def test_a_span_of_code_closes_only_at_its_end(text: str) -> None:
    span = code(text)
    if not text:
        assert span == ""
        return
    ticks = re.match(r"`+", span)
    assert ticks is not None
    size = len(ticks[0])
    inner = span[size:-size]
    assert "\n" not in span
    assert all(len(run) != size for run in re.findall(r"`+", inner))
    assert inner[0] != "`"
    assert inner[-1] != "`"


@given(NASTY)
def test_prose_holds_no_markup(text: str) -> None:
    bare = re.sub(r"\\[\\`*_{}\[\]<>#|~!&]", "", prose(text))
    assert not re.search(r"[`*{}\[\]<>#|~!&\n]", bare)


def test_words_stay_readable() -> None:
    assert prose("reasoning_opaque of tool_calls") == "reasoning_opaque of tool_calls"
    assert prose("__bold__ *x*") == "\\_\\_bold\\_\\_ \\*x\\*"


def test_nobody_is_mentioned() -> None:
    assert "@octocat" not in prose("thanks @octocat")


@given(st.lists(NASTY, min_size=2, max_size=2))
def test_a_row_keeps_its_cells(cells: list[str]) -> None:
    row = table(("a", "b"), [(prose(cells[0]), code(cells[1]))]).split("\n")[-1]
    assert len(re.findall(r"(?<!\\)\|", row)) == 3


@pytest.mark.parametrize("text", ["```\n# no", "<script>x</script>", "a\r\nb"])
def test_quoted_markdown_stays_in_its_block(text: str) -> None:
    block = quoted(text)
    assert all(line.startswith(">") for line in block.split("\n"))
    assert "<" not in block


def test_what_is_unseen_is_told_as_on_the_terminal() -> None:
    """Whatever this Python knows of Unicode: it does not decide what is a letter."""
    assert fenced("a\u2028b\u3164\u202ec\U0010ffff\ue0b0", "text").split("\n")[1] == (
        "a\\u2028b\\u3164\\u202ec\U0010ffff\ue0b0"
    )
