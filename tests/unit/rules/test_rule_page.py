"""Manual pages: what `explain` prints."""

from __future__ import annotations

from itertools import product

import pytest
from tests.each import each

from sigscope.errors import UsageError
from sigscope.rules.page import (
    SECTIONS,
    UnknownRule,
    find_rule,
    format_page,
    list_rules,
    page_table,
)
from sigscope.rules.registry import RULES


def test_a_page_names_the_rule_and_has_every_section() -> None:
    text = format_page("CPC-1")
    lines = text.splitlines()
    assert lines[0] == "CPC-1  signature-dropped"
    assert lines[1] == "warning · reported · copilot-chat"
    assert [line for line in lines if line in SECTIONS] == list(SECTIONS)


@each(product([40, 80], [rule.code for rule in RULES]))
def test_only_the_examples_are_wider_than_the_terminal(row: tuple[int, str]) -> None:
    width, code = row
    wide = [
        line
        for line in format_page(code, width).splitlines()[2:]
        if len(line) > width and not line.lstrip().startswith(("{", "["))
    ]
    assert [line for line in wide if " " in line.strip()] == []


@pytest.mark.parametrize(
    "wanted", ["CPC-1", "cpc-1", "cpc1", "CPC 1", "cpc_1", "signature-dropped"]
)
def test_a_rule_is_found_however_it_is_spelled(wanted: str) -> None:
    assert find_rule(wanted).code == "CPC-1"


def test_an_unknown_code_is_a_usage_error_that_names_near_ones() -> None:
    with pytest.raises(UnknownRule, match="did you mean") as caught:
        format_page("CPC-11")
    assert "CPC-1" in caught.value.near
    assert isinstance(caught.value, UsageError)


def test_a_code_that_is_near_to_none_lists_the_families() -> None:
    with pytest.raises(UnknownRule, match="GEM-1 to GEM-18"):
        find_rule("zzz")


def test_the_list_has_a_line_for_every_rule() -> None:
    lines = list_rules().splitlines()
    assert [line.split()[0] for line in lines] == [rule.code for rule in RULES]


def test_the_table_holds_one_rule_or_all() -> None:
    (row,) = page_table("ORT-1")["rules"]
    assert row["code"] == "ORT-1"
    assert row["severity"] == "error"
    assert row["why_it_matters"].startswith("for Gemini 3")
    assert row["bad"].startswith("{")
    assert len(page_table()["rules"]) == len(RULES)
