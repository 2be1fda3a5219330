"""Rows of the list of events."""

from __future__ import annotations

from rich.cells import cell_len
from tests.tui.json.harness import exchange, stream

from sigscope.exchange import Body, Exchange, Response
from sigscope.reader import Reading
from sigscope.tui.json.eventlist import (
    Columns,
    EventRows,
    columns_of,
    event_line,
    event_rows,
    header_line,
)
from sigscope.tui.json.rowroom import RowRoom
from sigscope.tui.json.subject import NodeMark
from sigscope.tui.lines import plain
from sigscope.tui.symbols import UNICODE


def reading(body: bytes) -> Reading:
    return Reading(exchange(None, body))


def test_events_are_called_after_what_they_did() -> None:
    rows = event_rows(reading(stream()))
    assert [(row.number, row.kind) for row in rows] == [
        (None, "comment"),
        (1, "thought"),
        (2, "thought"),
        (3, "signature"),
        (4, "tool call"),
        (5, "tool call"),
        (6, "finish"),
        (7, "done"),
    ]
    assert rows[1].preview == "Looking "
    assert rows[4].preview == "read_file"


def test_unfinished_and_broken_events_are_flagged() -> None:
    body = stream() + b'event: ping\n\ndata: oops\n\ndata: {"id": \n\ndata: {"id'
    rows = event_rows(reading(body))
    kinds = [(row.kind, row.flags) for row in rows[-4:]]
    assert kinds[0] == ("no data", ())
    assert kinds[1] == ("not JSON", ())
    assert "broken JSON" in kinds[2][1]
    assert "unfinished" in kinds[3][1]


def test_a_stream_of_no_dialect_still_has_rows() -> None:
    body = b'data: {"x": 1}\n\nevent: tick\ndata: {"y": 2}\n\n'
    bare = Reading(
        Exchange(
            response=Response(
                status=200,
                headers=(("content-type", "text/event-stream"),),
                body=Body(body),
            )
        )
    )
    assert [row.kind for row in event_rows(bare)] == ["nothing", "tick"]


def test_an_event_that_wrote_nothing_is_called_by_the_end_of_its_name() -> None:
    names = {
        "response.reasoning_summary_part.done": "done",
        "response.in_progress": "progress",
        "response.web_search_call.searching": "searching",
        "content_block_stop": "stop",
        "ping": "ping",
    }
    body = "".join(f"event: {name}\ndata: {{}}\n\n" for name in names)
    rows = event_rows(reading(body.encode()))
    assert [row.kind for row in rows] == list(names.values())
    assert [row.preview for row in rows] == list(names)


def test_a_whole_response_has_no_events() -> None:
    whole = Reading(exchange(None, b'{"choices": []}', content_type="application/json"))
    assert event_rows(whole) == ()


def test_a_line_fits_and_ends_with_its_badge() -> None:
    rows = event_rows(reading(stream()))
    row, columns = rows[3], columns_of(rows)
    mark = NodeMark(glyph="◆", text="9f3a21", ink="sig-1")
    for cells in (30, 41, 60, 100):
        text = plain(event_line(row, cells, UNICODE, (mark,), columns))
        assert cell_len(text) == cells
        assert text.endswith("◆ 9f3a21" if cells >= 36 else "◆")
        assert "900" in text
        assert "signature" in text


def test_without_arrival_times_there_is_no_column_for_them() -> None:
    bare = Reading(
        Exchange(
            response=Response(
                headers=(("content-type", "text/event-stream"),), body=Body(stream())
            )
        )
    )
    columns = columns_of(event_rows(bare))
    assert columns == Columns(3, False)
    assert "t ms" not in plain(header_line(columns))


def test_remarks_stand_behind_the_events_and_steps_lead_past_comments() -> None:
    rows = EventRows()
    rows.show(event_rows(reading(b": ping\n\n" + stream())), ("cut off",))
    assert "! cut off" in plain(rows.line(rows.row_count - 1, RowRoom(40)))
    assert rows.event(rows.row_count - 1) is None
    first = rows.row_of(1)
    assert first is not None
    assert rows.next_event(first, -1) is None
    assert rows.row_of(8) is None


def test_events_to_come_are_faint_where_events_are_played() -> None:
    events = event_rows(reading(stream()))
    for is_played in (False, True):
        rows = EventRows(is_played=is_played)
        rows.show(events, ())
        inks = [
            {span.ink for span in rows.line(row, RowRoom(60, cursor=2))}
            for row in (2, 3)
        ]
        assert inks[0] != {"faint"}
        assert (inks[1] == {"faint"}) is is_played
