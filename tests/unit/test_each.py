"""A row that fails is named, and hides no other."""

from __future__ import annotations

import pytest
from tests.each import each


def test_all_rows_that_fail_are_told() -> None:
    @each([1, 2, 3], lambda row: f"number {row}")
    def even(row: int) -> None:
        assert row % 2 == 0

    with pytest.raises(ExceptionGroup, match="2 of 3 rows") as caught:
        even()
    notes = [error.__notes__ for error in caught.value.exceptions]
    assert notes == [["of number 1"], ["of number 3"]]


def test_a_table_without_rows_says_nothing() -> None:
    @each(())
    def never(row: int) -> None:
        raise AssertionError(row)

    with pytest.raises(AssertionError):
        never()
