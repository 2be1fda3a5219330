"""The assembled message as rows."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.stepthrough import streams as s

from sigscope.opaque import sha256
from sigscope.stepthrough import Player
from sigscope.stepthrough.player import PlayerFrame
from sigscope.tui.lines import plain, width
from sigscope.tui.stepthrough.assembled import (
    MOST_LINES,
    AssembledLook,
    Folds,
    assembled_rows,
    main_change,
    row_of,
)
from sigscope.tui.stepthrough.messagerow import draw_row
from sigscope.tui.symbols import ASCII, UNICODE


def drawn(frame: PlayerFrame, cells: int = 60, **more: Any) -> list[str]:
    look = AssembledLook(symbols=UNICODE, cells=cells, **more)
    return [plain(draw_row(row, look)) for row in assembled_rows(frame, look)]


def frame(*events: Any, at: int | None = None) -> PlayerFrame:
    player = Player(s.reading(s.sse(*events)))
    return player.at(len(events) if at is None else at)


def test_a_container_in_a_container_is_one_row() -> None:
    (choices,) = [row for row in drawn(frame(s.delta(role="x"))) if "choices" in row]
    assert "choices/0" in choices


def test_a_text_that_grows_shows_its_end_in_lines() -> None:
    words = [s.delta(content=f"word {n} ") for n in range(100)]
    rows = drawn(frame(*words))
    assert any("+8 … 790 chars" in row for row in rows)
    assert any("word 99 ▏" in row for row in rows)
    assert sum("word" in row for row in rows) <= MOST_LINES


def test_line_feeds_at_the_end_of_a_text_stand_in_its_last_line() -> None:
    text = "\n\n" + "a long text " * 10 + "the end.\n\n"
    rows = [row.strip() for row in drawn(frame(s.delta(content=text)))]
    assert any(row.endswith("the end.↵↵▏") for row in rows)
    assert "" not in rows
    assert rows.count("▏") == 0


def test_lines_of_a_growing_text_break_at_the_same_places() -> None:
    words = [s.delta(content=f"word {n} ") for n in range(100)]
    before, after = (
        [row.strip() for row in drawn(frame(*words, at=at)) if "word" in row]
        for at in (98, 99)
    )
    assert set(before[1:-1]) <= set(after)


def test_a_text_that_did_not_change_is_one_row_with_its_length() -> None:
    long = s.delta(content="a long text " * 20)
    rows = drawn(frame(long, s.delta("stop")))
    (row,) = [row for row in rows if "content" in row]
    assert row.rstrip().endswith('…" 240')


def test_a_signature_is_shown_by_its_id() -> None:
    known = {s.OPAQUE: sha256(s.OPAQUE)}
    rows = drawn(frame(s.delta(reasoning_opaque=s.OPAQUE)), known=known)
    assert any(f"◆ {sha256(s.OPAQUE)[:6]} 240 chars" in row for row in rows)
    assert not any("XLn4" in row for row in rows)


def test_of_a_long_list_the_ends_and_what_changed_are_shown() -> None:
    first = s.delta(x=list(range(500)))
    found = frame(first, s.delta(x=["new"]))
    look = AssembledLook(symbols=UNICODE, cells=60)
    rows = assembled_rows(found, look)
    assert len(rows) < 60
    assert sum(row.gap for row in rows) == 501 - 24
    assert row_of(rows, "/choices/0/message/x/500") is not None
    assert any("477 more" in plain(draw_row(row, look)) for row in rows)


def test_folded_rows_show_that_something_inside_changed() -> None:
    call = s.call(0, "{", id="a", name="ls")
    found = frame(s.delta(role="assistant"), call, s.call(0, "}"))
    look = AssembledLook(symbols=UNICODE, cells=60)
    rows = assembled_rows(found, look, Folds(folded={"/choices/0/message"}))
    row = rows[row_of(rows, "/choices/0/message") or 0]
    assert plain(draw_row(row, look)).split()[:2] == ["~", "▸"]
    assert row_of(rows, "/choices/0/message/tool_calls/0/id") == rows.index(row)


def test_the_main_change_is_the_most_telling() -> None:
    found = frame(s.delta("stop", content="x", reasoning_opaque="sig"))
    change = main_change(found)
    assert change is not None
    assert change.pointer.endswith("reasoning_opaque")


TEXT = st.text(max_size=60) | st.integers(0, 400).map(lambda n: "字 \n"[n % 4 : 3] * n)
FIELDS = st.dictionaries(
    st.sampled_from(["content", "reasoning_text", "a/b", "x" * 50, "字"]),
    st.recursive(TEXT | st.none() | st.floats(allow_nan=False), st.lists, max_leaves=4),
    max_size=4,
)


@given(st.lists(FIELDS, min_size=1, max_size=3), st.integers(24, 120))
def test_no_row_is_wider_than_the_view(fields: list[Any], cells: int) -> None:
    found = frame(*(s.delta(**deltas) for deltas in fields))
    for symbols in (UNICODE, ASCII):
        look = AssembledLook(symbols=symbols, cells=cells)
        for row in assembled_rows(found, look):
            assert width(draw_row(row, look)) <= cells


def test_no_blank_is_underlined_where_a_new_text_is_broken() -> None:
    look = AssembledLook(symbols=UNICODE, cells=40)
    found = frame(s.delta(content="a long text " * 20))
    new = [
        span.text
        for row in assembled_rows(found, look)
        for span in draw_row(row, look)
        if "underline" in span.ink and row.piece is not None
    ]
    assert len(new) > 3
    assert all(text == text.rstrip() for text in new[:-1])
    assert new[-1].endswith(" "), "before the caret it counts"
