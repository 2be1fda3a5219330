"""The tree of the request under keys and mouse."""

from __future__ import annotations

import json

import pytest
from tests.tui.json.harness import (
    NULLED,
    REQUEST,
    RESTORE,
    Harness,
    body_subject,
    rows_of,
    screen_of,
    subject,
)
from tests.tui.stillness import workers_ended
from textual.pilot import Pilot

from sigscope.edits.records import Edit, Op
from sigscope.tui.json import JsonPane
from sigscope.tui.json.source import LARGE
from sigscope.tui.json.tree import JsonTree


def tree_of(app: Harness) -> JsonTree:
    return app.pane.request_tree


def pointer(app: Harness) -> str:
    leaf = tree_of(app).leaf()
    assert leaf is not None
    return leaf.pointer


def row_with(app: Harness, text: str) -> int:
    """The row of the request that has this text."""
    return next(n for n, row in enumerate(rows_of(tree_of(app))) if text in row)


async def click_row(app: Harness, pilot: Pilot[None], row: int, column: int) -> None:
    top = tree_of(app).scroll_offset.y
    await pilot.click(tree_of(app), offset=(column, row - top))
    await pilot.pause()


async def test_the_conversation_and_what_is_marked_are_unfolded_at_first() -> None:
    app = Harness(subject())
    async with app.run_test(size=(70, 16)) as pilot:
        await pilot.pause()
        shown = screen_of(app)
        assert "POST /chat/completions" in shown[1]
        assert any("2 assistant" in line and "✗ CPC-1" in line for line in shown)
        assert any("content" in line and "! CPC-2" in line for line in shown)
        assert any("reasoning_opaque" in line for line in shown)


async def test_keys_move_fold_and_unfold() -> None:
    app = Harness(subject(marks={}, offered=()))
    async with app.run_test(size=(70, 40)) as pilot:
        await pilot.press("j", "down")
        assert pointer(app) == "/stream"
        await pilot.press("k")
        assert pointer(app) == "/model"
        await pilot.press("G")
        assert pointer(app).startswith("/messages/3")
        await pilot.press("g")
        assert pointer(app) == ""
        before = tree_of(app).row_count
        await pilot.press("h")
        assert tree_of(app).row_count == 1
        await pilot.press("l")
        assert tree_of(app).row_count == before
        await pilot.press("l")
        assert pointer(app) == "/model"


async def test_siblings_and_parents_are_one_key_away() -> None:
    app = Harness(subject(marks={}, offered=()))
    async with app.run_test(size=(70, 40)) as pilot:
        app.pane.show_node("request", None, "/messages/1")
        await pilot.press("J")
        assert pointer(app) == "/messages/2"
        await pilot.press("K", "K")
        assert pointer(app) == "/messages/0"
        await pilot.press("H")
        assert pointer(app) == "/messages"


async def test_everything_below_folds_and_unfolds_with_one_key() -> None:
    app = Harness(subject(marks={}, offered=()))
    async with app.run_test(size=(70, 60)) as pilot:
        app.pane.show_node("request", None, "/messages")
        await pilot.press("c")
        folded = tree_of(app).row_count
        await pilot.press("l")
        assert tree_of(app).row_count == folded + 4
        await pilot.press("o")
        assert any('"read_file"' in row for row in rows_of(tree_of(app)))
        await pilot.press("j", "C")
        assert tree_of(app).row_count == folded + 4
        await pilot.press("O")
        assert tree_of(app).row_count > folded + 4 + 2 + 2 + 3 + 3


async def test_a_tree_is_unfolded_and_folded_level_by_level() -> None:
    body = b'{"a":{"b":{"c":{"d":1}},"x":{}},"e":[[],[2]],"f":3}'
    app = Harness(body_subject(body))

    async with app.run_test(size=(70, 40)) as pilot:
        await pilot.press("g", "c")
        assert tree_of(app).row_count == 1
        sizes = []
        for _ in range(5):
            await pilot.press("right_parenthesis")
            sizes.append(tree_of(app).row_count)
        assert sizes == [4, 8, 10, 11, 11]
        assert pointer(app) == ""
        sizes = []
        for _ in range(5):
            await pilot.press("left_parenthesis")
            sizes.append(tree_of(app).row_count)
        assert sizes == [10, 8, 4, 1, 1]
        await pilot.press("right_parenthesis", "j", "right_parenthesis")
        assert tree_of(app).row_count == 6
        assert pointer(app) == "/a"


