"""Rows of the tree as text."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from tests.tui.json.harness import NULL_OFFERED, NULLED, OFFERED, REQUEST, RESTORE

from sigscope.edits.records import Edit, Op
from sigscope.jsontext import JsonText
from sigscope.tui.json.badges import place_marks
from sigscope.tui.json.outline import Outline, Spot
from sigscope.tui.json.overlay import Overlay, PlacedOffers
from sigscope.tui.json.rows import TreeLook, clip, draw
from sigscope.tui.json.source import JsonSource
from sigscope.tui.json.subject import NodeMark, Offered
from sigscope.tui.json.twigs import Grower
from sigscope.tui.lines import Line, Span, plain
from sigscope.tui.symbols import ASCII, UNICODE, Symbols

CPC_1 = NodeMark(glyph="✗", text="CPC-1", ink="bad", note="dropped here")
CPC_2 = NodeMark(glyph="!", text="CPC-2", ink="warn")


def lines_of(
    raw: bytes,
    cells: int = 60,
    *,
    edits: tuple[Edit, ...] = (),
    marks: dict[str, tuple[NodeMark, ...]] | None = None,
    can_switch: bool = True,
    symbols: Symbols = UNICODE,
    deep: bool = True,
    offered: tuple[Offered, ...] = (),
    parked: tuple[Edit, ...] = (),
) -> list[Line]:
    source = JsonSource(JsonText(raw))
    offers = PlacedOffers(source, offered)
    overlay = Overlay(source, edits, offers, parked) if can_switch else None
    look = TreeLook(
        symbols=symbols,
        cells=cells,
        title="POST /chat",
        has_checks=can_switch,
        marks=place_marks(source, overlay, marks or {}),
    )
    grower = Grower(look.text_cells)
    outline = Outline(grower.top(source, overlay), grower.grow)
    if deep:
        outline.unfold_deep(outline.spot(0), 500)
    else:
        outline.unfold(Spot(outline.top, 0))
    return [draw(spot, look) for spot in outline.window(0, len(outline))]


def texts(raw: bytes | dict[str, Any], cells: int = 60, **more: Any) -> list[str]:
    body = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
    return [plain(line).rstrip() for line in lines_of(body, cells, **more)]


def test_a_request_with_edits_offers_and_findings() -> None:
    found = texts(
        {"messages": REQUEST["messages"][2:3]},
        64,
        edits=(Edit(op=Op.SET, pointer="/messages/0/content", value="null"),),
        marks={"/messages/0/content": (CPC_2,), "/messages/0": (CPC_1,)},
    )
    assert found == [
        "  ▾ POST /chat  {1 field}",
        "☑ ▾ messages             [1 item]",
        "☑   ▾ 0 assistant        {3 fields}         ✗ CPC-1 dropped here",
        '☑       role             "assistant"',
        "◩       content          [] → null                       ! CPC-2",
        "☑     ▾ tool_calls       [1 item]",
        "☑       ▾ 0 read_file    {3 fields}",
        '☑           id           "call_1"',
        '☑           type         "function"',
        "☑         ▾ function     {2 fields}",
        '☑             name       "read_file"',
        '☑           ▾ arguments  "{\\"path\\":\\"README.md\\",\\"lines\\"…" 35',
        '                path     "README.md"',
        "              ▾ lines    [2 items]",
        "                  0      1",
        "                  1      20",
    ]


def test_an_element_with_a_long_name_is_called_by_its_beginning() -> None:
    name = "mcp__a_server_with_a_long_name__" + "and_a_tool_with_a_longer_one" * 3
    rows = texts({"tools": [{"function": {"name": name}}]}, 78)
    assert rows[2].startswith("☑   ▾ 0 mcp__a_server_with_a_long_name__… "), rows
    endless = texts({"tools": [{"function": {"name": name * 9}}]}, 78)
    assert endless[2].startswith("☑   ▾ 0   "), "no text is read for its beginning"


LONG = "x" * 900


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ([{"a": 1}, {"b": 2}], [{"a": 1}, {"b": 3}], "[2 items] → 1 of 2 differs"),
        ([{"a": 1}, {"b": 2}], [{"b": 2}, {"a": 1}], "[2 items] → in another order"),
        ([1, 2], [2, 2], "[2 items] → 1 of 2 differs"),
        ({"a": 1, "b": 2}, {"a": 1, "c": 2}, "{2 fields} → 2 of 3 differ"),
        ([1, 2], [1, 2, 3], "[2 items] → [3 items]"),
        (f"{LONG}y", f"{LONG}z", '" 901 → differs from character 901 on'),
    ],
)
def test_values_that_look_alike_are_told_apart(old: Any, new: Any, told: str) -> None:
    edit = Edit(op=Op.SET, pointer="/value", value=json.dumps(new))
    found = texts({"value": old}, 78, edits=(edit,), deep=False)
    assert told in found[1], found
    assert all(cell_len(row) <= 78 for row in found)


def test_what_is_off_stays_in_sight_with_all_that_is_in_it() -> None:
    raw = json.dumps(REQUEST).encode()
    drop = Edit(op=Op.DROP, pointer="/messages/1")
    lines = lines_of(raw, 60, edits=(drop,))
    at = next(n for n, line in enumerate(lines) if "1 user" in plain(line))
    for line in lines[at : at + 3]:
        assert plain(line).startswith("☐")
        inks = {span.ink for span in line if span.text.strip()}
        assert inks <= {"dim"}
    assert plain(lines[at + 3]).startswith("☑")


def test_offered_rows_are_dim_with_their_note_until_they_are_on() -> None:
    offered = (OFFERED, NULL_OFFERED)
    found = texts(REQUEST, 70, offered=offered)
    assert any(
        line.split() == ["☐", "→", "null", "instead", "of", "[]"] for line in found
    )
    row = next(line for line in found if "reasoning_opaque" in line)
    assert row.startswith(("☐     ▸ reasoning_opaque", "☐     ▾"))
    assert "from step 1" in row
    on = texts(REQUEST, 70, offered=offered, edits=(RESTORE, NULLED))
    row = next(line for line in on if "reasoning_opaque" in line)
    assert row.startswith("☑")
    assert "+ " in row
    assert any(line.split() == ["◩", "content", "[]", "→", "null"] for line in on)
    assert not any("instead of []" in line for line in on)


def test_badges_of_what_is_missing_stand_beside_the_offer_or_what_is_around() -> None:
    ghost = NodeMark(glyph="◇", text="9f3a21", ink="sig-1")
    marks = {RESTORE.pointer: (ghost,)}
    found = texts(REQUEST, 70, marks=marks, offered=(OFFERED,))
    row = next(line for line in found if "reasoning_opaque" in line)
    assert row.endswith("◇ 9f3a21")
    found = texts(REQUEST, 70, marks=marks)
    assert next(line for line in found if "◇" in line).startswith("☑   ▾ 2 assistant")


def test_a_folded_container_has_the_badges_of_what_is_in_it() -> None:
    marks = {"/messages/2/content": (CPC_2,), "/messages/2": (CPC_1,)}
    found = texts(REQUEST, 70, marks=marks, deep=False)
    row = next(line for line in found if "messages" in line)
    assert "CPC-1" in row
    assert "CPC-2" in row


def test_what_is_wrong_with_the_text_is_said_where_it_is() -> None:
    found = texts(b'{"a": nul, "b": [1, 2', 72, can_switch=False)
    assert found == [
        "▾ POST /chat  {2 fields}  3 problems; line 1, column 1: this object is…",
        "  a                         nul  'nul' is not a JSON value",
        "▾ b                         [2 items]  this array is never closed",
        "    0                       1",
        "    1                       2",
    ]


def test_equal_keys_and_the_text_after_the_end_are_flagged() -> None:
    found = texts(b'{"a": 1, "a": 2} trailing', 60, can_switch=False)
    assert found[1].endswith("1  key 1 of 2 equal ones")
    assert found[2].endswith("2  key 2 of 2 equal ones")
    assert found[3].startswith("text after the end")
    assert "trailing" in found[3]


def test_invalid_bytes_and_control_characters_are_seen() -> None:
    found = texts(b'{"a": "x\xffy", "b": "\x1b[31m", "c": "\\u001b"}', 60)
    assert found[1].endswith('"x\\xffy"')
    assert found[2].split('"', 1)[1].startswith("\\x1b[31m")
    assert found[3].endswith('"\\x1b"')


def test_escapes_of_what_can_be_seen_are_undone() -> None:
    found = texts(b'{"a": "\\u6f22 \\"q\\" \\/ \\n \\ud83d\\ude42"}', 60)
    assert found[1].endswith('"漢 \\"q\\" / \\n 🙂"')


def test_a_long_string_tells_its_length_in_characters() -> None:
    found = texts({"a": "é" * 1464}, 50, deep=False)
    assert found[1].endswith('…" 1,464')
    assert cell_len(found[1]) <= 50


def test_an_unfolded_text_is_wrapped_with_its_lines() -> None:
    found = texts({"a": "first line\n" + "w" * 100}, 40)
    assert found[2].strip() == "┊ first line"
    assert found[3].count("w") == 33
    assert "".join(found[3:]).count("w") == 100


def test_what_a_string_holds_stands_below_it() -> None:
    found = texts({"a": b64encode(b"plain text, 24 times 1" * 2).decode()}, 60)
    assert found[2].strip() == "▾ base64 → 44 B of text"


def test_ascii_symbols_use_nothing_else() -> None:
    raw = json.dumps(REQUEST).encode()
    mark = {"/messages/2": (NodeMark(glyph="x", text="CPC-1", ink="bad"),)}
    for cells in (30, 60, 120):
        for line in lines_of(
            raw, cells, symbols=ASCII, edits=(NULLED,), offered=(OFFERED,), marks=mark
        ):
            assert plain(line).isascii()


nasty = st.text(
    alphabet=st.one_of(
        st.sampled_from("a漢🙂é\u0301\u200d\ufe0f\x1b\n\t\ud800"),
        st.characters(codec="utf-8"),
    ),
    max_size=30,
)
bodies = st.recursive(
    st.one_of(nasty, st.integers(), st.floats(), st.booleans(), st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(nasty, inner, max_size=4)
    ),
    max_leaves=15,
)


@settings(deadline=None)
@given(st.dictionaries(nasty, bodies, max_size=4), st.sampled_from([30, 41, 80]))
def test_no_row_is_wider_than_the_view(body: dict[str, Any], cells: int) -> None:
    raw = json.dumps(body).encode()
    pointer = next(iter(JsonText(raw).children(JsonText(raw).root)), None)
    marks = {"": (CPC_1, CPC_2)} if pointer is not None else {}
    for line in lines_of(raw, cells, marks=marks):
        assert cell_len(plain(line)) <= cells
        assert plain(line).isprintable()


@settings(deadline=None)
@given(st.binary(max_size=80))
def test_any_bytes_can_be_drawn(raw: bytes) -> None:
    for line in lines_of(raw, 40):
        assert cell_len(plain(line)) <= 40
        assert plain(line).isprintable()


@pytest.mark.parametrize("cells", [30, 34, 40])
def test_badges_lose_their_notes_then_their_text_where_room_is_short(
    cells: int,
) -> None:
    raw = json.dumps({"a_long_name_for_a_key": "some value"}).encode()
    marks = {"/a_long_name_for_a_key": (CPC_1,)}
    (_, line) = lines_of(raw, cells, marks=marks)
    assert "✗" in plain(line)
    assert "dropped" not in plain(line)
    assert cell_len(plain(line)) == cells


def test_clipping_puts_the_ellipsis_inside_the_width() -> None:
    assert plain(clip([Span("abc"), Span("def")], 4, "…")) == "abc…"
    assert plain(clip([Span("漢漢漢")], 4, "…")) == "漢…"
    assert plain(clip([Span("abcd")], 4, "…")) == "abcd"


def test_badges_never_cut_the_figures_of_a_container() -> None:
    raw = b'{"messages":[{"role":"assistant","content":1,"tool_calls":[]}]}'
    mark = NodeMark(glyph="◇", text="4fc87b", ink="bad", note="dropped")
    seen = set()
    for cells in range(28, 80):
        rows = lines_of(raw, cells, marks={"/messages/0": (mark, CPC_1)})
        (row,) = [plain(line) for line in rows if "0 assistant" in plain(line)]
        seen.add(re.findall(r"\{[^}]*(?:\}|$)", row)[0])
    assert seen == {"{3 fields}", "{3}"}


def test_figures_are_shortened_before_they_leave_the_column_of_values() -> None:
    note = NodeMark(glyph="◇", text="4fc87b", ink="bad", note="dropped, required")
    body = {"messages": [{"role": "user", "content": "a"}], "tools": [{"a": 1}]}
    rows = texts(body, cells=53, marks={"/messages/0": (note,)}, can_switch=False)
    (place,) = {row.index('"user"') for row in rows if "role" in row}
    (marked,) = [row for row in rows if "required" in row]
    assert marked[place : place + 3] == "{2}"
