from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.jsontext.printer import AlikeRows, Printer, RepeatedRows

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
KEYS = st.text() | st.integers() | st.booleans() | st.none()
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner) | st.dictionaries(KEYS, inner) | st.tuples(inner, inner)
    ),
    max_leaves=20,
)
ROWS = st.dictionaries(st.text(), VALUES, min_size=1).map(
    lambda row: {key: value for key, value in row.items() if key != "step"} or {"a": 1}
)


def printed(value: object) -> str:
    return "".join(Printer().pieces(value))


def standard(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


@given(VALUES)
def test_the_text_is_that_of_the_standard_library(value: object) -> None:
    assert printed(value) == standard(value)


@given(st.lists(VALUES))
def test_an_iterator_is_an_array(values: list[object]) -> None:
    assert printed({"found": iter(values)}) == standard({"found": values})


@given(st.lists(ROWS, min_size=1, max_size=3), st.lists(st.integers(0, 2)))
def test_rows_that_are_alike_are_objects(
    rows: list[dict[str, object]], order: list[int]
) -> None:
    told = [(step, rows[which % len(rows)]) for step, which in enumerate(order)]
    whole = [{"step": step, **row} for step, row in told]
    assert printed([AlikeRows("step", iter(told))]) == standard([whole])


@given(
    st.lists(st.dictionaries(st.text(), VALUES), min_size=1, max_size=3),
    st.lists(st.lists(st.integers(0, 2))),
)
def test_rows_that_are_repeated_are_objects(
    rows: list[dict[str, object]], orders: list[list[int]]
) -> None:
    arrays = [[rows[which % len(rows)] for which in order] for order in orders]
    told = {"deep": [RepeatedRows(iter(each)) for each in arrays]}
    flat = [RepeatedRows(each) for each in arrays]
    assert printed([told, *flat]) == standard([{"deep": arrays}, *arrays])


def test_a_repeated_row_is_spelled_once() -> None:
    spelled: list[str] = []

    def spell(text: str) -> str:
        spelled.append(text)
        return json.dumps(text)

    row = {"value": "Eh"}
    "".join(Printer(spell=spell).pieces([RepeatedRows([row] * 9)] * 9))
    assert spelled == ["value", "Eh"]


def test_nothing_is_made_before_it_is_printed() -> None:
    made = 0

    def rows() -> Iterator[tuple[int, dict[str, str]]]:
        nonlocal made
        for made in range(1, 1001):
            yield made, {"fate": "exact"}

    pieces = Printer().pieces({"fates": AlikeRows("step", rows())})
    assert made == 0
    for _ in range(11):
        next(pieces)
    assert made == 10


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="set"):
        printed({"a": {1, 2}})