async def test_half_pages_move_cursor_and_view() -> None:
    app = Harness(body_subject(json.dumps({"a": list(range(500))}).encode()))
    async with app.run_test(size=(50, 22)) as pilot:
        app.pane.show_node("request", None, "/a/0")
        await pilot.press("ctrl+d", "ctrl+d")
        assert pointer(app) == "/a/20"
        await pilot.press("ctrl+u")
        assert pointer(app) == "/a/10"
        await pilot.press("G", "pageup")
        assert pointer(app) == "/a/479"
        assert "479" in "".join(screen_of(app))


async def test_space_switches_a_field_off_and_on() -> None:
    app = Harness(subject())
    async with app.run_test(size=(70, 30)) as pilot:
        app.pane.show_node("request", None, "/messages/1/content")
        await pilot.press("space")
        message = app.last(JsonPane.EditsChanged)
        assert message.edits == (Edit(op=Op.DROP, pointer="/messages/1/content"),)
        assert message.label == "drop /messages/1/content"
        row = rows_of(tree_of(app))[tree_of(app).cursor]
        assert row.startswith("☐")
        await pilot.press("space")
        assert app.pane.edits == ()
        assert pointer(app) == "/messages/1/content"


async def test_space_switches_an_offered_field_on_and_off_again() -> None:
    app = Harness(subject())
    async with app.run_test(size=(70, 30)) as pilot:
        row = row_with(app, "reasoning_opaque")
        tree_of(app).put_cursor(row)
        await pilot.press("space")
        await pilot.pause()
        assert app.pane.edits == (RESTORE,)
        assert rows_of(tree_of(app))[row].startswith("☑")
        assert tree_of(app).cursor == row
        await pilot.press("space")
        await pilot.pause()
        assert app.pane.edits == ()
        assert rows_of(tree_of(app))[row].startswith("☐")


async def test_another_value_that_is_switched_on_joins_the_row_of_the_field() -> None:
    app = Harness(subject())
    async with app.run_test(size=(70, 30)) as pilot:
        tree_of(app).put_cursor(row_with(app, "instead of []"))
        await pilot.press("space")
        await pilot.pause()
        assert app.pane.edits == (NULLED,)
        row = rows_of(tree_of(app))[tree_of(app).cursor]
        assert row.startswith("◩")
        assert "[] → null" in row
        await pilot.press("space")
        await pilot.pause()
        assert app.pane.edits == ()
        assert any("instead of []" in row for row in rows_of(tree_of(app)))


async def test_an_edit_nobody_offered_stays_in_sight_when_it_is_switched_off() -> None:
    app = Harness(subject(offered=()))
    edit = Edit(op=Op.SET, pointer="/messages/1/name", value='"ann"')
    async with app.run_test(size=(70, 30)) as pilot:
        app.pane.edits = (edit,)
        await pilot.pause()
        tree_of(app).put_cursor(row_with(app, '"ann"'))
        await pilot.press("space")
        await pilot.pause()
        assert app.pane.edits == ()
        row = row_with(app, '"ann"')
        assert rows_of(tree_of(app))[row].startswith("☐")
        await pilot.press("space")
        await pilot.pause()
        assert app.pane.edits == (edit,)


async def test_what_cannot_be_switched_says_why() -> None:
    app = Harness(subject())
    async with app.run_test(size=(70, 40), notifications=True) as pilot:
        app.pane.edits = (Edit(op=Op.DROP, pointer="/messages/1"),)
        app.pane.show_node("request", None, "/messages/1/role")
        await pilot.press("space")
        await pilot.pause()
        assert not [m for m in app.told if isinstance(m, JsonPane.EditsChanged)]
        assert "/messages/1 is off" in "\n".join(screen_of(app))


async def test_a_click_chooses_a_click_on_a_marker_folds_on_a_box_toggles() -> None:
    app = Harness(subject())
    async with app.run_test(size=(70, 30)) as pilot:
        await pilot.pause()
        row = row_with(app, "1 user")
        await click_row(app, pilot, row, 20)
        assert pointer(app) == "/messages/1"
        before = tree_of(app).row_count
        await click_row(app, pilot, row, 4)
        assert tree_of(app).row_count == before - 2
        await click_row(app, pilot, row, 0)
        assert app.pane.edits == (Edit(op=Op.DROP, pointer="/messages/1"),)


async def test_a_click_on_a_badge_tells_which() -> None:
    app = Harness(subject())
    async with app.run_test(size=(70, 30)) as pilot:
        await pilot.pause()
        row = row_with(app, "CPC-2")
        column = rows_of(tree_of(app))[row].index("CPC-2")
        await click_row(app, pilot, row, column)
        assert app.last(JsonPane.MarkChosen).mark.target == "CPC-2"


