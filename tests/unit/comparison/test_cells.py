"""One side of a row in words."""

from __future__ import annotations

from tests.builders import LS, OPAQUE, copilot, result, user
from tests.unit.comparison.halves import half, plain

from sigscope import opaque
from sigscope.comparison import (
    EVERYTHING,
    Cell,
    Cells,
    ComparedRow,
    Mask,
    Side,
    compare,
)

ONE = [user("a" * 60 + "\nX"), copilot(LS), result(LS, "r")]
OTHER = [user("a" * 60 + "\nY"), copilot(LS, opaque="Zz" * 20), result(LS, "r")]


def cells(masks: frozenset[Mask] = frozenset()) -> dict[str, tuple[Cell, Cell]]:
    found = compare(half("copilot-chat", ONE), half("copilot-chat", OTHER), masks)
    words = Cells(found)
    rows: dict[str, tuple[Cell, Cell]] = {}

    def walk(row: ComparedRow) -> None:
        sides: tuple[Side, Side] = ("left", "right")
        left, right = (words.cell(row, side) for side in sides)
        if left and right:
            rows[row.left_place] = (left, right)
        for below in found.below(row):
            walk(below)

    walk(found.root)
    return rows


def test_messages_are_called_by_role_and_say_what_they_do() -> None:
    left, _ = cells()["/messages/1"]
    assert left.label == "1 assistant"
    assert left.value.startswith("thought · list_files({")


def test_elements_are_called_by_their_function() -> None:
    assert cells()["/messages/1/tool_calls/0"][0].label == "0 list_files"


def test_a_long_text_begins_shortly_before_the_difference() -> None:
    left, right = cells()["/messages/0/content"]
    assert (left.value, right.value) == (
        "…" + "a" * 11 + '\\nX"',
        "…" + "a" * 11 + '\\nY"',
    )
    assert left.size == 62


def test_a_signature_is_its_fingerprint_and_length() -> None:
    left, right = cells()["/messages/1/reasoning_opaque"]
    assert left.signature == opaque.fingerprint(OPAQUE)
    assert left.value == f"{len(OPAQUE)} chars"
    assert right.value == "40 chars"


def test_masked_values_are_words_with_their_length() -> None:
    found = cells(EVERYTHING)
    assert found["/messages/0/content"][0].value == "‹text› 62 chars"
    assert found["/messages/1/reasoning_opaque"][1].value == "‹signature›"
    assert found["/messages/1/tool_calls/0/id"][0].value == "‹id 1›"
    assert found["/messages/2/tool_call_id"][1].value == "‹id 1›"
    assert "." not in found["/messages/1"][0].value


def test_control_characters_are_spelled_out() -> None:
    found = compare(plain(b'{"a":"\\u001b[31m"}'), plain(b'{"a":"b"}'))
    (row,) = found.differences
    cell = Cells(found).cell(row, "left")
    assert cell is not None
    assert cell.value == '"\\u001b[31m"'
