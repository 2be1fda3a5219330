"""The degradation report: words, table, page."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from sigscope.engine.engine import Engine
from sigscope.export.decline import decline_page, decline_table, plot, rows, told, why
from sigscope.timeline.decline import Decline

SESSIONS = Path(__file__).parents[3] / "sessions"


def decline(name: str = "zoo-litellm-dummy") -> Decline:
    engine = Engine()
    return engine.decline(engine.open(SESSIONS / f"{name}.session.jsonl"))


def test_the_change_is_told_with_its_numbers_and_cause() -> None:
    found = decline()
    assert told(found).startswith("readable reasoning fades from turn 3 (step 6) on:")
    assert why(found).startswith("likely: bypasses went back in place of signatures")
    assert "(5 of 5 signatures by then)" in why(found)


def test_a_turn_is_one_row() -> None:
    found = list(rows(decline()))
    assert found[2] == ("3", "5–6", "458", "460", "241", "0", "3", "2")
    assert len(found) == 8


def test_what_no_service_counted_is_not_zero() -> None:
    found = decline()
    first = found.turns[0]
    unknown = replace(first, figures=replace(first.figures, reasoning_tokens=None))
    assert next(rows(replace(found, turns=(unknown,))))[4] == "–"
    table = decline_table(replace(found, turns=(unknown,)))
    assert table["turns"][0]["reasoning_tokens"] is None


def test_json_says_whether_it_fades_and_from_where_on() -> None:
    table = decline_table(decline())
    assert table["fades"] is True
    assert (table["change"]["turn"], table["change"]["step"]) == (3, 6)
    assert table["turns"][0]["signatures"] == {
        "genuine": 0,
        "bypass": 1,
        "missing": 0,
    }
    silent = decline_table(decline("zoo-litellm-per-call-echo"))
    assert (silent["fades"], silent["change"], silent["cause"]) == (False, None, None)


def test_the_plot_has_a_point_for_each_turn_and_marks_the_change() -> None:
    drawn = ElementTree.fromstring(str(plot(decline())))
    assert drawn.get("viewBox") == "0 0 400 216"
    dots = list(drawn.iter("circle"))
    assert len(dots) == 16
    changes = [each for each in drawn.iter("line") if each.get("class") == "change"]
    (change,) = changes
    assert change.get("x1") == dots[2].get("cx")
    for dot in dots:
        assert 0 <= float(dot.get("cx") or -1) <= 400
        assert 0 <= float(dot.get("cy") or -1) <= 216


def test_a_steady_session_has_no_change_in_its_plot() -> None:
    assert "change" not in str(plot(decline("zoo-litellm-per-call-echo")))


def test_the_page_loads_nothing_and_obeys_no_recorded_title() -> None:
    page = decline_page(decline(), "<script>alert(1)</script>", "sigscope").decode()
    assert "<script" not in page
    assert "default-src 'none'" in unescape(page)
    assert "http://" not in page.replace("http-equiv", "")
    assert page.startswith("<!doctype html>")