async def test_the_wheel_scrolls_without_moving_the_cursor() -> None:
    app = Harness(body_subject(json.dumps({"a": list(range(500))}).encode()))
    async with app.run_test(size=(50, 20)) as pilot:
        app.pane.show_node("request", None, "/a/0")
        await pilot.pause()
        cursor = tree_of(app).cursor
        tree_of(app).scroll_down(animate=False)
        tree_of(app).scroll_down(animate=False)
        await pilot.pause()
        assert tree_of(app).scroll_offset.y > 0
        assert tree_of(app).cursor == cursor


async def test_moving_tells_the_node() -> None:
    app = Harness(subject())
    async with app.run_test(size=(70, 30)) as pilot:
        await pilot.press("j")
        message = app.last(JsonPane.NodeChosen)
        assert (message.side, message.event, message.pointer) == (
            "request",
            None,
            "/model",
        )


async def test_json_in_a_string_unfolds_in_place_and_a_text_into_lines() -> None:
    app = Harness(subject(marks={}, offered=()))
    async with app.run_test(size=(70, 50)) as pilot:
        arguments = "/messages/2/tool_calls/0/function/arguments"
        app.pane.show_node("request", None, arguments)
        await pilot.press("l", "l")
        leaf = tree_of(app).leaf()
        assert leaf is not None
        assert (leaf.pointer, leaf.inner) == (arguments, "/path")
        assert tree_of(app).copied("value").text == "README.md"
        app.pane.show_node("request", None, "/messages/3/content")
        await pilot.press("l", "l")
        assert rows_of(tree_of(app))[tree_of(app).cursor].strip() == "┊ # Title"


async def test_a_resize_keeps_the_cursor_and_wraps_texts_anew() -> None:
    body = json.dumps({"a": "word " * 100, "b": 1}).encode()
    app = Harness(body_subject(body))
    async with app.run_test(size=(80, 40)) as pilot:
        app.pane.show_node("request", None, "/a")
        await pilot.press("l")
        wide = tree_of(app).row_count
        app.pane.show_node("request", None, "/b")
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        assert tree_of(app).row_count > wide
        assert pointer(app) == "/b"
        assert any(line.startswith("│ ☑   b") for line in screen_of(app))


async def test_folds_and_cursor_stay_where_another_step_has_the_same_nodes() -> None:
    app = Harness(subject(marks={}, offered=()))
    async with app.run_test(size=(70, 40)) as pilot:
        app.pane.show_node("request", None, "/messages/2/tool_calls/0")
        await pilot.press("c")
        longer = {**REQUEST, "messages": [*REQUEST["messages"], {"role": "user"}]}
        app.pane.subject = body_subject(json.dumps(longer).encode())
        await pilot.pause()
        assert pointer(app) == "/messages/2/tool_calls/0"
        assert not any("function" in row for row in rows_of(tree_of(app))[20:])


async def test_a_large_body_is_read_in_a_thread_and_then_shows_its_edits() -> None:
    body = json.dumps({"big": ["x" * LARGE, "y" * LARGE], "model": "m"}).encode()
    app = Harness(body_subject(body))
    drop = Edit(op=Op.DROP, pointer="/model")
    async with app.run_test(size=(70, 20)) as pilot:
        app.pane.edits = (drop,)
        app.pane.show_node("request", None, "/model")
        await workers_ended(app)
        await pilot.pause()
        assert tree_of(app).model.is_ready
        assert pointer(app) == "/model"
        row = rows_of(tree_of(app))[tree_of(app).cursor]
        assert row.startswith("☐")
        assert "[2 items, 262 kB]" in "\n".join(rows_of(tree_of(app)))


async def test_a_newer_subject_wins_over_one_that_is_still_being_read() -> None:
    body = json.dumps({"big": ["x" * LARGE, "y" * LARGE]}).encode()
    app = Harness(body_subject(body))
    async with app.run_test(size=(70, 20)) as pilot:
        app.pane.subject = body_subject(b'{"small": 1}')
        await workers_ended(app)
        await pilot.pause()
        assert [row.split()[1] for row in rows_of(tree_of(app))[1:]] == ["small"]


@pytest.mark.parametrize("body", [b"{", b'{"a":', b"\xff\xfe", b"[1,,2]", b"12", b'""'])
async def test_broken_bodies_are_shown_and_keys_do_no_harm(body: bytes) -> None:
    app = Harness(body_subject(body))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.press("j", "l", "l", "space", "o", "c", "h", "G", "J", "enter")
        assert tree_of(app).row_count >= 1


async def test_a_body_without_anything_says_so() -> None:
    app = Harness(body_subject(b""))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.press("j", "space", "l", "n", "y", "y")
        assert any("the request has no body" in line for line in screen_of(app))
